//! How files are called: by paths relative to one folder, with `/`.

use std::path::{Component, Path};

use super::file_system::FileSystem;

/// How a path is named that is relative to `folder`: with `/`, and without the `.` and `..` that mean nothing.
#[must_use]
pub fn label_of(files: &dyn FileSystem, folder: &Path, path: &Path) -> String {
    let folded = joined(&folded(path));
    // `folder/..` is somewhere else when the folder is a symbolic link; then the path keeps its spelling.
    let spelling = joined(&path.components().collect::<Vec<_>>());
    if folded == spelling || files.place(&folder.join(path_of(&folded))).ok() == files.place(&folder.join(path)).ok() {
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
#[must_use]
pub fn folder_of(label: &str) -> &str {
    label.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The path that a label names.
#[must_use]
pub fn path_of(label: &str) -> &Path {
    Path::new(if label.is_empty() { "." } else { label })
}

/// How a label is shown: the current folder has none.
#[must_use]
pub fn shown(label: &str) -> &str {
    if label.is_empty() { "." } else { label }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Disk;

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
            assert_eq!(label_of(&Disk, Path::new(""), Path::new(path)), label, "{path}");
        }
        assert_eq!(folder_of("git.rules"), "");
        assert_eq!(folder_of("a/b/git.rules"), "a/b");
    }
}
