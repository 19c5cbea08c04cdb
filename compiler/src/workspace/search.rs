//! The search itself: from paths to a policy set in the database.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};

use salsa::Setter;

use super::file_system::{FileSystem, Kind};
use super::kept::Kept;
use super::labels::{folder_of, label_of, path_of, shown};
use super::sources::{Prelude, Repeats, Sources};
use super::unread::{Unread, read_policy, reason};
use crate::check::{duplicate_file, empty_folder, invalid_size, invalid_text, unknown_file, unreachable_file};
use crate::db::Database;
use crate::diagnostics::{Diagnostic, Site};
use crate::shipped::{PREFIX, prelude, shipped};
use crate::source::{Layer, Module, PolicySet, SourceFile, Span};
use crate::syntax;

/// What was found.
pub struct Found {
    /// The policy set.
    pub set: PolicySet,
    /// What kept files from being read.
    pub mistakes: Vec<Diagnostic>,
    /// Every file that was read, loaded ones after those that load them.
    pub files: Vec<SourceFile>,
    /// The same files, but for shipped ones, as the file system knows them.
    pub places: HashMap<PathBuf, SourceFile>,
}

/// Reads the policy files that `sources` name, and whatever they load. Files that are `kept` keep their inputs, and so does
/// the set, if it was found `before`: what did not change stays as it is known. `read` is told of each label.
pub fn find(
    db: &mut Database,
    files: &dyn FileSystem,
    kept: &mut Kept,
    before: Option<PolicySet>,
    sources: &Sources,
    read: &dyn Fn(&str),
) -> Found {
    let mut search = Search {
        db,
        files_of: files,
        kept,
        sources,
        layer: 0,
        layer_of_file: Vec::new(),
        read,
        files: Vec::new(),
        known: HashMap::new(),
        mistakes: Vec::new(),
        roots: Vec::new(),
    };
    for given in &sources.paths {
        search.layer = given.layer;
        search.argument(&given.path);
    }
    search.finish(before)
}

struct Search<'s> {
    db: &'s mut Database,
    files_of: &'s dyn FileSystem,
    kept: &'s mut Kept,
    sources: &'s Sources,
    read: &'s dyn Fn(&str),
    files: Vec<SourceFile>,
    /// The layer of the path that is searched, and of each of the files.
    layer: usize,
    layer_of_file: Vec<usize>,
    /// The files that were read, by what the file system calls them.
    known: HashMap<PathBuf, SourceFile>,
    mistakes: Vec<Diagnostic>,
    roots: Vec<String>,
}

/// A file that a folder seems to hold.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    link: bool,
    label: String,
    path: PathBuf,
}

impl Search<'_> {
    /// A path as the file system takes it.
    fn at(&self, path: &Path) -> PathBuf {
        self.sources.folder.join(if path.as_os_str().is_empty() { Path::new(".") } else { path })
    }

    fn label_of(&self, path: &Path) -> String {
        label_of(self.files_of, &self.sources.folder, path)
    }

    fn argument(&mut self, path: &Path) {
        let label = self.label_of(path);
        match self.files_of.kind(&self.at(path)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.missing(path, &label),
            Err(error) => self.unread(&label, &Unread::System(reason(&error))),
            Ok(Kind::Folder) => self.folder(path, &label),
            Ok(_) => {
                self.root(folder_of(&label));
                self.file(path, label);
            }
        }
    }

    fn folder(&mut self, path: &Path, label: &str) {
        self.root(label);
        let mut candidates = self.candidates(path);
        if candidates.is_empty() {
            let file = self.kept.unread(self.db, shown(label), "");
            self.mistakes.push(empty_folder::diagnostic(file, shown(label)));
        }
        // Real files first, so that a link to one of them is the one that is left out.
        candidates.sort();
        let inside = self.files_of.place(&self.at(path)).ok();
        let mut found = HashSet::new();
        candidates.retain(|Candidate { label, path, .. }| match (self.files_of.place(&self.at(path)), &inside) {
            (Ok(place), Some(folder)) if !place.starts_with(folder) => {
                self.unread(label, &Unread::Outside);
                false
            }
            (Ok(place), _) => found.insert(place),
            (Err(_), _) => true,
        });
        candidates.sort_by(|one, other| one.label.cmp(&other.label));
        for Candidate { label, path, .. } in candidates {
            match self.files_of.kind(&self.at(&path)) {
                Ok(Kind::File) => self.file(&path, label),
                Ok(_) => self.unread(&label, &Unread::NotAFile),
                Err(error) => self.unread(&label, &Unread::System(reason(&error))),
            }
        }
    }

    /// The files below a folder whose names are those of policies.
    fn candidates(&mut self, path: &Path) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        let mut folders = vec![path.to_owned()];
        while let Some(folder) = folders.pop() {
            let label = self.label_of(&folder);
            (self.read)(&label);
            let entries = match self.files_of.entries(&self.at(&folder)) {
                Ok(entries) => entries,
                Err(error) => {
                    self.unread(&label, &Unread::System(reason(&error)));
                    continue;
                }
            };
            let bounded = |boundary: &str| entries.iter().any(|entry| entry.name == boundary);
            if folder != *path && self.sources.boundary.is_some_and(bounded) {
                continue;
            }
            for entry in entries {
                let path = folder.join(&entry.name);
                if entry.name.as_encoded_bytes().starts_with(b".") {
                } else if entry.folder {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rules")
                    && !(entry.link && self.files_of.kind(&self.at(&path)).is_ok_and(|kind| kind == Kind::Folder))
                {
                    candidates.push(Candidate { link: entry.link, label: self.label_of(&path), path });
                }
            }
        }
        candidates
    }

    /// Adds one file to the set.
    fn file(&mut self, path: &Path, label: String) {
        let at = self.at(path);
        let place = self.files_of.place(&at).unwrap_or_else(|_| at.clone());
        if let Some(earlier) = self.known.get(&place).copied() {
            match self.sources.repeats {
                // A file of its own to the database, or its rules would count once.
                Repeats::Kept => self.add(SourceFile::new(self.db, label, earlier.text(self.db).clone())),
                Repeats::Refused => {
                    let file = self.kept.unread(self.db, shown(&label), "");
                    let earlier = shown(earlier.label(self.db));
                    self.mistakes.push(duplicate_file::diagnostic(file, shown(&label), earlier));
                }
            }
            return;
        }
        (self.read)(&label);
        match read_policy(self.files_of, &at) {
            Ok(text) => {
                let file = self.kept.file(self.db, place.clone(), &label, text);
                self.known.insert(place, file);
                self.add(file);
            }
            Err(unread) => self.unread(&label, &unread),
        }
    }

    fn add(&mut self, file: SourceFile) {
        self.files.push(file);
        self.layer_of_file.push(self.layer);
    }

    fn root(&mut self, label: &str) {
        if !self.roots.iter().any(|root| root == label) {
            self.roots.push(label.to_owned());
        }
    }

    fn finish(mut self, before: Option<PolicySet>) -> Found {
        let mut modules: BTreeMap<String, Module> =
            self.files.iter().map(|file| (file.label(self.db).clone(), Module::File(*file))).collect();
        let roots = self.roots.iter().filter_map(|root| self.files_of.place(&self.at(path_of(root))).ok());
        let roots: Vec<_> = roots.collect();
        let shipped = if self.sources.prelude == Prelude::Shipped { prelude() } else { &[] };
        let prelude: Vec<SourceFile> =
            shipped.iter().map(|(label, text)| self.kept.shipped(self.db, label, text)).collect();
        modules.extend(prelude.iter().map(|file| (file.label(self.db).clone(), Module::File(*file))));
        let mut all = self.files.clone();
        let mut seen: HashSet<_> = all.iter().copied().collect();
        let mut importers: VecDeque<_> = self.files.iter().chain(&prelude).copied().collect();
        while let Some(importer) = importers.pop_front() {
            for load in syntax::loads(self.db, importer).clone() {
                let Ok(label) = syntax::module_label(importer.label(self.db), &load.path, &self.roots) else {
                    continue;
                };
                if modules.contains_key(&label) {
                    continue;
                }
                let Some(module) = self.module(&label, &roots) else { continue };
                if let Module::File(file) = module
                    && seen.insert(file)
                {
                    all.push(file);
                    importers.push_back(file);
                }
                modules.insert(label, module);
            }
        }
        let Self { db, sources, files, layer_of_file, known, mistakes, roots, .. } = self;
        let parts = Parts { files, modules, roots, prelude, layers: sources.layers.clone(), layer_of_file };
        let set = match before {
            Some(set) => parts.update(db, set, sources),
            None => parts.set(db, sources),
        };
        Found { set, mistakes, files: all, places: known }
    }

    /// What a `load` of this label leads to; nothing if nothing is there.
    fn module(&mut self, label: &str, roots: &[PathBuf]) -> Option<Module> {
        if label.starts_with(PREFIX) {
            let (label, text) = shipped().iter().find(|(shipped, _)| *shipped == label)?;
            return Some(Module::File(self.kept.shipped(self.db, label, text)));
        }
        let path = self.at(path_of(label));
        let place = match self.files_of.place(&path) {
            Ok(place) => place,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => return Some(Module::Unreadable(reason(&error))),
        };
        if !roots.iter().any(|root| place.starts_with(root)) {
            return Some(Module::Outside);
        }
        if let Some(file) = self.known.get(&place) {
            return Some(Module::File(*file));
        }
        // Opening a pipe that nobody writes to would wait for ever.
        match self.files_of.kind(&place) {
            Ok(Kind::File) => {}
            Ok(Kind::Folder) => return Some(Module::Unreadable("it is a folder".to_owned())),
            _ => return Some(Module::Unreadable(Unread::NotAFile.to_string())),
        }
        (self.read)(label);
        Some(match read_policy(self.files_of, &path) {
            Ok(text) => {
                let file = self.kept.file(self.db, place.clone(), label, text);
                self.known.insert(place, file);
                Module::File(file)
            }
            Err(unread) => Module::Unreadable(unread.to_string()),
        })
    }

    fn missing(&mut self, path: &Path, label: &str) {
        let neighbours = self.neighbours(path);
        let neighbours: Vec<_> = neighbours.iter().map(String::as_str).collect();
        let file = self.kept.unread(self.db, shown(label), "");
        self.mistakes.push(unknown_file::diagnostic(file, shown(label), &neighbours));
    }

    /// Policy files and folders beside a path that leads nowhere.
    fn neighbours(&self, path: &Path) -> Vec<String> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let entries = self.files_of.entries(&self.at(folder)).unwrap_or_default();
        let labels = entries.into_iter().take(1_000).filter_map(|entry| {
            let path = folder.join(&entry.name);
            let folder = || self.files_of.kind(&self.at(&path)).is_ok_and(|kind| kind == Kind::Folder);
            (path.extension().is_some_and(|extension| extension == "rules") || folder()).then(|| self.label_of(&path))
        });
        labels.collect()
    }

    fn unread(&mut self, label: &str, unread: &Unread) {
        let mut file = |text: &str| self.kept.unread(self.db, shown(label), text);
        let mistake = match unread {
            Unread::NotUtf8 { text, offset } => {
                let span = Span::from(*offset..*offset + char::REPLACEMENT_CHARACTER.len_utf8());
                invalid_text::not_utf8(file(text), shown(label), *offset, span)
            }
            Unread::TooLarge(bytes) => {
                invalid_size::file(&Site::new(file(""), Span::default()), *bytes, syntax::guard::LARGEST_FILE)
            }
            _ => {
                let mistake = unreachable_file::diagnostic(file(""), shown(label), &unread.to_string());
                match unread {
                    Unread::Table => mistake.with_help("ask a table with `--table`, list it with `policyc inspect`"),
                    Unread::Outside => mistake.with_help("copy the file, or name it on the command line itself"),
                    _ => mistake,
                }
            }
        };
        self.mistakes.push(mistake);
    }
}

/// What a policy set is made of, once it is found.
struct Parts {
    files: Vec<SourceFile>,
    modules: BTreeMap<String, Module>,
    roots: Vec<String>,
    prelude: Vec<SourceFile>,
    layers: Vec<Layer>,
    layer_of_file: Vec<usize>,
}

impl Parts {
    fn set(self, db: &Database, sources: &Sources) -> PolicySet {
        let surroundings = sources.surroundings.clone();
        PolicySet::builder(self.files, self.modules, self.roots, surroundings.working_directory, surroundings.home)
            .prelude(self.prelude)
            .layers(self.layers)
            .layer_of_file(self.layer_of_file)
            .new(db)
    }

    /// The same set with these parts. What did not change is not set, so that what was known of it holds.
    fn update(self, db: &mut Database, set: PolicySet, sources: &Sources) -> PolicySet {
        let Self { files, modules, roots, prelude, layers, layer_of_file } = self;
        if *set.files(db) != files {
            set.set_files(db).to(files);
        }
        if *set.modules(db) != modules {
            set.set_modules(db).to(modules);
        }
        if *set.roots(db) != roots {
            set.set_roots(db).to(roots);
        }
        if *set.prelude(db) != prelude {
            set.set_prelude(db).to(prelude);
        }
        if *set.layers(db) != layers {
            set.set_layers(db).to(layers);
        }
        if *set.layer_of_file(db) != layer_of_file {
            set.set_layer_of_file(db).to(layer_of_file);
        }
        let surroundings = &sources.surroundings;
        if *set.working_directory(db) != surroundings.working_directory {
            set.set_working_directory(db).to(surroundings.working_directory.clone());
        }
        if *set.home(db) != surroundings.home {
            set.set_home(db).to(surroundings.home.clone());
        }
        set
    }
}
