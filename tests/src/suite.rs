//! Runs a Markdown suite: policies as fenced text, and beside them what they must do.
//!
//! | fence | what it holds |
//! | --- | --- |
//! | `policy` | a policy file of the section's set; `title="x.rules"` names it (default `policy.rules`), `layer=NAME` or `layer=NAME:untrusted` says whose it is |
//! | `module` | a file that may only be loaded; `title=` is required |
//! | `decisions` | what commands are answered, one a line: `git push -f -> forbidden`. The words are split as a POSIX shell would; a line that starts with `["` or `[]` is a JSON list. With `resolve` (and `cwd=`, `home=`) a first word may be looked up by base name, and the answer says so: `/usr/bin/git push -> forbidden (program /usr/bin/git)`. Indented lines below list every match in order: `git push -> forbidden "the justification"` |
//! | `decisions guarded` | the same under guarded matching, with the prelude. Indented lines below list every rule that counts, with the words that it took, as `git push -> forbidden "the justification"`; perhaps followed by ` @ FILE:LINE` and ` of LAYER`; as `! path git` everything that keeps an allow from counting; and, if one is, as `: git push` each simple command of the text |
//! | `shell` | what texts are answered under guarded matching, one a line: `true && git push -> forbidden`; a line that starts with `["` is a JSON list of the text's lines. `kind=powershell` or `kind=cmd` says which shell it is, `cwd=` and `home=` where it runs (`no-folders`: unknown). Indented lines as above |
//! | `diagnostics` | what `policyc check` prints of the section's files, exactly |
//! | `console` | commands after `$`, run in a folder with the section's files, and what they print; `? 1` below a command is its exit status, unless 0 or `status=hidden` is set. A file that is first shown with `$ cat NAME` is made with what is shown |
//!
//! `# error: [code]` or `# warning: [code]` at the end of a policy's line says that exactly these diagnostics start on that
//! line. A section without any, and without a `diagnostics` or `console` block, must be clean.
//! `POLICYC_BLESS=1` rewrites the `diagnostics` and `console` blocks that differ.

mod console;
mod guarded;
mod typed;

use std::fmt::Write as _;
use std::path::Path;

use policyc::diagnostics::Severity;
use policyc::rules::Decision;
use policyc_runtime::{Answers, Folders, Request, ShellKind};

use console::{shell, shown_files};
use guarded::{Asked, Detail, Question, details, reasons};
use typed::{Expectation, parse_line};

use crate::engines::Engines;
use crate::markdown::{Block, Section, sections};
use crate::naive::Answer;
use crate::policy::{FOLDERS, File, Owner, Policy, position};

/// What running a suite gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many sections hold a test.
    pub tests: usize,
    /// How many commands were judged, on every engine.
    pub decisions: usize,
    /// How many texts of the command line were compared.
    pub outputs: usize,
    /// What went wrong, each after `file:line: `.
    pub failures: Vec<String>,
    /// The blocks that differ: the line of their fence, and what they should hold.
    pub replacements: Vec<(usize, String)>,
}

impl Report {
    /// Adds what another suite gave.
    pub fn add(&mut self, other: Self) {
        self.tests += other.tests;
        self.decisions += other.decisions;
        self.outputs += other.outputs;
        self.failures.extend(other.failures);
    }
}

/// Languages of blocks that are only shown.
const SHOWN: [&str; 7] = ["", "text", "json", "starlark", "sh", "rust", "toml"];

/// Languages of blocks that hold answers.
const JUDGED: [&str; 2] = ["decisions", "shell"];

/// Whether the block asks for guarded matching.
fn is_guarded(block: &Block) -> bool {
    block.language == "shell" || block.language == "decisions" && block.attribute("guarded").is_some()
}

/// Runs every section of `document`, which is called `name` in failures.
#[must_use]
pub fn run(name: &str, document: &str) -> Report {
    let mut report = Report::default();
    for section in sections(document) {
        let mut run = Run { name, report: &mut report };
        run.section(&section);
    }
    report
}

/// Runs the suite in `path`; with `bless`, writes the texts of the command line back where they differ.
///
/// # Panics
/// When the file can't be read, or written back.
#[must_use]
pub fn run_file(path: &Path, bless: bool) -> Report {
    let document = std::fs::read_to_string(path).expect("a suite can be read");
    let name = crate::workspace::relative(path);
    let report = run(&name, &document);
    if bless && !report.replacements.is_empty() {
        std::fs::write(path, rewritten(&document, &report.replacements)).expect("a suite can be written");
    }
    report
}

/// `document` with other texts in the blocks whose fences open on the given lines.
fn rewritten(document: &str, replacements: &[(usize, String)]) -> String {
    let mut text = String::new();
    let mut skipping = None;
    for (index, line) in document.split_inclusive('\n').enumerate() {
        match &skipping {
            Some(fence) if line.trim_end() == fence => skipping = None,
            Some(_) => continue,
            None => {}
        }
        text.push_str(line);
        if let Some((_, replacement)) = replacements.iter().find(|(fence, _)| *fence == index + 1) {
            text.push_str(replacement);
            skipping = Some(line.chars().take_while(|character| *character == '`').collect::<String>());
        }
    }
    text
}

/// What the reference engine can be asked of `document`: for each section in its dialect the heading's line, the files,
/// and the commands whose answer does not depend on folders; any command at all for a policy with mistakes.
#[must_use]
pub fn questions(document: &str) -> Vec<(usize, Vec<File>, Vec<Vec<String>>)> {
    let mut questions = Vec::new();
    for section in sections(document) {
        let blocks =
            |language: &str| section.blocks.iter().filter(move |block| block.language == language).collect::<Vec<_>>();
        let name = |block: &Block| File::new(block.attribute("title").unwrap_or("policy.rules"), block.text.clone());
        let files: Vec<File> = blocks("policy").into_iter().map(name).collect();
        let extended = files.iter().any(|file| file.text.contains("load("));
        if files.is_empty() || extended || !blocks("module").is_empty() {
            continue;
        }
        let lines = blocks("decisions").into_iter().filter(|block| block.attribute("resolve").is_none());
        let lines = lines.flat_map(|block| block.text.lines()).filter(|line| !line.starts_with(' '));
        let mut commands: Vec<Vec<String>> =
            lines.filter_map(|line| parse_line(line.trim(), false).ok()).map(|line| line.words).collect();
        // A process can't be given a word with a NUL, and neither engine takes a command without words.
        commands.retain(|words| !words.is_empty() && !words.iter().any(|word| word.contains('\0')));
        if files.iter().any(|file| file.text.lines().any(|line| !annotations(line).is_empty())) {
            commands.push(vec!["anything".to_owned()]);
        }
        questions.push((section.line, files, commands));
    }
    questions
}

/// The shell texts that `document` puts to its policies.
#[must_use]
pub fn texts(document: &str) -> Vec<String> {
    let blocks = sections(document).into_iter().flat_map(|section| section.blocks);
    let lines = blocks.filter(|block| block.language == "shell").flat_map(|block| {
        block.text.lines().filter(|line| !line.starts_with(' ')).map(str::to_owned).collect::<Vec<_>>()
    });
    lines
        .filter_map(|line| match Question::parse(0, &line, true).ok()?.asked {
            Asked::Text(text) => Some(text),
            Asked::Words(_) => None,
        })
        .collect()
}

struct Run<'r> {
    name: &'r str,
    report: &'r mut Report,
}

impl Run<'_> {
    fn fail(&mut self, line: usize, why: impl std::fmt::Display) {
        self.report.failures.push(format!("{}:{line}: {why}", self.name));
    }

    fn section(&mut self, section: &Section) {
        let mut files = Vec::new();
        let mut modules = Vec::new();
        let mut owners = Vec::new();
        for block in &section.blocks {
            if !block.is_closed {
                self.fail(block.line, "this block is never closed");
            }
            match block.language.as_str() {
                "policy" => {
                    let title = block.attribute("title").unwrap_or("policy.rules");
                    if files.iter().chain(&modules).any(|(_, file): &(usize, File)| file.label == title) {
                        self.fail(block.line, format_args!("two files of this section are called {title}"));
                    }
                    files.push((block.line, File::new(title, block.text.clone())));
                    owners.extend(block.attribute("layer").map(Owner::parse));
                }
                "module" => match block.attribute("title") {
                    Some(title) => modules.push((block.line, File::new(title, block.text.clone()))),
                    None => self.fail(block.line, "a module needs a title=\"…\""),
                },
                "decisions" | "shell" | "diagnostics" | "console" => {}
                shown if SHOWN.contains(&shown) => {}
                unknown => self.fail(block.line, format_args!("`{unknown}` is not a kind of block this harness knows")),
            }
        }
        let has = |language: &str| section.blocks.iter().any(|block| block.language == language);
        if files.is_empty() && !["decisions", "shell", "diagnostics", "console"].into_iter().any(has) {
            return;
        }
        if !owners.is_empty() && owners.len() != files.len() {
            self.fail(section.line, "some policies of this section have a layer, and some have none");
        }
        self.report.tests += 1;
        if !section.has_intent {
            self.fail(section.line, "this test has no sentence of intent before its first block");
        }
        if files.is_empty() {
            for block in section
                .blocks
                .iter()
                .filter(|block| matches!(block.language.as_str(), "decisions" | "shell" | "diagnostics"))
            {
                self.fail(block.line, "this block has no policy to judge by");
            }
        } else {
            self.policy(section, &files, &modules, &owners);
        }
        let all: Vec<&File> = files.iter().chain(&modules).map(|(_, file)| file).collect();
        let titles: Vec<&str> = files.iter().map(|(_, file)| file.label.as_str()).collect();
        for block in &section.blocks {
            match block.language.as_str() {
                "diagnostics" if !titles.is_empty() => {
                    let (_, output) = shell(&all, &[&format!("policyc check {}", titles.join(" "))]).remove(0);
                    self.compare(block, &output);
                }
                "console" => self.console(block, &all),
                _ => {}
            }
        }
    }

    fn policy(&mut self, section: &Section, files: &[(usize, File)], modules: &[(usize, File)], owners: &[Owner]) {
        let plain = |files: &[(usize, File)]| files.iter().map(|(_, file)| file.clone()).collect::<Vec<_>>();
        // Expectations and some warnings are about what the prelude knows.
        let needs_prelude = |file: &File| ["expect(", "# warning: "].iter().any(|text| file.text.contains(text));
        let needs_prelude = files.iter().chain(modules).any(|(_, file)| needs_prelude(file));
        let policy = if needs_prelude || !owners.is_empty() || section.blocks.iter().any(is_guarded) {
            Policy::guarded(&plain(files), &plain(modules), owners)
        } else {
            Policy::new(&plain(files), &plain(modules))
        };
        let mut expected = Vec::new();
        for (fence, file) in files.iter().chain(modules) {
            for (index, line) in file.text.lines().enumerate() {
                for (severity, code) in annotations(line) {
                    expected.push((fence + index + 1, severity, code));
                }
            }
        }
        let shown = section.blocks.iter().any(|block| matches!(block.language.as_str(), "diagnostics" | "console"));
        if !(shown && expected.is_empty()) {
            let mut found: Vec<(usize, Severity, String, String)> = Vec::new();
            for diagnostic in policy.diagnostics() {
                let label = policy.label(diagnostic.primary.file);
                let fence = files
                    .iter()
                    .chain(modules)
                    .find(|(_, file)| file.label == label)
                    .map_or(section.line, |(fence, _)| *fence);
                let (line, _) = position(policy.text(diagnostic.primary.file), diagnostic.primary.span.start);
                found.push((
                    fence + line,
                    diagnostic.severity,
                    diagnostic.code.0.to_owned(),
                    diagnostic.message.clone(),
                ));
            }
            for (line, severity, code) in &expected {
                match found.iter().position(|(at, kind, name, _)| at == line && kind == severity && name == code) {
                    Some(index) => {
                        found.remove(index);
                    }
                    None => self.fail(*line, format_args!("expected {}: [{code}], got none", name_of(*severity))),
                }
            }
            for (line, severity, code, message) in found {
                self.fail(line, format_args!("unexpected {}: [{code}] {message}", name_of(severity)));
            }
        }
        let decisions = || section.blocks.iter().filter(|block| JUDGED.contains(&block.language.as_str()));
        if !policy.is_usable() {
            for block in decisions() {
                self.fail(block.line, "a policy with errors decides nothing");
            }
            return;
        }
        let mut elsewhere = Vec::new();
        let engines = match Engines::new(&policy, &mut elsewhere) {
            Ok(engines) => engines,
            Err(why) => return self.fail(section.line, why),
        };
        for block in decisions() {
            if is_guarded(block) {
                self.judgements(block, &engines);
            } else {
                self.decisions(block, &engines);
            }
        }
    }

    /// What stands in the lines below a command.
    fn details(&mut self, question: &Question, answers: &Answers<'_>) {
        let found = details(answers);
        // Pieces are only listed if one is asked for.
        let pieces = question.details.iter().any(|(_, detail)| detail.starts_with(": "));
        let wanted = |found: &&Detail| pieces || !found.text.starts_with(": ");
        let found: Vec<&Detail> = found.iter().filter(wanted).collect();
        for (line, expected) in &question.details {
            if !found.iter().any(|found| found.is(expected)) {
                let found: Vec<String> = found.iter().map(|found| format!("`{}{}`", found.text, found.place)).collect();
                self.fail(*line, format_args!("expected `{expected}`, got {}", found.join(", ")));
            }
        }
        for unexpected in found.iter().filter(|found| !question.details.iter().any(|(_, detail)| found.is(detail))) {
            self.fail(question.line, format_args!("`{}` is not among the lines below", unexpected.text));
        }
    }

    /// The answers of guarded matching.
    fn judgements(&mut self, block: &Block, engines: &Engines<'_>) {
        for (name, _) in &block.attributes {
            if !["guarded", "kind", "cwd", "home", "no-folders"].contains(&name.as_str()) {
                self.fail(block.line, format_args!("`{name}` is not an option of guarded answers"));
            }
        }
        let folders = Folders {
            working: block.attribute("cwd").unwrap_or(FOLDERS.working),
            home: block.attribute("home").or(FOLDERS.home),
        };
        let folders = Some(folders).filter(|_| block.attribute("no-folders").is_none());
        let kind = match block.attribute("kind") {
            None | Some("bash") => ShellKind::Bash,
            Some("powershell") => ShellKind::PowerShell,
            Some("cmd") => ShellKind::Cmd,
            Some(other) => return self.fail(block.line, format_args!("`{other}` is not a kind of shell")),
        };
        let mut questions: Vec<Question> = Vec::new();
        for (index, line) in block.text.lines().enumerate() {
            let number = block.line + 1 + index;
            let text = line.trim();
            if text.is_empty() || text.starts_with("# ") && !text.contains(" -> ") {
                continue;
            }
            let detail = line.starts_with(' ');
            match (Question::parse(number, text, block.language == "shell"), detail, questions.last_mut()) {
                (_, true, Some(question)) => question.details.push((number, text.to_owned())),
                (_, true, None) => self.fail(number, "a match without a command above it"),
                (Ok(question), false, _) => questions.push(question),
                (Err(why), false, _) => self.fail(number, why),
            }
        }
        if questions.is_empty() {
            self.fail(block.line, "this block judges nothing");
        }
        for question in questions {
            self.report.decisions += 1;
            let request = match &question.asked {
                Asked::Words(words) => Request::from(words),
                Asked::Text(text) => Request::Text { text, kind },
            };
            let answers = match engines.judge(request, folders) {
                Ok(answers) => answers,
                Err(why) => {
                    self.fail(question.line, why);
                    continue;
                }
            };
            if answers.decision != question.decision {
                let (expected, got) = (result(question.decision, None), result(answers.decision, None));
                self.fail(question.line, format_args!("expected {expected}, got {got}{}", reasons(&answers)));
            } else if !question.details.is_empty() {
                self.details(&question, &answers);
            }
        }
    }

    fn decisions(&mut self, block: &Block, engines: &Engines<'_>) {
        for (name, _) in &block.attributes {
            if !["resolve", "cwd", "home"].contains(&name.as_str()) {
                self.fail(block.line, format_args!("`{name}` is not an option of decisions"));
            }
        }
        let folders = block.attribute("resolve").map(|_| Folders {
            working: block.attribute("cwd").unwrap_or(FOLDERS.working),
            home: block.attribute("home").or(FOLDERS.home),
        });
        let mut expectations: Vec<Expectation> = Vec::new();
        for (index, line) in block.text.lines().enumerate() {
            let number = block.line + 1 + index;
            let text = line.trim();
            if text.is_empty() || text.starts_with("# ") {
                continue;
            }
            let detail = line.starts_with(' ');
            match (parse_line(text, detail), detail, expectations.last_mut()) {
                (Err(why), _, _) => self.fail(number, why),
                (Ok(parsed), false, _) => expectations.push(Expectation { line: number, parsed, matches: Vec::new() }),
                (Ok(parsed), true, Some(expectation)) => expectation.matches.push((number, parsed)),
                (Ok(_), true, None) => self.fail(number, "a match without a command above it"),
            }
        }
        if expectations.is_empty() {
            self.fail(block.line, "this block judges nothing");
        }
        for expectation in expectations {
            self.report.decisions += 1;
            match engines.decide(&expectation.parsed.words, folders) {
                Ok(answer) => self.answer(&expectation, &answer, engines),
                Err(why) => self.fail(expectation.line, why),
            }
        }
    }

    fn answer(&mut self, expectation: &Expectation, answer: &Answer, engines: &Engines<'_>) {
        let (expected, program) = (expectation.parsed.decision, &expectation.parsed.program);
        let got = result(answer.decision, answer.program.as_deref());
        if answer.decision != expected || answer.program != *program {
            self.fail(expectation.line, format_args!("expected {}, got {got}", result(expected, program.as_deref())));
            return;
        }
        if expectation.matches.is_empty() {
            return;
        }
        for (index, (line, expected)) in expectation.matches.iter().enumerate() {
            let Some(found) = answer.matches.get(index) else {
                self.fail(*line, "expected this match, got none");
                continue;
            };
            let rule = engines.table().rule(found.rule).expect("a rule that matched is in the table");
            let same = found.words == expected.words
                && Some(rule.decision()) == expected.decision
                && rule.justification() == expected.justification.as_deref();
            if !same {
                self.fail(
                    *line,
                    format_args!(
                        "expected this match, got {:?} -> {} {:?} of the rule at {}:{}",
                        found.words,
                        rule.decision(),
                        rule.justification().unwrap_or_default(),
                        rule.file(),
                        rule.line(),
                    ),
                );
            }
        }
        if answer.matches.len() > expectation.matches.len() {
            let count = answer.matches.len() - expectation.matches.len();
            self.fail(expectation.line, format_args!("{count} more rules match than the lines below say"));
        }
    }

    fn console(&mut self, block: &Block, files: &[&File]) {
        let commands: Vec<&str> = block.text.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
        if commands.is_empty() {
            return self.fail(block.line, "this block runs nothing");
        }
        let shown = shown_files(&block.text, files);
        let files: Vec<&File> = files.iter().copied().chain(&shown).collect();
        let mut text = String::new();
        for (command, (status, output)) in commands.iter().zip(shell(&files, &commands)) {
            writeln!(text, "$ {command}").expect("writing to a string succeeds");
            if status != 0 && block.attribute("status") != Some("hidden") {
                writeln!(text, "? {status}").expect("writing to a string succeeds");
            }
            text.push_str(&output);
        }
        self.compare(block, &text);
    }

    fn compare(&mut self, block: &Block, actual: &str) {
        self.report.outputs += 1;
        if block.text == actual {
            return;
        }
        let same = block.text.lines().zip(actual.lines()).take_while(|(expected, actual)| expected == actual).count();
        let expected = block.text.lines().nth(same).unwrap_or("(nothing)");
        let got = actual.lines().nth(same).unwrap_or("(nothing)");
        self.fail(
            block.line + 1 + same,
            format_args!("expected the output\n    {expected}\n  got\n    {got}\n  of\n{actual}"),
        );
        self.report.replacements.push((block.line, actual.to_owned()));
    }
}

/// The diagnostics that a policy's line announces.
fn annotations(line: &str) -> Vec<(Severity, String)> {
    let mut found = Vec::new();
    for (mark, severity) in [("# error: [", Severity::Error), ("# warning: [", Severity::Warning)] {
        for (at, _) in line.match_indices(mark) {
            let rest = line.get(at + mark.len()..).unwrap_or_default();
            if let Some((code, _)) = rest.split_once(']') {
                found.push((severity, code.to_owned()));
            }
        }
    }
    found
}

const fn name_of(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn result(decision: Option<Decision>, program: Option<&str>) -> String {
    let decision = decision.map_or("no match", Decision::name);
    program.map_or_else(|| decision.to_owned(), |program| format!("{decision} (program {program})"))
}
