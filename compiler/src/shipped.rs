//! The policies that come with the compiler, embedded in it.

/// What the labels of shipped policies, and the paths that load them, begin with.
pub const PREFIX: &str = "@std//";

/// Every shipped policy: its label and its text, sorted by label.
#[must_use]
pub fn shipped() -> &'static [(&'static str, &'static str)] {
    &[("@std//git.rules", include_str!("../../stdlib-policies/git.rules"))]
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::shipped;

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
                    labels.push(format!("@std//{name}"));
                }
            }
        }
        labels.sort();
        let embedded: Vec<&str> = shipped().iter().map(|(label, _)| *label).collect();
        assert_eq!(embedded, labels);
    }
}
