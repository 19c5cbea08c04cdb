//! Why a command was answered so, in words: how it was read, what was in doubt, and how to end the doubt.

use policyc_runtime::{
    AnsweredWord, Answers, CommandAnswer, CommandMatch, Doubt, Folders, Reading, ResolvedProgram, Table,
};

use super::literal;
use crate::escape;

/// Longer words are cut in sentences.
const LONGEST: usize = 60;

/// How a command was read where it differs from its words as written, for people; empty if it does not.
pub fn reading(answers: &Answers<'_>, command: &CommandAnswer<'_>, reading: Reading) -> String {
    let mut said = Vec::new();
    let through = through(answers, command);
    if !through.is_empty() {
        said.push(format!("seen through {}", through.join(" and ")));
    }
    let facts = [
        (reading.base_name, "by its base name"),
        (reading.skipped_options, "with options skipped"),
        (reading.expanded, "taking an expansion for what the rule names"),
        (reading.guessed, "with the likely value of an expansion"),
        (reading.scanned, "found among words that may be a command"),
    ];
    said.extend(facts.into_iter().filter(|(holds, _)| *holds).map(|(_, fact)| fact.to_owned()));
    said.join(", ")
}

/// The same for programs.
pub fn reading_names(reading: Reading) -> Vec<&'static str> {
    let facts = [
        (reading.base_name, "base-name"),
        (reading.skipped_options, "skipped-options"),
        (reading.expanded, "expanded"),
        (reading.guessed, "guessed"),
        (reading.scanned, "scanned"),
    ];
    facts.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name).collect()
}

/// The programs that run the command, outermost first.
fn through(answers: &Answers<'_>, command: &CommandAnswer<'_>) -> Vec<String> {
    let mut through = Vec::new();
    let mut inside = command.inside;
    while let Some(outer) = inside.and_then(|place| answers.commands.get(place)) {
        through.push(format!("`{}`", shown(program(outer))));
        inside = outer.inside;
    }
    // A command is found after the one that it is found in, so the chain ends.
    through.reverse();
    through
}

/// The name of a command's program.
pub fn program<'c>(command: &'c CommandAnswer<'_>) -> &'c str {
    let written = command.words.first().map_or("", |word| word.text.as_str());
    ResolvedProgram::absolute(written).base_name().unwrap_or(written)
}

/// Whether a rule counts as it is written: words that only may be a command are no more than a reason to ask, whatever
/// the rule says of them.
pub fn counts(command: &CommandAnswer<'_>, found: &CommandMatch<'_>) -> bool {
    found.counts && (!found.reading.scanned || command.decision >= Some(found.rule.decision()))
}

/// The places of the words that a rule's pattern took. Among words that only may be a command, they are counted from
/// where that begins.
pub fn taken(command: &CommandAnswer<'_>, found: &CommandMatch<'_>) -> Vec<usize> {
    let first = found.words.first().copied().unwrap_or_default();
    let head = found.rule.pattern().next();
    let is_head = |word: &AnsweredWord| {
        let name = ResolvedProgram::absolute(&word.text).base_name().unwrap_or(&word.text);
        head.is_some_and(|head| head.words().any(|known| known == word.text || known == name))
    };
    let shift = if found.reading.scanned { command.words.iter().skip(first).position(is_head) } else { None };
    found.words.iter().map(|place| place + shift.unwrap_or_default()).collect()
}

/// What was in doubt about a command.
pub struct Reason {
    /// Its kind, for programs.
    pub kind: &'static str,
    /// The place of the word that it is about.
    pub word: Option<usize>,
    /// What it is: lower case, no full stop.
    pub sentence: String,
    /// What to write so that it is none, where something can be written.
    pub fix: Option<String>,
}

/// A doubt about a command that a table answered.
pub fn reason(
    table: &Table<'_>,
    folders: Option<&Folders<'_>>,
    answers: &Answers<'_>,
    command: &CommandAnswer<'_>,
    doubt: &Doubt,
) -> Reason {
    let text = |place: &usize| command.words.get(*place).map_or("", |word| word.text.as_str());
    let word = |place: &usize| shown(text(place));
    let name = program(command);
    let plain = |kind, sentence: String| Reason { kind, word: None, sentence, fix: None };
    match doubt {
        Doubt::Path { name } => Reason {
            word: Some(0),
            fix: host_executable(table, folders, name, text(&0)),
            ..plain("path", format!("`{}` may be another program than `{}`", word(&0), shown(name)))
        },
        Doubt::Option { word: place } => {
            let option = literal::string(option_name(text(place)));
            let before = command.words.get(1..*place).unwrap_or_default().iter().map(|word| word.text.as_str());
            let path = table.known_program(std::iter::once(name).chain(before));
            let inherit = if path.is_empty() { "" } else { "inherit = True, " };
            let path = match path.as_slice() {
                [] | [_] => literal::string(name),
                path => literal::list(path.iter().copied()),
            };
            let declared = format!("`program({path}, {inherit}options = [option({option}, harmless = True)])`");
            Reason {
                word: Some(*place),
                fix: Some(format!("name it in the rule's pattern, or, if it is harmless, write {declared}")),
                ..plain("option", format!("nothing says that the option `{}` is harmless there", word(place)))
            }
        }
        Doubt::Variable { name } => {
            let list = literal::list([name.as_str()].into_iter());
            Reason {
                fix: Some(format!(
                    "if it cannot make it run code, write `env = {list}` in the rule, or `inert_env({list})` if it is \
                     harmless for every command"
                )),
                ..plain("variable", format!("`{}` is set for it, and may change what it does", shown(name)))
            }
        }
        Doubt::Write { target } => Reason {
            fix: writes(target).map(|writes| format!("write `{writes}` in the rule")),
            ..plain("write", format!("its output is written to `{}`", shown(target)))
        },
        Doubt::Connection { target } => Reason {
            fix: writes(target).map(|writes| format!("write `{writes}` in the rule")),
            ..plain("connection", format!("`{}` is a connection, which the shell opens", shown(target)))
        },
        Doubt::Dynamic { word: place } => Reason {
            word: Some(*place),
            fix: Some("write out what it becomes".to_owned()),
            ..plain("dynamic", format!("only the run can know what `{}` becomes", word(place)))
        },
        Doubt::Given => plain("given", "only the run can know the words that it is given".to_owned()),
        Doubt::Runs { word: place } => {
            let option = literal::string(option_name(text(place)));
            Reason {
                word: Some(*place),
                fix: Some(format!("if that is meant, write `having = [{option}]` in a rule of its own")),
                ..plain("runs", format!("`{}` makes it run code that cannot be looked into", word(place)))
            }
        }
        Doubt::WritesOption { word: place } => {
            let option = literal::string(option_name(text(place)));
            let value = match text(place).split_once('=') {
                Some((_, value)) => writes(value),
                None if takes_next_word(table, name, text(place)) => writes(text(&(place + 1))),
                None => None,
            };
            let named = format!("`having = [{option}]` in a rule of its own");
            Reason {
                word: Some(*place),
                fix: Some(match value {
                    Some(writes) => format!("write `{writes}` in the rule, or {named}"),
                    None => format!("write {named}"),
                }),
                ..plain("writes-option", format!("`{}` makes it write to a file", word(place)))
            }
        }
        Doubt::Folder => Reason {
            fix: Some("write the path from its root".to_owned()),
            ..plain("folder", "it may run in another folder, where a relative path is another place".to_owned())
        },
        Doubt::Inner => plain("inner", "what it runs is not allowed".to_owned()),
        Doubt::Tail { word: place } if table.knows_program(name) => Reason {
            word: Some(*place),
            ..plain("tail", format!("`{}` has the words of a command that a rule restricts", word(place)))
        },
        Doubt::Tail { word: place } => {
            let program = literal::string(name);
            Reason {
                word: Some(*place),
                fix: Some(format!(
                    "declare `program({program})` if it runs none of its words, or \
                     `program({program}, operands = \"command\")` if it does"
                )),
                ..plain(
                    "tail",
                    format!(
                        "nothing is known of `{}`, and from `{}` on its words look like a command that a rule restricts",
                        shown(name),
                        word(place)
                    ),
                )
            }
        }
        Doubt::StandardInput => {
            plain("standard-input", "it runs its standard input, which only the run can know".to_owned())
        }
        Doubt::NotUnderstood => plain("not-understood", "the text is not understood".to_owned()),
        Doubt::Invisible { word: place } => Reason {
            word: Some(*place),
            ..plain("invisible", format!("`{}` has invisible or bidirectional characters", word(place)))
        },
        Doubt::TooLong { word: place } => Reason {
            word: Some(*place),
            ..plain("too-long", "a word is longer than a system passes to a program".to_owned())
        },
        Doubt::Surroundings if let Some(outer) = unruled(answers, command) => {
            plain("surroundings", format!("`{}` runs it, and has no rule that allows it", shown(program(outer))))
        }
        Doubt::Surroundings => {
            let sentence = "what runs it does so with an option, a variable or words that are not known to be harmless";
            plain("surroundings", sentence.to_owned())
        }
        Doubt::TooDeep => plain("too-deep", "commands run one another too deeply to be looked into".to_owned()),
        _ => plain("other", "it is not certain what runs".to_owned()),
    }
}

/// The outermost of the commands that run this one which no rule allows and which is not harmless.
fn unruled<'a, 'c>(answers: &'c Answers<'a>, command: &CommandAnswer<'a>) -> Option<&'c CommandAnswer<'a>> {
    let (mut found, mut inside) = (None, command.inside);
    while let Some(outer) = inside.and_then(|place| answers.commands.get(place)) {
        if !outer.harmless && outer.matches.is_empty() {
            found = Some(outer);
        }
        inside = outer.inside;
    }
    found
}

/// A word in a sentence.
fn shown(word: &str) -> String {
    escape::shortened(&escape::display(word), LONGEST).into_owned()
}

fn option_name(word: &str) -> &str {
    word.split('=').next().unwrap_or(word)
}

/// Whether the next word is the value of a program's option, whichever of its subcommands knows that.
fn takes_next_word(table: &Table<'_>, name: &str, option: &str) -> bool {
    let programs = table.programs().into_iter();
    let mut programs = programs.filter(|program| program.names.iter().any(|path| path.first() == Some(&name)));
    programs.any(|program| program.options().any(|known| known.name() == option && known.takes_next_word()))
}

/// What lets a rule allow writing to `target`, if that is a name for one place.
fn writes(target: &str) -> Option<String> {
    let one_place = !target.is_empty() && !target.contains(['$', '`', '*', '?', '[', '\\', '{']);
    one_place.then(|| format!("writes = {}", literal::list([target].into_iter())))
}

/// The declaration by which `written` is the program `name`: it replaces what the policy says so far.
fn host_executable(table: &Table<'_>, folders: Option<&Folders<'_>>, name: &str, written: &str) -> Option<String> {
    let path = match folders {
        _ if written.starts_with('/') || written.contains(['\\', ':']) => written.to_owned(),
        Some(folders) => ResolvedProgram::new(written, folders).to_string(),
        None => return None,
    };
    let listed = table.host_executables().find(|executable| executable.name() == name);
    let paths = listed.iter().flat_map(|executable| executable.paths()).chain([path.as_str()]);
    let paths = literal::list(paths);
    Some(format!("if it is not, write `host_executable(name = {}, paths = {paths})`", literal::string(name)))
}
