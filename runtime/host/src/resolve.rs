//! The one resolver. A path becomes a handle below the workspace, or below a folder that may be read; a program becomes a
//! file. Everything afterwards uses handles: what a name means later does not matter.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use policyc_runtime::{Folders, Jail, PathProblem, Sha256};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

/// The longest path and the longest name in it, in bytes.
const LONGEST_PATH: usize = 4096;
const LONGEST_NAME: usize = 255;

/// The folders that requests may reach.
#[derive(Debug)]
pub struct Workspace {
    root: Root,
    /// Where relative paths start; in the workspace.
    working: String,
    home: Option<String>,
    read_roots: Vec<Root>,
}

/// A folder, by its path without links and by a handle.
#[derive(Debug)]
struct Root {
    path: String,
    handle: OwnedFd,
}

impl Root {
    fn open(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize()?;
        let text = path.to_str().ok_or_else(|| io::Error::other("the folder's path is not UTF-8"))?.to_owned();
        let handle = rustix::fs::open(&path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Self { path: text, handle })
    }

    /// What `path` is below this folder; empty for the folder itself.
    fn below<'p>(&self, path: &'p str) -> Option<&'p str> {
        let rest = path.strip_prefix(self.path.trim_end_matches('/'))?;
        if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
    }
}

impl Workspace {
    /// Opens a workspace, which must be there. `home` is what `~` stands for, and `read_roots` are the folders outside that
    /// may be read.
    ///
    /// # Errors
    /// When one of the folders cannot be opened.
    pub fn open(root: &Path, home: Option<String>, read_roots: &[PathBuf]) -> io::Result<Self> {
        let root = Root::open(root)?;
        let read_roots = read_roots.iter().map(|root| Root::open(root)).collect::<io::Result<_>>()?;
        Ok(Self { working: root.path.clone(), root, home, read_roots })
    }

    /// The workspace's path, without links.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.root.path
    }

    /// A handle of the workspace's folder.
    #[must_use]
    pub fn handle(&self) -> BorrowedFd<'_> {
        self.root.handle.as_fd()
    }

    /// The folders outside that may be read.
    pub fn read_roots(&self) -> impl Iterator<Item = &str> {
        self.read_roots.iter().map(|root| root.path.as_str())
    }

    /// The folders that paths are relative to.
    #[must_use]
    pub fn folders(&self) -> Folders<'_> {
        Folders { working: &self.working, home: self.home.as_deref() }
    }

    /// The place that a path names; `reads` says that it is only read, so that it may be in a folder outside.
    ///
    /// # Errors
    /// When it is no path, leads out, leads to what is protected, goes through a link, or is no regular file or folder.
    pub fn place(&self, path: &str, reads: bool) -> Result<Place, ResolveProblem> {
        if path.len() > LONGEST_PATH {
            return Err(ResolveProblem::TooLong);
        }
        let folders = self.folders();
        let roots: Vec<&str> = self.read_roots().collect();
        let jail = Jail { folders: Some(&folders), workspace: Some(&self.root.path), read_roots: &roots };
        let path = jail.resolve(path, reads).map_err(ResolveProblem::Path)?;
        let inside = std::iter::once(&self.root).chain(self.read_roots.iter().filter(|_| reads));
        // The innermost root: none may be reached through the link that leads to another.
        let root = inside.filter(|root| root.below(&path).is_some()).max_by_key(|root| root.path.len());
        let root = root.ok_or(ResolveProblem::Path(PathProblem::Outside))?;
        let below = root.below(&path).unwrap_or_default().to_owned();
        Place::open(root, path, &below, reads)
    }
}

/// A place in a folder that was opened, and what is there.
#[derive(Debug)]
pub struct Place {
    path: String,
    parent: OwnedFd,
    name: OsString,
    found: Option<Found>,
    reads: bool,
}

/// What was found at a place.
#[derive(Debug)]
pub struct Found {
    handle: OwnedFd,
    kind: Kind,
    identity: Identity,
    mode: u32,
}

/// What a place can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
}

/// What tells one state of one file from all others, as far as the file system says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
    links: u64,
}

impl Identity {
    fn of(stat: &Stat) -> Self {
        // The types of these fields differ between systems.
        #[allow(
            clippy::unnecessary_cast,
            clippy::cast_lossless,
            reason = "the types of these fields differ between systems"
        )]
        Self {
            device: stat.st_dev as u64,
            inode: stat.st_ino as u64,
            size: stat.st_size as u64,
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
            links: stat.st_nlink as u64,
        }
    }

    /// Whether it is the same file, in whatever state.
    #[must_use]
    pub const fn is_same_file(&self, other: &Self) -> bool {
        self.device == other.device && self.inode == other.inode
    }

    /// The size in bytes.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }
}

impl Place {
    fn open(root: &Root, path: String, below: &str, reads: bool) -> Result<Self, ResolveProblem> {
        if below.split('/').any(|name| name.len() > LONGEST_NAME) {
            return Err(ResolveProblem::TooLong);
        }
        let (folder, name) = match below.rsplit_once('/') {
            Some((folder, name)) => (folder, name),
            None => ("", if below.is_empty() { "." } else { below }),
        };
        let parent = open_folder(root.handle.as_fd(), folder)?;
        let found = Found::at(parent.as_fd(), name)?;
        if !reads && found.as_ref().is_some_and(|found| found.kind == Kind::File && found.identity.links > 1) {
            return Err(ResolveProblem::HardLink);
        }
        Ok(Self { path, parent, name: name.into(), found, reads })
    }

    /// The absolute path that it was found by, without links.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The folder that it is in.
    #[must_use]
    pub fn parent(&self) -> BorrowedFd<'_> {
        self.parent.as_fd()
    }

    /// Its name in that folder; `.` for the workspace itself.
    #[must_use]
    pub fn name(&self) -> &std::ffi::OsStr {
        &self.name
    }

    /// What is there, if anything is.
    #[must_use]
    pub const fn found(&self) -> Option<&Found> {
        self.found.as_ref()
    }

    /// Whether it may only be read.
    #[must_use]
    pub const fn is_read_only(&self) -> bool {
        self.reads
    }

    /// The file that was found, for reading. Another that took its name since is refused.
    ///
    /// # Errors
    /// When nothing or no file was found, when it is another now, or when it cannot be opened.
    pub fn reader(&self) -> io::Result<File> {
        let found = self.found.as_ref().ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        if found.kind != Kind::File {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.parent, &self.name, flags, Mode::empty())?;
        let now = Identity::of(&rustix::fs::fstat(&file)?);
        if !now.is_same_file(&found.identity) {
            return Err(io::Error::other("it was replaced since it was looked at"));
        }
        Ok(File::from(file))
    }

    /// Writes new content beside what is there, as the first half of replacing it.
    ///
    /// # Errors
    /// When the place is only read, or the system refuses; nothing is left then.
    pub fn prepare(&self, content: &mut dyn Read, mode: u32) -> io::Result<Prepared> {
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        if self.reads {
            return Err(io::Error::from(io::ErrorKind::PermissionDenied));
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = OsString::from(format!(".policyc-{}-{number}.new", std::process::id()));
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.parent, &name, flags, Mode::from_raw_mode(mode))?;
        let mut prepared = Prepared { parent: self.parent.try_clone()?, name, put: false, digest: [0; 32], bytes: 0 };
        let (mut file, mut sha, mut block) = (File::from(file), Sha256::new(), vec![0; 64 << 10]);
        loop {
            let read = content.read(&mut block)?;
            let part = block.get(..read).unwrap_or_default();
            if part.is_empty() {
                break;
            }
            sha.update(part);
            prepared.bytes += read as u64;
            file.write_all(part)?;
        }
        file.sync_all()?;
        prepared.digest = sha.finish();
        Ok(prepared)
    }

    /// Puts new content in the place of what was found, at once for everybody who looks.
    ///
    /// # Errors
    /// When what is there is not what was found any more, or the system refuses; then nothing was replaced.
    pub fn put(&self, mut prepared: Prepared) -> io::Result<()> {
        self.unchanged()?;
        #[cfg(target_os = "linux")]
        if self.found.is_none() {
            let flags = rustix::fs::RenameFlags::NOREPLACE;
            match rustix::fs::renameat_with(&self.parent, &prepared.name, &self.parent, &self.name, flags) {
                Ok(()) => prepared.put = true,
                // A file system that does not know the flag.
                Err(Errno::INVAL | Errno::NOSYS) => {}
                Err(error) => return Err(error.into()),
            }
        }
        if !prepared.put {
            rustix::fs::renameat(&self.parent, &prepared.name, &self.parent, &self.name)?;
            prepared.put = true;
        }
        self.sync_folder()
    }

    /// Writes `content` in the place of what was found: its digest.
    ///
    /// # Errors
    /// As [`Place::prepare`] and [`Place::put`].
    pub fn replace(&self, mut content: &[u8]) -> io::Result<[u8; 32]> {
        let mode = self.found.as_ref().map_or(0o644, |found| found.mode & 0o777);
        let prepared = self.prepare(&mut content, mode)?;
        let digest = prepared.digest;
        self.put(prepared)?;
        Ok(digest)
    }

    /// Removes the file that was found.
    ///
    /// # Errors
    /// When no file was found, something else is there by now, or the system refuses.
    pub fn remove(&self) -> io::Result<()> {
        match &self.found {
            _ if self.reads => return Err(io::Error::from(io::ErrorKind::PermissionDenied)),
            None => return Err(io::Error::from(io::ErrorKind::NotFound)),
            Some(found) if found.kind == Kind::Folder => return Err(io::Error::from(io::ErrorKind::IsADirectory)),
            Some(_) => self.unchanged()?,
        }
        rustix::fs::unlinkat(&self.parent, &self.name, AtFlags::empty())?;
        self.sync_folder()
    }

    /// Makes the names in the folder last.
    fn sync_folder(&self) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = rustix::fs::openat(&self.parent, ".", flags, Mode::empty())?;
        Ok(rustix::fs::fsync(&folder)?)
    }

    /// Whether what is there is still what was found: for whoever is about to replace it.
    ///
    /// # Errors
    /// When it cannot be looked at, or when something else is there.
    pub fn unchanged(&self) -> io::Result<()> {
        let now =
            Found::at(self.parent.as_fd(), &self.name).map_err(|problem| io::Error::other(problem.to_string()))?;
        let same = match (&self.found, &now) {
            (None, None) => true,
            (Some(found), Some(now)) => found.identity == now.identity,
            _ => false,
        };
        if same { Ok(()) } else { Err(io::Error::other("it was changed since it was looked at")) }
    }
}

/// New content beside what it is to replace. It goes unless it was put there.
#[derive(Debug)]
pub struct Prepared {
    parent: OwnedFd,
    name: OsString,
    put: bool,
    digest: [u8; 32],
    bytes: u64,
}

impl Prepared {
    /// The digest of the content.
    #[must_use]
    pub const fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// How many bytes it is.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        if !self.put {
            let _ = rustix::fs::unlinkat(&self.parent, &self.name, AtFlags::empty());
        }
    }
}

impl Found {
    /// What has this name in an open folder. Links, devices, sockets and pipes are refused; nothing is opened that could
    /// block or have an effect.
    fn at(parent: BorrowedFd<'_>, name: impl rustix::path::Arg) -> Result<Option<Self>, ResolveProblem> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = match rustix::fs::openat(parent, name, flags, Mode::empty()) {
            Ok(handle) => handle,
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(problem(error)),
        };
        let stat = rustix::fs::fstat(&handle).map_err(problem)?;
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Folder,
            FileType::Symlink => return Err(ResolveProblem::Link),
            _ => return Err(ResolveProblem::Special),
        };
        Ok(Some(Self { handle, kind, identity: Identity::of(&stat), mode: stat.st_mode }))
    }

    /// What it is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Its identity when it was found.
    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Its type and permissions, as the system has them.
    #[must_use]
    pub const fn mode(&self) -> u32 {
        self.mode
    }

    /// A handle that names it and no other, which neither reads nor writes.
    #[must_use]
    pub fn handle(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }
}

/// Opens a folder below another, never through a link.
fn open_folder(root: BorrowedFd<'_>, below: &str) -> Result<OwnedFd, ResolveProblem> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let below = if below.is_empty() { "." } else { below };
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::ResolveFlags;
        let how = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match rustix::fs::openat2(root, below, flags, Mode::empty(), how) {
            // An older kernel, or a filter that does not know the call.
            Err(Errno::NOSYS | Errno::PERM) => {}
            Err(error) => return Err(problem(error)),
            Ok(folder) => return Ok(folder),
        }
    }
    let mut folder = rustix::fs::openat(root, ".", flags, Mode::empty()).map_err(problem)?;
    for name in below.split('/').filter(|name| *name != ".") {
        folder = rustix::fs::openat(&folder, name, flags, Mode::empty()).map_err(problem)?;
    }
    Ok(folder)
}

fn problem(error: Errno) -> ResolveProblem {
    match error {
        Errno::LOOP | Errno::XDEV => ResolveProblem::Link,
        Errno::NOENT => ResolveProblem::NoFolder,
        Errno::NOTDIR => ResolveProblem::NotAFolder,
        Errno::NAMETOOLONG => ResolveProblem::TooLong,
        error => ResolveProblem::Unreadable(error.kind()),
    }
}

/// Why a path or a program may not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResolveProblem {
    /// As text it leads nowhere that it may.
    Path(PathProblem),
    /// It is longer than any path.
    TooLong,
    /// It is a link, or goes through one.
    Link,
    /// It has another name elsewhere, so that to write it would write there.
    HardLink,
    /// It is a device, a socket or a pipe.
    Special,
    /// The folder that it would be in is not there.
    NoFolder,
    /// What it would be in is no folder, or is a link to one.
    NotAFolder,
    /// The system does not let it be looked at.
    Unreadable(io::ErrorKind),
    /// No program has this name where programs are searched.
    NoProgram(String),
    /// It is no file that can be run.
    NotExecutable(String),
    /// The table lists the files that may stand for this name, and this is none of them.
    Unlisted {
        /// The name.
        name: String,
        /// The file.
        path: String,
    },
}

impl fmt::Display for ResolveProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(problem) => problem.fmt(f),
            Self::TooLong => f.write_str("the path is too long"),
            Self::Link => f.write_str("the path is a link, or goes through one"),
            Self::HardLink => f.write_str("the file has another name elsewhere"),
            Self::Special => f.write_str("the path is a device, a socket or a pipe"),
            Self::NoFolder => f.write_str("the folder of the path is not there"),
            Self::NotAFolder => f.write_str("the path goes through what is no folder, or through a link"),
            Self::Unreadable(kind) => write!(f, "the path cannot be looked at: {kind}"),
            Self::NoProgram(name) => write!(f, "there is no program `{}`", name.escape_debug()),
            Self::NotExecutable(name) => write!(f, "`{}` is no file that can be run", name.escape_debug()),
            Self::Unlisted { name, path } => write!(
                f,
                "`{}` is `{}`, which is none of the files that `host_executable` lists for it",
                name.escape_debug(),
                path.escape_debug()
            ),
        }
    }
}

/// Where programs are searched: absolute folders outside of the workspace, which what runs could fill.
#[derive(Clone, Debug, Default)]
pub struct Search {
    folders: Vec<String>,
}

impl Search {
    /// The folders of a `PATH`, without those that are relative or in the workspace.
    #[must_use]
    pub fn new(path: &str, workspace: &Workspace) -> Self {
        let outside = |folder: &&str| {
            let real = Path::new(folder).canonicalize().ok();
            let real = real.as_deref().and_then(Path::to_str).unwrap_or(folder);
            folder.starts_with('/') && workspace.root.below(real).is_none()
        };
        Self { folders: path.split(':').filter(outside).map(str::to_owned).collect() }
    }

    /// The same as a `PATH`.
    #[must_use]
    pub fn path(&self) -> String {
        self.folders.join(":")
    }

    /// The file that a program is. A name with a slash is a path, relative to `working`.
    ///
    /// # Errors
    /// When there is none, or when it is no file that can be run.
    pub fn program(&self, word: &str, working: &str) -> Result<Program, ResolveProblem> {
        if word.contains('/') {
            let path = if word.starts_with('/') { word.to_owned() } else { format!("{working}/{word}") };
            return Program::open(word, path)?.ok_or_else(|| ResolveProblem::NoProgram(word.to_owned()));
        }
        let mut first = None;
        for folder in &self.folders {
            match Program::open(word, format!("{folder}/{word}")) {
                Ok(Some(program)) => return Ok(program),
                Ok(None) => {}
                Err(problem) => first = first.or(Some(problem)),
            }
        }
        Err(first.unwrap_or_else(|| ResolveProblem::NoProgram(word.to_owned())))
    }
}

/// A program that was found: a file, by handle.
#[derive(Debug)]
pub struct Program {
    asked: String,
    path: String,
    file: File,
    identity: Identity,
    script: bool,
}

impl Program {
    fn open(asked: &str, path: String) -> Result<Option<Self>, ResolveProblem> {
        let not_executable = || ResolveProblem::NotExecutable(asked.to_owned());
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let mut file = match rustix::fs::open(&path, flags, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
            Err(_) => return Err(not_executable()),
        };
        let stat = rustix::fs::fstat(&file).map_err(problem)?;
        let runs = rustix::fs::accessat(rustix::fs::CWD, &path, rustix::fs::Access::EXEC_OK, AtFlags::empty());
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || runs.is_err() {
            return Err(not_executable());
        }
        let mut start = [0; 4];
        let read = file.read(&mut start).unwrap_or(0);
        let script = read < 4 || start != *b"\x7fELF";
        Ok(Some(Self { asked: asked.to_owned(), path, file, identity: Identity::of(&stat), script }))
    }

    /// The word that it was asked for by.
    #[must_use]
    pub fn asked(&self) -> &str {
        &self.asked
    }

    /// The path that it was found at.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its identity when it was found.
    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The open file.
    #[must_use]
    pub fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// Whether another program interprets it, which must find it by name.
    #[must_use]
    pub const fn is_script(&self) -> bool {
        self.script
    }

    /// Whether its file, and the file at its path, are still what was found.
    ///
    /// # Errors
    /// When they are not.
    pub fn unchanged(&self) -> io::Result<()> {
        let by_handle = Identity::of(&rustix::fs::fstat(&self.file)?);
        let by_name = Identity::of(&rustix::fs::stat(&self.path)?);
        if by_handle == self.identity && by_name == self.identity {
            Ok(())
        } else {
            Err(io::Error::other("the program was changed since it was looked at"))
        }
    }
}
