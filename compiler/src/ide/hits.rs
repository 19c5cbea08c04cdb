//! Rule hits: what the policy set answers to each example, expectation and scratch line, and which rule makes the answer.

use policyc_runtime::{Decision, ShellKind};

use super::Place;
use super::answer::{Answer, By, ByKind, Judge};
use super::asked::{Asked, Purpose, asked};
use super::explain::explain;
use crate::rules::Request;
use crate::source::{PolicySet, SourceFile, Span};

/// What the policy set answers to a command in a file, or to several that are computed from the same text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The command, or what it is computed from.
    pub span: Span,
    /// Where a hint about it goes.
    pub after: u32,
    /// What the command is there for.
    pub purpose: Purpose,
    /// The command as a shell line; of several, the first.
    pub command: String,
    /// The answer; of several, the strictest.
    pub decision: Option<Decision>,
    /// The name in the call that made the answer.
    pub rule: Option<Place>,
    /// The hint: `→ forbidden  git.rules:12`.
    pub text: String,
    /// More about it, as Markdown.
    pub tooltip: String,
}

/// What the policy set answers to the commands that stand between the ends of `span`, in order.
#[must_use]
pub fn hits(db: &dyn salsa::Database, set: PolicySet, file: SourceFile, span: Span) -> Vec<Hit> {
    let mut asked = asked(db, set, file, span);
    if asked.is_empty() {
        return Vec::new();
    }
    asked.sort_by_key(|asked| asked.span);
    let Some(judge) = Judge::new(db, set) else { return Vec::new() };
    let text = file.text(db);
    let groups = asked.chunk_by(|one, other| one.span == other.span);
    let hit = |group: &[Asked]| {
        let mut hit = hit(&judge, text, group)?;
        // The same answer in a terminal.
        let line = explain(db, set, &group.first()?.request);
        hit.tooltip.push_str(&format!("\n```sh\n{line}\n```"));
        Some(hit)
    };
    groups.filter_map(hit).collect()
}

fn hit(judge: &Judge<'_>, text: &str, group: &[Asked]) -> Option<Hit> {
    let judged: Vec<Judged<'_>> = group.iter().filter_map(|asked| Judged::new(judge, asked)).collect();
    let first = judged.first()?;
    let strictest = judged.iter().max_by_key(|judged| judged.answer.decision)?;
    let (hint, tooltip) = match judged.as_slice() {
        [only] => (only.hint(), only.tooltip()),
        several => (counted(several), several.iter().map(Judged::line).collect::<Vec<_>>().join("\n")),
    };
    Some(Hit {
        span: first.asked.span,
        after: after(text, first.asked.span),
        purpose: first.asked.purpose,
        command: first.command.clone(),
        decision: strictest.answer.decision,
        rule: strictest.answer.by.as_ref().and_then(|by| by.place),
        text: hint,
        tooltip,
    })
}

/// A command with its answer.
struct Judged<'a> {
    asked: &'a Asked,
    command: String,
    answer: Answer,
}

impl<'a> Judged<'a> {
    fn new(judge: &Judge<'_>, asked: &'a Asked) -> Option<Self> {
        let (command, answer) = match &asked.request {
            Request::Text(text) => {
                (text.clone(), judge.answer(policyc_runtime::Request::text(text, ShellKind::default())))
            }
            Request::Command(words) => (joined(words), judge.answer(words.into())),
            Request::Tool(_) | Request::Network(..) => return None,
        };
        Some(Self { asked, command, answer })
    }

    /// What the place where the command stands leads to expect, where the answer is another.
    fn surprise(&self) -> Option<String> {
        let decision = self.answer.decision;
        match self.asked.purpose {
            Purpose::Example(rule) if decision > Some(rule) => Some(format!("stricter than this rule's {rule}")),
            Purpose::Expectation(expected) if decision != expected => {
                let expected = expected.map_or("no rule", |expected| expected.name());
                Some(format!("expected {expected}"))
            }
            _ => None,
        }
    }

    fn hint(&self) -> String {
        let hint = self.answer.hint();
        self.surprise().map_or(hint.clone(), |surprise| format!("{hint}  ({surprise})"))
    }

    fn tooltip(&self) -> String {
        let mut lines = vec![self.line()];
        lines.extend(self.answer.why.iter().map(|why| format!("- {why}")));
        if !self.answer.why.is_empty() {
            lines.push(String::new());
        }
        lines.join("\n")
    }

    fn line(&self) -> String {
        let said = match self.answer.decision {
            Some(decision) => format!("**{decision}**"),
            None => "no rule".to_owned(),
        };
        let by = self.answer.by.as_ref().map_or(String::new(), |by| format!(" by {}", described(by)));
        let surprise = self.surprise().map_or(String::new(), |surprise| format!(", {surprise}"));
        format!("`{}`: {said}{by}{surprise}\n", self.command.replace('`', "'"))
    }
}

fn described(by: &By) -> String {
    let place = format!("{}:{}", by.label, by.line);
    match by.kind {
        ByKind::Rule => format!("the rule at {place}"),
        ByKind::DoubtfulAllow => format!("the rule at {place}, whose allow is in doubt"),
        ByKind::Default => format!("`default_decision` at {place}"),
    }
}

/// The hint of several commands: how many are answered how, the strictest first.
fn counted(judged: &[Judged<'_>]) -> String {
    if let [first, rest @ ..] = judged
        && rest.iter().all(|other| other.hint() == first.hint())
    {
        return format!("{} ×{}", first.hint(), judged.len());
    }
    let decisions = Decision::ALL.into_iter().rev().map(Some).chain([None]);
    let counts = decisions.filter_map(|decision| {
        let count = judged.iter().filter(|judged| judged.answer.decision == decision).count();
        let name = decision.map_or("no rule", |decision| decision.name());
        (count > 0).then(|| format!("{name} ×{count}"))
    });
    format!("→ {}", counts.collect::<Vec<_>>().join(", "))
}

/// Where a hint about what stands at `span` goes: behind the comma, if that ends the line.
fn after(text: &str, span: Span) -> u32 {
    let rest = text.get(span.end as usize..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    match line.strip_prefix(',') {
        Some(behind) if behind.trim_start().is_empty() || behind.trim_start().starts_with('#') => span.end + 1,
        _ => span.end,
    }
}

/// Words as a shell would take them.
pub(super) fn joined(words: &[String]) -> String {
    let words = words.iter().map(String::as_str);
    let quoted = shlex::Quoter::new().allow_nul(true).join(words.clone());
    quoted.unwrap_or_else(|_| words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::hits;
    use crate::ide::fixture::fixture;
    use crate::source::Span;

    /// The policy with each hint in its place.
    fn hinted(text: &str) -> String {
        let fixture = fixture(text);
        let mut text = fixture.file.text(&fixture.db).clone();
        let mut hits = hits(&fixture.db, fixture.set, fixture.file, fixture.span);
        hits.sort_by_key(|hit| hit.after);
        for hit in hits.iter().rev() {
            text.insert_str(hit.after as usize, &format!("⟨{}⟩", hit.text));
        }
        text
    }

    fn tooltips(text: &str) -> Vec<String> {
        let fixture = fixture(text);
        let hits = hits(&fixture.db, fixture.set, fixture.file, fixture.span);
        hits.into_iter().map(|hit| hit.tooltip).collect()
    }

    #[test]
    fn each_example_expectation_and_scratch_line_has_its_decision_and_its_rule() {
        let policy = r#"prefix_rule(
    ["git", "push"],
    "prompt",
    match = [
        "git push",  # plain
        ["git", "push", "-f"],
    ],
    not_match = ["git pull"],
)
prefix_rule(["git", "push", "-f"], "forbidden", match = ["git push -f"])
expect("git push; ls", "prompt")
expect(["ls"], None)
#? git -C x push
#?
"#;
        let hinted = hinted(policy);
        assert_eq!(
            hinted,
            r#"prefix_rule(
    ["git", "push"],
    "prompt",
    match = [
        "git push",⟨→ prompt  a.rules:1⟩  # plain
        ["git", "push", "-f"],⟨→ forbidden  a.rules:10  (stricter than this rule's prompt)⟩
    ],
    not_match = ["git pull"⟨→ no rule⟩],
)
prefix_rule(["git", "push", "-f"], "forbidden", match = ["git push -f"⟨→ forbidden  a.rules:10⟩])
expect("git push; ls"⟨→ prompt  a.rules:1⟩, "prompt")
expect(["ls"]⟨→ no rule⟩, None)
#? git -C x push⟨→ prompt  a.rules:1⟩
#?
"#
        );
    }

    #[test]
    fn the_whole_set_answers_and_rules_of_other_files_are_named_with_their_place() {
        let text = "//- all/strict.rules\n\nprefix_rule(['rm'], 'forbidden')\ndefault_decision('prompt')\n//- mild.rules\n\
                    <cursor>prefix_rule(['rm'], match = ['rm x'])\n#? ls<cursor>\n";
        let fixture = fixture(text);
        let hits = hits(&fixture.db, fixture.set, fixture.file, fixture.span);
        let said: Vec<_> = hits.iter().map(|hit| (hit.text.as_str(), fixture.shown(hit.rule.unwrap()))).collect();
        assert_eq!(
            said,
            [
                (
                    "→ forbidden  strict.rules:2  (stricter than this rule's allow)",
                    "all/strict.rules:2 prefix_rule".to_owned()
                ),
                ("→ prompt, the default  strict.rules:3", "all/strict.rules:3 default_decision".to_owned()),
            ]
        );
    }

    #[test]
    fn only_what_is_looked_at_is_answered() {
        let text = "#? a\n<cursor>#? b\n#? c<cursor>\n\n#? d\n";
        assert_eq!(hinted(text), "#? a\n#? b⟨→ no rule⟩\n#? c⟨→ no rule⟩\n\n#? d\n");
    }

    #[test]
    fn an_allow_that_does_not_count_says_why() {
        let text = "//- programs.rules prelude\nprogram('git', options = [option('-C', value = True)])\n//- a.rules\n<cursor>\
                    prefix_rule(['git', 'log'])\n#? git -C x log<cursor>\n";
        assert_eq!(
            tooltips(text),
            [
                "`git -C x log`: **prompt** by the rule at a.rules:1, whose allow is in doubt\n\n- nothing says that the option `-C` is harmless there: name it in the rule's pattern, or, if it is harmless, write `program(\"git\", inherit = True, options = [option(\"-C\", harmless = True)])`\n\n\
                ```sh\npolicyc explain --rules a.rules --shell 'git -C x log'\n```"
            ]
        );
        let text = "prefix_rule(['rm'], 'forbidden', justification = 'no')\n#? rm x\n";
        assert_eq!(
            tooltips(text),
            [
                "`rm x`: **forbidden** by the rule at a.rules:1\n\n- no\n\n```sh\npolicyc explain --rules a.rules --shell 'rm x'\n```"
            ]
        );
    }

    #[test]
    fn examples_of_rules_that_functions_make_stand_where_they_are_written() {
        let text = r#"//- make.rules loaded
def deny(words, examples):
    prefix_rule(words, "forbidden", match = examples)
//- a.rules
load("./make.rules", "deny")
def allow(program, examples):
    prefix_rule([program], match = examples + [program + " x"])
<cursor>deny(["rm"], ["rm -rf", ["rm", "x"]])
allow("ls", ["ls -l"])
[prefix_rule([word], match = [word + " 1", word + " 2"]) for word in ["a", "b"]]
<cursor>"#;
        let hinted = hinted(text);
        let (_, hinted) = hinted.split_once("\"])\n").unwrap();
        assert_eq!(
            hinted,
            "deny([\"rm\"], [\"rm -rf\"⟨→ forbidden  make.rules:2⟩, [\"rm\", \"x\"]⟨→ forbidden  make.rules:2⟩])\n\
             allow(\"ls\", [\"ls -l\"⟨→ allow  a.rules:3⟩])⟨→ allow  a.rules:3⟩\n\
             [prefix_rule([word], match = [word + \" 1\"⟨→ allow  a.rules:6 ×2⟩, word + \" 2\"⟨→ allow  a.rules:6 ×2⟩]) for word in [\"a\", \"b\"]]\n"
        );
    }

    #[test]
    fn a_broken_file_keeps_its_last_good_answers_where_its_text_stands_now() {
        let rules =
            "prefix_rule(['rm'], 'forbidden', match = ['rm x'])\nprefix_rule(['ls'], match = ['ls'])\n#? rm y\n";
        let mut fixture = fixture(rules);
        let broken = rules.replace("['ls'], match", "['ls', (match").replace("#? rm y", "\n#? rm z");
        fixture.edit(fixture.file, &broken);
        let hits = hits(&fixture.db, fixture.set, fixture.file, Span::new(0, u32::MAX));
        let text = |span: Span| span.of(&broken);
        let said: Vec<_> =
            hits.iter().map(|hit| (text(hit.span), hit.text.as_str(), fixture.shown(hit.rule.unwrap()))).collect();
        let rule = "a.rules:1 prefix_rule".to_owned();
        assert_eq!(
            said,
            [("'rm x'", "→ forbidden  a.rules:1", rule.clone()), ("#? rm z", "→ forbidden  a.rules:1", rule)]
        );
        let lenses = crate::ide::lenses(&fixture.db, fixture.set, fixture.file);
        let titles: Vec<&str> = lenses.iter().map(|lens| lens.title.as_str()).collect();
        assert_eq!(titles, ["run all: 2 examples pass", "1 example passes", "hit by 0 expectations", "try a command…"]);
    }

    #[test]
    fn broken_text_and_spans_of_no_text_do_no_harm() {
        for text in ["prefix_rule([", "#? 'a", "expect(\"x", "\u{feff}#? ls", "#?\u{a0}é'"] {
            let fixture = fixture(text);
            let _ = hits(&fixture.db, fixture.set, fixture.file, Span::new(0, u32::MAX));
            assert_eq!(hits(&fixture.db, fixture.set, fixture.file, Span::new(900, 7)), []);
        }
        assert_eq!(hinted("prefix_rule(\n#? ls\n"), "prefix_rule(\n#? ls⟨→ no rule⟩\n");
    }
}
