//! The vocabulary that policies, tables and answers share.

/// What a rule says of a command. Ordered: the strictest of all matches wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// Run it.
    Allow,
    /// Ask first.
    Prompt,
    /// Never run it.
    Forbidden,
}

impl Decision {
    /// Every decision, from the mildest to the strictest.
    pub const ALL: [Self; 3] = [Self::Allow, Self::Prompt, Self::Forbidden];

    /// The word that policies and answers use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Prompt => "prompt",
            Self::Forbidden => "forbidden",
        }
    }

    /// The decision that `name` stands for, letter case included.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|decision| decision.name() == name)
    }
}

impl core::fmt::Display for Decision {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

/// How a network rule's host is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Protocol {
    /// Plain HTTP.
    Http,
    /// HTTPS, including a proxy's CONNECT.
    Https,
    /// TCP through a SOCKS5 proxy.
    Socks5Tcp,
    /// UDP through a SOCKS5 proxy.
    Socks5Udp,
}

impl Protocol {
    /// Every protocol.
    pub const ALL: [Self; 4] = [Self::Http, Self::Https, Self::Socks5Tcp, Self::Socks5Udp];

    /// The word that policies use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
            Self::Socks5Tcp => "socks5_tcp",
            Self::Socks5Udp => "socks5_udp",
        }
    }
}

impl Protocol {
    /// The protocol of this name, or of one of its other names.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = if matches!(name, "https_connect" | "http-connect") { "https" } else { name };
        Self::ALL.into_iter().find(|protocol| protocol.name() == name)
    }
}

impl core::fmt::Display for Protocol {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}
