//! Staged copies, without an engine.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use policyc_host::runner::staged::{Quota, Stage, StageProblem};

use super::setup::Place;

fn filled() -> Place {
    let place = Place::new();
    let root = place.path("workspace");
    for folder in [".git", ".qre", "src", "src/.git"] {
        fs::create_dir(root.join(folder)).expect("a folder can be made");
    }
    for file in [".git/config", ".qre/state", "src/.git/config", "src/main.c", "keep", "run"] {
        fs::write(root.join(file), file).expect("it can be written");
    }
    fs::set_permissions(root.join("run"), fs::Permissions::from_mode(0o755)).expect("it is ours");
    symlink(place.path("outside"), root.join("link")).expect("a link can be made");
    place
}

/// R000.80, R000.81, R000.82.
#[test]
fn records_of_version_control_and_links_are_not_copied() {
    let place = filled();
    let stage = Stage::copy(&place.workspace(), Quota::default()).expect("it can be copied");
    let there = |name: &str| stage.path().join(name).symlink_metadata().is_ok();
    assert!(["src/main.c", "keep", "run"].into_iter().all(there));
    assert!(![".git", ".qre", "src/.git", "link"].into_iter().any(there));
    let outer = stage.path().parent().expect("it is in a folder").to_owned();
    assert_eq!(fs::metadata(&outer).expect("it is there").permissions().mode() & 0o777, 0o700);
    drop(stage);
    assert!(!outer.exists());
}

/// R000.79.
#[test]
fn what_was_changed_and_what_is_new_comes_back() {
    let place = filled();
    let workspace = place.workspace();
    let stage = Stage::copy(&workspace, Quota::default()).expect("it can be copied");
    fs::write(stage.path().join("keep"), "changed").expect("it can be written");
    fs::create_dir_all(stage.path().join("new/deep")).expect("a folder can be made");
    fs::write(stage.path().join("new/deep/file"), "new").expect("it can be written");
    let back = stage.copy_back(&workspace).expect("all of it may come back");
    assert_eq!(back, ["keep", "new/deep/file"]);
    let read = |name: &str| fs::read_to_string(place.path("workspace").join(name)).expect("it is there");
    assert_eq!(
        (read("keep"), read("new/deep/file"), read("src/main.c")),
        ("changed".into(), "new".into(), "src/main.c".into())
    );
    assert!(place.path("workspace/.git/config").exists());
}

#[test]
fn nothing_comes_back_unless_all_of_it_may() {
    type Change = (&'static str, fn(&Place, &std::path::Path), fn(&StageProblem) -> bool);
    let changes: [Change; 9] = [
        (
            "deleted",
            |_, copy| fs::remove_file(copy.join("run")).expect("it is there"),
            |it| matches!(it, StageProblem::Deleted(_)),
        ),
        (
            "protected",
            |_, copy| fs::write(copy.join(".env"), "x").expect("it can be written"),
            |it| matches!(it, StageProblem::Protected(_)),
        ),
        (
            "protected folder",
            |_, copy| fs::create_dir(copy.join(".GIT")).expect("it can be made"),
            |it| matches!(it, StageProblem::Protected(_)),
        ),
        (
            "link",
            |_, copy| symlink("/etc/passwd", copy.join("l")).expect("it can be made"),
            |it| matches!(it, StageProblem::Special(_)),
        ),
        (
            "hard link",
            |_, copy| fs::hard_link(copy.join("run"), copy.join("l")).expect("it can be made"),
            |it| matches!(it, StageProblem::Special(_)),
        ),
        (
            "quota",
            |_, copy| fs::write(copy.join("long"), vec![0; 5000]).expect("it can be written"),
            |it| matches!(it, StageProblem::Quota),
        ),
        (
            "edit meanwhile",
            |place, _| fs::write(place.path("workspace/keep"), "theirs").expect("it can be written"),
            |it| matches!(it, StageProblem::Concurrent(_)),
        ),
        (
            "new meanwhile",
            |place, copy| {
                fs::write(copy.join("both"), "ours").expect("it can be written");
                fs::write(place.path("workspace/both"), "theirs").expect("it can be written");
            },
            |it| matches!(it, StageProblem::Concurrent(_)),
        ),
        (
            "folder is a link meanwhile",
            |place, copy| {
                fs::create_dir(copy.join("sub")).expect("it can be made");
                fs::write(copy.join("sub/f"), "x").expect("it can be written");
                symlink(place.path("outside"), place.path("workspace/sub")).expect("it can be made");
            },
            |it| matches!(it, StageProblem::Special(_)),
        ),
    ];
    for (name, change, expected) in changes {
        let place = filled();
        let workspace = place.workspace();
        let stage = Stage::copy(&workspace, Quota { files: 10, bytes: 4000 }).expect("it can be copied");
        fs::write(stage.path().join("keep"), "changed").expect("it can be written");
        change(&place, stage.path());
        let problem = stage.copy_back(&workspace).expect_err(name);
        assert!(expected(&problem), "{name}: {problem}");
        let kept = fs::read_to_string(place.path("workspace/keep")).expect("it is there");
        assert!(kept == "keep" || kept == "theirs", "{name}: {kept}");
        assert!(fs::read_dir(place.path("outside")).expect("it is there").next().is_none(), "{name}");
    }
}
