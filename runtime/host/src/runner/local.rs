//! Commands as processes of this host, within what the kernel gives without privileges.
//!
//! Whoever starts a process from a thread gives it that thread's restrictions: so each command is started from a thread
//! of its own, which first takes them upon itself. Nothing has to happen between fork and exec.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};

use super::{Cancel, End, Job, Outcome, Runner, Streams};

/// How long to wait at most before looking whether to stop.
const GLANCE: Duration = Duration::from_millis(20);

/// Runs commands on this host.
#[derive(Clone, Debug)]
pub struct Local {
    /// Where commands may write, besides their workspace; everywhere, if not given.
    pub writable: Option<Vec<PathBuf>>,
    /// The most bytes of one file.
    pub file_size: Option<u64>,
    /// The most bytes of memory of one process.
    pub memory: Option<u64>,
    /// The most open files of one process.
    pub open_files: Option<u64>,
    /// The most processes of the user.
    pub processes: Option<u64>,
}

impl Default for Local {
    fn default() -> Self {
        let writable = ["/tmp", "/var/tmp", "/dev"].map(PathBuf::from).to_vec();
        Self { writable: Some(writable), file_size: None, memory: None, open_files: None, processes: None }
    }
}

impl Runner for Local {
    fn name(&self) -> &'static str {
        "local"
    }

    fn configuration(&self) -> Value {
        json!({
            "writable": self.writable,
            "fileSize": self.file_size,
            "memory": self.memory,
            "openFiles": self.open_files,
            "processes": self.processes,
            "noNewPrivileges": true,
            "processGroup": true,
        })
    }

    fn finds_programs_here(&self) -> bool {
        true
    }

    fn run(&self, job: &Job<'_>) -> io::Result<Outcome> {
        let started = thread::scope(|scope| {
            let starter = thread::Builder::new().name("start".to_owned()).spawn_scoped(scope, || self.start(job))?;
            starter.join().unwrap_or_else(|_| Err(io::Error::other("the thread that starts commands panicked")))
        });
        let (child, not_applied) = started?;
        let outcome = follow(child, job)?;
        Ok(Outcome { not_applied, ..outcome })
    }
}

impl Local {
    /// Starts a process from this thread, which is of no use afterwards: it is restricted for ever.
    fn start(&self, job: &Job<'_>) -> io::Result<(Child, Vec<String>)> {
        let mut command = command(job)?;
        let mut not_applied = self.restrict(job);
        let child = command.spawn()?;
        #[cfg(target_os = "linux")]
        super::tree::begins(Pid::from_child(&child));
        not_applied.extend(self.limit(&child));
        Ok((child, not_applied))
    }

    /// Takes upon this thread what its processes will have. What this system does not give is said.
    #[cfg(target_os = "linux")]
    fn restrict(&self, job: &Job<'_>) -> Vec<String> {
        let mut not_applied = Vec::new();
        if let Err(error) = rustix::thread::set_no_new_privs(true) {
            not_applied.push(format!("no new privileges: {error}"));
        }
        if let Some(writable) = &self.writable {
            match landlock(writable, job) {
                Ok(true) => {}
                Ok(false) => not_applied.push("landlock: this kernel has it not, or in part".to_owned()),
                Err(error) => not_applied.push(format!("landlock: {error}")),
            }
        }
        not_applied
    }

    #[cfg(not(target_os = "linux"))]
    fn restrict(&self, _: &Job<'_>) -> Vec<String> {
        ["no new privileges", "landlock"].map(|what| format!("{what}: this system has it not")).to_vec()
    }

    /// Limits a process that has just started.
    #[cfg(target_os = "linux")]
    fn limit(&self, child: &Child) -> Vec<String> {
        use rustix::process::{Resource, Rlimit, prlimit};
        let limits = [
            (Resource::Core, Some(0), "core files"),
            (Resource::Fsize, self.file_size, "file size"),
            (Resource::As, self.memory, "memory"),
            (Resource::Nofile, self.open_files, "open files"),
            (Resource::Nproc, self.processes, "processes"),
        ];
        let set = |(resource, limit, name): (Resource, Option<u64>, &str)| {
            let limit = Rlimit { current: Some(limit?), maximum: Some(limit?) };
            let error = prlimit(pid(child), resource, limit).err()?;
            // One that has ended by now needs no limit.
            (error != rustix::io::Errno::SRCH).then(|| format!("limit of {name}: {error}"))
        };
        limits.into_iter().filter_map(set).collect()
    }

    #[cfg(not(target_os = "linux"))]
    fn limit(&self, _: &Child) -> Vec<String> {
        vec!["limits: this system has them not".to_owned()]
    }
}

/// The command, not started yet. The program is run by its handle, so that it is the file that was decided over whatever
/// has its name by now; a script must be found by its name, by its interpreter.
fn command(job: &Job<'_>) -> io::Result<Command> {
    let (first, rest) = job.words.split_first().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let program = job.program.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
    let by_handle = cfg!(target_os = "linux") && !program.is_script();
    let mut command = if by_handle {
        Command::new(format!("/proc/self/fd/{}", program.file().as_raw_fd()))
    } else {
        program.unchanged()?;
        Command::new(program.path())
    };
    command.arg0(first).args(rest).env_clear().envs(job.environment.iter().map(|(name, value)| (name, value)));
    if cfg!(target_os = "linux") {
        command.current_dir(format!("/proc/self/fd/{}", job.workspace.handle().as_raw_fd()));
    } else {
        command.current_dir(job.workspace.path());
    }
    command.process_group(0);
    streamed(&mut command, job.streams);
    Ok(command)
}

/// Where the input of a command comes from and its output goes.
pub(super) fn streamed(command: &mut Command, streams: Streams) {
    match streams {
        Streams::Inherited => command.stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(Stdio::inherit()),
        Streams::Captured => command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()),
    };
}

/// Restricts this thread to write only where it may: whether the kernel does all of it.
#[cfg(target_os = "linux")]
fn landlock(writable: &[PathBuf], job: &Job<'_>) -> Result<bool, landlock::RulesetError> {
    use landlock::{
        ABI, AccessFs, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
    };
    let abi = ABI::V5;
    // Devices are used by handles that are open, and those of `writable`.
    let writes: BitFlags<AccessFs> = AccessFs::from_write(abi);
    let mut rules = Ruleset::default().handle_access(writes)?.create()?;
    let open = writable.iter().filter_map(|path| PathFd::new(path).ok());
    for folder in open {
        rules = rules.add_rule(PathBeneath::new(folder, writes))?;
    }
    if !job.read_only {
        rules = rules.add_rule(PathBeneath::new(job.workspace.handle(), writes))?;
    }
    Ok(rules.restrict_self()?.ruleset == RulesetStatus::FullyEnforced)
}

#[cfg(target_os = "linux")]
fn pid(child: &Child) -> Option<Pid> {
    Some(Pid::from_child(child))
}

/// Follows a process to its end, or to that of its time.
pub(super) fn follow(mut child: Child, job: &Job<'_>) -> io::Result<Outcome> {
    let group = Pid::from_child(&child);
    let terminal = Terminal::lend(job.streams, group);
    let output = child.stdout.take().map(|pipe| keep(pipe, job.limits.output));
    let errors = child.stderr.take().map(|pipe| keep(pipe, job.limits.output));
    let end = wait(&mut child, group, job);
    // However it ended, nothing of it runs on.
    let left = end_all(group);
    drop(terminal);
    let end = end?;
    let collected =
        |kept: Option<thread::JoinHandle<(Vec<u8>, bool)>>| kept.and_then(|kept| kept.join().ok()).unwrap_or_default();
    let ((stdout, cut), (stderr, cut_too)) = (collected(output), collected(errors));
    Ok(Outcome { end, stdout, stderr, cut: cut || cut_too, left, ..Outcome::default() })
}

/// Waits for the end, passing signals on.
fn wait(child: &mut Child, group: Pid, job: &Job<'_>) -> io::Result<End> {
    let deadline = job.limits.time.map(|time| Instant::now() + time);
    let awaited = Awaited::new(group);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code().map_or_else(|| End::Signalled(status.signal().unwrap_or(0)), End::Exited));
        }
        let stop = if job.cancel.is_cancelled() {
            Some(End::Cancelled)
        } else {
            deadline.filter(|deadline| Instant::now() >= *deadline).map(|_| End::TimedOut)
        };
        if let Some(end) = stop {
            end_all(group);
            child.wait()?;
            return Ok(end);
        }
        pass_on(job.cancel, group);
        let rest = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        awaited.at_most(rest.unwrap_or(GLANCE).min(GLANCE));
    }
}

fn pass_on(cancel: &Cancel, group: Pid) {
    for signal in cancel.signals() {
        if let Some(signal) = Signal::from_named_raw(signal) {
            let _ = kill_process_group(group, signal);
        }
    }
}

/// A process whose end is awaited.
struct Awaited {
    #[cfg(target_os = "linux")]
    handle: Option<std::os::fd::OwnedFd>,
}

impl Awaited {
    #[cfg(target_os = "linux")]
    fn new(process: Pid) -> Self {
        Self { handle: rustix::process::pidfd_open(process, rustix::process::PidfdFlags::empty()).ok() }
    }

    #[cfg(not(target_os = "linux"))]
    fn new(_: Pid) -> Self {
        Self {}
    }

    /// Waits for its end, no longer than this.
    fn at_most(&self, time: Duration) {
        #[cfg(target_os = "linux")]
        if let Some(handle) = &self.handle {
            use rustix::event::{PollFd, PollFlags, Timespec, poll};
            let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
            let _ = poll(&mut [PollFd::new(handle, PollFlags::IN)], Some(&time));
            return;
        }
        thread::sleep(time.min(Duration::from_millis(2)));
    }
}

/// Ends every process of a run: its group, and what left the group.
fn end_all(group: Pid) -> usize {
    #[cfg(target_os = "linux")]
    return super::tree::end_all(group);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = kill_process_group(group, Signal::KILL);
        0
    }
}

/// Reads a stream to its end, and keeps so much of it: what, and whether there was more.
fn keep(mut pipe: impl Read + Send + 'static, most: usize) -> thread::JoinHandle<(Vec<u8>, bool)> {
    thread::spawn(move || {
        let (mut kept, mut block, mut cut) = (Vec::new(), vec![0; 16 << 10], false);
        while let Ok(read @ 1..) = pipe.read(&mut block) {
            let room = most.saturating_sub(kept.len());
            cut |= read > room;
            kept.extend_from_slice(block.get(..read.min(room)).unwrap_or_default());
        }
        (kept, cut)
    })
}

/// The terminal, while the group of a command is in its foreground.
struct Terminal(Option<(File, Pid)>);

impl Terminal {
    /// Gives the terminal to a group, if the host is in its foreground.
    fn lend(streams: Streams, group: Pid) -> Self {
        if streams != Streams::Inherited {
            return Self(None);
        }
        let ours = rustix::process::getpgrp();
        let terminal = File::open("/dev/tty").ok().filter(|it| rustix::termios::tcgetpgrp(it) == Ok(ours));
        let lent = terminal.filter(|it| rustix::termios::tcsetpgrp(it, group).is_ok());
        Self(lent.map(|terminal| (terminal, ours)))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let Some((terminal, ours)) = &self.0 else { return };
        // To take it back from the background would stop this process, were the signal for that not held back.
        let mut stop = nix::sys::signal::SigSet::empty();
        stop.add(nix::sys::signal::Signal::SIGTTOU);
        let _ = stop.thread_block();
        let _ = rustix::termios::tcsetpgrp(terminal, *ours);
        let _ = stop.thread_unblock();
    }
}
