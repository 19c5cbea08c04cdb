//! The naive reference: a scan over the rules, written to be checked by eye against the language's description.

use policyc::rules::{Decision, Declarations};
use policyc_runtime::Folders;

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
        let (heads, later) = rule.pattern.split_first().expect("a pattern has at least one element");
        for head in &heads.words {
            if rule.canonical_matching && !spellings.contains(&head.as_str()) {
                spellings.push(head);
            }
            if let Some((program, arguments)) = command.split_first()
                && equal(head, program)
                && permitted(head)
                && arguments.len() >= later.len()
                && later
                    .iter()
                    .zip(arguments)
                    .all(|(element, word)| element.words.iter().any(|written| equal(written, word)))
            {
                let group = if head == program { None } else { spellings.iter().position(|spelling| spelling == head) };
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
