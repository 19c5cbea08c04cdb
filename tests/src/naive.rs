//! The naive reference: a scan over the rules, written to be checked by eye against the language's description.

use policyc::rules::{Conditions, Decision, Declarations, Element, Matcher};
use policyc_runtime::Folders;

use crate::naive_matchers::{describes, stands_for};

/// What a command is answered: by this reference, and by the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The strictest decision of all matches; none when nothing matched.
    pub decision: Option<Decision>,
    /// Every match, in the order of the answer.
    pub matches: Vec<Match>,
    /// The path, when the first word was looked up by its base name.
    pub program: Option<String>,
}

/// One rule that matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The rule: one a head, counted in order of definition.
    pub rule: u32,
    /// The words of the command that matched.
    pub words: Vec<String>,
}

/// Judges `command`; with `folders`, a first word that nothing matches is looked up by base name.
#[must_use]
pub fn decide(declarations: &Declarations, command: &[String], folders: Option<Folders<'_>>) -> Answer {
    let answer = scan(declarations, command, &|_| true);
    let (Some(folders), Some((program, arguments)), None) = (folders, command.split_first(), answer.decision) else {
        return answer;
    };
    let path = absolute(program, folders);
    let name = path.rsplit('/').next().unwrap_or_default();
    if name.is_empty() || !may_stand_for(declarations, &path, name) {
        return answer;
    }
    let by_name: Vec<String> = [name.to_owned()].into_iter().chain(arguments.iter().cloned()).collect();
    let answer = scan(declarations, &by_name, &|head| may_stand_for(declarations, &path, head));
    Answer { program: answer.decision.map(|_| path), ..answer }
}

/// Every match of `command` among the rules whose head is `permitted`, in order of definition; but rules whose head is
/// another spelling of the first word come last, one spelling after the other.
fn scan(declarations: &Declarations, command: &[String], permitted: &dyn Fn(&str) -> bool) -> Answer {
    let mut decision = None;
    let mut matches = Vec::new();
    let mut spellings: Vec<&str> = Vec::new();
    let mut id = 0;
    for rule in &declarations.prefix_rules {
        let equal = |written: &str, word: &str| {
            written == word || rule.canonical_matching && caseless::canonical_caseless_match_str(written, word)
        };
        let agrees = |pattern: &[Element], words: &[String]| {
            words.len() >= pattern.len()
                && pattern.iter().zip(words).all(|(element, word)| stands_for(element, word, &equal, None, false))
        };
        let (heads, later) = rule.pattern.split_first().expect("a pattern has at least one element");
        let words = heads.words.iter().map(|word| Element::of(vec![word.clone()]));
        let matchers = heads.matchers.iter().map(|one| Element { words: Vec::new(), matchers: vec![one.clone()] });
        for (place, head) in words.chain(matchers).enumerate() {
            let spelling = heads.words.get(place).map(String::as_str);
            if rule.canonical_matching
                && let Some(spelling) = spelling
                && !spellings.contains(&spelling)
            {
                spellings.push(spelling);
            }
            if let Some((program, arguments)) = command.split_first()
                && stands_for(&head, program, &equal, None, false)
                && spelling.is_none_or(permitted)
                && agrees(later, arguments)
                && holds(&rule.conditions, command, rule.pattern.len(), &equal)
                && !rule.conditions.unless.iter().any(|pattern| agrees(pattern, command))
            {
                let other = spelling.filter(|spelling| spelling != program);
                let group = other.and_then(|spelling| spellings.iter().position(|known| *known == spelling));
                let words = command.iter().take(rule.pattern.len()).cloned().collect();
                matches.push((group, Match { rule: id, words }));
                decision = decision.max(Some(rule.decision));
            }
            id += 1;
        }
    }
    matches.sort_by_key(|(group, _)| *group);
    Answer { decision, matches: matches.into_iter().map(|(_, found)| found).collect(), program: None }
}

/// Whether the words behind the first `length` are as the conditions ask, word by word.
fn holds(conditions: &Conditions, command: &[String], length: usize, equal: &dyn Fn(&str, &str) -> bool) -> bool {
    let rest = command.get(length..).unwrap_or_default();
    let options = rest.iter().position(|word| word == "--").unwrap_or(rest.len());
    let occurs = |element: &Element| {
        rest.iter().enumerate().any(|(place, word)| {
            let named = |known: &String| {
                if is_option(known) { place < options && names_option(word, known) } else { equal(known, word) }
            };
            let described = |matcher: &Matcher| describes(matcher, word, None, false);
            place != options && (element.words.iter().any(named) || element.matchers.iter().any(described))
        })
    };
    (!conditions.exact || rest.is_empty())
        && conditions.having.iter().all(occurs)
        && !conditions.without.iter().any(occurs)
}

/// Whether a word of a policy is an option.
pub(crate) fn is_option(word: &str) -> bool {
    word.starts_with('-') && word != "-"
}

/// Whether `word` is the option `known`: itself, with a value behind `=`, or in a bundle of letters.
pub(crate) fn names_option(word: &str, known: &str) -> bool {
    let behind: Vec<char> = known.chars().skip(1).collect();
    let bundled = || match behind.as_slice() {
        [letter] if !word.starts_with("--") && word.starts_with('-') => {
            word.chars().skip(1).take_while(char::is_ascii_alphanumeric).any(|one| one == *letter)
        }
        _ => false,
    };
    word == known || word.split('=').next() == Some(known) || bundled()
}

/// Whether `path` may stand for `name`: any may for a name without a `host_executable`, else those of the last one.
fn may_stand_for(declarations: &Declarations, path: &str, name: &str) -> bool {
    let last = declarations.host_executables.iter().rfind(|declared| declared.name == name);
    last.is_none_or(|declared| declared.paths.iter().any(|listed| fold(listed) == path))
}

/// `word` as an absolute path, folded by its text alone.
fn absolute(word: &str, folders: Folders<'_>) -> String {
    let word = match (folders.home, word.strip_prefix('~')) {
        (Some(home), Some(rest)) if rest.is_empty() || rest.starts_with('/') => format!("{home}{rest}"),
        _ => word.to_owned(),
    };
    if word.starts_with('/') { fold(&word) } else { fold(&format!("{}/{word}", folders.working)) }
}

/// An absolute path without `.`, `..` and empty components.
fn fold(path: &str) -> String {
    let mut components = Vec::new();
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => {
                components.pop();
            }
            name => components.push(name),
        }
    }
    format!("/{}", components.join("/"))
}
