//! What is asked about: a command or a text, however it came in.

use std::ffi::OsStr;

use policyc_runtime::{Decision, Request, ShellKind};

/// What may run, or not.
pub struct Asked {
    what: What,
    /// Where it is not UTF-8, if it is not.
    pub not_utf8: Option<NotUtf8>,
}

/// The first byte that is part of no character.
#[derive(Clone, Copy)]
pub enum NotUtf8 {
    /// By its place in the text that is asked about.
    InText(usize),
    /// By its place in the line of a batch.
    InLine(usize),
}

enum What {
    Command(Vec<String>),
    Text(String, ShellKind),
    Tool { tool: String, arguments: String, target: Option<String> },
    Network { protocol: String, host: String },
}

impl Asked {
    /// A command.
    #[must_use]
    pub const fn command(words: Vec<String>) -> Self {
        Self { what: What::Command(words), not_utf8: None }
    }

    /// A text, perhaps not of characters: each byte that is part of none becomes a NUL. So offsets stay true, and the text
    /// is not understood, for no shell runs a NUL.
    pub fn text(text: &OsStr, kind: ShellKind) -> Self {
        let (text, not_utf8) = characters(text.as_encoded_bytes(), "\0");
        Self { what: What::Text(text, kind), not_utf8: not_utf8.map(NotUtf8::InText) }
    }

    /// A text of characters.
    #[must_use]
    pub const fn known_text(text: String, kind: ShellKind) -> Self {
        Self { what: What::Text(text, kind), not_utf8: None }
    }

    /// A call of a tool.
    #[must_use]
    pub const fn tool(tool: String, arguments: String, target: Option<String>) -> Self {
        Self { what: What::Tool { tool, arguments, target }, not_utf8: None }
    }

    /// A host that is to be reached.
    #[must_use]
    pub const fn network(protocol: String, host: String) -> Self {
        Self { what: What::Network { protocol, host }, not_utf8: None }
    }

    /// Whether it is a command or a text.
    #[must_use]
    pub const fn is_commands(&self) -> bool {
        matches!(self.what, What::Command(_) | What::Text(..))
    }

    /// The same from a line that could not be read at one place.
    pub fn broken(self, place: usize) -> Self {
        Self { not_utf8: Some(NotUtf8::InLine(place)), ..self }
    }

    /// What the table is asked.
    #[must_use]
    pub fn request(&self) -> Request<'_, String> {
        match &self.what {
            What::Command(words) => Request::Command(words),
            What::Text(text, kind) => Request::Text { text, kind: *kind },
            What::Tool { tool, arguments, target } => Request::Tool { tool, arguments, target: target.as_deref() },
            What::Network { protocol, host } => Request::Network { protocol, host },
        }
    }

    /// The words of a command.
    pub fn words(&self) -> Option<&[String]> {
        match &self.what {
            What::Command(words) => Some(words),
            _ => None,
        }
    }

    /// What is answered, given what the table says: never allow to what is not all there.
    pub fn answered(&self, decision: Option<Decision>) -> Option<Decision> {
        if self.not_utf8.is_some() { decision.max(Some(Decision::Prompt)) } else { decision }
    }
}

/// `bytes` as text, each byte that is part of no character replaced, and where the first such byte was.
pub fn characters(bytes: &[u8], replacement: &str) -> (String, Option<usize>) {
    let (mut text, mut first, mut read) = (String::with_capacity(bytes.len()), None, 0);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        read += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            first = first.or(Some(read));
        }
        read += chunk.invalid().len();
        chunk.invalid().iter().for_each(|_| text.push_str(replacement));
    }
    (text, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_characters_keep_their_places() {
        assert_eq!(characters(b"a\xffb\xe2\x82", "\0"), ("a\0b\0\0".to_owned(), Some(1)));
        assert_eq!(characters("aé".as_bytes(), "\0"), ("aé".to_owned(), None));
    }

    #[test]
    fn what_is_not_all_there_is_never_allowed() {
        let asked = Asked::command(vec!["ls".to_owned()]).broken(3);
        assert_eq!(asked.answered(Some(Decision::Allow)), Some(Decision::Prompt));
        assert_eq!(asked.answered(None), Some(Decision::Prompt));
        assert_eq!(asked.answered(Some(Decision::Forbidden)), Some(Decision::Forbidden));
    }
}
