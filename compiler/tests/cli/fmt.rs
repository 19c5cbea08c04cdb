//! `fmt` as an editor starts it, and on files that are not what they seem.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::{Ran, folder, policyc, run};

/// Gives `text` to a command on standard input.
fn fed(command: &mut Command, text: &str) -> Ran {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Ran {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

#[test]
fn standard_input_goes_to_standard_output() {
    let format = |text| fed(policyc().args(["fmt", "-"]), text);
    assert_eq!(format("x=[ 1 ]").ends_with(0).stdout, "x = [1]\n");
    assert_eq!(format("x = [1]\n").ends_with(0).stdout, "x = [1]\n");
    assert_eq!(format("").ends_with(0).stdout, "");
    let broken = format("x=(\n").ends_with(1);
    assert_eq!(broken.stdout, "");
    assert!(broken.stderr.contains("standard input:1:3"), "{}", broken.stderr);
    assert_eq!(fed(policyc().args(["fmt", "--check", "-"]), "x=1").ends_with(1).stdout, "standard input\n");
}

#[test]
#[cfg(unix)]
fn a_link_stays_a_link_and_rights_stay_as_they_are() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&[("kept/a.rules", "x=1\n")]);
    let place = folder.path().join("kept/a.rules");
    std::fs::set_permissions(&place, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("kept/a.rules", folder.path().join("link.rules")).unwrap();
    run(folder.path(), "fmt link.rules").ends_with(0);
    assert!(folder.path().join("link.rules").is_symlink());
    assert_eq!(std::fs::read_to_string(&place).unwrap(), "x = 1\n");
    assert_eq!(place.metadata().unwrap().permissions().mode() & 0o777, 0o640);
}
