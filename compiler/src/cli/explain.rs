//! `policyc explain`: a decision for a person.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use clap::Args;
use policyc::shipped::{PREFIX, shipped};
use policyc::syntax::guard::LARGEST_FILE;
use policyc_runtime::{Context, Decision, Evaluation, ResolvedProgram, Rule, Table};

use super::inspect::pattern;
use super::paint::Paint;
use super::question::{Question, refuse_misspelt_option};
use super::{FAILED, escape, output};

/// How wide the explanation is.
const WIDTH: usize = 80;
/// Where what is said of a rule begins, after its decision.
const INDENT: usize = 13;
/// How many alternatives of an element are shown.
const ALTERNATIVES: usize = 6;
/// How many rules that did not match are shown.
const NEAREST: usize = 3;

const EXAMPLES: &str = "\
Exit codes: 0 explained, 1 the policy or table cannot be used, 2 wrong usage.

Examples:
  policyc explain --rules git.rules git push --force
  policyc explain --table policy.table --resolve-host-executables /usr/bin/git status";

/// Judge a command, and say why
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    override_usage = "policyc explain [OPTIONS] <(--rules <PATH>)...|--table <FILE>> [--] <WORD>..."
)]
pub(super) struct Explain {
    #[command(flatten)]
    question: Question,
    /// The command: its program and arguments, each a word. All that follows the first word belongs to it
    #[arg(value_name = "WORD", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

impl Explain {
    pub(super) fn run(self) -> anyhow::Result<u8> {
        refuse_misspelt_option("explain", &self.words)?;
        let Some(bytes) = self.question.table_bytes()? else { return Ok(FAILED) };
        let table = self.question.open(&bytes)?;
        let place = self.question.place()?;
        let context = self.question.context(place.as_ref());
        let evaluation = table.decide(&self.words, &context);
        let explanation =
            Explanation { table: &table, words: &self.words, context, evaluation, paint: Paint::for_stdout() };
        output::print(explanation.text()?.as_bytes())?;
        Ok(0)
    }
}

struct Explanation<'e, 't> {
    table: &'e Table<'t>,
    words: &'e [String],
    context: Context<'e>,
    evaluation: Evaluation<'e, 'e, String>,
    paint: Paint,
}

type Written = Result<(), std::fmt::Error>;

impl Explanation<'_, '_> {
    fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        let mut matches: Vec<_> = self.evaluation.matches().map(|rule_match| rule_match.rule).collect();
        self.headline(&mut text)?;
        self.blank(&mut text)?;
        self.program(&mut text)?;
        match matches.len() {
            0 => {}
            1 => text.push_str("\nOne rule matches:\n"),
            number => writeln!(text, "\n{number} rules match; the strictest decides:")?,
        }
        // Those that decide come first; among equals, the order of definition stays.
        matches.sort_by_key(|rule| std::cmp::Reverse(rule.decision()));
        for rule in &matches {
            self.rule(&mut text, rule)?;
            for line in source_lines(rule) {
                indent(&mut text, INDENT);
                writeln!(text, "{} {line}", self.paint.faint("│"))?;
            }
            if let Some(justification) = rule.justification() {
                wrap(&mut text, INDENT, &format!("why: {}", escape::line(justification)))?;
            }
        }
        self.nearest(&mut text)?;
        self.change(&mut text, &matches)?;
        Ok(text)
    }

    fn headline(&self, text: &mut String) -> Written {
        let command = escape::words(self.words.iter().map(String::as_str));
        let command = escape::shortened(&command, 1_000);
        let paint = self.paint;
        match self.evaluation.decision() {
            None => {
                writeln!(text, "{}  {}", paint.warning("no decision"), paint.strong(&command))?;
                let why = "No rule matches, so the host's default speaks.";
                let why = if self.table.rules().len() == 0 {
                    "The policy has no rules, so the host's default speaks."
                } else {
                    why
                };
                writeln!(text, "\n{why}")
            }
            Some(decision) => writeln!(text, "{}  {}", paint.decision(decision, decision), paint.strong(&command)),
        }
    }

    /// That a first word with a blank in it is one word: most often several were meant.
    fn blank(&self, text: &mut String) -> Written {
        let blank = |first: &&String| first.contains(char::is_whitespace);
        let Some(first) = self.words.first().filter(blank) else { return Ok(()) };
        if self.evaluation.decision().is_some() {
            return Ok(());
        }
        let shown = escape::word(first);
        let shown = escape::shortened(&shown, 200);
        text.push('\n');
        let note = "is one word with a blank in it. If several words are meant, leave out the quotes around them.";
        wrap(text, 0, &format!("{shown} {note}"))
    }

    /// Whether the program was looked up by its base name, and if not, why.
    fn program(&self, text: &mut String) -> Written {
        let Some(first) = self.words.first().filter(|first| first.contains('/')) else { return Ok(()) };
        let shown = escape::word(first);
        let listed = |name: &str| self.table.host_executables().find(|executable| executable.name() == name);
        let note = if let Some(program) = self.evaluation.resolved_program() {
            let name = program.base_name().unwrap_or_default();
            let why = match listed(name) {
                Some(_) => "which host_executable lists",
                None => "and no host_executable limits where it may be",
            };
            format!("{} is judged as {}, {why}.", escape::word(&program.to_string()), escape::word(name))
        } else if self.evaluation.decision().is_some() {
            format!("{shown} is matched as written, not by its base name.")
        } else {
            let program = match self.context.folders.as_ref().filter(|_| self.context.resolve_host_executables) {
                Some(folders) => ResolvedProgram::new(first, folders),
                None => ResolvedProgram::absolute(first),
            };
            let Some(name) = program.base_name() else { return Ok(()) };
            let shown_name = escape::word(name);
            let has_rules = self
                .table
                .rules()
                .any(|rule| rule.pattern().next().is_some_and(|head| head.words().any(|word| word == name)));
            match (self.context.folders.filter(|_| self.context.resolve_host_executables), listed(name)) {
                _ if !has_rules => format!("No rule is about {shown_name} either, so its path makes no difference."),
                (None, _) => {
                    format!(
                        "{shown} is judged as written; --resolve-host-executables would look up {shown_name} for it."
                    )
                }
                (Some(_), Some(executable))
                    if !executable.paths().any(|path| ResolvedProgram::absolute(path).same(&program)) =>
                {
                    let paths: Vec<_> = executable.paths().map(escape::word).collect();
                    let paths = if paths.is_empty() {
                        "no path at all".to_owned()
                    } else {
                        format!("only {}", paths.join(", "))
                    };
                    let program = program.to_string();
                    format!(
                        "{} is not judged as {shown_name}: its host_executable lists {paths}.",
                        escape::word(&program)
                    )
                }
                (Some(_), _) => format!("No rule for {shown_name} matches either."),
            }
        };
        text.push('\n');
        wrap(text, 0, &note)
    }

    /// What a rule says of which commands, and where it stands.
    fn rule(&self, text: &mut String, rule: &Rule<'_>) -> Written {
        let decision = self.paint.decision(rule.decision(), format!("{:<9}", rule.decision()));
        let pattern = pattern(rule, ALTERNATIVES);
        write!(text, "\n  {decision}  ")?;
        text.push_str(&self.paint.strong(escape::shortened(&pattern, 1_000)).to_string());
        if rule.canonical_matching() {
            text.push_str("  (canonical matching)");
        }
        text.push('\n');
        indent(text, INDENT);
        let place = format!("{}:{}:{}", escape::line(rule.file()), rule.line(), rule.column());
        writeln!(text, "{}", self.paint.place(place))
    }

    /// The rules that agree longest with the command, and what they have where they do not.
    fn nearest(&self, text: &mut String) -> Written {
        let mut as_judged: Vec<&str> = self.evaluation.words().collect();
        if self.evaluation.decision().is_none()
            && let Some(first) = as_judged.first_mut()
        {
            // What is said of the program's path above is not said again with every rule.
            *first = ResolvedProgram::absolute(first).base_name().filter(|_| first.contains('/')).unwrap_or(first);
        }
        let matched: Vec<u32> = self.evaluation.matches().map(|rule_match| rule_match.rule.id()).collect();
        let others = self
            .table
            .rules()
            .filter(|rule| matched.binary_search(&rule.id()).is_err() && !matched.contains(&rule.id()));
        let mut nearest: Vec<Near<'_>> = others.filter_map(|rule| Near::new(rule, &as_judged)).collect();
        nearest.sort_by(|one, other| one.order(other));
        if nearest.is_empty() {
            return Ok(());
        }
        let heading = if matched.is_empty() { "Nearest rules:" } else { "Nearest other rules:" };
        writeln!(text, "\n{heading}")?;
        for near in nearest.iter().take(NEAREST) {
            self.rule(text, &near.rule)?;
            wrap(text, INDENT, &near.difference(&as_judged))?;
        }
        Ok(())
    }

    /// The smallest change of the policy that would change the answer.
    fn change(&self, text: &mut String, matches: &[Rule<'_>]) -> Written {
        let judged = starlark_list(self.evaluation.words());
        let rule = |decision: Decision| format!("    prefix_rule(pattern = {judged}, decision = \"{decision}\")\n");
        match self.evaluation.decision() {
            None => {
                text.push_str(
                    "\nTo have it decided, add this rule (\"allow\" and \"forbidden\" are possible too):\n\n",
                );
                text.push_str(&rule(Decision::Prompt));
            }
            Some(decision) => {
                if decision > Decision::Allow {
                    milder(text, matches.iter().filter(|rule| rule.decision() == decision))?;
                }
                if decision < Decision::Forbidden {
                    text.push_str("\nTo make the answer stricter, add this rule:\n\n");
                    text.push_str(&rule(if decision == Decision::Allow {
                        Decision::Prompt
                    } else {
                        Decision::Forbidden
                    }));
                }
            }
        }
        Ok(())
    }
}

/// How the answer that these rules give could become milder.
fn milder<'r>(text: &mut String, deciding: impl Iterator<Item = &'r Rule<'r>>) -> Written {
    let (shipped, own): (Vec<_>, Vec<_>) = deciding.partition(|rule| rule.file().starts_with(PREFIX));
    if !own.is_empty() {
        let (places, one) = places(&own);
        let (rules, beside) = if one { ("rule", "it") } else { ("rules", "them") };
        let milder = format!(
            "For a milder answer, change the {rules} at {places}: a milder rule beside {beside} changes nothing."
        );
        text.push('\n');
        wrap(text, 0, &milder)?;
    }
    if let Some(first) = shipped.first() {
        let label = first.file();
        let file = escape::line(label.strip_prefix(PREFIX).unwrap_or(label));
        let (places, one) = places(&shipped);
        let (rules, are, them) = if one { ("rule", "is", "it") } else { ("rules", "are", "them") };
        let milder = format!(
            "The {rules} at {places} {are} shipped with policyc, and no rule beside {them} makes the answer milder. \
             If that is too strict, copy stdlib-policies/{file} from policyc's source, change the copy, and load that instead."
        );
        text.push('\n');
        wrap(text, 0, &milder)?;
    }
    Ok(())
}

/// Where rules stand, and whether that is one place: a loop makes many rules at one.
fn places(rules: &[&Rule<'_>]) -> (String, bool) {
    let mut places: Vec<_> =
        rules.iter().map(|rule| format!("{}:{}", escape::line(rule.file()), rule.line())).collect();
    places.dedup();
    let shown = places.get(..places.len().min(5)).unwrap_or_default().join(", ");
    let rest = if places.len() > 5 { format!(" and {} more", places.len() - 5) } else { String::new() };
    (format!("{shown}{rest}"), places.len() == 1)
}

/// A rule that did not match, and how far it came.
struct Near<'t> {
    rule: Rule<'t>,
    /// How many words agree from the start on.
    agreeing: usize,
    /// How like the next word is to one that the rule has there, from 0 to 1.
    likeness: f64,
    /// What the rule has there.
    expected: Vec<&'t str>,
}

impl<'t> Near<'t> {
    fn new(rule: Rule<'t>, words: &[&str]) -> Option<Self> {
        let mut elements = rule.pattern();
        let mut agreeing = 0;
        loop {
            let Some(element) = elements.next() else {
                return Some(Self { rule, agreeing, likeness: 1.0, expected: Vec::new() });
            };
            let word = words.get(agreeing);
            // Of canonical rules, the first word is kept as written, and the others folded.
            let compared =
                |word: &str| if rule.canonical_matching() { policyc_runtime::fold(word) } else { word.to_owned() };
            let given = word.map(|word| compared(word));
            if given.as_ref().is_some_and(|word| element.words().any(|alternative| compared(alternative) == *word)) {
                agreeing += 1;
                continue;
            }
            let expected: Vec<_> = element.words().collect();
            let likeness = |alternative: &&str| {
                let like = |word: &String| strsim::normalized_damerau_levenshtein(word, &compared(alternative));
                given.as_ref().map_or(0.0, like)
            };
            let likeness = expected.iter().map(likeness).fold(0.0, f64::max);
            return (agreeing > 0 || likeness >= 0.5).then_some(Self { rule, agreeing, likeness, expected });
        }
    }

    /// The nearest first.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let missing = |near: &Self| near.rule.length().saturating_sub(near.agreeing);
        other
            .agreeing
            .cmp(&self.agreeing)
            .then(other.likeness.total_cmp(&self.likeness))
            .then(missing(self).cmp(&missing(other)))
            .then(self.rule.id().cmp(&other.rule.id()))
    }

    fn difference(&self, words: &[&str]) -> String {
        if self.expected.is_empty() {
            return format!(
                "every word agrees if the program is looked up as {}",
                escape::word(words.first().unwrap_or(&""))
            );
        }
        let some = self.expected.get(..self.expected.len().min(ALTERNATIVES)).unwrap_or_default();
        let mut expected: Vec<_> = some.iter().map(|word| escape::word(word).into_owned()).collect();
        if self.expected.len() > some.len() {
            expected.push(format!("{} more", self.expected.len() - some.len()));
        }
        let last = expected.pop().unwrap_or_default();
        let expected = if expected.is_empty() { last } else { format!("{} or {last}", expected.join(", ")) };
        let agreeing = match self.agreeing {
            0 => String::new(),
            1 => "1 word agrees; ".to_owned(),
            agreeing => format!("{agreeing} words agree; "),
        };
        match words.get(self.agreeing) {
            Some(word) => {
                let word = escape::word(word);
                format!(
                    "{agreeing}word {} is {}, where the rule has {expected}",
                    self.agreeing + 1,
                    escape::shortened(&word, 200)
                )
            }
            None => format!("{agreeing}the command ends where the rule goes on with {expected}"),
        }
    }
}

/// The line of the call that made a rule, and the next ones if it only begins there. Nothing if the file cannot be
/// read, or has changed since the table was made so that no call is there.
fn source_lines(rule: &Rule<'_>) -> Vec<String> {
    let Some(source) = source(rule.file()) else { return Vec::new() };
    let mut lines = source.lines().skip(rule.line().saturating_sub(1) as usize);
    let Some(first) = lines.next() else { return Vec::new() };
    let call: String = first.chars().skip(rule.column().saturating_sub(1) as usize).collect();
    let name = call.chars().take_while(|character| character.is_alphanumeric() || *character == '_').count();
    if name == 0 || !call.chars().skip(name).collect::<String>().trim_start().starts_with('(') {
        return Vec::new();
    }
    let show = |line: &str| {
        let line = line.replace('\t', "    ");
        escape::shortened(&escape::line(line.trim_end()), WIDTH - INDENT - 3).into_owned()
    };
    let mut shown = vec![show(first)];
    if first.trim_end().ends_with('(') {
        for line in lines.take(2) {
            shown.push(show(line));
            if line.trim_end().ends_with(')') {
                break;
            }
        }
    }
    shown
}

/// The text that a label names. A table may name any file, so only regular ones of a sensible size are opened.
fn source(label: &str) -> Option<String> {
    if label.starts_with(PREFIX) {
        return shipped().iter().find(|(shipped, _)| *shipped == label).map(|(_, text)| (*text).to_owned());
    }
    let path = Path::new(label);
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST_FILE as u64 {
        return None;
    }
    fs::read_to_string(path).ok()
}

/// A list of strings as policies write it.
fn starlark_list<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let words: Vec<_> = words.map(starlark_string).collect();
    format!("[{}]", words.join(", "))
}

fn starlark_string(word: &str) -> String {
    let mut string = String::from("\"");
    for character in word.chars() {
        match character {
            '"' | '\\' => string.extend(['\\', character]),
            '\n' => string.push_str("\\n"),
            '\t' => string.push_str("\\t"),
            '\r' => string.push_str("\\r"),
            _ if escape::is_hidden(character) => escape::push_code(&mut string, character),
            _ => string.push(character),
        }
    }
    string.push('"');
    string
}

fn indent(text: &mut String, columns: usize) {
    text.extend(std::iter::repeat_n(' ', columns));
}

/// Writes a paragraph, broken at blanks so that it fits; later lines are indented by two more columns if it is indented.
fn wrap(text: &mut String, columns: usize, paragraph: &str) -> Written {
    let mut used = 0;
    for word in paragraph.split(' ') {
        let length = word.chars().count();
        if used == 0 {
            indent(text, columns);
            used = columns + length;
        } else if used + 1 + length > WIDTH {
            let columns = if columns > 0 { columns + 2 } else { 0 };
            text.push('\n');
            indent(text, columns);
            used = columns + length;
        } else {
            text.push(' ');
            used += 1 + length;
        }
        text.push_str(word);
    }
    text.push('\n');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_fit() {
        let mut text = String::new();
        wrap(&mut text, INDENT, &"words and ".repeat(20)).unwrap();
        assert!(text.lines().count() > 2 && text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
    }

    #[test]
    fn strings_are_starlark() {
        assert_eq!(starlark_list(["a\"b", "\u{202e}\x1b"].into_iter()), r#"["a\"b", "\u202e\x1b"]"#);
    }
}
