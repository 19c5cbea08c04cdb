//! The processes of a run, found and ended: its group, all that descends from it, and what was left to this host when the
//! process that started it had ended.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group, waitpid};

/// The groups of all runs that go on: their processes are not each other's.
static RUNNING: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// How often processes are looked for: each time, none may have started another since.
const ROUNDS: usize = 64;

/// How long an ended process takes to be gone.
const PAUSE: Duration = Duration::from_micros(500);

/// Says that a run begins. From then on, what it leaves behind is left to this host.
pub(super) fn begins(group: Pid) {
    // Without it, what leaves its group and loses its parent is not found.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).insert(group.as_raw_pid());
}

/// Ends every process of a run, and says how many there were besides its first.
pub(super) fn end_all(group: Pid) -> usize {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let first = group.as_raw_pid();
    let mut ended = BTreeSet::new();
    for _ in 0..ROUNDS {
        let found: Vec<i32> = of_run(first, &running).into_iter().filter(|pid| *pid != first).collect();
        let _ = kill_process_group(group, Signal::KILL);
        for process in found.iter().filter_map(|pid| Pid::from_raw(*pid)) {
            let _ = kill_process(process, Signal::KILL);
        }
        let before = ended.len();
        ended.extend(&found);
        if found.is_empty() {
            break;
        }
        if ended.len() == before {
            std::thread::sleep(PAUSE);
        }
    }
    bury(&ended);
    running.remove(&first);
    ended.len()
}

/// Takes note of the end of processes that were left to this host: nobody else will.
fn bury(ended: &BTreeSet<i32>) {
    for process in ended.iter().filter_map(|pid| Pid::from_raw(*pid)) {
        for _ in 0..ROUNDS {
            // One that is somebody else's child is theirs to bury.
            if !matches!(waitpid(Some(process), WaitOptions::NOHANG), Ok(None)) {
                break;
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// The processes of a run that have not ended.
fn of_run(first: i32, running: &BTreeSet<i32>) -> BTreeSet<i32> {
    let processes = processes();
    let host = rustix::process::getpid().as_raw_pid();
    let alone = running.iter().all(|group| *group == first);
    let mut found = BTreeSet::new();
    for (pid, process) in &processes {
        // A child of this host that no run began was left to it by one; by this one for sure only if there is no other.
        let left = process.parent == host && alone && process.group != rustix::process::getpgrp().as_raw_pid();
        if process.group == first || left {
            found.insert(*pid);
        }
    }
    loop {
        let more: Vec<i32> = processes
            .iter()
            .filter(|(pid, process)| {
                !found.contains(pid) && (found.contains(&process.parent) || process.parent == first)
            })
            .map(|(pid, _)| *pid)
            .collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// Where a process belongs.
struct Process {
    parent: i32,
    group: i32,
}

/// All processes that can be seen.
fn processes() -> BTreeMap<i32, Process> {
    let folders = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = folders.filter_map(|folder| folder.file_name().to_str()?.parse::<i32>().ok());
    let process = |pid: i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name, in parentheses, may have anything in it.
        let (_, rest) = stat.rsplit_once(')')?;
        let mut fields = rest.split_ascii_whitespace();
        let ended = matches!(fields.next()?, "Z" | "X");
        let (parent, group) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        (!ended).then_some((pid, Process { parent, group }))
    };
    numbers.filter_map(process).collect()
}
