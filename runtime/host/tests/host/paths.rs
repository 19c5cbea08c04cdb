//! Paths: ten thousand random trees and requests against a naive oracle, and races.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use policyc_host::{Kind, Workspace};
use policyc_tests::random::Random;
use rustix::fs::{CWD, FileType, Mode};

use super::setup::Place;

/// What a request may name, in every way of writing.
const NAMES: [&str; 12] =
    ["a", "b", "c", "A", ".git", ".GIT", ".env", ".env.example", "x.key", "id_rsa", "~user", "d e"];

/// What the oracle says: the folded path and what is there.
type Answer = Option<(String, Option<bool>)>;

/// The naive reading of the rules, component by component.
fn oracle(place: &Place, path: &str, reads: bool) -> Answer {
    let workspace = place.path("workspace");
    let workspace = workspace.to_str().expect("it is UTF-8");
    let granted = place.path("granted");
    let granted = granted.to_str().expect("it is UTF-8");
    if path.is_empty() || path.len() > 4096 || path.contains(char::is_control) {
        return None;
    }
    // What leaves on systems with other separators is out on this one, too.
    let drive = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if drive || path.contains("://") || path.contains('\\') {
        return None;
    }
    let absolute = match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{workspace}/{rest}"),
        _ if path.starts_with('/') => path.to_owned(),
        _ => format!("{workspace}/{path}"),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in absolute.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    if parts.iter().any(|part| part.len() > 255) {
        return None;
    }
    let folded = format!("/{}", parts.join("/"));
    let below = |root: &str| folded == root || folded.starts_with(&format!("{root}/"));
    let root = match (below(workspace), below(granted) && reads) {
        (true, _) => workspace,
        (_, true) => granted,
        _ => return None,
    };
    if !reads && folded == workspace {
        return None;
    }
    let protected = |part: &&str| {
        let part = part.to_lowercase();
        let exact = [".git", ".qre", ".env", ".netrc", "credentials", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"];
        let sample = [".example", ".sample", ".template"].iter().any(|end| part.ends_with(end));
        exact.contains(&part.as_str()) || part.starts_with(".env.") && !sample || part.ends_with(".key")
    };
    if parts.iter().any(protected) {
        return None;
    }
    // Below the root, one component after the other: none is a link, all but the last are folders that are there.
    let mut here = PathBuf::from(root);
    let rest = folded.strip_prefix(root)?.trim_start_matches('/');
    let rest: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    for (number, part) in rest.iter().enumerate() {
        here.push(part);
        let last = number + 1 == rest.len();
        match fs::symlink_metadata(&here) {
            Err(_) if last => return Some((folded, None)),
            Err(_) => return None,
            Ok(metadata) if metadata.is_dir() => {}
            Ok(metadata) if metadata.is_file() && last && (reads || metadata.nlink() == 1) => {
                return Some((folded, Some(true)));
            }
            Ok(_) => return None,
        }
    }
    Some((folded, Some(false)))
}

fn answer(workspace: &Workspace, path: &str, reads: bool) -> Answer {
    let place = workspace.place(path, reads).ok()?;
    let found = place.found().map(|found| found.kind() == Kind::File);
    Some((place.path().to_owned(), found))
}

/// Puts something at random into a folder.
fn grow(random: &mut Random, place: &Place, folder: &Path, depth: usize) {
    for _ in 0..random.between(0, 4) {
        let here = folder.join(random.pick(&NAMES));
        // What is there already stays: the name is taken.
        match random.below(9) {
            0 | 1 => drop(fs::File::create_new(&here)),
            2 | 3 if fs::create_dir(&here).is_ok() && depth > 0 => grow(random, place, &here, depth - 1),
            4 => drop(symlink(
                place.path(random.pick::<&str>(&["outside", "outside/secret", "workspace", "granted"])),
                &here,
            )),
            5 => drop(symlink(*random.pick(&["..", ".", "a", "b/c", "../outside", "/etc/passwd"]), &here)),
            6 => drop(fs::hard_link(place.path("outside/secret"), &here)),
            7 => drop(rustix::fs::mknodat(CWD, &here, FileType::Fifo, Mode::from_raw_mode(0o600), 0)),
            _ => {}
        }
    }
}

fn path(random: &mut Random, place: &Place) -> String {
    let mut parts = Vec::new();
    for _ in 0..random.between(1, 4) {
        parts.push(match random.below(12) {
            0 => "..".to_owned(),
            1 => ".".to_owned(),
            2 => String::new(),
            3 if random.one_in(8) => "x".repeat(random.between(250, 260)),
            4 if random.one_in(8) => format!("a{}", random.pick(&["\0", "\n", "\u{7f}", "\u{85}"])),
            5 if random.one_in(8) => (*random.pick(&["..\\..", "C:", "file:", "~"])).to_owned(),
            _ => (*random.pick(&NAMES)).to_owned(),
        });
    }
    let below = parts.join("/");
    let root = |name: &str| place.path(name).to_str().expect("it is UTF-8").to_owned();
    match random.below(10) {
        0 => format!("~/{below}"),
        1 => format!("{}/{below}", root("workspace")),
        2 => format!("{}/{below}", root("granted")),
        3 => format!("{}/../granted/{below}", root("workspace")),
        4 => format!("{}/{below}", root("outside")),
        5 if random.one_in(20) => "a/".repeat(2100),
        6 if random.one_in(20) => (*random.pick(&["/dev/null", "/etc/passwd", "", "~", "/", "~root/a"])).to_owned(),
        _ => below,
    }
}

/// R000.47.
#[test]
fn ten_thousand_random_trees_resolve_as_the_oracle_says() {
    let mut random = Random::seeded(85);
    let (mut allowed, mut refused) = (0, 0);
    let place = Place::quick();
    fs::write(place.path("outside/secret"), "secret").expect("it can be written");
    for tree in 0..10_000 {
        for root in ["workspace", "granted"] {
            let root = place.path(root);
            let _ = fs::remove_dir_all(&root);
            fs::create_dir(&root).expect("a folder can be made");
            grow(&mut random, &place, &root, 2);
        }
        let workspace = place.workspace();
        for _ in 0..4 {
            let (path, reads) = (path(&mut random, &place), random.one_in(2));
            let (expected, got) = (oracle(&place, &path, reads), answer(&workspace, &path, reads));
            assert_eq!(got, expected, "tree {tree}, {path:?}, reads: {reads}");
            if got.is_some() { allowed += 1 } else { refused += 1 }
        }
    }
    // The trees are such that both happen.
    assert!(allowed > 5_000 && refused > 10_000, "{allowed} allowed, {refused} refused");
}

#[test]
fn a_folder_that_becomes_a_link_between_check_and_use_leads_nowhere() {
    let place = Place::new();
    let (inside, aside) = (place.path("workspace/d"), place.path("workspace/aside"));
    fs::create_dir(&inside).expect("a folder can be made");
    fs::write(inside.join("f"), "inside").expect("it can be written");
    fs::write(place.path("outside/f"), "outside").expect("it can be written");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let _ = fs::rename(&inside, &aside);
                let _ = symlink(place.path("outside"), &inside);
                let _ = fs::remove_file(&inside);
                let _ = fs::rename(&aside, &inside);
            }
        });
        let workspace = place.workspace();
        let (mut read, mut refused) = (0, 0);
        for _ in 0..20_000 {
            match workspace.place("d/f", true).map_err(|_| ()).and_then(|it| it.reader().map_err(|_| ())) {
                Ok(file) => {
                    assert_eq!(std::io::read_to_string(file).expect("it can be read"), "inside");
                    read += 1;
                }
                Err(()) => refused += 1,
            }
            if let Ok(place) = workspace.place("d/new", false) {
                let _ = place.replace(b"written");
            }
        }
        stop.store(true, Ordering::Relaxed);
        assert!(read > 0 && refused > 0, "{read} read, {refused} refused: the race was not run");
    });
    assert!(!place.path("outside/new").exists());
    assert_eq!(fs::read_to_string(place.path("outside/f")).expect("it is there"), "outside");
}

#[test]
fn nothing_is_written_through_or_left_behind() {
    let place = Place::new();
    let file = place.path("workspace/f");
    fs::write(&file, "old").expect("it can be written");
    let workspace = place.workspace();
    let found = workspace.place("f", false).expect("a file");
    // Somebody writes to it meanwhile.
    fs::write(&file, "older").expect("it can be written");
    found.replace(b"new").expect_err("it is not what was found");
    found.remove().expect_err("it is not what was found");
    let new = workspace.place("g", false).expect("nothing is there");
    fs::write(place.path("workspace/g"), "theirs").expect("it can be written");
    new.replace(b"ours").expect_err("something is there now");
    assert_eq!(fs::read_to_string(place.path("workspace/g")).expect("it is there"), "theirs");
    workspace.place("f", true).expect("a file").replace(b"new").expect_err("it is only read");
    let names = fs::read_dir(place.path("workspace")).expect("it is there");
    let mut names: Vec<_> = names.map(|entry| entry.expect("it is there").file_name()).collect();
    names.sort();
    assert_eq!(names, ["f", "g"]);
    let device = rustix::fs::mknodat(CWD, place.path("workspace/n"), FileType::CharacterDevice, Mode::empty(), 0x103);
    if device.is_ok() {
        assert!(fs::metadata(place.path("workspace/n")).expect("it is there").file_type().is_char_device());
        workspace.place("n", true).expect_err("a device is no file");
    }
}
