//! The naive reference of guarded matching, for words: a program by its base name, with options skipped, inside
//! wrappers. It knows patterns of plain words, options with and without a value, and programs whose operands are a
//! command, each by the language's description and by nothing else.

#![expect(clippy::indexing_slicing, reason = "places are those of the command's own words")]

use policyc::rules::{Decision, Declarations, Harmless, Operands, OptionValue, Program};

/// What the rules answer, from the mildest to the strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    Harmless,
    Allow,
    None,
    Prompt,
    Forbidden,
}

/// What a word is to its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Word,
    /// `--`.
    Terminator,
    /// An option, and whether it is harmless.
    Option(bool),
    /// The value of an option, and whether that is harmless.
    Value(bool),
    /// An option that is not declared: the next word may be its value.
    Unknown,
}

/// Judges the words of a command.
#[must_use]
pub fn decide(declarations: &Declarations, command: &[String]) -> Option<Decision> {
    match simple(declarations, command, true, 0) {
        Answer::Allow => Some(Decision::Allow),
        // What needs no rule is not allowed by itself.
        Answer::Harmless | Answer::None => None,
        Answer::Prompt => Some(Decision::Prompt),
        Answer::Forbidden => Some(Decision::Forbidden),
    }
}

/// One command; `certain` is whether its words are surely those that run, and `covered` how many of them a rule takes
/// that allows what runs them.
fn simple(declarations: &Declarations, command: &[String], certain: bool, covered: usize) -> Answer {
    let Some(written) = command.first() else { return Answer::Harmless };
    let program = program(declarations, command);
    let (roles, start) = read(program, command);
    let is_itself = written == name(command);
    let said = rules(declarations, command, &roles, certain && is_itself);
    let allowed = said.allowed.max((covered > 0).then_some(covered));
    let before = roles.get(1..start.unwrap_or(command.len())).unwrap_or_default();
    let unknown = before.contains(&Role::Unknown);
    let harmful = before.iter().any(|role| matches!(role, Role::Unknown | Role::Option(false)));
    let runs = program.is_some_and(|program| program.operands == Operands::Command);
    let harmless =
        program.is_some_and(|program| program.harmless) && is_itself && !harmful && (!runs || start.is_some());
    let mut answer = match said {
        Said { restriction: Some(answer), .. } => answer,
        _ if allowed.is_some() => Answer::Allow,
        Said { doubted: true, .. } => Answer::Prompt,
        _ if harmless => Answer::Harmless,
        _ => Answer::None,
    };
    if let Some(start) = start {
        let permitted = (harmless || allowed.is_some()) && !unknown;
        let covered = allowed.unwrap_or_default().saturating_sub(start);
        answer = answer.max(simple(declarations, &command[start..], certain && permitted, covered));
        if unknown {
            answer = answer.max(strictest_restriction(declarations, &command[start..]));
        }
        if allowed.is_some() && answer == Answer::None {
            answer = Answer::Prompt;
        }
    }
    // Words of a program that nothing is known of cost the allow, if they look like what a rule restricts.
    if program.is_none() && strictest_restriction(declarations, &command[1..]) > Answer::None {
        answer = answer.max(Answer::Prompt);
    }
    if !certain && answer <= Answer::Allow { Answer::Prompt } else { answer }
}

/// What the restrictive rules say of the words from any place on.
fn strictest_restriction(declarations: &Declarations, words: &[String]) -> Answer {
    let answers = (0..words.len()).map(|place| restricted(declarations, &words[place..]));
    answers.max().unwrap_or(Answer::None)
}

/// What each word is, and where what the program runs begins.
fn read(program: Option<&Program>, command: &[String]) -> (Vec<Role>, Option<usize>) {
    let mut roles = vec![Role::Word; command.len()];
    let mut operands = 0;
    let mut options = true;
    let mut place = 1;
    while place < command.len() {
        let word = &command[place];
        let option = program.and_then(|program| program.options.iter().find(|option| option.names.contains(word)));
        if options && word == "--" {
            options = false;
            roles[place] = Role::Terminator;
        } else if options && let Some(option) = option {
            // Nobody knows what one does that lacks its value.
            let lacks = option.value == OptionValue::Required && place + 1 >= command.len();
            let harmless = option.harmless == Harmless::Yes && !lacks;
            roles[place] = Role::Option(harmless);
            if option.value == OptionValue::Required && place + 1 < command.len() {
                place += 1;
                roles[place] = Role::Value(harmless);
            }
        } else if options && word.len() > 1 && word.starts_with('-') {
            roles[place] = Role::Unknown;
        } else {
            let program = program.filter(|program| program.operands == Operands::Command);
            if program.is_some_and(|program| operands >= program.skip) {
                // Behind what runs, every word that looks like an option may be one.
                for (role, word) in roles.iter_mut().zip(command).skip(place) {
                    if word.len() > 1 && word.starts_with('-') {
                        *role = Role::Unknown;
                    }
                }
                return (roles, Some(place));
            }
            operands += 1;
        }
        place += 1;
    }
    (roles, None)
}

/// What the rules say of a command.
#[derive(Default)]
struct Said {
    /// The strictest restriction.
    restriction: Option<Answer>,
    /// How many words the longest pattern takes that surely allows it.
    allowed: Option<usize>,
    /// Whether one allows a reading of it that is not certain.
    doubted: bool,
}

fn rules(declarations: &Declarations, command: &[String], roles: &[Role], certain: bool) -> Said {
    let mut said = Said::default();
    for rule in &declarations.prefix_rules {
        let (head, pattern) = rule.pattern.split_first().expect("a pattern has an element");
        let pattern: Vec<&[String]> = pattern.iter().map(|element| element.words.as_slice()).collect();
        let about = head.words.iter().any(|word| word == name(command));
        let reach = |certain| if about { reach(&pattern, command, roles, 1, certain, false) } else { None };
        let (surely, perhaps) = (reach(true).filter(|_| certain), reach(false).is_some());
        match rule.decision {
            Decision::Forbidden if perhaps => said.restriction = said.restriction.max(Some(Answer::Forbidden)),
            Decision::Prompt if perhaps => said.restriction = said.restriction.max(Some(Answer::Prompt)),
            Decision::Allow => {
                said.allowed = said.allowed.max(surely);
                said.doubted |= perhaps && surely.is_none();
            }
            _ => {}
        }
    }
    said
}

/// How far the pattern reaches if it agrees with the words from `place` on; `skipped` is whether options before that
/// were skipped.
fn reach(
    pattern: &[&[String]],
    command: &[String],
    roles: &[Role],
    place: usize,
    certain: bool,
    skipped: bool,
) -> Option<usize> {
    let Some((element, rest)) = pattern.split_first() else { return Some(place) };
    let word = command.get(place)?;
    let takes = !(skipped && matches!(roles[place], Role::Value(_))) && element.contains(word);
    let taken = if takes { reach(rest, command, roles, place + 1, certain, false) } else { None };
    let skip = |by| reach(pattern, command, roles, place + by, certain, true);
    taken.max(match roles[place] {
        Role::Option(harmless) | Role::Value(harmless) if harmless || !certain => skip(1),
        Role::Terminator if !certain => skip(1),
        Role::Unknown if !certain => skip(1).max(skip(2)),
        _ => None,
    })
}

/// What the restrictive rules say of words that may be a command.
fn restricted(declarations: &Declarations, command: &[String]) -> Answer {
    let (roles, _) = read(program(declarations, command), command);
    rules(declarations, command, &roles, false).restriction.unwrap_or(Answer::None)
}

/// The base name of the program.
fn name(command: &[String]) -> &str {
    command.first().and_then(|written| written.rsplit('/').next()).unwrap_or_default()
}

/// What is declared of it.
fn program<'d>(declarations: &'d Declarations, command: &[String]) -> Option<&'d Program> {
    let named = |program: &&Program| program.path[0].words.iter().any(|word| word == name(command));
    declarations.programs.iter().rfind(named)
}
