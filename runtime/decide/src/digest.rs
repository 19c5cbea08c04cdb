//! The names of requests and tables: SHA-256 over what they say.

use policyc_shell::ShellKind;

use crate::json::Json;
use crate::request::Request;
use crate::sha256::Sha256;
use crate::table::Table;

/// The version of the encoding, which begins it.
const VERSION: &[u8] = b"policyc request 1";

impl<W: AsRef<str>> Request<'_, W> {
    /// The digest by which an approval is bound to this request: of its kind and all that it says, each part with its
    /// length before it. The arguments of a tool call count canonically: without blanks, keys sorted.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let mut sha = Sha256::new();
        let mut part = |bytes: &[u8]| {
            sha.update(&(bytes.len() as u64).to_le_bytes());
            sha.update(bytes);
        };
        part(VERSION);
        match *self {
            Request::Command(words) => {
                part(b"command");
                words.iter().for_each(|word| part(word.as_ref().as_bytes()));
            }
            Request::Text { text, kind } => {
                part(match kind {
                    ShellKind::Bash => b"text of a shell",
                    ShellKind::Kin => b"text of its kin",
                    ShellKind::PowerShell => b"text of Windows",
                    ShellKind::Cmd => b"text of a batch",
                });
                part(text.as_bytes());
            }
            Request::Tool { tool, arguments, target } => {
                part(b"tool");
                part(tool.as_bytes());
                match Json::object(arguments) {
                    Ok(json) => {
                        let mut canonical = alloc::vec::Vec::new();
                        if let Some(root) = json.root() {
                            root.write(&mut |bytes| canonical.extend_from_slice(bytes));
                        }
                        part(&canonical);
                    }
                    Err(_) => {
                        part(b"unread");
                        part(arguments.as_bytes());
                    }
                }
                target.into_iter().for_each(|target| part(target.as_bytes()));
            }
            Request::Network { protocol, host } => {
                part(b"network");
                part(protocol.as_bytes());
                part(host.as_bytes());
            }
        }
        sha.finish()
    }
}

impl Table<'_> {
    /// The digest of all its bytes: its name, for whoever keeps decisions.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let mut sha = Sha256::new();
        sha.update(self.bytes());
        sha.finish()
    }
}
