//! The policy set that a `policyc.toml` names.

use std::path::{Path, PathBuf};

use super::file_system::{FileSystem, Kind};
use super::sources::{Given, Prelude, Repeats, Sources};
use super::surroundings::Surroundings;
use crate::config::{self, Config};
use crate::source::Layer;

/// The nearest folder, from `folder` upwards, that holds a `policyc.toml`.
#[must_use]
pub fn configured_folder<'f>(files: &dyn FileSystem, folder: &'f Path) -> Option<&'f Path> {
    let holds = |folder: &&Path| files.kind(&folder.join(config::NAME)).is_ok_and(|kind| kind == Kind::File);
    folder.ancestors().find(holds)
}

impl Sources {
    /// What `config` names, whose file is in `place`, a path relative to `folder`. Below other files of that name are other sets.
    #[must_use]
    pub fn configured(config: &Config, folder: PathBuf, place: &Path, surroundings: Surroundings) -> Self {
        let path = |path: &String| match (path.strip_prefix("~/"), &surroundings.home) {
            (Some(rest), Some(home)) => Path::new(home).join(rest),
            _ => place.join(path),
        };
        let mut layers: Vec<Layer> = Vec::new();
        let mut paths: Vec<Given> =
            config.own_policies().iter().map(|own| Given { path: path(own), layer: 0 }).collect();
        if !config.layers.is_empty() && !paths.is_empty() {
            layers.push(Layer { name: String::new(), trusted: true });
        }
        for layer in &config.layers {
            let known = layers.iter().position(|known| known.name == layer.name);
            let number = known.unwrap_or(layers.len());
            if known.is_none() {
                layers.push(Layer { name: layer.name.clone(), trusted: layer.trusted });
            }
            paths.extend(layer.policies.iter().map(|policy| Given { path: path(policy), layer: number }));
        }
        Self {
            folder,
            paths,
            layers,
            repeats: Repeats::Refused,
            prelude: Prelude::Shipped,
            boundary: Some(config::NAME),
            surroundings,
        }
    }
}
