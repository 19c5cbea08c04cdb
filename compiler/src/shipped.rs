//! The policies that come with the compiler, embedded in it.

/// What the labels of shipped policies, and the paths that load them, begin with.
pub const PREFIX: &str = "@std//";

/// What the labels of the files that say what programs are begin with.
const PROGRAMS: &str = "@std//programs/";

/// Every shipped policy: its label and its text, sorted by label.
#[must_use]
pub fn shipped() -> &'static [(&'static str, &'static str)] {
    include!(concat!(env!("OUT_DIR"), "/shipped.rs"))
}

/// The shipped files that say what programs are: the prelude of every policy set that does not ask for none.
#[must_use]
pub fn prelude() -> &'static [(&'static str, &'static str)] {
    let shipped = shipped();
    let start = shipped.partition_point(|(label, _)| *label < PROGRAMS);
    let rest = shipped.get(start..).unwrap_or_default();
    let count = rest.partition_point(|(label, _)| label.starts_with(PROGRAMS));
    rest.get(..count).unwrap_or_default()
}

/// The names that a shipped file is loaded for: the lists it defines. None of a file that is not shipped.
#[must_use]
pub fn exports(label: &str) -> Vec<&'static str> {
    let shipped = shipped().iter().find(|(shipped, _)| *shipped == label);
    let lines = shipped.iter().flat_map(|(_, text)| text.lines());
    let names = lines.filter_map(|line| Some(line.split_once(" = ")?.0));
    names.filter(|name| name.chars().all(|one| one.is_ascii_uppercase() || one == '_')).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    use super::{PREFIX, prelude, shipped};
    use crate::db::{Database, diagnostics};
    use crate::source::{Module, PolicySet, SourceFile};

    #[test]
    fn every_policy_of_the_folder_is_embedded() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../stdlib-policies");
        let mut labels = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path: PathBuf = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rules") {
                    let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                    labels.push(format!("{PREFIX}{name}"));
                }
            }
        }
        labels.sort();
        let embedded: Vec<&str> = shipped().iter().map(|(label, _)| *label).collect();
        assert_eq!(embedded, labels);
    }

    #[test]
    fn the_prelude_is_sound() {
        let programs = shipped().iter().filter(|(label, _)| label.starts_with("@std//programs/"));
        assert!(programs.eq(prelude()));
        let db = Database::default();
        let files = shipped()
            .iter()
            .map(|(label, text)| (*label, SourceFile::new(&db, (*label).to_owned(), (*text).to_owned())));
        let files: BTreeMap<&str, SourceFile> = files.collect();
        let modules = files.iter().map(|(label, file)| ((*label).to_owned(), Module::File(*file))).collect();
        let prelude = prelude().iter().map(|(label, _)| files[label]).collect();
        let set = PolicySet::builder(Vec::new(), modules, Vec::new(), "/".to_owned(), None).prelude(prelude).new(&db);
        assert_eq!(diagnostics(&db, set), &[]);
    }
}
