//! What is left of a policy set whose files fail in part: with `--keep-going`, a file that fails allows nothing, and the
//! set is used as long as everything that it restricts was read. When in doubt, it is refused.

use policyc::check::{
    empty_alternatives, empty_example, empty_justification, empty_pattern, failing_evaluation, failing_example,
    invalid_condition, invalid_element, invalid_example, invalid_glob, invalid_path, invalid_type, unknown_argument,
};
use policyc::db;
use policyc::diagnostics::{Code, Diagnostic, Severity};
use policyc::eval::evaluate;
use policyc::source::{Layer, PolicySet, SourceFile, Span};
use policyc::syntax::statements::statements;
use policyc::syntax::token::{TokenKind, tokens};
use policyc::syntax::{Step, line_index, locate};

use super::compile::Compiled;
use super::escape;
use super::paint::Paint;

/// Mistakes in one call, after which the run goes on.
const PASSING: [Code; 12] = [
    empty_alternatives::CODE,
    empty_example::CODE,
    empty_justification::CODE,
    empty_pattern::CODE,
    failing_example::CODE,
    invalid_condition::CODE,
    invalid_element::CODE,
    invalid_example::CODE,
    invalid_glob::CODE,
    invalid_path::CODE,
    invalid_type::CODE,
    unknown_argument::CODE,
];

/// What `--keep-going` comes to.
pub(super) enum Remainder {
    /// The set in which the files that fail only restrict, and their labels.
    Usable { set: PolicySet, failing: Vec<String> },
    /// Why there is none.
    Refused(String),
}

impl Remainder {
    /// What is to be said of it.
    pub(super) fn told(&self, paint: Paint) -> String {
        match self {
            Self::Usable { failing, .. } => {
                let labels: Vec<_> = failing.iter().map(|label| format!("`{}`", escape::line(label))).collect();
                let (them, their) = if failing.len() == 1 { ("it", "its") } else { ("they", "their") };
                format!(
                    "{} kept going without {}: {their} restrictive rules hold, and {them} {} nothing\n",
                    paint.warning("warning:"),
                    labels.join(", "),
                    if failing.len() == 1 { "allows" } else { "allow" },
                )
            }
            Self::Refused(why) => format!("{} cannot keep going: {}\n", paint.error("error:"), escape::line(why)),
        }
    }
}

/// What is left of a set that has errors.
pub(super) fn of(compiled: &Compiled) -> Remainder {
    let db = &compiled.db;
    if let Some(unread) = compiled.found.mistakes.iter().find(|mistake| mistake.severity == Severity::Error) {
        let label = unread.primary.file.label(db);
        return Remainder::Refused(format!("`{label}` could not be read, and may restrict"));
    }
    let set = compiled.found.set;
    let mut failing: Vec<SourceFile> = Vec::new();
    for mistake in compiled.diagnostics.iter().filter(|mistake| mistake.severity == Severity::Error) {
        let file = mistake.primary.file;
        let position = line_index(db, file).position(mistake.primary.span.start);
        if let Some(doubt) = doubt(compiled, mistake) {
            let place = format!("`{}:{}`", file.label(db), position.line);
            return Remainder::Refused(match doubt {
                Doubt::Unread => format!("the mistake at {place} kept rules from being read, and they may restrict"),
                Doubt::Statement => format!("the rule at {place} is not plainly one that allows, so it may restrict"),
            });
        }
        if !set.files(db).contains(&file) {
            return Remainder::Refused(format!("`{}` is loaded by others, which need it whole", file.label(db)));
        }
        let declared = &evaluate(db, set, file).declarations;
        if !declared.programs.is_empty() || !declared.host_executables.is_empty() {
            let label = file.label(db);
            return Remainder::Refused(format!(
                "`{label}` says what programs are, and rules may restrict less without"
            ));
        }
        let effects = [declared.capabilities.len(), declared.commands.len(), declared.tools.len()];
        if effects.iter().sum::<usize>() + declared.profiles.len() + declared.grants.len() > 0 {
            let label = file.label(db);
            return Remainder::Refused(format!(
                "`{label}` says what requests do, and profiles may restrict less without"
            ));
        }
        if !failing.contains(&file) {
            failing.push(file);
        }
    }
    // Those that fail become an untrusted layer of the same name: it can only restrict.
    let mut layers = set.layers(db).clone();
    if layers.is_empty() {
        layers.push(Layer { name: String::new(), trusted: true });
    }
    let mut layer_of_file: Vec<usize> =
        (0..set.files(db).len()).map(|place| set.layer_of_file(db).get(place).copied().unwrap_or_default()).collect();
    for (file, layer) in set.files(db).iter().zip(&mut layer_of_file) {
        if failing.contains(file) {
            let name = layers.get(*layer).map(|layer| layer.name.clone()).unwrap_or_default();
            let restricted = layers.iter().position(|layer| layer.name == name && !layer.trusted);
            *layer = restricted.unwrap_or(layers.len());
            if restricted.is_none() {
                layers.push(Layer { name, trusted: false });
            }
        }
    }
    let remaining = PolicySet::builder(
        set.files(db).clone(),
        set.modules(db).clone(),
        set.roots(db).clone(),
        set.working_directory(db).clone(),
        set.home(db).clone(),
    )
    .prelude(set.prelude(db).clone())
    .layers(layers)
    .layer_of_file(layer_of_file)
    .new(db);
    // What fails there must be what was looked at here.
    let known = |mistake: &Diagnostic| mistake.severity < Severity::Error || failing.contains(&mistake.primary.file);
    if !db::diagnostics(db, remaining).iter().all(known) {
        return Remainder::Refused("other files fail without them".to_owned());
    }
    Remainder::Usable { set: remaining, failing: failing.iter().map(|file| file.label(db).clone()).collect() }
}

/// Why a mistake may keep a restrictive rule from being read.
enum Doubt {
    Unread,
    Statement,
}

fn doubt(compiled: &Compiled, mistake: &Diagnostic) -> Option<Doubt> {
    let stopped = mistake.notes.iter().any(|note| note.contains(failing_evaluation::REST));
    if stopped || !PASSING.contains(&mistake.code) {
        return Some(Doubt::Unread);
    }
    let text = mistake.primary.file.text(&compiled.db);
    let within = |span: Span| span.start <= mistake.primary.span.start && mistake.primary.span.start < span.end;
    let statement = statements(text).into_iter().find(|statement| within(statement.span));
    let allows = statement.is_some_and(|statement| statement.fault.is_none() && allows(text, statement.span));
    (!allows).then_some(Doubt::Statement)
}

/// Whether a statement is one `prefix_rule` call that says `allow`, or says nothing and so means it.
fn allows(text: &str, statement: Span) -> bool {
    let source = statement.of(text);
    if source.trim().is_empty() {
        return false;
    }
    let mut depth = 0_usize;
    let mut closed = false;
    for (place, token) in tokens(source).filter(|token| !token.kind.is_trivia()).enumerate() {
        let expected = match place {
            0 => token.kind == TokenKind::Name && token.span.of(source) == "prefix_rule",
            1 => token.kind.opens(),
            // A list of arguments from elsewhere may hold a decision.
            _ => !closed && !token.span.of(source).starts_with('*'),
        };
        if !expected {
            return false;
        }
        if token.kind.opens() {
            depth += 1;
        } else if token.kind.closes() {
            depth = depth.saturating_sub(1);
            closed = depth == 0;
        }
    }
    let call = Span::new(statement.start, statement.start + source.trim_end().len() as u32);
    let decision = locate(text, call, &[Step::Parameter { name: "decision", position: Some(1) }]);
    let written = decision.span.of(text);
    decision.span == call || decision.literal && ["\"allow\"", "'allow'"].contains(&written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_rule_that_allows_may_fail() {
        let plainly = |text: &str| allows(text, Span::from(0..text.len()));
        for text in [
            "prefix_rule([\"a\"])",
            "prefix_rule([\"a\"], \"allow\", match = [\"x\"])\n\n# a comment\n",
            "prefix_rule(decision = 'allow', pattern = [\"a\", glob(\"*\")])",
        ] {
            assert!(plainly(text), "{text}");
        }
        for text in [
            "prefix_rule([\"a\"], \"prompt\")",
            "prefix_rule([\"a\"], DECISION)",
            "prefix_rule([\"a\"], \"al\" + \"low\")",
            "prefix_rule([\"a\"], decision = d)",
            "prefix_rule(*rule)",
            "prefix_rule(**rule)",
            "prefix_rule([\"a\"]) or prefix_rule([\"b\"], \"forbidden\")",
            "[prefix_rule([word]) for word in words]",
            "network_rule(\"h\", \"http\", \"allow\")",
            "rule = prefix_rule",
            "def f(): prefix_rule([\"a\"])",
            "",
        ] {
            assert!(!plainly(text), "{text}");
        }
    }
}
