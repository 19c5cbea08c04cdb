//! Writing files that others may be reading.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes a new file beside `path` and renames it: whatever happens meanwhile, `path` is the old file or the new one.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".policyc-").suffix(".tmp");
    // Readable for others, as far as the user lets new files be: the program that asks may be another user's.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    if let Ok(metadata) = fs::metadata(path) {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // The new name must outlive a power cut too. Some file systems cannot sync a folder; then it is as safe as it gets.
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}
