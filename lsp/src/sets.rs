//! The policy sets of a session: one for each `policyc.toml`, one for each folder of the workspace without any, and one for
//! each document that is in none of those.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use policyc::config::{self, Dialect, Lints};
use policyc::db::Database;
use policyc::diagnostics::Diagnostic;
use policyc::source::{Layer, PolicySet, SourceFile};
use policyc::syntax;
use policyc::workspace::{
    FileSystem, Found, Given, Kept, Prelude, Repeats, Sources, Surroundings, configured_folder, find,
};

use crate::place::Place;

/// Why there is a set.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Root {
    /// The folder holds a `policyc.toml`.
    Configured(PathBuf),
    /// The folder is one of the workspace.
    Folder(PathBuf),
    /// The document is in no other set.
    Single(Place),
}

impl Root {
    /// The folder that labels are relative to.
    pub(crate) fn folder(&self) -> PathBuf {
        match self {
            Self::Configured(folder) | Self::Folder(folder) => folder.clone(),
            Self::Single(place) => place.folder(),
        }
    }

    /// What people call the set.
    pub(crate) fn name(&self) -> String {
        let path = match self {
            Self::Configured(folder) | Self::Folder(folder) => folder.file_name().map_or(folder.clone(), PathBuf::from),
            Self::Single(place) => place.name(),
        };
        path.to_string_lossy().into_owned()
    }
}

/// A policy set and where its files are.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) root: Root,
    pub(crate) folder: PathBuf,
    pub(crate) set: PolicySet,
    /// Its files as the file system knows them.
    pub(crate) files: HashMap<PathBuf, SourceFile>,
    /// The same the other way round.
    pub(crate) places: HashMap<SourceFile, PathBuf>,
    /// What kept files from being read.
    pub(crate) unread: Vec<Diagnostic>,
    /// The `policyc.toml`, and what is wrong with it.
    pub(crate) configuration: Option<(SourceFile, Vec<Diagnostic>)>,
    pub(crate) dialect: Dialect,
    pub(crate) lints: Lints,
    /// What the files loaded when they were found: with other loads there may be other files.
    loads: HashMap<SourceFile, Vec<String>>,
}

impl Set {
    /// Finds the files of a set; those of the same set `before` keep what is known of them.
    pub(crate) fn find(
        db: &mut Database,
        files: &dyn FileSystem,
        kept: &mut Kept,
        root: Root,
        before: Option<PolicySet>,
    ) -> Self {
        let folder = root.folder();
        let surroundings = Surroundings {
            working_directory: folder.to_str().filter(|folder| !folder.contains('\0')).unwrap_or("/").to_owned(),
            home: Surroundings::home(),
        };
        let mut configuration = None;
        let (mut dialect, mut lints) = (Dialect::default(), Lints::default());
        let sources = match &root {
            Root::Configured(_) => {
                let path = folder.join(config::NAME);
                let text = files.read(&path, 1 << 20).unwrap_or_default();
                let text = String::from_utf8_lossy(&text).into_owned();
                let place = files.place(&path).unwrap_or(path);
                let file = kept.file(db, place, config::NAME, text);
                let (read, mistakes) = config::read(db, file).clone();
                configuration = Some((file, mistakes));
                dialect = read.dialect;
                lints = read.lints.clone();
                Sources::configured(&read, folder.clone(), Path::new(""), surroundings)
            }
            Root::Folder(_) => plain(folder.clone(), PathBuf::from("."), surroundings),
            Root::Single(place) => plain(folder.clone(), place.name(), surroundings),
        };
        let Found { set, mistakes, files: all, places } = find(db, files, kept, before, &sources, &|_| {});
        let loads = all.iter().map(|file| (*file, loads_of(db, *file))).collect();
        Self {
            root,
            folder,
            set,
            places: places.iter().map(|(place, file)| (*file, place.clone())).collect(),
            files: places,
            unread: mistakes,
            configuration,
            dialect,
            lints,
            loads,
        }
    }

    /// Whether the file loads something else than when the files of the set were found.
    pub(crate) fn loads_differently(&self, db: &Database, file: SourceFile) -> bool {
        self.loads.get(&file).is_some_and(|loads| *loads != loads_of(db, file))
    }
}

fn plain(folder: PathBuf, path: PathBuf, surroundings: Surroundings) -> Sources {
    Sources {
        folder,
        paths: vec![Given { path, layer: 0 }],
        layers: Vec::<Layer>::new(),
        repeats: Repeats::Refused,
        prelude: Prelude::Shipped,
        boundary: Some(config::NAME),
        surroundings,
    }
}

fn loads_of(db: &Database, file: SourceFile) -> Vec<String> {
    syntax::loads(db, file).iter().map(|load| load.path.clone()).collect()
}

/// The roots of the sets of a workspace: of its folders, and of every configured folder in or above them.
pub(crate) fn roots(files: &dyn FileSystem, folders: &[PathBuf]) -> Vec<Root> {
    let mut roots = Vec::new();
    let mut seen = HashSet::new();
    for folder in folders {
        let own = match configured_folder(files, folder) {
            Some(configured) => Root::Configured(configured.to_owned()),
            None => Root::Folder(folder.clone()),
        };
        roots.push(own);
        let mut waiting = vec![folder.clone()];
        while let Some(folder) = waiting.pop() {
            let Ok(entries) = files.entries(&folder) else { continue };
            if !seen.insert(folder.clone()) {
                continue;
            }
            for entry in entries {
                if entry.name == config::NAME {
                    roots.push(Root::Configured(folder.clone()));
                } else if entry.folder && !entry.name.as_encoded_bytes().starts_with(b".") {
                    waiting.push(folder.join(&entry.name));
                }
            }
        }
    }
    roots.sort();
    roots.dedup();
    roots
}

/// The root whose set a document is looked for in, before it gets one of its own.
pub(crate) fn root_of(files: &dyn FileSystem, folders: &[PathBuf], place: &Place) -> Option<Root> {
    let Place::File(path) = place else { return None };
    let configured = configured_folder(files, path.parent()?).map(|folder| Root::Configured(folder.to_owned()));
    configured.or_else(|| {
        let folders = folders.iter().filter(|folder| path.starts_with(folder));
        folders.max_by_key(|folder| folder.components().count()).map(|folder| Root::Folder(folder.clone()))
    })
}
