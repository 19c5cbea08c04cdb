//! Each construct, by what it is read as.
//!
//! A command is shown as `name=value` for assignments, its words, `<word>` where one is dynamic, its redirects as
//! `{kind target}`, `^2` for the command that feeds it, and `$` or `f` before it inside of substitutions and functions.
//! A problem is shown last, behind `?`.

use policyc_shell::{Nesting, Piece, ShellKind, SimpleCommand, Word, parse};

fn word(word: &Word<'_>) -> String {
    match word.known() {
        Some("") => "''".to_owned(),
        Some(text) => text.replace('\n', "\\n"),
        None => format!("<{}>", word.text.replace('\n', "\\n")),
    }
}

fn command(command: &SimpleCommand<'_>) -> String {
    let mut parts = Vec::new();
    match command.nesting {
        Nesting::Plain => {}
        Nesting::Substitution => parts.push("$".to_owned()),
        Nesting::Function => parts.push("f".to_owned()),
    }
    parts.extend(command.assignments.iter().map(|it| format!("{}={}", it.name, word(&it.value))));
    parts.extend(command.words.iter().map(word));
    parts.extend(command.redirects.iter().map(|it| format!("{{{:?} {}}}", it.kind, word(&it.target))));
    parts.extend(command.fed_by.map(|index| format!("^{index}")));
    parts.extend(command.defined.then(|| "defined".to_owned()));
    parts.extend(command.evaluates.then(|| "evaluates".to_owned()));
    for guess in &command.guesses {
        parts.push(format!("~({})", guess.iter().map(word).collect::<Vec<_>>().join(" ")));
    }
    parts.join(" ")
}

fn shown(text: &str) -> String {
    let script = parse(text, ShellKind::Bash);
    let mut parts: Vec<String> = script.commands.iter().map(command).collect();
    assert!(script.problem.is_some() || script.scan.is_empty());
    parts.extend(script.problem.map(|problem| format!("? {problem}")));
    parts.join(" | ")
}

/// Compares each text with what is shown of it, and names all that differ.
fn assert_read(table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .filter_map(|(text, expected)| {
            let shown = shown(text);
            (shown != *expected).then(|| format!("    ({text:?}, {shown:?}),"))
        })
        .collect();
    assert!(wrong.is_empty(), "these are read in another way:\n{}", wrong.join("\n"));
}

#[test]
fn lists_and_pipelines() {
    assert_read(&[
        ("a;b&c&&d||e\nf", "a | b | c | d | e | f"),
        ("a | b |& c", "a | b ^0 | c ^1"),
        ("! a | b", "a | b ^0"),
        ("time -p a; time -- b; time", "a | b"),
        ("a | time b", "a | time b ^0"),
        ("# c\na #c\n#d", "a"),
        ("a \\\n b; c\\\nd", "a b | cd"),
        ("", ""),
        ("a |\n\n b &&\n c", "a | b ^0 | c"),
    ]);
}

#[test]
fn compound_commands() {
    assert_read(&[
        ("(a; b) > f", "a {Write f} | b {Write f}"),
        ("{ a; { b; } >g; } 2>&1", "a {Duplicate 1} | b {Write g} {Duplicate 1}"),
        ("a | { b; c | d; } | e", "a | b ^0 | c ^0 | d ^2 | e ^3"),
        ("if a; then b; elif c; then d; else e; fi", "a | b | c | d | e"),
        ("while a; do b; done < f", "a {Read f} | b {Read f}"),
        ("until a\ndo b\ndone", "a | b"),
        ("for x in a 'b c'; do d $x; done", "x=<a 'b c'> | d <$x> ~(d a) ~(d b c)"),
        ("for x; do a; done", "x=<> | a"),
        ("for x do a; done", "x=<> | a"),
        ("for ((i = 0; i < $(n); i++)) { a; }", "i=0 i=<> | evaluates | $ n | a"),
        ("select x in a; do b; done", "x=<a> | b"),
        ("case $(w) in a | b) c;; (d) e ;& *) ;;& esac", "$ w | c | e"),
        ("case x in esac", ""),
        ("f() { a; } >o; f x; function g { b; }; function h() ( c )", "f a {Write o} | f x defined | f b | f c"),
        ("coproc a b; coproc N { c; }", "a b | N=<> | N_PID=<> | c"),
        ("[[ -f a && ( b == c* || ! d -nt e ) && x =~ ^(a|b)$ ]] && f", "f"),
        ("(( x = $(a) )) && b", "x=<> | evaluates | $ a | b"),
        ("((a); (b))", "a | b"),
    ]);
}

#[test]
fn words_and_quotes() {
    assert_read(&[
        ("g\\it g\"\"it 'g''it' \"g\\it\" \"\\$\\`\\\"\\\\\" ''", "git git git g\\it $`\"\\ ''"),
        ("$'g\\x69t\\n' $\"git\" $'\\u00e9' $'\\xc3\\xa9'", "git\\n git <$'\\u00e9'> é"),
        ("a#b c$ \"$\" =x x= {} a{b} a,b", "a#b c$ $ =x x= {} a{b} a,b"),
        (
            "{a,b}{1,2} {1..3} {c..a} {01..3..2} {a,'b c'} \\{a,b} {a,\"$x\"}",
            "a1 a2 b1 b2 1 2 3 c b a 01 03 a b c {a,b} a <{a,\"$x\"}>",
        ),
        ("~ ~/x ~u '~' a~ x=~/y x=a:~ --x=~", "<~> <~/x> <~u> ~ a~ <x=~/y> <x=a:~> --x=~"),
        ("*.c a? [ab]c [a \\* '*' []", "<*.c> <a?> <[ab]c> [a * * <[]>"),
        ("a\rb\u{b}c\u{a0}d", "a\rb\u{b}c\u{a0}d"),
    ]);
}

#[test]
fn expansions() {
    assert_read(&[
        (
            "a $x ${x} \"$x\" $1 \"$@\" $((1+2)) $[1] ${x:-y} ${#x} ${x/a/b}",
            "a <$x> <${x}> <\"$x\"> <$1> <\"$@\"> <$((1+2))> <$[1]> <${x:-y}> <${#x}> <${x/a/b}> ~(a <$x> <${x}> <\"$x\"> <$1> <\"$@\"> <$((1+2))> <$[1]> y <${#x}> <${x/a/b}>)",
        ),
        (
            "a \"$(b \"$(c)\")\" `d \\`e\\``",
            "a <\"$(b \"$(c)\")\"> <`d \\`e\\``> | $ b <\"$(c)\"> | $ c | $ d <`e`> | $ e",
        ),
        (
            "a ${x:-$(b)} \"${x[$(c)]}\" $(( $(d) )) x=$(e)",
            "a <${x:-$(b)}> <\"${x[$(c)]}\"> <$(( $(d) ))> <x=$(e)> | $ b | evaluates | $ c | $ d | $ e",
        ),
        ("x=$(a) y=(b $(c) [1]=d) z+=e w[1 + 1]=f", "x=<$(a)> y=<(b $(c) [1]=d)> z=e w=f | $ a | $ c"),
        ("a <(b) >(c) x<(d)", "a <<(b)> <>(c)> <x<(d)> | $ b | $ c | $ d"),
        ("a > $(b) < <(c)", "a {Write <$(b)>} {Read <<(c)>} | $ b | $ c"),
        ("a ${x@P}", "a | ? an expansion of no known form"),
        ("a $((b) c)", "a | $ b | ? a word or operator that cannot stand here"),
    ]);
}

#[test]
fn redirects_and_here_documents() {
    assert_read(&[
        (
            ">f a 2>>g <h b >|i &>j &>>k <>l",
            "a b {Write f} {Write g} {Read h} {Write i} {Write j} {Write k} {ReadWrite l}",
        ),
        (
            "a 2>&1 >&- >&3 >& f <&0 {fd}>g 3>&1-",
            "a {Duplicate 1} {Duplicate -} {Duplicate 3} {Write f} {Duplicate 0} {Write g} {Duplicate 1-} | fd=<>",
        ),
        ("a <<< b; c <<< $d", "a {HereString b} | c {HereString <$d>}"),
        ("a <<E b; c\n$(d) \\$x\nE\ne", "a b {HereDocument <$(d) \\$x\\n>} | c | $ d | e"),
        ("a <<'E' <<-F\n$(b)\nE\n\tc\n\tF\n", "a {HereDocument $(b)\\n} {HereDocument c\\n}"),
        ("a <<E\nb", "a {HereDocument ''} | ? a here-document is not closed"),
        ("{ a; } <<E\nb\nE", "a {HereDocument b\\n}"),
    ]);
}

#[test]
fn guesses() {
    assert_read(&[
        (
            "${X:-git} push; ${X-git} push; ${X:=git} push; ${X:+git push}",
            "<${X:-git}> push ~(git push) | <${X-git}> push ~(git push) | <${X:=git}> push ~(git push) | X=git | <${X:+git push}> ~(git push)",
        ),
        ("git${IFS}push; git$IFS'push'", "<git${IFS}push> ~(git push) | <git$IFS'push'> ~(git push)"),
        (
            "X=git; $X push; g${X}it; Y='git push'; $Y; \"$Y\"",
            "X=git | <$X> push ~(git push) | <g${X}it> ~(ggitit) | Y=git push | <$Y> ~(git push) | <\"$Y\"> ~(git push)",
        ),
        ("for x in a b c; do $x y; done", "x=<a b c> | <$x> y ~(a y) ~(b y) ~(c y)"),
        ("export X=git; $X push", "export X=git | <$X> push ~(git push)"),
        ("X=a; X=b; Y=c; Y=d; $X $Y", "X=a | X=b | Y=c | Y=d | <$X> <$Y> ~(a c) ~(b c) ~(a d) ~(b d)"),
        ("$X push", "<$X> push"),
    ]);
}

#[test]
fn problems() {
    assert_read(&[
        ("git push; (", "git push | ? a compound command is not closed"),
        ("git push; echo 'a", "git push | echo | ? a quote is not closed"),
        ("echo \"$(git push\"", "echo | $ git | ? a quote is not closed"),
        ("a | | b", "a | b | ? an operator without a command"),
        ("a &&", "a | ? an operator without a command"),
        (";; a", "a | ? a word or operator that cannot stand here"),
        ("a ) ; b", "a | b | ? a word or operator that cannot stand here"),
        ("fi; a", "a | ? a word or operator that cannot stand here"),
        ("{ }; a", "a | ? an operator without a command"),
        ("a >", "a | ? a redirect without a single target"),
        ("a > ; b", "a | b | ? a redirect without a single target"),
        ("a (b)", "a | b | ? a word or operator that cannot stand here"),
        ("!(a) b; @(a|b)", "a | @ | a | b ^2 | ? a word or operator that cannot stand here"),
        ("f() a", "? a word or operator that cannot stand here"),
        ("a \\", "a | ? a backslash at the end of the text"),
        ("a ${x y} b", "a | ? an expansion of no known form"),
        ("a\0b", "a\0b | ? a NUL character"),
        ("a\u{200b}b", "a\u{200b}b | ? an invisible or bidirectional character"),
        (
            "x='a[$(git push)]'; echo $((x))",
            "x=a[$(git push)] | echo <$((x))> | evaluates | ? a quoted substitution that arithmetic may run",
        ),
        ("%1", "%1 | ? this construct is not understood"),
        ("in a", "? a word or operator that cannot stand here"),
        ("a {$x,b}c", "a | ? this construct is not understood"),
        ("a; c\\\nd e", "a | cd e"),
        ("a | ! b", "a | ? a word or operator that cannot stand here"),
    ]);
}

#[test]
fn nesting_is_bounded_and_deep_text_is_quick() {
    for open in ["(", "$(", "{ ", "\"$(", "${x:-", "((", "if ", "[[ (", "<(", "case x in a) "] {
        let text = format!("git push; {}", open.repeat(10_000));
        let script = parse(&text, ShellKind::Bash);
        assert!(script.problem.is_some(), "{open}");
        assert_eq!(script.commands[0].words[1].text, "push", "{open}");
    }
    let closed = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    assert!(parse(&closed(60).replace("((", "( ("), ShellKind::Bash).problem.is_none());
    assert_eq!(
        parse(&closed(200).replace('(', "( "), ShellKind::Bash).problem.unwrap().to_string(),
        "nested deeper than 100 levels"
    );
}

#[test]
fn sizes_are_bounded() {
    let long = "a ".repeat(600_000);
    let script = parse(&long, ShellKind::Bash);
    assert_eq!(script.problem.unwrap().to_string(), "longer than 1 MiB");
    assert_eq!(script.scan.len(), 600_000);
    let many = |count: usize| "a\n".repeat(count);
    assert_eq!(parse(&many(100_001), ShellKind::Bash).problem.unwrap().to_string(), "more than 100000 commands");
    assert!(parse(&many(100_000), ShellKind::Bash).problem.is_none());
    let braces = parse("{1..1001}", ShellKind::Bash).problem.unwrap();
    assert_eq!(braces.to_string(), "a brace expansion of more than 1000 words");
}

#[test]
fn spans_cover_what_they_name() {
    let text = "x=1 g\\it \"a $(b c)\" >o | `d`";
    let script = parse(text, ShellKind::Bash);
    let first = &script.commands[0];
    assert_eq!(first.span.of(text), Some("x=1 g\\it \"a $(b c)\" >o"));
    assert_eq!(first.assignments[0].span.of(text), Some("x=1"));
    assert_eq!(first.assignments[0].value.span.of(text), Some("1"));
    assert_eq!(first.words[0].span.of(text), Some("g\\it"));
    assert_eq!(first.redirects[0].span.of(text), Some(">o"));
    assert_eq!(script.commands[1].words[1].span.of(text), Some("c"));
    assert_eq!(script.commands[3].span.of(text), Some("d"));
}

#[test]
fn a_dynamic_word_says_what_it_is_made_of() {
    let script = parse("~/a\"$b\"*'c'", ShellKind::Bash);
    let text = |text: &'static str| Piece::Text(text.into());
    let pieces = vec![Piece::Home, text("/a"), Piece::Any { splits: false }, Piece::Glob("*".into()), text("c")];
    assert_eq!(script.commands[0].words[0].pieces, pieces);
}

#[test]
fn variables_set_in_passing() {
    assert_read(&[
        (
            "a ${X:=v} \"${Y=$z}\" ${X:-v}",
            "a <${X:=v}> <\"${Y=$z}\"> <${X:-v}> ~(a v <\"${Y=$z}\"> v) | X=v | Y=<${Y=$z}>",
        ),
        (
            ": ${A:=${B:=c}}; : ${!C:=d} ${D[1]:=e}",
            ": <${A:=${B:=c}}> | A=<${A:=${B:=c}}> | B=c | : <${!C:=d}> <${D[1]:=e}> ~(: d e) | $C=<> | evaluates | D=e",
        ),
        ("a <<E\n${X:=v} $((Y=1))\nE\nb", "a {HereDocument <${X:=v} $((Y=1))\\n>} | X=v | Y=1 | b"),
        ("a <<-E\n\t${X:=v}\n\tE\nb", "a {HereDocument <\t${X:=v}\\n>} | X=v | b"),
        (
            "a \"`b \\${X:=v}`\" `c $((Y++))`",
            "a <\"`b \\${X:=v}`\"> <`c $((Y++))`> | $ b <${X:=v}> ~(b v) | $ X=v | $ c <$((Y++))> | $ Y=<>",
        ),
        (
            "((PATH=1)); a $((x+=1)) $[y=2] ${z:w=3:1} ${v[u=4]}",
            "PATH=1 | a <$((x+=1))> <$[y=2]> <${z:w=3:1}> <${v[u=4]}> | x=<> | y=2 | w=<> | u=4",
        ),
        ("for ((i=0;i<9;i++)); do a; done", "i=0 i=<> | a"),
        (
            "x[i++]=1 a; y=([j=2]=3); [[ k=1 -eq 2 ]]; [[ -v 'a[l=1]' ]]; [[ m=1 == n ]]",
            "x=1 a | i=<> | y=<([j=2]=3)> | j=2 | k=1 | l=1",
        ),
        (
            "((a == b || c <= d)); (($x=1)); echo $(( $(b x=1) + 1 ))",
            "$x=1 | echo <$(( $(b x=1) + 1 ))> | evaluates | $ b x=1",
        ),
        (
            "x='y'; y='PATH=1'; z='Q=1'; echo $((x)) ${!z}; w='R=1'",
            "x=y | y=PATH=1 | z=Q=1 | echo <$((x))> <${!z}> | PATH=1 | Q=1 | w=R=1",
        ),
        (
            "a {fd}>f; { b; } {PATH}<g {x}>&- {z}>&1",
            "a {Write f} | fd=<> | b {Read g} {Duplicate -} {Duplicate 1} | PATH=<> | z=<>",
        ),
        ("coproc PATH { a; }; coproc b c; coproc { d; }", "PATH=<> | PATH_PID=<> | a | b c | d"),
        ("a {x[1]}>f", "a | ? this construct is not understood"),
        ("a $((i=1)) | b $((j=1)) | c", "a <$((i=1))> | i=1 | b <$((j=1))> ^0 | j=1 | c ^2"),
        ("a[i=1]b c", "<a[i=1]b> c"),
    ]);
}

#[test]
fn groups_that_look_like_arithmetic() {
    assert_read(&[
        ("a $((b\n)\n) \"$((c) | (d))\"", "a <$((b\\n)\\n)> <\"$((c) | (d))\"> | $ b | $ c | $ d ^2"),
        ("((a\nb) ; c\nd)", "a | b | c | d"),
        ("((a <<E\nE\n) ; c)", "a {HereDocument ''} | c | ? this construct is not understood"),
        ("((a\n)\n)", "a | ? this construct is not understood"),
        ("a $(( (b) ) )", "a <$(( (b) ) )> | $ b"),
        ("a $((case b in c) d;; esac) )", "a | $ d | ? this construct is not understood"),
        (
            "a \"`function f { b \"c\"'d'\n}`\" \"`e \"{f\"`\"",
            "a <\"`function f { b \"c\"'d'\\n}`\"> | f b cd | ? this construct is not understood",
        ),
    ]);
}

#[test]
fn home_is_the_home_folder_unless_it_is_set() {
    let pieces = |text: &str| {
        let script = parse(text, ShellKind::Bash);
        assert_eq!(script.problem, None, "{text}");
        let words = &script.commands.iter().find(|command| !command.words.is_empty()).unwrap().words;
        words[1..]
            .iter()
            .map(|word| match &*word.pieces {
                [Piece::Home] => "~".to_owned(),
                [Piece::Home, Piece::Text(rest)] => format!("~{rest}"),
                [] => word.text.to_string(),
                _ => "?".to_owned(),
            })
            .collect::<Vec<_>>()
            .join(" ")
    };
    for (text, expected) in [
        ("a ~ ~/b $HOME ${HOME} $HOME/b \"$HOME\" \"${HOME}/b\" \"$HOME\"/b", "~ ~/b ~ ~ ~/b ~ ~/b ~/b"),
        ("a $HOMEX b$HOME $HOME.b $HOME$c ${HOME:-b} ${HOME%/} '$HOME' '~'", "? ? ? ? ? ? $HOME ~"),
        ("a $HOME/{b,c}", "~/b ~/c"),
        ("a $HOME ~/b; HOME=/x", "? ?"),
        ("a $HOME; read -r HOME", "?"),
        ("a $HOME; printf -vHOME b", "?"),
        ("a $HOME; export \"HOME=$b\"", "?"),
        ("a $HOME; ((HOME=1))", "?"),
        ("a $HOME; eval 'b; HOME=c'", "?"),
        ("a $HOME; x=HOME; read $x", "?"),
        ("a $HOME; export JAVA_HOME=$HOME/b", "~"),
    ] {
        assert_eq!(pieces(text), expected, "{text}");
    }
    let script = parse("x=1; a $HOME/b > $HOME/c; d=$HOME/e $x", ShellKind::Bash);
    assert!(script.commands[1].guesses.is_empty());
    assert_eq!(script.commands[1].redirects[0].target.pieces[0], Piece::Home);
    assert_eq!(script.commands[2].assignments[0].value.pieces[0], Piece::Home);
}
