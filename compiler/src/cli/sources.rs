//! Where the files of a policy set are: paths, and the layers that they belong to.

use std::path::PathBuf;
use std::str::FromStr;

use policyc::source::Layer;
use policyc::workspace::Surroundings;
pub(super) use policyc::workspace::{Given, Prelude, Repeats, Sources};

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
        let plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
        if name.is_empty() || !name.chars().all(plain) {
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

/// What the paths and layers of a command line name. Paths without a layer are of a trusted one without a name.
pub(super) fn sources(
    subcommand: &str,
    paths: &[PathBuf],
    layers: &[LayerPath],
    repeats: Repeats,
    no_prelude: bool,
) -> anyhow::Result<Sources> {
    let prelude = if no_prelude { Prelude::Empty } else { Prelude::Shipped };
    let mut sources = Sources { repeats, prelude, ..nothing() };
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
