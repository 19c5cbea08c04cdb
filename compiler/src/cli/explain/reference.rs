//! What decided under reference matching, where words count as they are typed.

use std::fmt::Write;

use policyc_runtime::{Context, Decision, Evaluation, ResolvedProgram, Rule, Table};

use super::super::paint::Paint;
use super::super::{escape, literal};
use super::layout::{Written, wrap};
use super::rules;

/// A decision and its reasons, for a person.
pub(super) struct Explanation<'e, 't> {
    pub(super) table: &'e Table<'t>,
    pub(super) words: &'e [String],
    pub(super) context: Context<'e>,
    pub(super) evaluation: Evaluation<'e, 'e, String>,
    pub(super) paint: Paint,
}

impl Explanation<'_, '_> {
    pub(super) fn text(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        let mut matches: Vec<_> = self.evaluation.matches().map(|rule_match| rule_match.rule).collect();
        self.headline(&mut text)?;
        super::blank(&mut text, self.words, self.evaluation.decision())?;
        self.program(&mut text)?;
        match matches.len() {
            0 => {}
            1 => text.push_str("\nOne rule matches:\n"),
            number => writeln!(text, "\n{number} rules match; the strictest decides:")?,
        }
        // Those that decide come first; among equals, the order of definition stays.
        matches.sort_by_key(|rule| std::cmp::Reverse(rule.decision()));
        for rule in &matches {
            rules::rule(&mut text, rule, self.paint)?;
            rules::reasons(&mut text, rule, self.paint)?;
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

    fn nearest(&self, text: &mut String) -> Written {
        let mut as_judged: Vec<&str> = self.evaluation.words().collect();
        if self.evaluation.decision().is_none()
            && let Some(first) = as_judged.first_mut()
        {
            // What is said of the program's path above is not said again with every rule.
            *first = ResolvedProgram::absolute(first).base_name().filter(|_| first.contains('/')).unwrap_or(first);
        }
        let matched: Vec<u32> = self.evaluation.matches().map(|rule_match| rule_match.rule.id()).collect();
        rules::nearest(text, self.table, &as_judged, &matched, self.paint)
    }

    /// The smallest change of the policy that would change the answer.
    fn change(&self, text: &mut String, matches: &[Rule<'_>]) -> Written {
        let judged = literal::list(self.evaluation.words());
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
                    rules::milder(text, matches.iter().filter(|rule| rule.decision() == decision))?;
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
