//! The words judged are the words run: whatever is understood has exactly the words that a real bash passes.

mod support;

use std::time::Duration;

use policyc_shell::{Piece, Redirect, RedirectKind, Script, ShellKind, SimpleCommand, Word};
use support::bash::{Passed, Scratch, Witnessed};
use support::random::Random;
use support::{bash, corpus, hostile};

/// How many texts are generated.
const TEXTS: usize = 50_000;
/// How many texts one bash gets.
const BATCH: usize = 400;

/// Text as the witness records it.
fn recorded(text: &str) -> Vec<u8> {
    text.replace('\n', "\x02").into_bytes()
}

/// Whether the words may become these, where an expansion may be anything.
fn may_become(words: &[Word<'_>], passed: &[Vec<u8>]) -> bool {
    let Some((word, rest)) = words.split_first() else { return passed.is_empty() };
    if let Some(text) = word.known() {
        return passed
            .split_first()
            .is_some_and(|(first, others)| *first == recorded(text) && may_become(rest, others));
    }
    let several = word.pieces.iter().any(|piece| {
        matches!(
            piece,
            Piece::Any { splits: true }
                | Piece::Number { splits: true }
                | Piece::Known { several: true, .. }
                | Piece::Glob(_)
        )
    });
    let counts = if several { 0..=passed.len() } else { 1..=1 };
    counts.into_iter().any(|count| {
        passed
            .split_at_checked(count)
            .is_some_and(|(these, others)| fits(&word.pieces, &these.join(&b' ')) && may_become(rest, others))
    })
}

/// Whether the known text of a word stands in what was passed, in this order and at its ends.
fn fits(pieces: &[Piece<'_>], passed: &[u8]) -> bool {
    let Some((piece, rest)) = pieces.split_first() else { return passed.is_empty() };
    match piece {
        Piece::Text(text) => passed.strip_prefix(&*recorded(text)).is_some_and(|passed| fits(rest, passed)),
        Piece::Known { values, several: false } if values.iter().all(|value| value.known().is_some()) => {
            let texts = values.iter().filter_map(Word::known);
            texts.filter_map(|text| passed.strip_prefix(&*recorded(text))).any(|passed| fits(rest, passed))
        }
        Piece::Number { .. } => {
            let digits = passed.iter().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b' ')).count();
            (0..=digits).any(|length| passed.get(length..).is_some_and(|passed| fits(rest, passed)))
        }
        _ => (0..=passed.len()).any(|length| passed.get(length..).is_some_and(|passed| fits(rest, passed))),
    }
}

/// Whether a command may be what was run: its words, and its input if a here-document of its own decides it.
fn is_run_as(text: &str, command: &SimpleCommand<'_>, passed: &Passed) -> bool {
    let own = |redirect: &Redirect<'_>| {
        redirect.span.end <= command.span.end
            && redirect.span.start >= command.span.start
            && redirect.span.of(text).is_some_and(|source| source.starts_with("<<"))
    };
    let input = match &*command.redirects {
        [redirect] if own(redirect) && !text.contains("coproc") => match redirect.kind {
            RedirectKind::HereString => redirect.target.known().map(|text| format!("{text}\n")),
            RedirectKind::HereDocument => redirect.target.known().map(str::to_owned),
            _ => None,
        },
        _ => None,
    };
    may_become(&command.words, &passed.words) && input.is_none_or(|input| recorded(&input) == passed.input)
}

/// Whether a command surely runs, and is recorded, when its turn comes.
fn surely_recorded(command: &SimpleCommand<'_>) -> bool {
    command.words.first().is_some_and(|word| word.known().is_some_and(|text| !text.contains('/')))
        && !command.words.iter().any(Word::is_dynamic)
        && command.redirects.is_empty()
        && command.assignments.is_empty()
        && !command.defined
}

/// Whether commands run in the order in which they are written, each once.
fn is_straight(text: &str) -> bool {
    let reserved = ["if", "for", "while", "until", "case", "select", "coproc", "function"];
    !text.contains(['|', '&', '(', ')', '{', '}', '`', '$', '<', '>'])
        && !text.split([' ', '\t', '\n', ';']).any(|word| reserved.contains(&word))
}

/// What is wrong with a reading, given what bash did.
fn difference(text: &str, script: &Script<'_>, witnessed: &Witnessed) -> Option<String> {
    if witnessed.is_syntax_error() {
        return Some(format!("a syntax error was understood: {}", witnessed.said));
    }
    let shown = |passed: &Passed| {
        passed
            .words
            .iter()
            .chain([&passed.input])
            .map(|word| format!("{:?}", String::from_utf8_lossy(word)))
            .collect::<Vec<_>>()
            .join(" ")
    };
    for passed in &witnessed.commands {
        if !script.commands.iter().any(|command| is_run_as(text, command, passed)) {
            return Some(format!("these words were run but not read: {}", shown(passed)));
        }
    }
    if is_straight(text) {
        let mut passed = witnessed.commands.iter();
        for command in script.commands.iter().filter(|command| surely_recorded(command)) {
            if !passed.any(|passed| may_become(&command.words, &passed.words)) {
                return Some(format!("these words were read but not run: {:?}", command.words));
            }
        }
    }
    None
}

/// The differences between what is read and what bash runs, and how many texts could be compared.
fn compare(name: &str, texts: &[String]) -> (Vec<String>, usize, usize) {
    let understood: Vec<(&str, Script<'_>)> = texts
        .iter()
        .map(|text| (&**text, policyc_shell::parse(text, ShellKind::Bash)))
        .filter(|(_, script)| script.problem.is_none())
        .collect();
    let (mut differences, mut compared, mut recorded) = (Vec::new(), 0, 0);
    let scratch = Scratch::new(name);
    for batch in understood.chunks(BATCH) {
        scratch.clean();
        let texts: Vec<&str> = batch.iter().map(|(text, _)| *text).collect();
        let together = scratch.run(&texts, Duration::from_secs(20));
        // One after the other, each is a text of its own: if all are whole, so are all of them.
        let whole = scratch.accepts(&texts.join("\n"));
        for (index, (text, script)) in batch.iter().enumerate() {
            let witnessed = match &together {
                Some(witnessed) => witnessed.get(index).cloned().expect("every text has an answer"),
                None => {
                    scratch.clean();
                    match scratch.run(&[*text], Duration::from_secs(2)) {
                        Some(mut witnessed) => witnessed.remove(0),
                        None => {
                            println!("no answer: {text:?}");
                            continue;
                        }
                    }
                }
            };
            compared += 1;
            recorded += witnessed.commands.len();
            let mut found = difference(text, script, &witnessed);
            // Alone, nothing that others left behind can be taken for its own.
            if found.is_some() && together.is_some() {
                scratch.clean();
                let alone = scratch.run(&[*text], Duration::from_secs(5)).and_then(|mut alone| alone.pop());
                found = alone.map_or(found, |witnessed| difference(text, script, &witnessed));
            }
            if found.is_none() && !whole && !scratch.accepts(text) {
                found = Some("a syntax error was understood".to_owned());
            }
            if let Some(difference) = found {
                differences.push(format!("{text:?}\n    {difference}"));
            }
        }
    }
    (differences, compared, recorded)
}

fn assert_same(name: &'static str, texts: Vec<String>) {
    if !bash::is_there() {
        return;
    }
    let half = texts.len().div_ceil(2);
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = texts
            .chunks(half)
            .enumerate()
            .map(|(index, texts)| scope.spawn(move || compare(&format!("{name}-{index}"), texts)))
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("a comparison does not panic")).collect()
    });
    let mut differences: Vec<_> = results.iter().flat_map(|(differences, ..)| differences.clone()).collect();
    differences.sort_by_key(String::len);
    let compared: usize = results.iter().map(|(_, compared, _)| compared).sum();
    let recorded: usize = results.iter().map(|(_, _, recorded)| recorded).sum();
    println!("{name}: {} texts, {compared} understood and compared, {recorded} commands recorded", texts.len());
    assert!(
        differences.is_empty(),
        "{} differences\n{}",
        differences.len(),
        differences.iter().take(25).cloned().collect::<Vec<_>>().join("\n")
    );
    assert!(recorded > texts.len() / 20, "only {recorded} commands were recorded");
}

#[test]
fn hostile_texts_are_read_as_bash_runs_them() {
    let mut random = Random::new(Random::seed(1));
    assert_same("hostile", (0..TEXTS).map(|_| hostile::text(&mut random)).collect());
}

/// Texts on which a reading once differed from bash.
const ONCE_DIFFERENT: &[(&str, &str)] = &[
    ("arithmetic ends where counting parentheses ends", "\"$((1+$(case a in a) cmd;; esac)2))\""),
    ("no reserved word follows the redirects of a loop", "if aa; then while nn; do b1; done 3<&0 else cmd; fi"),
    ("a word that became nothing is a word", "{,} x[1]=2"),
    ("digits before a redirect are no target", "2 >o 2>&1>o  > 2>o"),
    ("the second `$` of `$$` protects a brace", "$${x:--a{b,c}}"),
    ("braces in expansions count", "aa ${x:-${x:-{a}}a{b,c}}"),
    ("a bracket goes on in expansions", ">o; []function$x[1] b1"),
    ("groups that look like arithmetic before an empty line", "((a=~ &)\\\n\n; x.y)"),
    ("a brace before a process substitution", "{ {<(aa b1) b1 & ;}; }"),
    ("a `$$` in an operand before a brace", "nope${x^$${x:1}#}"),
    ("a line continuation before the delimiter of a here-document", "aa <<-E\n\\\n\tE\nE\n"),
    ("a reserved word behind what may name a coproc", "coproc -f${x:-${y:-z}}-f in"),
    ("a job is no program", "%-fpush"),
    ("groups on several lines that look like arithmetic", "(( ( b1\ta,b\n{a\\,b} x[[ k=~ ) )\n)"),
    ("groups on several lines that end like arithmetic", "((\"\\\r\" |& ev-al)\n\n\"\\!\")"),
    ("braces behind quoted backquotes", "x.ydone \\\naa;\"`aa \\\"b 1\\$-\"`\"{3..1} \"\\\"\" >& o"),
    ("braces lengthen the name before them", "aa $x{a,b} $IFS{01..3}c"),
    ("a name at the end of an alternative goes on behind it", "aa {$a,b}c"),
    ("braces in a quote that backquotes interrupt", "\"`\" {01..3}--long=vev-al \"`\"q_q"),
    ("braces in a quote in an expansion in quotes", "aa \"${x:-\"{a,b}\"}\""),
    ("the element of an array between braces is given a descriptor", "cmd {x[1]}>o aa"),
    ("a substitution of a group on several lines", "aa \"$((aa push\n)\n)\""),
    ("two groups on several lines", "((aa push\n) && b1\n(cmd)\n) | aa"),
    ("quotes in backquotes in quotes with a function's braces", "aa \"`function ff {\ncmd \"p\"'ush' -f\n}\nff`\""),
    ("a control character in groups that look like arithmetic", "(($'\\1' aa) ; b1)"),
    ("a here-document in the second of two groups", "((aa\n); b1 <<E\nE \nE\n\n); cmd"),
    ("a comment in groups that look like arithmetic", "((aa $(cmd # )\n)\n) && b1)"),
    ("a process substitution goes on with an array", "x=(1 2)<(aa b1)"),
    ("a `$$` in quotes before a parenthesis", "\"$$(aa \"b 1\")\""),
];

#[test]
fn what_was_once_different_is_not() {
    assert_same("once different", ONCE_DIFFERENT.iter().map(|(_, text)| (*text).to_owned()).collect());
}

#[test]
fn the_cases_are_read_as_bash_runs_them() {
    // No program outside of the scratch folder may be named.
    let harmless = |text: String| text.replace('/', "_").replace("~_", "~/");
    assert_same("cases", corpus::texts().into_iter().map(harmless).collect());
}
