//! `policyc eval`: judges commands, and answers in the reference engine's JSON.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;
use policyc_runtime::{Context, Decision, Evaluation, Table};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Serialize, Serializer};

use super::output::{self, reason};
use super::question::{Question, refuse_misspelt_option};
use super::{FAILED, USAGE, escape};

/// A longer line of a batch is refused without being kept in memory. No system takes so long a command.
const LONGEST_LINE: usize = 16 << 20;

const EXAMPLES: &str = "\
Exit codes: 0 answered, 1 the policy or table cannot be used, 2 wrong usage.
With --exit-code: 0 allow, 10 prompt, 11 forbidden, 12 no rule matched.
With --exit-code and --batch: the code of the strictest answer (forbidden, then
prompt, no match, allow), or 2 if any line could not be read.

Examples:
  policyc eval --rules git.rules git push --force
  policyc eval --table policy.table --exit-code git status
  policyc eval --table policy.table -- --odd-program
  echo '{\"command\":[\"git\",\"push\"]}' | policyc eval --table policy.table --batch -";

/// Judge a command, and answer in JSON
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    override_usage = "policyc eval [OPTIONS] <(--rules <PATH>)...|--table <FILE>> [--] <WORD>...\n       \
        policyc eval [OPTIONS] <(--rules <PATH>)...|--table <FILE>> --batch <FILE|->"
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
    /// Judge a command a line, {"command":["git","push"]}, from a file or standard input (-); a line that cannot be
    /// read is answered {"error":"…"}
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    batch: Option<PathBuf>,
    /// The command: its program and arguments, each a word. All that follows the first word belongs to it
    #[arg(value_name = "WORD", required_unless_present = "batch", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

impl Eval {
    pub(super) fn run(self) -> anyhow::Result<u8> {
        refuse_misspelt_option("eval", &self.words)?;
        let Some(bytes) = self.question.table_bytes()? else { return Ok(FAILED) };
        let table = self.question.open(&bytes)?;
        let place = self.question.place()?;
        let context = self.question.context(place.as_ref());
        let code = match &self.batch {
            None => {
                let evaluation = table.decide(&self.words, &context);
                let mut answer = if self.pretty {
                    serde_json::to_vec_pretty(&Answer(&evaluation))?
                } else {
                    serde_json::to_vec(&Answer(&evaluation))?
                };
                answer.push(b'\n');
                output::print(&answer)?;
                code(evaluation.decision())
            }
            Some(path) => {
                let mut batch =
                    Batch { table: &table, context: &context, strictest: None, unmatched: false, unread: false };
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

/// The exit code that says a decision.
const fn code(decision: Option<Decision>) -> u8 {
    match decision {
        Some(Decision::Allow) => 0,
        Some(Decision::Prompt) => 10,
        Some(Decision::Forbidden) => 11,
        None => 12,
    }
}

/// An evaluation as the reference engine prints it.
struct Answer<'e, 'a, 'q, W>(&'e Evaluation<'a, 'q, W>);

impl<W: AsRef<str>> Serialize for Answer<'_, '_, '_, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("matchedRules", &Matches(self.0))?;
        if let Some(decision) = self.0.decision() {
            map.serialize_entry("decision", decision.name())?;
        }
        map.end()
    }
}

struct Matches<'e, 'a, 'q, W>(&'e Evaluation<'a, 'q, W>);

impl<W: AsRef<str>> Serialize for Matches<'_, '_, '_, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let words: Vec<_> = self.0.words().collect();
        let program = self.0.resolved_program().map(|program| program.to_string());
        let mut sequence = serializer.serialize_seq(None)?;
        for rule_match in self.0.matches() {
            let prefix_rule_match = PrefixRuleMatch {
                matched_prefix: words.get(..rule_match.length).unwrap_or(&words),
                decision: rule_match.rule.decision().name(),
                resolved_program: program.as_deref(),
                justification: rule_match.rule.justification(),
            };
            sequence.serialize_element(&RuleMatch { prefix_rule_match })?;
        }
        sequence.end()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleMatch<'e> {
    prefix_rule_match: PrefixRuleMatch<'e>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PrefixRuleMatch<'e> {
    matched_prefix: &'e [&'e str],
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved_program: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    justification: Option<&'e str>,
}

/// What a line of a batch must be.
const EXPECTED: &str = r#"an object such as {"command":["git","push"]}"#;

/// A line of a batch.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    command: Vec<String>,
}

#[derive(Serialize)]
struct LineError {
    error: String,
}

/// Answers line by line, in order. A line that cannot be read gets an answer too, so that answers can be counted off.
struct Batch<'b> {
    table: &'b Table<'b>,
    context: &'b Context<'b>,
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
            let command = if end == End::TooLong {
                Err(format!("line {number}: longer than {} MiB", LONGEST_LINE >> 20))
            } else {
                parse(&line, number)
            };
            self.answer(command, output).map_err(Stop::Output)?;
            if end == End::Input {
                break;
            }
        }
        Ok(())
    }

    fn answer(&mut self, command: Result<Vec<String>, String>, output: &mut impl Write) -> io::Result<()> {
        match command {
            Ok(command) => {
                let evaluation = self.table.decide(&command, self.context);
                self.strictest = self.strictest.max(evaluation.decision());
                self.unmatched |= evaluation.decision().is_none();
                serde_json::to_writer(&mut *output, &Answer(&evaluation))?;
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

fn parse(line: &[u8], number: u64) -> Result<Vec<String>, String> {
    if let Err(error) = std::str::from_utf8(line) {
        return Err(format!("line {number}: not UTF-8 at byte {}", error.valid_up_to()));
    }
    let blank = |byte: &u8| byte.is_ascii_whitespace();
    match line.iter().position(|byte| !blank(byte)).and_then(|start| Some((start, line.get(start)?))) {
        None => return Err(format!("line {number}: the line is empty")),
        Some((_, b'{')) => {}
        Some((start, _)) => return Err(format!("line {number}, column {}: expected {EXPECTED}", start + 1)),
    }
    match serde_json::from_slice::<Line>(line) {
        Ok(Line { command }) if command.is_empty() => Err(format!("line {number}: the command has no words")),
        Ok(Line { command }) => Ok(command),
        Err(error) => {
            // The parser counts lines within what it is given, which is one.
            let text = error.to_string();
            let (text, _) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
            let text = text.replace("expected a sequence", "expected a list of words");
            Err(format!("line {number}, column {}: {text}", error.column()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands_or_errors_that_say_where() {
        let parse = |line: &str| parse(line.as_bytes(), 3);
        assert_eq!(parse(r#"{"command":["git","push"]}"#), Ok(vec!["git".to_owned(), "push".to_owned()]));
        assert_eq!(parse("{\"command\":[\"a\"]}\r"), Ok(vec!["a".to_owned()]));
        for (line, error) in [
            ("", "line 3: the line is empty"),
            (r#"{"command":[]}"#, "line 3: the command has no words"),
            (r#"{"command":[1]}"#, "line 3, column 13: invalid type: integer `1`, expected a string"),
            (r#"{"command":["a"],"cwd":"/"}"#, "line 3, column 22: unknown field `cwd`, expected `command`"),
            (r#"{}"#, "line 3, column 2: missing field `command`"),
            (r#"{"command":"a b"}"#, "line 3, column 16: invalid type: string \"a b\", expected a list of words"),
            (r#" [["a"]]"#, r#"line 3, column 2: expected an object such as {"command":["git","push"]}"#),
            ("nonsense", r#"line 3, column 1: expected an object such as {"command":["git","push"]}"#),
        ] {
            assert_eq!(parse(line).unwrap_err(), error, "{line}");
        }
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
