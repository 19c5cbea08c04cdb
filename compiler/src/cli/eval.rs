//! `policyc eval`: judges commands and texts, and answers in JSON.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use policyc::answers::Judge;
use policyc_runtime::{Decision, Matching};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use super::asked::{self, Asked};
use super::output::{self, reason};
use super::question::{Question, ShellName, ShellText, refuse_misspelt_option};
use super::subject::Other;
use super::{FAILED, USAGE, escape, explain};

/// A longer line of a batch is refused without being kept in memory. No system takes so long a command.
const LONGEST_LINE: usize = 16 << 20;

const EXAMPLES: &str = "\
Exit codes: 0 answered, 1 the policy or table cannot be used, 2 wrong usage.
With --exit-code: 0 allow, 10 prompt, 11 forbidden, 12 nothing decides.
With --exit-code and --batch: the code of the strictest answer (forbidden, then
prompt, no decision, allow), or 2 if any line could not be read.

Examples:
  policyc eval --rules git.rules git push --force
  policyc eval --rules git.rules --shell 'cd src && sudo git push 2>&1 | tee log'
  policyc eval --table policy.table --exit-code git status
  policyc eval --table policy.table -- --odd-program
  echo '{\"command\":[\"git\",\"push\"]}' | policyc eval --table policy.table --batch -
  echo '{\"shell\":\"git push || git pull\"}' | policyc eval --table policy.table --batch -";

const JSON: &str = "\
The answer has the keys of the reference engine, matchedRules and decision (left
out if nothing decides), and under guarded matching all that was found: texts,
commands, what matched each and what was in doubt. docs/answers.md says what they
mean, docs/answers.schema.json is their JSON Schema.";

/// Judge a command or a text for a shell, and answer in JSON
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    after_long_help = format!("{JSON}\n\n{EXAMPLES}"),
    override_usage = "policyc eval [OPTIONS] [--rules …|--layer …|--table …] [--] <WORD>...\n       \
        policyc eval [OPTIONS] [--rules …|--layer …|--table …] --shell <TEXT>\n       \
        policyc eval [OPTIONS] [--rules …|--layer …|--table …] --batch <FILE|->"
)]
pub(super) struct Eval {
    #[command(flatten)]
    question: Question,
    /// Spread the answer over lines
    #[arg(long, conflicts_with = "batch")]
    pretty: bool,
    /// Say the decision by the exit code too
    #[arg(long)]
    exit_code: bool,
    /// How it is answered
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    text: ShellText,
    #[command(flatten)]
    other: Other,
    /// Judge a command a line, {"command":["git","push"]}, a text, {"shell":"git push"} (with "shell_kind" beside it as in
    /// --shell-kind), a tool call, {"tool":"server/name","arguments":{}}, or a host, {"network":["https","example.com"]},
    /// from a file or standard input (-); a line that cannot be read is answered {"error":"…"}
    #[arg(long, value_name = "FILE", conflicts_with_all = ["words", "shell", "tool", "network"])]
    batch: Option<PathBuf>,
    /// The command: its program and arguments, each a word. All that follows the first word belongs to it
    #[arg(
        value_name = "WORD",
        required_unless_present_any = ["batch", "shell", "tool", "network"],
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    words: Vec<String>,
}

impl Eval {
    pub(super) fn run(self) -> anyhow::Result<u8> {
        refuse_misspelt_option(&self.question, "eval", &self.words)?;
        self.question.terms.check("eval", self.question.is_as_typed(), self.batch.is_some())?;
        let asked = self.other.asked(&self.question, "eval", self.text, self.words)?;
        if self.format == Format::Text {
            return explain::explain(&self.question, "eval", &asked)
                .map(|(code, decision)| if self.exit_code && code == 0 { self::code(decision) } else { code });
        }
        let Some(made) = self.question.table_bytes("eval")? else { return Ok(FAILED) };
        let table = self.question.open(&made.bytes)?;
        let place = self.question.place()?;
        let kept = self.question.terms.kept();
        let terms = self.question.terms.terms(&kept, Some(asked.request()));
        let context = self.question.context(place.as_ref(), &terms);
        let judge = Judge { table: &table, context: &context, failing: &made.failing };
        let format = self.format;
        let code = match &self.batch {
            None => {
                let mut written = Vec::new();
                let decision = if self.pretty {
                    format.answer(judge, &asked, &mut serde_json::Serializer::pretty(&mut written))?
                } else {
                    format.answer(judge, &asked, &mut serde_json::Serializer::new(&mut written))?
                };
                written.push(b'\n');
                output::print(&written)?;
                code(decision)
            }
            Some(path) => {
                let mut batch = Batch { judge, format, strictest: None, unmatched: false, unread: false };
                if path == Path::new("-") {
                    batch.run(io::stdin().lock())?
                } else {
                    let name = || escape::line(&path.to_string_lossy()).into_owned();
                    let unreadable = |error| anyhow!("cannot read `{}`: {}", name(), reason(&error));
                    batch.run(File::open(path).map_err(unreadable)?)?
                }
            }
        };
        Ok(if self.exit_code { code } else { 0 })
    }
}

/// How a request is answered.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// In JSON, with the keys of the reference engine and all that was found
    #[default]
    Json,
    /// In JSON, with `Allow`, `RequireApproval` or `Deny` and the capabilities of the command
    Qre,
    /// For people, as `policyc explain` does
    Text,
}

impl Format {
    fn answer<S: Serializer>(
        self,
        judge: Judge<'_>,
        asked: &Asked,
        serializer: S,
    ) -> Result<Option<Decision>, S::Error> {
        if self == Self::Qre { judge.answer_as_qre(asked, serializer) } else { judge.answer(asked, serializer) }
    }
}

/// The exit code that says a decision.
const fn code(decision: Option<Decision>) -> u8 {
    match decision {
        Some(Decision::Allow) => 0,
        Some(Decision::Prompt) => 10,
        Some(Decision::Forbidden) => 11,
        None => 12,
    }
}

/// What a line of a batch must be.
const EXPECTED: &str = r#"an object such as {"command":["git","push"]} or {"shell":"git push"}"#;

/// The keys that say what a line asks.
const KEYS: &str = "`command`, `shell`, `tool` and `network`";

/// A line of a batch.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'l> {
    command: Option<Vec<String>>,
    shell: Option<String>,
    shell_kind: Option<ShellName>,
    tool: Option<String>,
    /// As written: the runtime reads them itself.
    #[serde(borrow)]
    arguments: Option<&'l RawValue>,
    target: Option<String>,
    network: Option<[String; 2]>,
}

#[derive(Serialize)]
struct LineError {
    error: String,
}

/// Answers line by line, in order. A line that cannot be read gets an answer too, so that answers can be counted off.
struct Batch<'b> {
    judge: Judge<'b>,
    format: Format,
    /// The strictest answer so far, and whether there was a line that could not be read.
    strictest: Option<Decision>,
    unmatched: bool,
    unread: bool,
}

/// Why a batch ended early.
enum Stop {
    Input(io::Error),
    Output(io::Error),
}

impl Batch<'_> {
    fn run(&mut self, input: impl Read) -> anyhow::Result<u8> {
        let mut input = BufReader::with_capacity(64 << 10, input);
        let mut output = io::BufWriter::with_capacity(64 << 10, io::stdout().lock());
        let stopped = self.answer_all(&mut input, &mut output);
        let stopped = stopped.and_then(|()| output.flush().map_err(Stop::Output));
        match stopped {
            // A reader that left has seen what it wanted.
            Err(Stop::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                // Dropped normally, the writer would try the rest again.
                drop(output.into_parts());
                Ok(self.code())
            }
            Err(Stop::Output(error)) => Err(output::cannot_write(&error)),
            Err(Stop::Input(error)) => Err(anyhow!("cannot read the batch: {}", reason(&error))),
            Ok(()) => Ok(self.code()),
        }
    }

    fn answer_all(&mut self, input: &mut BufReader<impl Read>, output: &mut impl Write) -> Result<(), Stop> {
        let mut line = Vec::new();
        for number in 1_u64.. {
            let end = read_line(input, output, &mut line)?;
            if end == End::Input && line.is_empty() {
                break;
            }
            let asked = if end == End::TooLong {
                Err(format!("line {number}: longer than {} MiB", LONGEST_LINE >> 20))
            } else {
                parse(&line, number, self.judge.context.matching)
            };
            self.answer(asked, output).map_err(Stop::Output)?;
            if end == End::Input {
                break;
            }
        }
        Ok(())
    }

    fn answer(&mut self, asked: Result<Asked, String>, output: &mut impl Write) -> io::Result<()> {
        match asked {
            Ok(asked) => {
                let serializer = &mut serde_json::Serializer::new(&mut *output);
                let decision = self.format.answer(self.judge, &asked, serializer)?;
                self.strictest = self.strictest.max(decision);
                self.unmatched |= decision.is_none();
            }
            Err(error) => {
                self.unread = true;
                serde_json::to_writer(&mut *output, &LineError { error })?;
            }
        }
        output.write_all(b"\n")
    }

    /// No match is stricter than allow, for the host's default may be anything.
    const fn code(&self) -> u8 {
        match self.strictest {
            _ if self.unread => USAGE,
            Some(Decision::Allow) if self.unmatched => code(None),
            strictest => code(strictest),
        }
    }
}

/// How a line ended.
#[derive(PartialEq, Eq)]
enum End {
    Line,
    Input,
    /// It was not kept.
    TooLong,
}

/// Reads a line without its line break. Before more input is awaited, what was written is sent: whoever asks line by
/// line and waits for each answer gets it.
fn read_line(input: &mut BufReader<impl Read>, output: &mut impl Write, line: &mut Vec<u8>) -> Result<End, Stop> {
    line.clear();
    if !input.buffer().contains(&b'\n') {
        output.flush().map_err(Stop::Output)?;
    }
    input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', line).map_err(Stop::Input)?;
    if line.pop_if(|byte| *byte == b'\n').is_some() {
        return Ok(End::Line);
    }
    if line.len() > LONGEST_LINE {
        line.clear();
        input.skip_until(b'\n').map_err(Stop::Input)?;
        return Ok(End::TooLong);
    }
    Ok(End::Input)
}

/// What a line asks about. Where it is not UTF-8, a string may still be read but for those bytes.
fn parse(line: &[u8], number: u64, matching: Matching) -> Result<Asked, String> {
    let (text, not_utf8) = asked::characters(line, r"\u0000");
    if let Some(place) = not_utf8 {
        let asked = parse_text(&text, number, matching).ok().filter(|_| matching != Matching::Reference);
        let error = || format!("line {number}: not UTF-8 at byte {place}");
        return asked.map(|asked| asked.broken(place)).ok_or_else(error);
    }
    parse_text(&text, number, matching)
}

fn parse_text(line: &str, number: u64, matching: Matching) -> Result<Asked, String> {
    let blank = |character: char| character.is_ascii_whitespace();
    let start = line.len() - line.trim_start_matches(blank).len();
    match line.as_bytes().get(start) {
        None => return Err(format!("line {number}: the line is empty")),
        Some(b'{') => {}
        Some(_) => return Err(format!("line {number}, column {}: expected {EXPECTED}", start + 1)),
    }
    let line = serde_json::from_str::<Line>(line).map_err(|error| {
        // The parser counts lines within what it is given, which is one.
        let text = error.to_string();
        let (text, _) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
        let text = text.replace("expected a sequence", "expected a list of words");
        let text = text.replace("unknown variant", "unknown shell");
        format!("line {number}, column {}: {text}", error.column())
    })?;
    let asked = [line.command.is_some(), line.shell.is_some(), line.tool.is_some(), line.network.is_some()];
    match line {
        Line { command: Some(_), shell: Some(_), .. } => {
            Err(format!("line {number}: both `command` and `shell`; a line asks one thing"))
        }
        _ if asked.into_iter().filter(|asked| *asked).count() > 1 => {
            Err(format!("line {number}: more than one of {KEYS}; a line asks one thing"))
        }
        Line { tool: None, arguments: Some(_), .. } | Line { tool: None, target: Some(_), .. } => {
            Err(format!("line {number}: `arguments` and `target` are about a `tool`"))
        }
        Line { tool: Some(_), .. } | Line { network: Some(_), .. } if matching == Matching::Reference => {
            Err(format!("line {number}: reference matching compares the words of commands"))
        }
        Line { tool: Some(tool), arguments, target, shell_kind: None, .. } => {
            Ok(Asked::tool(tool, arguments.map_or("{}", RawValue::get).to_owned(), target))
        }
        Line { network: Some([protocol, host]), shell_kind: None, .. } => Ok(Asked::network(protocol, host)),
        Line { command: None, shell: None, .. } => {
            Err(format!("line {number}: neither `command` nor `shell`; expected {EXPECTED}"))
        }
        Line { command: Some(_), shell_kind: Some(_), .. } => {
            Err(format!("line {number}: `shell_kind` is about a text in `shell`, not about a command"))
        }
        Line { command: Some(command), .. } if command.is_empty() => {
            Err(format!("line {number}: the command has no words"))
        }
        Line { command: Some(command), .. } => Ok(Asked::command(command)),
        Line { tool: Some(_), .. } | Line { network: Some(_), .. } => {
            Err(format!("line {number}: `shell_kind` is about a text in `shell`"))
        }
        Line { shell: Some(_), .. } if matching == Matching::Reference => {
            Err(format!("line {number}: reference matching cannot read the text of `shell`"))
        }
        Line { shell: Some(text), shell_kind, .. } => {
            Ok(Asked::known_text(text, shell_kind.unwrap_or_default().into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands_or_errors_that_say_where() {
        let parse = |line: &str| parse(line.as_bytes(), 3, Matching::Guarded);
        let words = |line: &str| parse(line).ok().and_then(|asked| Some(asked.words()?.to_vec()));
        assert_eq!(words(r#"{"command":["git","push"]}"#), Some(vec!["git".to_owned(), "push".to_owned()]));
        assert_eq!(words("{\"command\":[\"a\"]}\r"), Some(vec!["a".to_owned()]));
        assert!(parse(r#"{"shell":"git push","shell_kind":"cmd"}"#).is_ok_and(|asked| asked.words().is_none()));
        for (line, error) in [
            ("", "line 3: the line is empty"),
            (r#"{"command":[]}"#, "line 3: the command has no words"),
            (r#"{"command":[1]}"#, "line 3, column 13: invalid type: integer `1`, expected a string"),
            (
                r#"{"command":["a"],"cwd":"/"}"#,
                "line 3, column 22: unknown field `cwd`, expected one of `command`, `shell`, `shell_kind`, `tool`, `arguments`, `target`, `network`",
            ),
            (
                r#"{}"#,
                r#"line 3: neither `command` nor `shell`; expected an object such as {"command":["git","push"]} or {"shell":"git push"}"#,
            ),
            (r#"{"command":["a"],"shell":"a"}"#, "line 3: both `command` and `shell`; a line asks one thing"),
            (
                r#"{"command":["a"],"shell_kind":"cmd"}"#,
                "line 3: `shell_kind` is about a text in `shell`, not about a command",
            ),
            (
                r#"{"shell":"a","shell_kind":"fish"}"#,
                "line 3, column 32: unknown shell `fish`, expected one of `bash`, `kin`, `powershell`, `cmd`",
            ),
            (r#"{"command":"a b"}"#, "line 3, column 16: invalid type: string \"a b\", expected a list of words"),
            (
                r#" [["a"]]"#,
                r#"line 3, column 2: expected an object such as {"command":["git","push"]} or {"shell":"git push"}"#,
            ),
            (
                "nonsense",
                r#"line 3, column 1: expected an object such as {"command":["git","push"]} or {"shell":"git push"}"#,
            ),
        ] {
            assert_eq!(parse(line).err().as_deref(), Some(error), "{line}");
        }
        let reference = super::parse(br#"{"shell":"a"}"#, 1, Matching::Reference);
        assert_eq!(reference.err().as_deref(), Some("line 1: reference matching cannot read the text of `shell`"));
    }

    #[test]
    fn a_line_that_is_not_utf8_is_read_as_far_as_it_can_be() {
        let parse = |line: &[u8], matching| super::parse(line, 1, matching);
        for line in [b"{\"shell\":\"ls \xff\"}".as_slice(), b"{\"command\":[\"ls\",\"\xff\"]}"] {
            assert!(parse(line, Matching::Guarded).is_ok_and(|asked| asked.not_utf8.is_some()));
            assert!(parse(line, Matching::Reference).is_err());
        }
        let unread = parse(b"{\"command\":[\xff]}", Matching::Guarded);
        assert_eq!(unread.err().as_deref(), Some("line 1: not UTF-8 at byte 12"));
    }

    #[test]
    fn a_line_too_long_is_skipped() {
        let mut text = vec![b'x'; LONGEST_LINE + 1];
        text.extend_from_slice(b"\nnext\nlast");
        let mut input = BufReader::new(text.as_slice());
        let mut line = Vec::new();
        let mut next = || {
            let end = read_line(&mut input, &mut io::sink(), &mut line).unwrap_or(End::Input);
            (end == End::TooLong, line.clone())
        };
        assert_eq!(next(), (true, Vec::new()));
        assert_eq!(next(), (false, b"next".to_vec()));
        assert_eq!(next(), (false, b"last".to_vec()));
        assert_eq!(next(), (false, Vec::new()));
    }
}
