//! Text in colour, for whoever has a terminal to show it on.

use std::fmt;

/// Whether to colour, and how.
#[derive(Clone, Copy)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// Colour, or none.
    #[must_use]
    pub const fn new(on: bool) -> Self {
        Self { on }
    }

    /// No colour.
    #[must_use]
    pub const fn plain() -> Self {
        Self { on: false }
    }

    /// Whether there is any.
    #[must_use]
    pub const fn is_on(self) -> bool {
        self.on
    }

    /// What cannot be used.
    #[must_use]
    pub fn error<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.painted("1;31", text)
    }

    /// What is probably not meant.
    #[must_use]
    pub fn warning<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.painted("1;33", text)
    }

    /// What is as it should be.
    #[must_use]
    pub fn good<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.painted("1;32", text)
    }

    /// What a part is about.
    #[must_use]
    pub fn strong<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.painted("1", text)
    }

    /// What one looks at last.
    #[must_use]
    pub fn faint<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.painted("2", text)
    }

    /// Where something stands.
    #[must_use]
    pub fn place<T: fmt::Display>(self, text: T) -> Painted<T> {
        self.painted("36", text)
    }

    /// A decision in its colour.
    pub fn decision(self, decision: policyc_runtime::Decision, text: impl fmt::Display) -> impl fmt::Display {
        let style = match decision {
            policyc_runtime::Decision::Allow => "1;32",
            policyc_runtime::Decision::Prompt => "1;33",
            policyc_runtime::Decision::Forbidden => "1;31",
        };
        self.painted(style, text)
    }

    const fn painted<T>(self, style: &'static str, text: T) -> Painted<T> {
        Painted { style: if self.on { Some(style) } else { None }, text }
    }
}

/// A text and its style.
pub struct Painted<T> {
    style: Option<&'static str>,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(style) = self.style else { return self.text.fmt(f) };
        write!(f, "\x1b[{style}m")?;
        self.text.fmt(f)?;
        f.write_str("\x1b[0m")
    }
}
