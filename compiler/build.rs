//! Lists the shipped policies, so that one is shipped by being put into the folder.

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the package is"));
    let root = package.join("../stdlib-policies");
    let mut policies = Vec::new();
    collect(&root, "", &mut policies);
    policies.sort();
    let mut list = String::from("&[\n");
    for name in policies {
        let path = root.join(&name);
        list += &format!("    ({:?}, include_str!({path:?})),\n", format!("@std//{name}"));
    }
    list += "]\n";
    let output = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo says where output goes"));
    fs::write(output.join("shipped.rs"), list).expect("the output folder can be written");
}

/// The names of the policies below `folder`, each after `prefix`, with `/`.
fn collect(folder: &Path, prefix: &str, policies: &mut Vec<String>) {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder).expect("the folder of shipped policies can be read") {
        let path = entry.expect("the folder of shipped policies can be read").path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), policies);
        } else if path.extension().is_some_and(|extension| extension == "rules") {
            policies.push(format!("{prefix}{name}"));
        }
    }
}
