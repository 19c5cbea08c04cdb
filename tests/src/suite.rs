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

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use policyc::diagnostics::Severity;
use policyc::rules::Decision;
use policyc_runtime::{Answers, Doubt, Folders, Request, ShellKind};

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

/// The files that a console shows with `$ cat NAME` and that are not there yet, with what it shows of them.
fn shown_files(console: &str, files: &[&File]) -> Vec<File> {
    let mut shown: Vec<File> = Vec::new();
    let mut open = false;
    for line in console.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            let name = command.strip_prefix("cat ").filter(|name| !name.contains([' ', '/']));
            open = name.is_some_and(|name| files.iter().copied().chain(&shown).all(|file| file.label != name));
            if open {
                shown.extend(name.map(|name| File::new(name, "")));
            }
        } else if let Some(file) = shown.last_mut().filter(|_| open) {
            file.text += line;
            file.text.push('\n');
        }
    }
    shown
}

struct Expectation {
    line: usize,
    parsed: Line,
    matches: Vec<(usize, Line)>,
}

struct Line {
    words: Vec<String>,
    decision: Option<Decision>,
    program: Option<String>,
    justification: Option<String>,
}

/// `WORDS -> RESULT`, or as a match `WORDS -> DECISION "JUSTIFICATION"`.
fn parse_line(text: &str, detail: bool) -> Result<Line, String> {
    let arrow = text
        .rmatch_indices(" -> ")
        .find(|(at, arrow)| {
            let result = text.get(at + arrow.len()..).unwrap_or_default();
            result.starts_with("no match") || Decision::ALL.iter().any(|decision| result.starts_with(decision.name()))
        })
        .ok_or("expected `WORDS -> allow`, `prompt`, `forbidden` or `no match`")?;
    let (before, after) = (text.get(..arrow.0).unwrap_or_default(), text.get(arrow.0 + 4..).unwrap_or_default());
    let words = if before.starts_with("[\"") || before == "[]" {
        serde_json::from_str(before).map_err(|error| format!("the words are not a JSON list of strings: {error}"))?
    } else {
        shlex::split(before).ok_or("the words are not well quoted")?
    };
    let (result, rest) = match after.strip_prefix("no match") {
        Some(rest) => (None, rest),
        None => {
            let end = after.find(' ').unwrap_or(after.len());
            let (name, rest) = after.split_at(end);
            (Some(Decision::from_name(name).ok_or_else(|| format!("`{name}` is no decision"))?), rest)
        }
    };
    let mut line = Line { words, decision: result, program: None, justification: None };
    let rest = rest.trim();
    if rest.is_empty() {
        return Ok(line);
    }
    if detail {
        line.justification = Some(
            serde_json::from_str(rest).map_err(|error| format!("the justification is not a JSON string: {error}"))?,
        );
    } else {
        let program = rest.strip_prefix("(program ").and_then(|rest| rest.strip_suffix(')'));
        line.program = Some(program.ok_or("expected `(program /PATH)` or nothing after the decision")?.to_owned());
    }
    Ok(line)
}

/// A request of a guarded block, with what it must be answered.
struct Question {
    line: usize,
    asked: Asked,
    decision: Option<Decision>,
    details: Vec<(usize, String)>,
}

enum Asked {
    Words(Vec<String>),
    Text(String),
}

impl Question {
    fn parse(line: usize, written: &str, is_text: bool) -> Result<Self, String> {
        let (before, after) =
            written.rsplit_once(" -> ").ok_or("expected `REQUEST -> allow`, `prompt`, `forbidden` or `no match`")?;
        let decision = match after {
            "no match" => None,
            name => Some(Decision::from_name(name).ok_or_else(|| format!("`{name}` is no decision"))?),
        };
        let before = before.trim_end();
        let list = || {
            serde_json::from_str::<Vec<String>>(before)
                .map_err(|error| format!("this is not a JSON list of strings: {error}"))
        };
        let asked = match (is_text, before.starts_with("[\"")) {
            (true, true) => Asked::Text(list()?.join("\n")),
            (true, false) => Asked::Text(before.to_owned()),
            (false, true) => Asked::Words(list()?),
            (false, false) => Asked::Words(shlex::split(before).ok_or("the words are not well quoted")?),
        };
        Ok(Self { line, asked, decision, details: Vec::new() })
    }
}

/// A line below a command: a rule that counts, a doubt, or a piece of a text.
struct Detail {
    text: String,
    /// Where the rule stands, which may be left out: ` @ FILE:LINE`, and the layer if there are several.
    place: String,
}

impl Detail {
    fn is(&self, written: &str) -> bool {
        written == self.text || written.strip_prefix(&self.text) == Some(&self.place)
    }
}

/// What may be asked of an answer beyond its decision: the rules that count, the doubts, and the simple commands of the
/// text.
fn details(answers: &Answers<'_>) -> Vec<Detail> {
    let mut details = Vec::new();
    for command in &answers.commands {
        let word = |place: &usize| command.words.get(*place).map_or("", |word| word.text.as_str());
        for found in command.matches.iter().filter(|found| found.counts) {
            let words: Vec<&str> = found.words.iter().map(word).collect();
            let words = shlex::try_join(words).unwrap_or_default();
            let mut text = format!("{words} -> {}", found.rule.decision());
            if let Some(justification) = found.rule.justification() {
                write!(text, " {}", serde_json::Value::from(justification)).expect("writing to a string succeeds");
            }
            let mut place = format!(" @ {}:{}", found.rule.file(), found.rule.line());
            if !found.rule.layer().name.is_empty() {
                write!(place, " of {}", found.rule.layer().name).expect("writing to a string succeeds");
            }
            details.push(Detail { text, place });
        }
        let doubts = command.doubts.iter().map(|doubt| match doubt {
            Doubt::Path { name } => format!("! path {name}"),
            Doubt::Option { word: place } => format!("! option {}", word(place)),
            Doubt::Variable { name } => format!("! variable {name}"),
            Doubt::Write { target } => format!("! write {target}"),
            Doubt::Dynamic { word: place } => format!("! dynamic {}", word(place)),
            Doubt::Runs { word: place } => format!("! runs {}", word(place)),
            Doubt::WritesOption { word: place } => format!("! write option {}", word(place)),
            Doubt::Inner => "! inner".to_owned(),
            Doubt::Tail { word: place } => format!("! tail {}", word(place)),
            Doubt::StandardInput => "! standard input".to_owned(),
            Doubt::NotUnderstood => "! not understood".to_owned(),
            Doubt::Invisible { word: place } => format!("! invisible {}", word(place).escape_unicode()),
            Doubt::TooLong { .. } => "! too long".to_owned(),
            Doubt::Surroundings => "! surroundings".to_owned(),
            Doubt::TooDeep => "! too deep".to_owned(),
            other => format!("! {other:?}"),
        });
        let piece = command.place.and_then(|(text, span)| span.of(&answers.texts.get(text)?.text));
        let lines = doubts.chain(piece.map(|piece| format!(": {piece}")));
        details.extend(lines.map(|text| Detail { text, place: String::new() }));
    }
    details
}

/// What an unexpected answer came from, to be read behind it.
fn reasons(answers: &Answers<'_>) -> String {
    let mut text = String::new();
    for reason in details(answers).iter().filter(|reason| !reason.text.starts_with(": ")) {
        write!(text, "; {}", reason.text).expect("writing to a string succeeds");
    }
    for problem in answers.texts.iter().filter_map(|text| text.problem) {
        write!(text, "; not understood: {:?}", problem.kind).expect("writing to a string succeeds");
    }
    text
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

/// Runs `commands` one after the other in a new folder that holds `files`: each one's exit status and what it printed.
fn shell(files: &[&File], commands: &[&str]) -> Vec<(i32, String)> {
    let folder = tempfile::tempdir().expect("a scratch folder can be made");
    for file in files {
        let path = folder.path().join(&file.label);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))
            .expect("a scratch folder can be filled");
        std::fs::write(path, &file.text).expect("a scratch folder can be filled");
    }
    let binary = crate::command_line::policyc().parent().expect("the binary lies in a folder");
    let mut search = binary.as_os_str().to_owned();
    search.push(":");
    search.push(std::env::var_os("PATH").unwrap_or_default());
    commands
        .iter()
        .map(|command| {
            let output = Command::new("sh")
                .args(["-c", &format!("exec 2>&1\n{command}")])
                .current_dir(folder.path())
                .env("PATH", &search)
                .env("HOME", "/home/dev")
                .env("NO_COLOR", "1")
                .env("LC_ALL", "C.UTF-8")
                .stdin(std::process::Stdio::null())
                .output()
                .expect("a shell starts");
            let text =
                String::from_utf8_lossy(&output.stdout).replace(&folder.path().display().to_string(), "/scratch");
            let mut text: String = text.lines().map(str::trim_end).fold(String::new(), |text, line| text + line + "\n");
            if text.trim().is_empty() {
                text.clear();
            }
            (output.status.code().unwrap_or(-1), text)
        })
        .collect()
}
