//! Where the files of a policy set are: paths, and the layers that they belong to.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use policyc::source::Layer;
use policyc::workspace::Surroundings;
pub(super) use policyc::workspace::{Given, Prelude, Repeats, Sources};

use super::configuration::Configuration;
use super::usage_error;

/// `NAME=PATH` or `NAME:untrusted=PATH`, as it was given.
#[derive(Clone)]
pub(super) struct LayerPath {
    name: String,
    trusted: bool,
    path: PathBuf,
}

impl FromStr for LayerPath {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        const EXPECTED: &str = "expected `NAME=PATH` or `NAME:untrusted=PATH`";
        let (name, path) = given.split_once('=').ok_or(EXPECTED)?;
        let (name, trusted) = match name.split_once(':') {
            None => (name, true),
            Some((name, "untrusted")) => (name, false),
            Some((_, other)) => return Err(format!("`{other}` says nothing of a layer; {EXPECTED}")),
        };
        if !policyc::config::is_name(name) {
            return Err(format!("the name of a layer is made of letters, digits, `-`, `_` and `.`; {EXPECTED}"));
        }
        if path.is_empty() {
            return Err(format!("the path is empty; {EXPECTED}"));
        }
        Ok(Self { name: name.to_owned(), trusted, path: PathBuf::from(path) })
    }
}

impl LayerPath {
    /// How it is given again, to another process.
    pub(super) fn argument(&self) -> std::ffi::OsString {
        let mut argument =
            std::ffi::OsString::from(format!("--layer={}{}=", self.name, if self.trusted { "" } else { ":untrusted" }));
        argument.push(&self.path);
        argument
    }

    pub(super) const fn path(&self) -> &PathBuf {
        &self.path
    }
}

/// The policy files of a command line, with the `policyc.toml` that speaks for them.
#[derive(Args)]
pub(super) struct Policies {
    /// Policy files, and folders to search for *.rules files (in sorted order; folders whose names begin with a
    /// dot and links to folders are left out) [default: those that `policyc.toml` names]
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) options: PolicyOptions,
}

/// The options about policy files that several subcommands share.
#[derive(Args, Default)]
pub(super) struct PolicyOptions {
    /// Policy files of a layer: NAME=PATH, or NAME:untrusted=PATH for one that can only restrict; give the option again
    /// for each further path
    #[arg(long, value_name = "LAYER")]
    pub(super) layer: Vec<LayerPath>,
    /// The configuration [default: the nearest `policyc.toml` at or above the current folder]
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Leave out what is shipped about programs
    #[arg(long)]
    pub(super) no_prelude: bool,
}

/// What is to be compiled, and by which configuration.
pub(super) struct Chosen {
    pub(super) sources: Sources,
    pub(super) configuration: Option<Configuration>,
}

impl PolicyOptions {
    /// What the paths and layers name or, without any, the configuration. Given paths go by a configuration above them all.
    pub(super) fn chosen(&self, subcommand: &str, paths: &[PathBuf], repeats: Repeats) -> anyhow::Result<Chosen> {
        let configuration = match &self.config {
            Some(path) => Some(Configuration::named(path)?),
            None => Configuration::nearest()?,
        };
        let prelude = if self.no_prelude { Prelude::Empty } else { Prelude::Shipped };
        if paths.is_empty() && self.layer.is_empty() {
            let Some(configuration) = configuration else {
                let message = format!(
                    "no policy is named, and no `{}` is found at or above the current folder",
                    policyc::config::NAME
                );
                return Err(usage_error(subcommand, message));
            };
            let sources = Sources { prelude, repeats, ..configuration.sources() };
            return Ok(Chosen { sources, configuration: Some(configuration) });
        }
        let given = paths.iter().chain(self.layer.iter().map(LayerPath::path));
        let covers = |configuration: &Configuration| self.config.is_some() || configuration.covers(given);
        let configuration = configuration.filter(covers);
        let sources = Sources { prelude, repeats, ..sources(subcommand, paths, &self.layer)? };
        Ok(Chosen { sources, configuration })
    }
}

/// What the paths and layers of a command line name. Paths without a layer are of a trusted one without a name.
fn sources(subcommand: &str, paths: &[PathBuf], layers: &[LayerPath]) -> anyhow::Result<Sources> {
    let mut sources = nothing();
    sources.paths.extend(paths.iter().map(|path| Given { path: path.clone(), layer: 0 }));
    if !layers.is_empty() && !paths.is_empty() {
        sources.layers.push(Layer { name: String::new(), trusted: true });
    }
    for LayerPath { name, trusted, path } in layers {
        let known = sources.layers.iter().position(|layer| layer.name == *name);
        let layer = known.unwrap_or(sources.layers.len());
        match sources.layers.get(layer) {
            Some(known) if known.trusted != *trusted => {
                let message = format!("the layer '{name}' is given as trusted and as untrusted");
                return Err(usage_error(subcommand, message));
            }
            Some(_) => {}
            None => sources.layers.push(Layer { name: name.clone(), trusted: *trusted }),
        }
        sources.paths.push(Given { path: path.clone(), layer });
    }
    Ok(sources)
}

/// No path at all.
pub(super) fn nothing() -> Sources {
    Sources {
        folder: PathBuf::new(),
        paths: Vec::new(),
        layers: Vec::new(),
        repeats: Repeats::Refused,
        prelude: Prelude::Empty,
        boundary: None,
        surroundings: Surroundings::of_process(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_have_names_and_paths() {
        let layer = |given: &str| given.parse::<LayerPath>().map(|layer| (layer.name, layer.trusted, layer.path));
        assert_eq!(layer("user=a=b"), Ok(("user".to_owned(), true, PathBuf::from("a=b"))));
        assert_eq!(layer("project:untrusted=p"), Ok(("project".to_owned(), false, PathBuf::from("p"))));
        for wrong in ["user", "=p", "user=", "user:trusted=p", "a b=p", "user:=p"] {
            assert!(layer(wrong).is_err(), "{wrong}");
        }
    }
}
