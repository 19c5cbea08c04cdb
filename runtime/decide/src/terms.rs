//! Under which terms a request is judged: none of them can be part of the request itself.

/// What a host knows of whoever asks, and of what was granted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms<'q> {
    /// The profile. One that the table does not have forbids everything.
    pub profile: Option<&'q str>,
    /// Whether nothing may be changed.
    pub read_only: bool,
    /// The facts that hold, as `requires` names them.
    pub facts: &'q [&'q str],
    /// Who has approved of this very request.
    pub approval: Option<Approval<'q>>,
    /// Temporary authority. The host takes one use from each that an allow was for.
    pub grants: &'q [Grant<'q>],
    /// Whether a commitment says that this request must be asked about itself: no grant counts.
    pub per_request: bool,
    /// The time, in seconds since any start that the host keeps to.
    pub time: u64,
    /// The workspace, absolute; without it, the working directory.
    pub workspace: Option<&'q str>,
    /// Absolute folders outside the workspace that may be read.
    pub read_roots: &'q [&'q str],
}

impl Terms<'_> {
    /// None: the rules alone decide.
    pub const NONE: Terms<'static> = Terms {
        profile: None,
        read_only: false,
        facts: &[],
        approval: None,
        grants: &[],
        per_request: false,
        time: 0,
        workspace: None,
        read_roots: &[],
    };
}

/// A person's word for one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approval<'q> {
    /// Who gave it. The names of components, which `grants` reserves, do not count, nor does a blank.
    pub by: &'q str,
    /// Why. A blank does not count.
    pub reason: &'q str,
    /// The [digest](crate::Request::digest) of the request that it is about.
    pub digest: [u8; 32],
}

/// Temporary authority over one effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant<'q> {
    /// The name of the effect.
    pub capability: &'q str,
    /// A glob of targets; without it, of any request, with a target or not.
    pub target: Option<&'q str>,
    /// Names of parameters, and globs of their values. A call without such a parameter is not meant.
    pub parameters: &'q [(&'q str, &'q str)],
    /// Whether it is for an effect that changes something.
    pub access: Access,
    /// When it ends.
    pub expires: u64,
    /// How many uses are left, if they are counted.
    pub remaining: Option<u32>,
}

/// What an effect does to what is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// It only looks.
    #[default]
    Read,
    /// It changes something. What says nothing of it does.
    Write,
}
