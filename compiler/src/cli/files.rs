//! Finding and reading policy files: from the paths of the command line to a policy set in the database.
//!
//! A path is a file, or a folder, which is searched for `*.rules`: in the order of the labels' bytes, through folders
//! whose names do not begin with a dot. A symbolic link to a folder is not followed; one to a file is, if the file
//! is inside the folder, and a file that is reached twice in one search counts once.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use policyc::check::{duplicate_file, empty_folder, invalid_size, invalid_text, unknown_file, unreachable_file};
use policyc::db::Database;
use policyc::diagnostics::{Diagnostic, Site};
use policyc::shipped::{PREFIX, prelude, shipped};
use policyc::source::{Layer, Module, PolicySet, SourceFile, Span};
use policyc::syntax;

use super::output::reason;
use super::sources::Sources;

/// What to do about a file that is given twice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeats {
    /// Say so: it is a slip.
    Refused,
    /// Its rules count twice, as in the reference engine.
    Kept,
}

/// What the paths of a command line led to.
pub(super) struct Found {
    pub(super) set: PolicySet,
    /// What kept files from being read.
    pub(super) mistakes: Vec<Diagnostic>,
    /// Every file that was read, loaded ones after those that load them.
    pub(super) files: Vec<SourceFile>,
    /// The same files as the file system knows them.
    pub(super) places: HashMap<PathBuf, SourceFile>,
}

/// Whether a policy set begins with what is shipped about programs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prelude {
    /// It does.
    Shipped,
    /// It says all there is to say of programs itself.
    Empty,
}

/// Reads the policy files that `sources` name, and whatever they load.
pub(super) fn find(db: &Database, sources: &Sources, read: &dyn Fn(&str)) -> Found {
    let mut search = Search {
        db,
        repeats: sources.repeats,
        prelude: sources.prelude,
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
    search.finish(&sources.layers)
}

struct Search<'s> {
    db: &'s Database,
    repeats: Repeats,
    prelude: Prelude,
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

impl Search<'_> {
    fn argument(&mut self, path: &Path) {
        let label = label_of(path);
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.missing(path, &label),
            Err(error) => self.unread(&label, &Unread::System(reason(&error))),
            Ok(metadata) if metadata.is_dir() => self.folder(path, &label),
            Ok(_) => {
                self.root(folder_of(&label));
                self.file(path, label);
            }
        }
    }

    fn folder(&mut self, path: &Path, label: &str) {
        self.root(label);
        let mut candidates = Vec::new();
        let mut folders = vec![path.to_owned()];
        while let Some(folder) = folders.pop() {
            (self.read)(&label_of(&folder));
            let entries = match fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
                Ok(entries) => entries,
                Err(error) => {
                    self.unread(&label_of(&folder), &Unread::System(reason(&error)));
                    continue;
                }
            };
            for entry in entries {
                let path = entry.path();
                let Ok(kind) = entry.file_type() else { continue };
                if entry.file_name().as_encoded_bytes().starts_with(b".") {
                } else if kind.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rules")
                    && !(kind.is_symlink() && path.is_dir())
                {
                    // Real files first, so that a link to one of them is the one that is left out.
                    candidates.push((kind.is_symlink(), label_of(&path), path));
                }
            }
        }
        if candidates.is_empty() {
            let mistake = empty_folder::diagnostic(unread_file(self.db, label), shown(label));
            self.mistakes.push(mistake);
        }
        candidates.sort();
        let inside = fs::canonicalize(path).ok();
        let mut found: HashMap<PathBuf, ()> = HashMap::new();
        candidates.retain(|(_, label, path)| match (fs::canonicalize(path), &inside) {
            (Ok(place), Some(folder)) if !place.starts_with(folder) => {
                self.unread(label, &Unread::Outside);
                false
            }
            (Ok(place), _) => found.insert(place, ()).is_none(),
            (Err(_), _) => true,
        });
        candidates.sort_by(|(_, one, _), (_, other, _)| one.cmp(other));
        for (_, file_label, path) in candidates {
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_file() => self.file(&path, file_label),
                Ok(_) => self.unread(&file_label, &Unread::NotAFile),
                Err(error) => self.unread(&file_label, &Unread::System(reason(&error))),
            }
        }
    }

    /// Adds one file to the set.
    fn file(&mut self, path: &Path, label: String) {
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if let Some(earlier) = self.known.get(&place).copied() {
            match self.repeats {
                // A file of its own to the database, or its rules would count once.
                Repeats::Kept => self.add(SourceFile::new(self.db, label, earlier.text(self.db).clone())),
                Repeats::Refused => {
                    let earlier = shown(earlier.label(self.db));
                    let mistake = duplicate_file::diagnostic(unread_file(self.db, &label), shown(&label), earlier);
                    self.mistakes.push(mistake);
                }
            }
            return;
        }
        (self.read)(&label);
        match read_policy(path) {
            Ok(text) => {
                let file = SourceFile::new(self.db, label, text);
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

    fn finish(mut self, layers: &[Layer]) -> Found {
        let mut modules: BTreeMap<String, Module> =
            self.files.iter().map(|file| (file.label(self.db).clone(), Module::File(*file))).collect();
        let roots: Vec<_> = self.roots.iter().filter_map(|root| fs::canonicalize(path_of(root)).ok()).collect();
        let shipped = if self.prelude == Prelude::Shipped { prelude() } else { &[] };
        let prelude: Vec<SourceFile> = shipped
            .iter()
            .map(|(label, text)| SourceFile::new(self.db, (*label).to_owned(), (*text).to_owned()))
            .collect();
        modules.extend(prelude.iter().map(|file| (file.label(self.db).clone(), Module::File(*file))));
        let mut all = self.files.clone();
        let mut importers: VecDeque<_> = self.files.iter().chain(&prelude).copied().collect();
        while let Some(importer) = importers.pop_front() {
            for load in syntax::loads(self.db, importer) {
                let Ok(label) = syntax::module_label(importer.label(self.db), &load.path, &self.roots) else {
                    continue;
                };
                if modules.contains_key(&label) {
                    continue;
                }
                let Some(module) = self.module(&label, &roots) else { continue };
                if let Module::File(file) = module
                    && !all.contains(&file)
                {
                    all.push(file);
                    importers.push_back(file);
                }
                modules.insert(label, module);
            }
        }
        Found {
            set: PolicySet::builder(self.files, modules, self.roots, working_directory(), home())
                .prelude(prelude)
                .layers(layers.to_vec())
                .layer_of_file(self.layer_of_file)
                .new(self.db),
            mistakes: self.mistakes,
            files: all,
            places: self.known,
        }
    }

    /// What a `load` of this label leads to; nothing if nothing is there.
    fn module(&mut self, label: &str, roots: &[PathBuf]) -> Option<Module> {
        if label.starts_with(PREFIX) {
            let (label, text) = shipped().iter().find(|(shipped, _)| *shipped == label)?;
            return Some(Module::File(SourceFile::new(self.db, (*label).to_owned(), (*text).to_owned())));
        }
        let path = path_of(label);
        let place = match fs::canonicalize(path) {
            Ok(place) => place,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(error) => return Some(Module::Unreadable(reason(&error))),
        };
        if !roots.iter().any(|root| place.starts_with(root)) {
            return Some(Module::Outside);
        }
        if let Some(file) = self.known.get(&place) {
            return Some(Module::File(*file));
        }
        // Opening a pipe that nobody writes to would wait for ever.
        if !place.is_file() {
            let what = if place.is_dir() { "it is a folder".to_owned() } else { Unread::NotAFile.to_string() };
            return Some(Module::Unreadable(what));
        }
        (self.read)(label);
        Some(match read_policy(path) {
            Ok(text) => {
                let file = SourceFile::new(self.db, label.to_owned(), text);
                self.known.insert(place, file);
                Module::File(file)
            }
            Err(unread) => Module::Unreadable(unread.to_string()),
        })
    }

    fn missing(&mut self, path: &Path, label: &str) {
        let neighbours = neighbours(path);
        let neighbours: Vec<_> = neighbours.iter().map(String::as_str).collect();
        let mistake = unknown_file::diagnostic(unread_file(self.db, label), shown(label), &neighbours);
        self.mistakes.push(mistake);
    }

    fn unread(&mut self, label: &str, unread: &Unread) {
        let file = |text: &str| SourceFile::new(self.db, shown(label).to_owned(), text.to_owned());
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

/// The folder against which examples are judged; without one that can be named, relative paths in them name nothing.
fn working_directory() -> String {
    let folder = std::env::current_dir().ok();
    folder.and_then(|folder| folder.into_os_string().into_string().ok()).unwrap_or_else(|| "/".to_owned())
}

/// What `~` stands for: `HOME`, or without it what the system knows of the user.
pub(super) fn home() -> Option<String> {
    std::env::home_dir()?.into_os_string().into_string().ok().filter(|home| !home.is_empty())
}

/// Stands for a file or folder of which nothing could be read.
pub(super) fn unread_file(db: &Database, label: &str) -> SourceFile {
    SourceFile::new(db, shown(label).to_owned(), String::new())
}

/// Why a policy file could not be read.
enum Unread {
    System(String),
    NotAFile,
    /// The text as far as it can be read, and where it cannot.
    NotUtf8 {
        text: String,
        offset: usize,
    },
    /// How many bytes it has.
    TooLarge(usize),
    Table,
    Outside,
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::System(reason) => f.write_str(reason),
            Self::NotAFile => f.write_str("it is not a regular file"),
            Self::NotUtf8 { offset, .. } => write!(f, "it is not UTF-8 (at byte {offset})"),
            Self::TooLarge(_) => write!(f, "it has more than {} MiB", syntax::guard::LARGEST_FILE >> 20),
            Self::Table => f.write_str("it is a decision table, not a policy"),
            Self::Outside => f.write_str("it links to a file outside the folder"),
        }
    }
}

/// The text of a policy file. No more is read of a larger file, or of a device that never ends, than a policy may have.
fn read_policy(path: &Path) -> Result<String, Unread> {
    let system = |error: io::Error| Unread::System(reason(&error));
    let file = File::open(path).map_err(system)?;
    let size = file.metadata().map_err(system)?.len();
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    if size > syntax::guard::LARGEST_FILE {
        return Err(Unread::TooLarge(size));
    }
    let mut bytes = Vec::with_capacity(size + 1);
    file.take(syntax::guard::LARGEST_FILE as u64 + 1).read_to_end(&mut bytes).map_err(system)?;
    if bytes.len() > syntax::guard::LARGEST_FILE {
        return Err(Unread::TooLarge(bytes.len()));
    }
    if bytes.starts_with(&policyc_runtime::format::MAGIC) {
        return Err(Unread::Table);
    }
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        // What comes before is the same in both texts, and what cannot be read becomes one replacement character.
        let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
        Unread::NotUtf8 { text, offset }
    })
}

/// How a path is named: with `/`, and without the `.` and `..` that mean nothing.
pub(super) fn label_of(path: &Path) -> String {
    let folded = joined(&folded(path));
    // `folder/..` is somewhere else when the folder is a symbolic link; then the path keeps its spelling.
    let spelling = joined(&path.components().collect::<Vec<_>>());
    if folded == spelling || fs::canonicalize(path_of(&folded)).ok() == fs::canonicalize(path).ok() {
        folded
    } else {
        spelling
    }
}

fn folded(path: &Path) -> Vec<Component<'_>> {
    let mut folded = Vec::new();
    for component in path.components() {
        match (component, folded.last()) {
            (Component::CurDir, _) | (Component::ParentDir, Some(Component::RootDir)) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => drop(folded.pop()),
            _ => folded.push(component),
        }
    }
    folded
}

fn joined(components: &[Component<'_>]) -> String {
    let mut label = String::new();
    for component in components {
        match component {
            Component::CurDir if components.len() > 1 => continue,
            Component::RootDir => label.push('/'),
            component => {
                if !label.is_empty() && !label.ends_with('/') {
                    label.push('/');
                }
                label.push_str(
                    &component.as_os_str().to_string_lossy().replace('\\', if cfg!(windows) { "/" } else { "\\" }),
                );
            }
        }
    }
    label
}

/// The label of the folder that holds a file.
fn folder_of(label: &str) -> &str {
    label.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The path that a label names.
fn path_of(label: &str) -> &Path {
    Path::new(if label.is_empty() { "." } else { label })
}

/// How a label is shown: the current folder has none.
fn shown(label: &str) -> &str {
    if label.is_empty() { "." } else { label }
}

/// Policy files and folders beside a path that leads nowhere.
fn neighbours(path: &Path) -> Vec<String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let Ok(entries) = fs::read_dir(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }) else {
        return Vec::new();
    };
    let labels = entries.take(1_000).filter_map(|entry| {
        let path = entry.ok()?.path();
        let name = path.file_name()?;
        (path.extension().is_some_and(|extension| extension == "rules") || path.is_dir())
            .then(|| label_of(&folder.join(name)))
    });
    labels.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_paths_with_slashes() {
        for (path, label) in [
            ("./git.rules", "git.rules"),
            ("policies//git.rules", "policies/git.rules"),
            ("policies/", "policies"),
            ("policies/./x/git.rules", "policies/x/git.rules"),
            ("../git.rules", "../git.rules"),
            ("/etc/policies/../git.rules", "/etc/git.rules"),
            (".", ""),
        ] {
            assert_eq!(label_of(Path::new(path)), label, "{path}");
        }
        assert_eq!(folder_of("git.rules"), "");
        assert_eq!(folder_of("a/b/git.rules"), "a/b");
    }
}
