//! What stands on the disk: links, large files, devices, and a table that is replaced at once or not at all.

use std::fs;

use crate::{folder, run, write};

const ALLOW: &str = "prefix_rule(pattern = [\"ls\"])\n";
const BROKEN: &str = "prefix_rule(pattern = [])\n";

#[test]
fn a_large_file_is_refused_unread() {
    let folder = folder(&[]);
    // Without blocks on the disk: only its size can be what refuses it in time.
    fs::File::create(folder.path().join("big.rules")).unwrap().set_len(50 << 30).unwrap();
    let ran = run(folder.path(), "check big.rules").ends_with(1);
    assert!(ran.stderr.contains("big.rules") && ran.stderr.contains("16 MiB"), "{}", ran.stderr);
}

#[test]
fn a_table_that_never_ends_is_refused() {
    let folder = folder(&[]);
    let ran = run(folder.path(), "eval --table /dev/zero ls").ends_with(1);
    assert!(ran.stderr.contains("not a decision table"), "{}", ran.stderr);
}

#[test]
fn a_table_cut_off_is_told_from_what_never_was_one() {
    let folder = folder(&[("p.rules", ALLOW)]);
    run(folder.path(), "build p.rules -o t").ends_with(0);
    let table = fs::read(folder.path().join("t")).unwrap();
    for length in [1, 7, 8, 20, table.len() - 1] {
        write(folder.path(), "cut", &table[..length]);
        for line in ["eval --table cut ls", "explain --table cut ls", "inspect cut"] {
            let ran = run(folder.path(), line).ends_with(1);
            assert_eq!(ran.stderr, "error: cannot use `cut`: the decision table is cut off; build it again\n");
        }
    }
    let mut changed = table.clone();
    *changed.last_mut().unwrap() ^= 1;
    write(folder.path(), "changed", changed);
    let ran = run(folder.path(), "eval --table changed ls").ends_with(1);
    assert!(ran.stderr.contains("damaged"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn links_lead_to_files_inside_once() {
    use std::os::unix::fs::symlink;
    let outside = folder(&[("secret.rules", ALLOW)]);
    let folder = folder(&[("p/a.rules", ALLOW), ("p/sub/b.rules", ALLOW), ("p/.hidden/c.rules", BROKEN)]);
    let p = folder.path().join("p");
    symlink("a.rules", p.join("0-link.rules")).unwrap();
    symlink("..", p.join("sub/up")).unwrap();
    let ran = run(folder.path(), "check p").ends_with(0);
    assert_eq!(ran.stdout, "2 files, 2 rules, 0 examples: no mistakes\n");

    symlink(outside.path().join("secret.rules"), p.join("out.rules")).unwrap();
    let ran = run(folder.path(), "check p").ends_with(1);
    assert!(ran.stderr.contains("cannot read `p/out.rules`"), "{}", ran.stderr);
    run(folder.path(), "check p/out.rules").ends_with(0);

    symlink("nowhere", p.join("lost.rules")).unwrap();
    let ran = run(folder.path(), "check p").ends_with(1);
    assert!(ran.stderr.contains("cannot read `p/lost.rules`"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn a_load_does_not_follow_a_link_outside() {
    let outside = folder(&[("x.rules", "X = \"secret\"\n")]);
    let folder = folder(&[("p/a.rules", "load(\"./x.rules\", \"X\")\nprefix_rule(pattern = [X])\n")]);
    std::os::unix::fs::symlink(outside.path().join("x.rules"), folder.path().join("p/x.rules")).unwrap();
    let ran = run(folder.path(), "check p/a.rules").ends_with(1);
    assert!(ran.stderr.contains("p/a.rules:1:6"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_a_folder_does_not_block() {
    let folder = folder(&[("p/a.rules", "load(\"./pipe.rules\", \"X\")\n")]);
    let pipe = folder.path().join("p/pipe.rules");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let ran = run(folder.path(), "check p").ends_with(1);
    assert!(ran.stderr.contains("not a regular file"), "{}", ran.stderr);
}

#[test]
fn a_build_that_fails_leaves_the_old_table() {
    let folder = folder(&[("p.rules", ALLOW)]);
    run(folder.path(), "build p.rules -o t").ends_with(0);
    let old = fs::read(folder.path().join("t")).unwrap();
    write(folder.path(), "p.rules", BROKEN);
    let ran = run(folder.path(), "build p.rules -o t").ends_with(1);
    assert!(ran.stderr.contains("p.rules:1:"), "{}", ran.stderr);
    assert_eq!(fs::read(folder.path().join("t")).unwrap(), old);
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[cfg(unix)]
#[test]
fn a_build_keeps_permissions_and_follows_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder(&[("p.rules", ALLOW), ("real/t", "old")]);
    let real = folder.path().join("real/t");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real/t", folder.path().join("t")).unwrap();
    run(folder.path(), "build p.rules -o t").ends_with(0);
    assert!(fs::symlink_metadata(folder.path().join("t")).unwrap().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::read(&real).unwrap().starts_with(b"policyc\0"));

    run(folder.path(), "build p.rules -o new").ends_with(0);
    let mode = fs::metadata(folder.path().join("new")).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode & 0o600, 0o600);
    assert_eq!(mode & 0o111, 0, "a table is no program");
}

#[test]
fn a_table_never_replaces_a_policy_file() {
    let folder = folder(&[("policy", ALLOW), ("p/a.rules", "load(\"./x\", \"X\")\n"), ("p/x", "X = 1\n")]);
    for line in
        ["build policy -o policy", "build policy -o ./policy", "build p -o p/a.rules", "build p -o p/x", "build p -o p"]
    {
        let ran = run(folder.path(), line).ends_with(1);
        assert!(ran.stderr.starts_with("error: `"), "{line}: {}", ran.stderr);
    }
    assert_eq!(fs::read_to_string(folder.path().join("policy")).unwrap(), ALLOW);
}

#[test]
fn the_same_policy_makes_the_same_table() {
    let folder = folder(&[("p.rules", ALLOW)]);
    run(folder.path(), "build p.rules -o one").ends_with(0);
    run(folder.path(), "build ./p.rules -o two").ends_with(0);
    assert_eq!(fs::read(folder.path().join("one")).unwrap(), fs::read(folder.path().join("two")).unwrap());
}

#[test]
fn json_tells_places() {
    let folder = folder(&[("p.rules", "# ä\nprefix_rule(pattern = [\"ä\"], decision = \"alow\")\n")]);
    let ran = run(folder.path(), "check --format json p.rules").ends_with(1);
    assert_eq!(ran.stderr, "");
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let keys: Vec<_> = report.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["diagnostics", "errors", "examples", "files", "rules", "warnings"]);
    let diagnostic = &report["diagnostics"][0];
    assert_eq!(diagnostic["file"], "p.rules");
    let text = fs::read_to_string(folder.path().join("p.rules")).unwrap();
    let offset = |end: &str| diagnostic["span"][end].as_u64().unwrap() as usize;
    assert_eq!(&text[offset("start")..offset("end")], "\"alow\"");
    assert_eq!(diagnostic["range"]["start"], serde_json::json!({"line": 2, "column": 41}));
    assert_eq!(diagnostic["range"]["end"], serde_json::json!({"line": 2, "column": 47}));
}

/// Grows in one step of the run, which no count of steps can stop.
const LARGE: &str = "s = \"a\" * 30000000\nt = s.join([s] * 40)\n";

#[cfg(target_os = "linux")]
#[test]
fn isolation_bounds_memory() {
    let folder = folder(&[("p/a.rules", ALLOW), ("p/large.rules", LARGE)]);
    let ran = run(folder.path(), "check --isolate p").ends_with(1);
    assert!(ran.stderr.contains("took more than 1 GiB of memory"), "{}", ran.stderr);
    assert!(ran.stderr.contains("┌─ p/large.rules\n"), "{}", ran.stderr);
    let ran = run(folder.path(), "check --isolate --format json p").ends_with(1);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["diagnostics"][0]["file"], "p/large.rules");
}

#[test]
fn isolation_bounds_time() {
    // Each step takes long, so that the bound on steps is far.
    let slow = "numbers = list(range(1000000))\nfor step in range(1000000):\n    -1 in numbers\n";
    let folder = folder(&[("slow.rules", slow)]);
    let start = std::time::Instant::now();
    let ran = run(folder.path(), "check --isolate slow.rules").ends_with(1);
    assert!(ran.stderr.contains("took longer than 10 seconds"), "{}", ran.stderr);
    assert!(ran.stderr.contains("┌─ slow.rules\n"), "{}", ran.stderr);
    assert!(start.elapsed().as_secs() < 30);
}

#[test]
fn isolation_changes_no_answer() {
    let folder = folder(&[("good.rules", ALLOW), ("bad.rules", BROKEN)]);
    for line in ["check good.rules", "check bad.rules", "check --format json bad.rules", "check nothing"] {
        let (open, isolated) =
            (run(folder.path(), line), run(folder.path(), &line.replace("check", "check --isolate")));
        assert_eq!((open.stdout, open.stderr, open.code), (isolated.stdout, isolated.stderr, isolated.code), "{line}");
    }
}
