//! Which file a `load` names: pure text, no file system.

use crate::shipped::PREFIX;

/// Why the path of a `load` cannot name a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadPathError {
    /// It begins with neither `./`, `../` nor `@std//`, or names no file.
    Form,
    /// It leads out of every folder that loads must stay inside.
    Outside,
}

impl std::fmt::Display for LoadPathError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Form => "a load path begins with `./`, `../` or `@std//` and names a file",
            Self::Outside => "the path leads outside the folders of the policy set",
        })
    }
}

impl std::error::Error for LoadPathError {}

/// The label that `path`, loaded by the file labelled `importer`, names. The answer is lexical: `.` and `..` are folded away.
///
/// # Errors
///
/// If the path can't name anything inside `roots` or the shipped policies.
pub fn module_label(importer: &str, path: &str, roots: &[String]) -> Result<String, LoadPathError> {
    if let Some(rest) = path.strip_prefix(PREFIX) {
        return shipped("", rest);
    }
    if !path.starts_with("./") && !path.starts_with("../") {
        return Err(LoadPathError::Form);
    }
    let folder = |label: &str| label.rfind('/').and_then(|end| label.get(..=end)).unwrap_or_default().to_owned();
    if let Some(rest) = importer.strip_prefix(PREFIX) {
        return shipped(&folder(rest), path);
    }
    let label = fold(&(folder(importer) + path)).ok_or(LoadPathError::Form)?;
    if roots.iter().any(|root| inside(&label, root)) { Ok(label) } else { Err(LoadPathError::Outside) }
}

/// The path by which the file labelled `importer` loads the one labelled `label`.
#[must_use]
pub fn load_path(importer: &str, label: &str) -> String {
    let near =
        |label: &str| label.strip_prefix(PREFIX).map_or((false, label.to_owned()), |rest| (true, rest.to_owned()));
    let ((from_shipped, importer), (shipped, path)) = (near(importer), near(label));
    if from_shipped != shipped {
        return label.to_owned();
    }
    let folders: Vec<&str> = importer.split('/').collect();
    let parts: Vec<&str> = path.split('/').collect();
    let alike = folders.iter().zip(&parts).take_while(|(one, other)| one == other).count();
    let common = alike.min(folders.len() - 1).min(parts.len() - 1);
    let up = folders.len() - 1 - common;
    let way = if up == 0 { "./".to_owned() } else { "../".repeat(up) };
    way + &parts.get(common..).unwrap_or_default().join("/")
}

fn shipped(folder: &str, path: &str) -> Result<String, LoadPathError> {
    let label = fold(&format!("{folder}{path}")).ok_or(LoadPathError::Form)?;
    if label.starts_with(['/', '.']) && !label.starts_with("./") {
        return Err(LoadPathError::Outside);
    }
    Ok(format!("{PREFIX}{label}"))
}

/// `path` without `.`, `//` and the `..` that can be taken back; nothing if it names a folder.
fn fold(path: &str) -> Option<String> {
    let (prefix, relative) = match path.strip_prefix('/') {
        Some(rest) => ("/", rest),
        None => ("", path),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|&last| last != "..") => drop(parts.pop()),
            ".." if prefix == "/" => {}
            _ => parts.push(part),
        }
    }
    let folder = matches!(relative.rsplit('/').next(), Some("" | "." | "..") | None);
    (!folder).then(|| format!("{prefix}{}", parts.join("/")))
}

/// Whether the folded `label` lies in the folder `root`.
fn inside(label: &str, root: &str) -> bool {
    let root = root.strip_prefix("./").unwrap_or(root);
    let rest = match root {
        "" | "." => (!label.starts_with('/')).then_some(label),
        _ => label.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')),
    };
    rest.is_some_and(|rest| rest != ".." && !rest.starts_with("../"))
}

#[cfg(test)]
mod tests {
    use super::{LoadPathError, load_path, module_label};

    #[test]
    fn a_path_leads_to_its_label() {
        for (importer, label, path) in [
            ("a.rules", "b.rules", "./b.rules"),
            ("x/a.rules", "x/y/b.rules", "./y/b.rules"),
            ("x/y/a.rules", "x/b.rules", "../b.rules"),
            ("x/a.rules", "y/b.rules", "../y/b.rules"),
            ("../x/a.rules", "../x/b.rules", "./b.rules"),
            ("/etc/a.rules", "/etc/b/c.rules", "./b/c.rules"),
            ("a.rules", "@std//git.rules", "@std//git.rules"),
            ("@std//x/a.rules", "@std//git.rules", "../git.rules"),
        ] {
            assert_eq!(load_path(importer, label), path);
            let roots = ["".to_owned(), "..".to_owned(), "/etc".to_owned()];
            assert_eq!(module_label(importer, path, &roots).as_deref(), Ok(label));
        }
    }

    #[test]
    fn labels_are_folded_and_stay_inside_the_roots() {
        let roots = ["policies".to_owned(), "../shared".to_owned(), "/etc/policies".to_owned()];
        let label = |importer, path| module_label(importer, path, &roots);
        let ok = |label: &str| Ok(label.to_owned());
        assert_eq!(label("policies/a.rules", "./b.rules"), ok("policies/b.rules"));
        assert_eq!(label("policies/x/a.rules", "..//./b.rules"), ok("policies/b.rules"));
        assert_eq!(label("../shared/a.rules", "./b.rules"), ok("../shared/b.rules"));
        assert_eq!(label("/etc/policies/a.rules", "./b.rules"), ok("/etc/policies/b.rules"));
        assert_eq!(label("policies/a.rules", "@std//git.rules"), ok("@std//git.rules"));
        assert_eq!(label("@std//x/a.rules", "../b.rules"), ok("@std//b.rules"));
        for path in ["../../b.rules", "../../../policies/b.rules"] {
            assert_eq!(label("policies/a.rules", path), Err(LoadPathError::Outside), "{path}");
        }
        assert_eq!(label("../shared/a.rules", "../b.rules"), Err(LoadPathError::Outside));
        assert_eq!(label("@std//a.rules", "../b.rules"), Err(LoadPathError::Outside));
        assert_eq!(label("policies/a.rules", "@std//../b.rules"), Err(LoadPathError::Outside));
        for path in ["b.rules", "/etc/b.rules", "", "./", "./..", "@std//", "//x", "@other//x"] {
            assert_eq!(label("policies/a.rules", path), Err(LoadPathError::Form), "{path}");
        }
        let root = [String::new()];
        assert_eq!(module_label("a.rules", "./b.rules", &root), ok("b.rules"));
        assert_eq!(module_label("a.rules", "../b.rules", &root), Err(LoadPathError::Outside));
    }
}
