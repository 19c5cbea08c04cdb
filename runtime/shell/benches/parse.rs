//! How long it takes to read shell text: one line, and the longest texts that try to take long.
//!
//! Every answer is looked at before it is timed.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use policyc_shell::{MAX_TEXT, ShellKind, parse};

fn lines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("one line");
    for (name, text, words, understood) in [
        ("three commands", "cd /srv/app && git status --short | head -n 20", &["head", "-n", "20"][..], true),
        (
            "three commands, quoted",
            "cd \"/srv/my app\" && git commit -m 'it works' --author=\"A <a@b>\" 2>&1 | tee -a log",
            &["tee", "-a", "log"],
            true,
        ),
        (
            "expansions",
            "for f in *.c {a,b}.h; do gcc -o \"${f%.c}\" \"$f\" $(pkg-config --libs x) || exit 1; done",
            &["exit", "1"],
            true,
        ),
        ("a problem", "git push; echo \"$(rm -rf x\" (", &["rm", "-rf", "x\" (\""], false),
    ] {
        let script = parse(text, ShellKind::Bash);
        assert_eq!(script.problem.is_none(), understood, "{:?}", script.problem);
        if understood {
            let last: Vec<&str> =
                script.commands.last().into_iter().flat_map(|it| &it.words).map(|word| &*word.text).collect();
            assert_eq!(last, words);
        }
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| parse(black_box(text), ShellKind::Bash)));
    }
    group.finish();
}

/// The longest text made of one part, over and over, between a start and an end.
fn filled(start: &str, part: &str, end: &str) -> String {
    let count = (MAX_TEXT - start.len() - end.len()) / part.len();
    format!("{start}{}{end}", part.repeat(count))
}

fn hostile(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("1 MiB");
    group.sample_size(10);
    let nested = |open: &str, inside: String, close: &str| {
        let room = (MAX_TEXT - inside.len().min(MAX_TEXT)) / (open.len() + close.len());
        format!("{}{inside}{}", open.repeat(90.min(room)), close.repeat(90.min(room)))
    };
    let inner = |part: &str| part.repeat((MAX_TEXT - 4096) / part.len());
    for (name, text) in [
        ("words", filled("", "word ", "")),
        ("commands", filled("", "a b c d e f;", "")),
        ("parentheses", filled("", "(", "")),
        ("double parentheses", filled("", "((", "")),
        ("closed groups", filled("", "((a) b);", "")),
        ("substitutions", filled("", "$(", "")),
        ("arithmetic", filled("", "$((", "")),
        ("nested arithmetic", nested("$((", inner("1+"), "))")),
        ("nested groups", nested("((", inner("a\n"), ") )")),
        ("braces", filled("", "{", "")),
        ("brace lists", filled("", "{a,", "}")),
        ("brace pairs", filled("", "{}{a}", ",")),
        ("brace products", filled("", "{a,b}{c,d}{e,f} ", "")),
        ("brace sequences", filled("", "{1..999} ", "")),
        ("brackets", filled("", "[", "]")),
        ("quotes", filled("", "\"'", "")),
        ("quoted brackets", filled("", "\"\"[", "\"\"]")),
        ("backquotes", filled("", "`\\`", "")),
        ("nested backquotes", filled("", "`a \\`b\\`` ", "")),
        ("expansions", filled("", "${x:-", "")),
        ("nested quotes", filled("", "\"${x:-", "")),
        ("here-documents", filled("", "<<a ", "\n")),
        ("many here-documents", filled("", "a <<b\nb\n", "")),
        ("open here-documents", filled("", "a <<b\n", "")),
        ("variables", filled("x=a;x=b;x=c;", "$x;", "")),
        ("one command of variables", filled("x=a;x=b;x=c;", "$x ", "")),
        ("redirects", filled("{ ", "a;", "} >a >b >c")),
        ("redirects and commands", format!("{{ {}}} {}", "a;".repeat(90_000), ">a ".repeat(200_000))),
        ("tildes", filled("a=", "~:", "")),
        ("backslashes", filled("", "\\", "a")),
        ("comments", filled("", "#\n", "a")),
        ("pipes", filled("a", "|a", "")),
        ("conditions", filled("[[ ", "( ", "")),
        ("case", filled("case x in ", "a) b;; ", "esac")),
        ("functions", filled("", "a() { b; };", "")),
        ("errors", filled("", "a );", "")),
        ("unclosed", filled("", "a \"$(b;", "")),
    ] {
        assert!(text.len() <= MAX_TEXT, "{name}");
        // The best of three: other work on the machine is nobody's fault here.
        let time = || {
            let started = std::time::Instant::now();
            black_box(parse(&text, ShellKind::Bash));
            started.elapsed()
        };
        let best = time().min(time()).min(time());
        assert!(best.as_millis() < 300, "{name}: {best:?}");
        let script = parse(&text, ShellKind::Bash);
        assert!(script.problem.is_some() || !script.commands.is_empty(), "{name}");
        drop(script);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| parse(black_box(&text), ShellKind::Bash)));
    }
    group.finish();
}

criterion_group!(benches, lines, hostile);
criterion_main!(benches);
