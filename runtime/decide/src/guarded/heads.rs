//! The names that a program can be meant by.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use policyc_shell::Word;

use super::Judge;
use super::line::Line;
use super::walk::Head;
use crate::format::{PROGRAM_ROOT, program};
use crate::lookup::Knowledge;
use crate::matcher::{drive, is_relative, path};
use crate::path::ResolvedProgram;
use crate::word::Exact;

/// What Windows lets one leave out at the end of a program's name.
const EXTENSIONS: [&str; 4] = [".exe", ".cmd", ".bat", ".com"];

/// A name for the program.
pub(super) struct Named<'n> {
    name: Cow<'n, str>,
    certain: bool,
    base_name: bool,
    caseless: bool,
}

impl Named<'_> {
    pub(super) fn head(&self) -> Head<'_> {
        Head { name: &self.name, certain: self.certain, base_name: self.base_name, caseless: self.caseless, any: true }
    }
}

/// The names for a program, at most: as written, by its base name, and as Windows takes it.
pub(super) type Names<'n> = [Option<Named<'n>>; 3];

impl Judge<'_, '_> {
    /// The names for the program that is written so; `windows` if letter case makes no difference anyway.
    pub(super) fn names<'n>(&self, program: &'n str, windows: bool) -> Names<'n> {
        if !windows && program.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_') {
            return [
                Some(Named { name: Cow::Borrowed(program), certain: true, base_name: false, caseless: false }),
                None,
                None,
            ];
        }
        let by_windows = program.contains('\\') || drive(program).is_some();
        let separators: &[char] = if by_windows { &['/', '\\'] } else { &['/', ':', '#'] };
        let mut names = [None, None, None];
        let [written, by_base_name, folded] = &mut names;
        *written = Some(Named { name: Cow::Borrowed(program), certain: true, base_name: false, caseless: windows });
        let mut base = program;
        let mut listed = true;
        if program.contains(separators) || program.contains('@') {
            base = base_name(program, separators);
            // What runs programs may be told of which place, and which version of it: `env:git`, `nixpkgs#git`, `git@2`.
            base = base.split_once('@').map_or(base, |(name, _)| if name.is_empty() { base } else { name });
            listed = self.is_listed(strip_extension(base).unwrap_or(base), program) || self.is_listed(base, program);
            *by_base_name =
                Some(Named { name: Cow::Borrowed(base), certain: listed, base_name: true, caseless: by_windows });
        }
        let stripped = strip_extension(base);
        if stripped.is_some() || by_windows || windows {
            let name = stripped.unwrap_or(base).to_ascii_lowercase();
            if name != base {
                let certain = listed && (windows || by_windows);
                *folded = Some(Named { name: Cow::Owned(name), certain, base_name: base != program, caseless: true });
            }
        }
        names
    }

    /// Whether `host_executable` lists the path for the name.
    fn is_listed(&self, name: &str, program: &str) -> bool {
        if drive(program).is_some() {
            // Where letter case makes no difference, it makes none in names.
            let mut named =
                self.table.host_executables().filter(|executable| executable.name().eq_ignore_ascii_case(name));
            return named.any(|executable| executable.paths().any(|listed| path(listed, program, self.folders, true)));
        }
        let Some(executable) = self.table.host_executable(name) else { return false };
        if !self.moved.is_empty() && is_relative(program) {
            return false;
        }
        executable.paths().any(|listed| match self.folders {
            Some(folders) => ResolvedProgram::new(program, folders).same(&ResolvedProgram::absolute(listed)),
            None => {
                program.starts_with('/') && ResolvedProgram::absolute(program).same(&ResolvedProgram::absolute(listed))
            }
        })
    }

    /// What the table knows of a program that is called so.
    #[inline]
    pub(super) fn known(&self, name: &str) -> Option<(u32, Knowledge)> {
        self.table.knowledge(PROGRAM_ROOT, Exact(name))
    }

    /// Whether what is known of a program surely holds for one that is written so.
    pub(super) fn knows(&self, knowledge: Knowledge, head: &Head<'_>, program: &str) -> bool {
        if head.certain {
            return true;
        }
        let Knowledge::Program(place) = knowledge else { return false };
        let Some(record) = self.table.programs.get(place) else { return false };
        let mut paths = self.table.elements(record.field(5), record.field(6)).flat_map(|element| element.words());
        paths.any(|listed| {
            program.starts_with('/') && ResolvedProgram::absolute(program).same(&ResolvedProgram::absolute(listed))
        })
    }

    /// The words of a command whose program is the name of another and a subcommand of that, if there is such another
    /// and nothing is known of itself.
    pub(super) fn parted<'l>(&self, line: &Line<'l>, program: &str) -> Option<Vec<Word<'l>>> {
        let base = base_name(program, &['/', '\\']);
        let base = strip_extension(base).unwrap_or(base);
        if self.known(base).is_some() {
            return None;
        }
        let (name, subcommand) = base.match_indices('-').find_map(|(place, _)| {
            let (name, subcommand) = base.split_at_checked(place)?;
            let (_, Knowledge::Program(known)) = self.known(name)? else { return None };
            let flags = self.table.programs.get(known)?.field(0);
            (flags & program::HYPHENATED != 0).then(|| (name, subcommand.trim_start_matches('-')))
        })?;
        let known = |text: &str| Word { text: Cow::Owned(text.into()), ..Word::default() };
        let behind = (1..line.len()).filter_map(|place| line.word(place));
        let behind =
            behind.map(|word| Word { text: Cow::Borrowed(word.text), pieces: word.pieces.to_vec(), ..Word::default() });
        Some([known(name), known(subcommand)].into_iter().chain(behind).collect())
    }

    /// Whether a restrictive rule begins with this name.
    pub(super) fn restricts(&self, name: &str) -> bool {
        let Some(found) = self.table.edge(crate::format::ROOT, Exact(name)) else { return false };
        let word = self.table.term_before(found);
        let mut rules = self.table.rules();
        rules.any(|rule| rule.decision() > crate::Decision::Allow && rule.head() == word)
    }
}

/// The last component that is not empty.
fn base_name<'p>(program: &'p str, separators: &[char]) -> &'p str {
    let mut components = program.rsplit(separators).filter(|component| !component.is_empty());
    match components.next() {
        None | Some("." | "..") => program,
        Some(base) => base,
    }
}

fn strip_extension(name: &str) -> Option<&str> {
    EXTENSIONS.into_iter().find_map(|extension| {
        let start = name.len().checked_sub(extension.len()).filter(|start| *start > 0)?;
        name.get(start..)?.eq_ignore_ascii_case(extension).then(|| name.get(..start))?
    })
}

/// The base name of what a glob of a path describes.
pub(super) fn base_of_glob(glob: &str) -> String {
    glob.rsplit('/').next().unwrap_or_default().into()
}
