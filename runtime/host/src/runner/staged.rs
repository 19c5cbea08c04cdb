//! Staged copies: a job works on a copy of the workspace, and what it changed comes back only if all of it may.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use policyc_runtime::{Jail, Sha256};

use crate::resolve::{Kind, Place, ResolveProblem, Workspace};

/// Folders that are never copied: the records of version control, and a host's own state.
const NOT_COPIED: [&str; 2] = [".git", ".qre"];

/// The deepest folder.
const DEEPEST: usize = 64;

/// What may be copied, and copied back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// The most files.
    pub files: usize,
    /// The most bytes of all.
    pub bytes: u64,
}

impl Default for Quota {
    fn default() -> Self {
        Self { files: 100_000, bytes: 2 << 30 }
    }
}

/// Why nothing comes back.
#[derive(Debug)]
#[non_exhaustive]
pub enum StageProblem {
    /// A file that was copied is not there any more.
    Deleted(String),
    /// It is protected, or outside.
    Protected(String),
    /// It is a link, a device, a socket or a pipe.
    Special(String),
    /// There is more than may be.
    Quota,
    /// The workspace was changed in the meantime.
    Concurrent(String),
    /// A name is not UTF-8.
    Name,
    /// The system refuses.
    Io(io::Error),
}

impl fmt::Display for StageProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deleted(path) => write!(f, "`{}` was deleted", path.escape_debug()),
            Self::Protected(path) => write!(f, "`{}` is protected", path.escape_debug()),
            Self::Special(path) => write!(f, "`{}` is a link, a device, a socket or a pipe", path.escape_debug()),
            Self::Quota => f.write_str("there is more than may be copied"),
            Self::Concurrent(path) => write!(f, "`{}` was changed in the workspace meanwhile", path.escape_debug()),
            Self::Name => f.write_str("a name is not UTF-8"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StageProblem {}

impl From<io::Error> for StageProblem {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A file as it was copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Copied {
    digest: [u8; 32],
    runs: bool,
}

/// A copy of a workspace. It goes when this does.
#[derive(Debug)]
pub struct Stage {
    /// For this host's user alone.
    outer: PathBuf,
    /// What a job sees; for everybody who gets so far.
    inner: PathBuf,
    manifest: BTreeMap<String, Copied>,
    quota: Quota,
}

impl Stage {
    /// Copies a workspace, without what is never copied, links and what is no file.
    ///
    /// # Errors
    /// When there is more than may be copied, or the system refuses.
    pub fn copy(workspace: &Workspace, quota: Quota) -> io::Result<Self> {
        static STAGES: AtomicU64 = AtomicU64::new(1);
        let number = STAGES.fetch_add(1, Ordering::Relaxed);
        let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let outer = std::env::temp_dir().join(format!("policyc-stage-{}-{number}-{time}", std::process::id()));
        DirBuilder::new().mode(0o700).create(&outer)?;
        let inner = outer.join("workspace");
        let mut stage = Self { outer, inner, manifest: BTreeMap::new(), quota };
        fs::create_dir(&stage.inner)?;
        fs::set_permissions(&stage.inner, Permissions::from_mode(0o777))?;
        let mut left = quota;
        let root = PathBuf::from(workspace.path());
        stage.copy_folder(&root, "", &mut left).map_err(|problem| io::Error::other(problem.to_string()))?;
        Ok(stage)
    }

    /// The folder that a job sees.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inner
    }

    fn copy_folder(&mut self, from: &Path, below: &str, left: &mut Quota) -> Result<(), StageProblem> {
        for entry in sorted(from)? {
            let path = joined(below, &entry);
            let source = from.join(&entry);
            let metadata = fs::symlink_metadata(&source)?;
            let target = self.inner.join(&path);
            if metadata.is_dir() && !NOT_COPIED.contains(&entry.as_str()) {
                if path.split('/').count() > DEEPEST {
                    return Err(StageProblem::Quota);
                }
                fs::create_dir(&target)?;
                fs::set_permissions(&target, Permissions::from_mode(0o777))?;
                self.copy_folder(&source, &path, left)?;
            } else if metadata.is_file() {
                spend(left, metadata.len())?;
                let runs = metadata.mode() & 0o100 != 0;
                let digest = copy_file(&source, &target, left)?;
                fs::set_permissions(&target, Permissions::from_mode(if runs { 0o777 } else { 0o666 }))?;
                self.manifest.insert(path, Copied { digest, runs });
            }
        }
        Ok(())
    }

    /// Brings back what was changed and what is new: the paths. Nothing is brought back unless all of it may be.
    ///
    /// # Errors
    /// When something may not come back; then nothing has.
    pub fn copy_back(&self, workspace: &Workspace) -> Result<Vec<String>, StageProblem> {
        let mut now = BTreeMap::new();
        let mut left = self.quota;
        scan(&self.inner, "", &mut left, &mut now)?;
        if let Some(deleted) = self.manifest.keys().find(|path| !now.contains_key(*path)) {
            return Err(StageProblem::Deleted(deleted.clone()));
        }
        let changed: Vec<_> = now.iter().filter(|(path, copied)| self.manifest.get(*path) != Some(copied)).collect();
        let mut places = Vec::new();
        let mut made = BTreeSet::new();
        for (path, copied) in changed {
            if Jail::is_secret(&path.to_lowercase()) {
                return Err(StageProblem::Protected(path.clone()));
            }
            places.push((path, copied, self.place(workspace, path, &mut made)?));
        }
        // From here on nothing is refused: only the system can.
        for folder in &made {
            fs::create_dir(Path::new(workspace.path()).join(folder))?;
        }
        let mut written = Vec::new();
        for (path, copied, place) in places {
            let place = match place {
                Some(place) => place,
                None => workspace.place(path, false).map_err(|problem| refused(path, &problem))?,
            };
            let mode = if copied.runs { 0o755 } else { 0o644 };
            let mut content = open(&self.inner.join(path))?;
            let prepared = place.prepare(&mut content, mode)?;
            if prepared.digest() != copied.digest {
                return Err(StageProblem::Concurrent(path.clone()));
            }
            written.push((path, place, prepared));
        }
        let mut paths = Vec::new();
        for (path, place, prepared) in written {
            place.put(prepared)?;
            paths.push(path.clone());
        }
        Ok(paths)
    }

    /// Where a file goes, if it may; nothing if its folder has to be made first.
    fn place(
        &self,
        workspace: &Workspace,
        path: &str,
        made: &mut BTreeSet<String>,
    ) -> Result<Option<Place>, StageProblem> {
        let place = match workspace.place(path, false) {
            Ok(place) => place,
            Err(ResolveProblem::NoFolder) => {
                self.new_folders(workspace, path, made)?;
                return Ok(None);
            }
            Err(problem) => return Err(refused(path, &problem)),
        };
        let there = match place.found() {
            None => None,
            Some(found) if found.kind() == Kind::Folder => return Err(StageProblem::Concurrent(path.to_owned())),
            Some(_) => Some(digest(place.reader()?)?),
        };
        if there != self.manifest.get(path).map(|copied| copied.digest) {
            return Err(StageProblem::Concurrent(path.to_owned()));
        }
        Ok(Some(place))
    }

    fn new_folders(&self, workspace: &Workspace, path: &str, made: &mut BTreeSet<String>) -> Result<(), StageProblem> {
        if self.manifest.contains_key(path) {
            return Err(StageProblem::Concurrent(path.to_owned()));
        }
        for (end, _) in path.match_indices('/') {
            let folder = path.get(..end).unwrap_or_default();
            match workspace.place(folder, false) {
                Ok(place) if place.found().is_some_and(|found| found.kind() == Kind::Folder) => {}
                Ok(place) if place.found().is_some() => return Err(StageProblem::Concurrent(folder.to_owned())),
                Ok(_) | Err(ResolveProblem::NoFolder) => drop(made.insert(folder.to_owned())),
                Err(problem) => return Err(refused(folder, &problem)),
            }
        }
        Ok(())
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // A job may have taken away rights; what cannot be removed stays for the system to clean up.
        let _ = fs::remove_dir_all(&self.outer);
    }
}

fn refused(path: &str, problem: &ResolveProblem) -> StageProblem {
    match problem {
        ResolveProblem::Path(_) => StageProblem::Protected(path.to_owned()),
        _ => StageProblem::Special(path.to_owned()),
    }
}

/// The names in a folder, sorted.
fn sorted(folder: &Path) -> Result<Vec<String>, StageProblem> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().into_string().map_err(|_| StageProblem::Name)?);
    }
    names.sort();
    Ok(names)
}

fn joined(below: &str, name: &str) -> String {
    if below.is_empty() { name.to_owned() } else { format!("{below}/{name}") }
}

fn spend(left: &mut Quota, bytes: u64) -> Result<(), StageProblem> {
    left.files = left.files.checked_sub(1).ok_or(StageProblem::Quota)?;
    left.bytes = left.bytes.checked_sub(bytes).ok_or(StageProblem::Quota)?;
    Ok(())
}

/// What is in a copy by now.
fn scan(
    folder: &Path,
    below: &str,
    left: &mut Quota,
    found: &mut BTreeMap<String, Copied>,
) -> Result<(), StageProblem> {
    for name in sorted(folder)? {
        let path = joined(below, &name);
        let here = folder.join(&name);
        let metadata = fs::symlink_metadata(&here)?;
        if metadata.is_dir() {
            if Jail::is_secret(&name.to_lowercase()) {
                return Err(StageProblem::Protected(path));
            }
            if path.split('/').count() > DEEPEST {
                return Err(StageProblem::Quota);
            }
            scan(&here, &path, left, found)?;
        } else if metadata.is_file() && metadata.nlink() == 1 {
            spend(left, metadata.len())?;
            let runs = metadata.mode() & 0o100 != 0;
            found.insert(path, Copied { digest: digest(open(&here)?)?, runs });
        } else {
            return Err(StageProblem::Special(path));
        }
    }
    Ok(())
}

/// Opens a file, never through a link, and never waiting for anybody.
fn open(path: &Path) -> io::Result<File> {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    File::options().read(true).custom_flags(flags.bits() as i32).open(path)
}

fn digest(mut file: File) -> io::Result<[u8; 32]> {
    let (mut sha, mut block) = (Sha256::new(), vec![0; 64 << 10]);
    loop {
        match file.read(&mut block)? {
            0 => return Ok(sha.finish()),
            read => sha.update(block.get(..read).unwrap_or_default()),
        }
    }
}

/// Copies a file, which may grow meanwhile, but not beyond what is left.
fn copy_file(from: &Path, to: &Path, left: &Quota) -> Result<[u8; 32], StageProblem> {
    let mut source = open(from)?;
    let most = source.metadata()?.len().saturating_add(left.bytes);
    let mut target = File::create_new(to)?;
    let (mut sha, mut block, mut length) = (Sha256::new(), vec![0; 64 << 10], 0_u64);
    loop {
        let read = source.read(&mut block)?;
        let part = block.get(..read).unwrap_or_default();
        if part.is_empty() {
            return Ok(sha.finish());
        }
        length += read as u64;
        if length > most {
            return Err(StageProblem::Quota);
        }
        sha.update(part);
        target.write_all(part)?;
    }
}
