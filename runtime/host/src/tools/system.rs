//! The host's disks, memory and processes, as the kernel tells them. Nothing runs for it.

use std::collections::BTreeMap;
use std::fs;
use std::io;

use serde_json::{Value, json};

use super::{Call, Output, Registry, RegistryProblem, Tool, ToolFailure};

/// The most that is told of one thing.
const MOST: usize = 10_000;

/// What the kernel says of memory that is told, in the order in which it is.
const MEMORY: [(&str, &str); 5] = [
    ("MemTotal", "totalBytes"),
    ("MemAvailable", "availableBytes"),
    ("MemFree", "freeBytes"),
    ("SwapTotal", "swapTotalBytes"),
    ("SwapFree", "swapFreeBytes"),
];

/// Adds the tools.
///
/// # Errors
/// When one of their names is taken, or the host has started.
pub fn register(registry: &mut Registry) -> Result<(), RegistryProblem> {
    registry.add(Reading { name: &["host.disk.usage"], read: disks })?;
    registry.add(Reading { name: &["host.memory.status"], read: memory })?;
    registry.add(Reading { name: &["host.process.list"], read: processes })
}

/// Something that the kernel tells.
struct Reading {
    name: &'static [&'static str],
    read: fn() -> io::Result<Value>,
}

impl Tool for Reading {
    fn names(&self) -> &[&'static str] {
        self.name
    }

    fn call(&self, _: &Call<'_>) -> Result<Output, ToolFailure> {
        Ok(Output { content: (self.read)()?, ..Output::default() })
    }
}

/// How full each disk is that something is mounted from.
fn disks() -> io::Result<Value> {
    let mut disks = BTreeMap::new();
    for line in fs::read_to_string("/proc/self/mounts")?.lines().take(MOST) {
        let mut fields = line.split(' ');
        let (Some(device), Some(mounted)) = (fields.next(), fields.next()) else { continue };
        // What others serve may not answer.
        if !device.starts_with("/dev/") || disks.contains_key(device) {
            continue;
        }
        let Ok(usage) = rustix::fs::statvfs(unescaped(mounted)) else { continue };
        let bytes = |blocks: u64| blocks.saturating_mul(usage.f_frsize);
        let said = json!({
            "mounted": unescaped(mounted),
            "totalBytes": bytes(usage.f_blocks),
            "availableBytes": bytes(usage.f_bavail),
        });
        disks.insert(device.to_owned(), said);
    }
    Ok(json!({ "disks": disks.into_values().collect::<Vec<_>>() }))
}

/// A name in the list of what is mounted, where blanks are written in octal.
fn unescaped(name: &str) -> String {
    name.replace("\\040", " ").replace("\\011", "\t").replace("\\012", "\n").replace("\\134", "\\")
}

fn memory() -> io::Result<Value> {
    let said = fs::read_to_string("/proc/meminfo")?;
    let of = |wanted: &str| {
        let line = said.lines().find_map(|line| line.strip_prefix(wanted)?.strip_prefix(':'))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
    };
    let known = MEMORY.into_iter().filter_map(|(theirs, ours)| Some((ours.to_owned(), json!(of(theirs)?))));
    let known: serde_json::Map<String, Value> = known.collect();
    if known.is_empty() {
        return Err(io::Error::other("the kernel says nothing of memory"));
    }
    Ok(Value::Object(known))
}

/// The names of processes, and how many have each; neither their arguments nor whose they are.
fn processes() -> io::Result<Value> {
    let mut names: BTreeMap<String, u32> = BTreeMap::new();
    for entry in fs::read_dir("/proc")?.take(MOST * 4).filter_map(Result::ok) {
        if !entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        // One that has ended by now has no name.
        let Ok(name) = fs::read(entry.path().join("comm")) else { continue };
        *names.entry(String::from_utf8_lossy(&name).trim_end().to_owned()).or_default() += 1;
    }
    let cut = names.len() > MOST;
    let shown = names.into_iter().take(MOST).map(|(name, number)| json!({ "name": name, "number": number }));
    Ok(json!({ "processes": shown.collect::<Vec<_>>(), "cut": cut }))
}
