//! The folders that relative paths may begin in: the host's, and those that commands may have moved to.
//!
//! A restriction holds if it does in any of them, an allow only if it does in all.

use alloc::string::String;
use alloc::vec::Vec;

use super::Judge;
use super::grammar::{Grammar, Mark};
use super::line::{Judged, Line};
use super::parts::{has_parts, parts};
use super::setting::Setting;
use crate::declarations::{Alternative, Element};
use crate::matcher::{Matcher, below_home, drive, is_relative, path_may_meet, path_within};
use crate::path::Folders;

/// How many folders are told apart, besides the host's.
const MOST_FOLDERS: usize = 24;

/// The longest path of a folder that is told from others, in bytes.
const LONGEST_FOLDER: usize = 4096;

/// The variables that decide where a move without an operand, or with a relative one, leads.
const HOME: &str = "HOME";
const SEARCHED: &str = "CDPATH";

/// What stands for the folder before the last move.
const BACK: &str = "-";

/// The glob of every folder.
const ANYWHERE: &str = "**";

/// A folder that commands may have moved to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Folder {
    /// This one.
    At(String),
    /// One that the glob describes.
    Like(String),
}

impl Folder {
    pub(super) fn anywhere() -> Self {
        Self::Like(ANYWHERE.into())
    }

    /// The glob that describes a relative path in it, which is a glob, too.
    fn glob_of(&self, relative: &str) -> String {
        let mut glob = String::new();
        match self {
            Self::At(folder) => super::line::push_quoted(&mut glob, folder),
            Self::Like(folder) => glob.push_str(folder),
        }
        glob.push('/');
        glob.push_str(relative);
        glob
    }
}

impl Judge<'_, '_> {
    /// Whether a matcher describes a word: for a restriction, which is `generous`, in any folder that the command may run
    /// in and whatever the letter case of paths; for an allow, in each.
    #[inline]
    pub(super) fn describes(&self, matcher: Matcher<'_>, word: &str, generous: bool) -> bool {
        self.describes_whole(matcher, word, generous)
            || generous
                && matches!(matcher, Matcher::Path(_))
                && self.any_part(word, |part| self.describes_whole(matcher, part, true))
    }

    /// Whether a part of a word that its program may take for a path is what is looked for.
    fn any_part(&self, word: &str, mut is_found: impl FnMut(&str) -> bool) -> bool {
        has_parts(word)
            && parts(word).any(|part| {
                self.step(1 + part.len() / 8);
                self.is_exhausted() || is_found(&part)
            })
    }

    /// Whether a matcher that describes a word for a restriction does so because of the word: not because nothing is known
    /// of the folder, which may be one all of whose files are meant.
    pub(super) fn describes_because_of(&self, matcher: Matcher<'_>, word: &str) -> bool {
        let Matcher::Path(pattern) = matcher else { return true };
        let Some(folder) = pattern.strip_suffix("/**").filter(|_| self.moved.contains(&Folder::anywhere())) else {
            return true;
        };
        // In a folder that may be any, what begins the word must be a part of what is meant.
        let begins = |part: &str| {
            let ends = part.match_indices('/').map(|(end, _)| end).chain([part.len()]);
            ends.filter_map(|end| part.get(..end)).any(|start| {
                let mut quoted = String::new();
                super::line::push_quoted(&mut quoted, start);
                path_may_meet(folder, &Folder::anywhere().glob_of(&quoted), self.folders, false)
            })
        };
        let describes = |part: &str| {
            matcher.describes(part, self.folders, true)
                || is_relative(part) && (self.describes_in(pattern, part, true) || begins(part))
        };
        describes(word) || self.any_part(word, describes)
    }

    #[inline]
    fn describes_whole(&self, matcher: Matcher<'_>, word: &str, generous: bool) -> bool {
        let here = matcher.describes(word, self.folders, generous);
        match matcher {
            Matcher::Path(pattern) if !self.moved.is_empty() && here != generous && is_relative(word) => {
                self.describes_elsewhere(pattern, word, generous)
            }
            _ => here,
        }
    }

    #[cold]
    fn describes_elsewhere(&self, pattern: &str, word: &str, generous: bool) -> bool {
        self.step(self.moved.len());
        if generous {
            return self.describes_in(pattern, word, false);
        }
        self.moved.iter().all(|folder| match folder {
            Folder::At(folder) => path_within(pattern, folder, word, self.folders, false),
            Folder::Like(_) => false,
        })
    }

    /// Whether a path pattern describes a relative word in some folder; `known`: one of which something is known.
    fn describes_in(&self, pattern: &str, word: &str, known: bool) -> bool {
        let anywhere = Folder::anywhere();
        self.moved.iter().filter(|folder| !known || **folder != anywhere).any(|folder| match folder {
            Folder::At(folder) => path_within(pattern, folder, word, self.folders, true),
            Folder::Like(_) => {
                let mut quoted = String::new();
                super::line::push_quoted(&mut quoted, word);
                path_may_meet(pattern, &folder.glob_of(&quoted), self.folders, false)
            }
        })
    }

    /// Whether one of an element's alternatives is the word, or describes it.
    pub(super) fn element_describes(&self, element: Element<'_>, word: &str, generous: bool) -> bool {
        element.alternatives().any(|alternative| match alternative {
            Alternative::Word(known) => known == word,
            Alternative::Matcher(matcher) => self.describes(matcher, word, generous),
        })
    }

    /// Whether a word that a glob describes may name a place that the path pattern describes. It is `deep` if its stars may
    /// stand for slashes.
    pub(super) fn may_name(&self, pattern: &str, glob: &str, deep: bool) -> bool {
        self.may_name_whole(pattern, glob, deep) || self.any_part(glob, |part| self.may_name_whole(pattern, part, deep))
    }

    fn may_name_whole(&self, pattern: &str, glob: &str, deep: bool) -> bool {
        if path_may_meet(pattern, glob, self.folders, deep) {
            return true;
        }
        self.step(self.moved.len());
        let within = |folder: &Folder| path_may_meet(pattern, &folder.glob_of(glob), self.folders, deep);
        is_relative(glob) && self.moved.iter().any(within)
    }

    /// Moves to where the options of a command lead.
    pub(super) fn enter_folders(&mut self, line: &Line<'_>, grammar: &Grammar<'_>) {
        for mark in &grammar.marks {
            let Mark::Folder(place, offset) = mark else { continue };
            let target = line.word(*place).map_or_else(Folder::anywhere, |word| self.target(word, *offset));
            self.move_to(&target);
        }
    }

    /// Moves to where what a command runs may run.
    pub(super) fn enter_any_folder(&mut self, grammar: &Grammar<'_>) {
        if grammar.marks.contains(&Mark::Elsewhere) {
            self.move_to(&Folder::anywhere());
        }
    }

    /// Moves to where a command leads those that follow it.
    pub(super) fn leave(&mut self, line: &Line<'_>, grammar: &Grammar<'_>, setting: &Setting<'_>) {
        let decides = |name: &str| setting.foreign.contains(&name) || self.assigned.iter().any(|known| known == name);
        let targets = grammar.marked(|mark| if let Mark::Target(place) = mark { Some(place) } else { None });
        let target = match (targets.as_slice(), line.extended) {
            ([], false) if decides(HOME) => Folder::anywhere(),
            ([], false) => Folder::At("~".into()),
            ([place], false) => match line.word(*place) {
                // Back to one of those that are known, unless that is from before.
                Some(word) if !word.is_dynamic() && word.text == BACK => {
                    if !self.moved.is_empty() {
                        return;
                    }
                    Folder::anywhere()
                }
                Some(word) => match self.target(word, 0) {
                    Folder::At(path) if decides(SEARCHED) && is_relative(&path) => Folder::anywhere(),
                    target => target,
                },
                None => Folder::anywhere(),
            },
            _ => Folder::anywhere(),
        };
        self.move_to(&target);
    }

    /// The folder that a word names, from so many bytes on.
    fn target(&self, word: Judged<'_>, offset: usize) -> Folder {
        if let Some(path) = word.known_path() {
            return path.get(offset..).map_or_else(Folder::anywhere, |path| Folder::At(path.into()));
        }
        let glob = word.glob(self.folders, self.dots);
        if offset > 0 || glob.contains(ANYWHERE) || glob.contains("..") {
            Folder::anywhere()
        } else {
            Folder::Like(glob)
        }
    }

    /// Adds where a move leads from each folder so far.
    fn move_to(&mut self, target: &Folder) {
        if self.moved.last() == Some(&Folder::anywhere()) {
            return;
        }
        let start = Folder::At(self.folders.map_or("", |folders| folders.working).into());
        for number in 0..=self.moved.len() {
            let from = number.checked_sub(1).and_then(|place| self.moved.get(place)).unwrap_or(&start);
            let led = from.join(target, self.folders);
            if led == start || self.moved.contains(&led) {
                continue;
            }
            let too_much = match &led {
                Folder::At(path) | Folder::Like(path) => path.len() > LONGEST_FOLDER || path == ANYWHERE,
            };
            if too_much || self.moved.len() >= MOST_FOLDERS {
                return self.moved.push(Folder::anywhere());
            }
            self.moved.push(led);
        }
    }
}

impl Folder {
    /// Where a path leads from this folder.
    fn join(&self, target: &Self, folders: Option<&Folders<'_>>) -> Self {
        match (self, target) {
            (_, Self::At(path)) if !is_relative(path) => {
                match (below_home(path), folders.and_then(|folders| folders.home)) {
                    (Some(rest), Some(home)) => Self::At(folded(home, rest)),
                    (None, _) if drive(path).is_none() => Self::At(folded("", path)),
                    _ => target.clone(),
                }
            }
            (_, Self::Like(glob)) if !is_relative(glob) || glob == ANYWHERE => target.clone(),
            (Self::At(folder), Self::At(path)) => Self::At(folded(folder, path)),
            (_, Self::Like(glob)) => Self::Like(self.glob_of(glob)),
            // What is not known may end in a link or not: `..` leads anywhere near it.
            (Self::Like(_), Self::At(path)) if path.contains("..") => Self::anywhere(),
            (Self::Like(_), Self::At(path)) => {
                let mut quoted = String::new();
                super::line::push_quoted(&mut quoted, path);
                Self::Like(self.glob_of(&quoted))
            }
        }
    }
}

/// A path behind a folder, with `.`, `..` and repeated slashes folded as text.
fn folded(folder: &str, path: &str) -> String {
    if below_home(folder).is_some() || drive(folder).is_some() {
        return [folder, "/", path].concat();
    }
    let is_absolute = folder.starts_with('/') || folder.is_empty() && path.starts_with('/');
    let mut components: Vec<&str> = Vec::new();
    for component in folder.split('/').chain(path.split('/')) {
        match component {
            "" | "." => {}
            ".." if components.last().is_some_and(|last| *last != "..") => {
                components.pop();
            }
            ".." if is_absolute => {}
            other => components.push(other),
        }
    }
    let path = components.join("/");
    if is_absolute { ["/", &path].concat() } else { path }
}
