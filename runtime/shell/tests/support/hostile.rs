//! Texts that look like shell and try to be misread.
//!
//! The names are made up, so that no program is ever found. Those that start with `n` fail, all others succeed.

use super::random::Random;

const NAMES: &[&str] =
    &["aa", "b1", "cmd", "push", "ev-al", "nope", "x.y", "-f", "--long=v", "nn", "q_q", "+x", "a,b", "k=v"];

const ODD: &[&str] = &[
    "é",
    "\u{A0}",
    "\r",
    "\u{B}",
    "\u{C}",
    "\u{1}",
    "\u{7F}",
    "%",
    "^",
    "!",
    "#",
    "~",
    "~/z",
    "~nobody",
    "a=~",
    "a=~:~",
    ",",
    "=",
    ":",
    "@",
    "+",
    "-",
    "]",
    "[",
    "}",
    "{",
    "{}",
    "$",
    "*",
    "?",
    "[ab]",
    "!(x)",
    "@(a|b)",
    "\u{2003}",
    "..",
    "\\\n",
    "a\\\nb",
    "x=",
    "x+=1",
    "x[1]=2",
    "x[1 + 1]=2",
    "{fd}",
    "1",
    "12",
    "2",
    "a#b",
    "if",
    "then",
    "fi",
    "do",
    "done",
    "in",
    "time",
    "case",
    "esac",
    "function",
    "[[",
    "]]",
    "coproc",
    "select",
    "''",
    "\"\"",
    "{a",
    "b}",
    "{,}",
    "{a,}",
    "a{b,c}d",
    "{1..3}",
    "{3..1}",
    "{a..c}",
    "{01..3}",
    "{a..e..2}",
    "{a,{b,c}}",
    "{a}{b,c}",
    "{1..}",
    "{a,b",
    "{a},b}",
    "{\\,,x}",
    "{'a,b',c}",
    "{\"$x\",y}",
    "${x}{a,b}",
    "{$,a}b",
    "x=(1 2)",
    "{-2..2}",
    "{a..c}{1..2}",
    "\\{a,b}",
    "{a\\,b}",
    "{a,b}=c",
    "~+",
    "~-",
    "~/{a,b}",
    "{~,x}/z",
    "\"~\"",
    "~\"z\"",
    "a~",
    "k=~",
    "--k=~",
    "x:~",
    "[a",
    "a]",
    "[]",
    "[!a]",
    "a\\*",
    "'*'",
    "\\",
    "`",
    "$'",
    "\"",
    "'",
];

const QUOTES: &[&str] = &[
    "'a b'",
    "\"a b\"",
    "'$x'",
    "\"\\$x\"",
    "'\\'",
    "\"\\\\\"",
    "\"\\a\"",
    "\"\\\"\"",
    "$'a\\tb'",
    "$'\\x41\\102\\u43'",
    "$'\\''",
    "$'a\\\\'",
    "$\"loc\"",
    "\\ ",
    "\\'",
    "\\\"",
    "\\$x",
    "\\\\",
    "\\;",
    "\\|",
    "\\&",
    "\\#",
    "\\~",
    "\\{",
    "\"a\nb\"",
    "'a\nb'",
    "\"a\\\nb\"",
    "'a\\\nb'",
    "\"'\"",
    "'\"'",
    "\"#\"",
    "\"`\"",
    "$'\\cA'",
    "$'\\e'",
    "$'\\q'",
    "$'\\1'",
    "$'\\0'",
    "$'\\x'",
    "$'\\xe9'",
    "$'\\u00e9'",
    "\"$\"",
    "\"a$\"",
    "$'\\c\\\\'",
    "$'\\777'",
    "\"!\"",
    "\"\\!\"",
    "\"\\\r\"",
    "$'\\\n'",
];

const EXPANSIONS: &[&str] = &[
    "$x",
    "${x}",
    "\"$x\"",
    "\"${x}\"",
    "$1",
    "$@",
    "\"$@\"",
    "$#",
    "$?",
    "$$",
    "$!",
    "$-",
    "$*",
    "${#x}",
    "${#}",
    "${x:-aa}",
    "${x-b1}",
    "\"${x:-a b}\"",
    "${x:-a b}",
    "${x:-'a b'}",
    "${x:+aa}",
    "${x+\"a b\"}",
    "${x:=dd}",
    "${x#a}",
    "${x##*a}",
    "${x%a}",
    "${x%%a*}",
    "${x/a/b}",
    "${x//a/b}",
    "${x^}",
    "${x,,}",
    "${x:1}",
    "${x:1:2}",
    "${x@Q}",
    "${x[0]}",
    "${x[@]}",
    "\"${x[@]}\"",
    "${!x}",
    "${!x*}",
    "$IFS",
    "${IFS}",
    "$((1+2))",
    "\"$((1+2))\"",
    "$[1+2]",
    "$((x))",
    "$(( (1)+(2) ))",
    "${x:-$y}",
    "${x:-${y:-z}}",
    "${x:-{a}}",
    "${x:-a\\}b}",
    "\"${x:-a\\}b}\"",
    "${x:-\"}\"}",
    "${x:-'}'}",
    "$x[1]",
    "${x:-\nq}",
    "${x:-a{b,c}}",
    "\"${x:-'a'}\"",
    "$(aa b1)",
    "\"$(aa b1)\"",
    "$(aa; b1 c)",
    "`aa b1`",
    "\"`aa b1`\"",
    "$(aa $(b1 c))",
    "`aa \\`b1 c\\``",
    "\"$(aa \"b 1\")\"",
    "\"`aa \\\"b 1\\\"`\"",
    "$(case a in a) cmd;; esac)",
    "$(# c )\ncmd)",
    "$(aa # )\n)",
    "<(aa b1)",
    ">(aa b1)",
    "x<(aa)",
    "$((aa); (b1))",
    "${x:-$(aa q)}",
    "${x:-`aa q`}",
    "${x/$(aa)/b}",
    "${x:-<(aa r)}",
    "$(($(aa)+1))",
    "`aa '\\$x'`",
    "`aa \\\\$x`",
    "`aa $'a\\\\tb'`",
    "$()",
    "$( )",
    "$(<f)",
    "`",
    "$(",
    "${",
    "$((",
    "${x",
    "${}",
    "${ x}",
    "${x y}",
    "${x:}",
    "$'a",
    "\"$(aa\"",
    "$(aa 'b)' c)",
    "$(aa \"b)\" c)",
    "$( (aa) )",
    "$({ aa; })",
    "$(aa <<E\nb\nE\n)",
    "${x:-$'a\\'b'}",
    "`aa\nb1`",
    "$(aa\nb1)",
    "\"${x#'a'}\"",
    "\"${x:-\"a b\"}\"",
];

const REDIRECTS: &[&str] = &[
    ">o", "> o", ">>o", "2>o", "2>&1", ">&2", ">&-", "2>&-", ">& o", "&>o", "&>>o", "<i", "<>o", ">|o", "<<<w",
    "<<<'a b'", "<<<$x", "3<&0", "{fd}>o", "10>o", "2>&1>o", ">&2-", ">&-x", "> >(aa)", "< <(aa)", ">$x", ">{a,b}",
    "<<E", "<<'E'", "<<-E", "2 >o", ">", "<", ">&", "&>", "a>o", "1>&2x", ">&1<i", "\\2>o", "'2'>o", ">\\\n>o",
    "2\\\n>o",
];

const SEPARATORS: &[&str] = &[
    "; ", ";", "\n", "\n\n", " && ", "&&", " || ", " | ", "|", " |& ", " & ", "&", " ;; ", "; ; ", " &\n", " |\n",
    " &&\n", "\n;", "&;", " # c\n", "#c\n", ";#c\n", " \\\n", "\\\n; ", "\r\n", " ! ", ";!", "&& ! ", "| ! ",
];

/// One text.
pub(crate) fn text(random: &mut Random) -> String {
    let mut text = String::new();
    script(random, 3, &mut text);
    if random.chance(25) {
        mutate(random, &mut text);
    }
    text
}

/// Deletes, doubles or inserts some characters.
pub(crate) fn mutate(random: &mut Random, text: &mut String) {
    for _ in 0..=random.below(2) {
        let mut places: Vec<usize> = text.char_indices().map(|(index, _)| index).collect();
        places.push(text.len());
        let place = random.pick(&places);
        match random.below(4) {
            0 if place < text.len() => drop(text.remove(place)),
            1 if place < text.len() => {
                let character = text[place..].chars().next().unwrap();
                text.insert(place, character);
            }
            2 => text.insert_str(place, random.pick(EXPANSIONS)),
            _ => text.insert(
                place,
                random.pick(&[
                    '\'', '"', '\\', '$', '`', '(', ')', '{', '}', ';', '&', '|', '<', '>', '\n', ' ', '#', '=', '!',
                    '[', ']', '~', '*', '\t',
                ]),
            ),
        }
    }
}

fn script(random: &mut Random, depth: usize, text: &mut String) {
    for index in 0..=random.below(3) {
        if index > 0 {
            let usual = random.chance(75);
            text.push_str(if usual { random.pick(&SEPARATORS[..12]) } else { random.pick(SEPARATORS) });
        }
        command(random, depth, text);
    }
    if random.chance(10) {
        text.push_str(random.pick(&[";", "\n", " &", " ", " # end", "\t"]));
    }
}

fn command(random: &mut Random, depth: usize, text: &mut String) {
    if depth == 0 || random.chance(70) {
        return simple(random, text);
    }
    let inner = |random: &mut Random, text: &mut String| script(random, depth - 1, text);
    // Blanks and separators where most shells want them, and sometimes not.
    let end = |random: &mut Random| random.pick(&["; ", "; ", "; ", "\n", " & ", " ", ""]);
    let parts: &[&str] = match random.below(20) {
        0 | 1 => &["{ ", ";}"],
        2 | 3 => &["(", ")"],
        4 => &["( ", " )"],
        5 => &["if ", ";then ", ";fi"],
        6 => &["if aa; then ", ";else ", ";fi"],
        7 => &["if nn; then cmd; elif ", ";then ", ";else ", ";fi"],
        8 => &["while ", "; nn;do ", ";done"],
        9 => &["until ", "; aa;do ", ";done"],
        10 => &["for v in a 'b c' {d,e} $x; do ", ";done"],
        11 => &["for v\ndo ", ";done"],
        12 => &["for ((i=0;i<2;i++)); do ", ";done"],
        13 => &["case x in (a|x) ", ";; *) ", ";; esac"],
        14 => &["case $x in 'a b') ", ";;& \n b) ;; c) ", "\nesac"],
        15 => &["ff() { ", ";}; ff 1"],
        16 => &["function gg { ", ";}\ngg"],
        17 => &["[[ -n $x && ( a == b* || ! x -eq 1 ) ]] && ", ""],
        18 => &["(( x = 1 + 2 )) || ", ""],
        _ => &["! ", ""],
    };
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            inner(random, text);
        }
        match part.strip_prefix(';').filter(|_| random.chance(15)) {
            Some(part) => {
                text.push_str(end(random));
                text.push_str(part);
            }
            None => text.push_str(part),
        }
    }
    if random.chance(10) {
        text.push(' ');
        text.push_str(random.pick(REDIRECTS));
    }
}

fn simple(random: &mut Random, text: &mut String) {
    if random.chance(12) {
        text.push_str(random.pick(&[
            "x=1 ",
            "y='a b' ",
            "z=$x ",
            "x+=2 ",
            "x=$(aa) ",
            "x= ",
            "x=a{b,c} ",
            "x=~ ",
            "x=* ",
            "x[0]=1 ",
            "x=(1 2) ",
        ]));
    }
    if random.chance(8) {
        text.push_str(random.pick(REDIRECTS));
        text.push(' ');
    }
    for index in 0..=random.below(4) {
        if index > 0 {
            text.push_str(random.pick(&[" ", " ", " ", "  ", "\t", " \\\n"]));
        }
        if random.chance(10) {
            text.push_str(random.pick(REDIRECTS));
        } else {
            word(random, text);
        }
    }
    if random.chance(4) {
        let delimiter = random.pick(&["E", "'E'", "\\E", "\"E\"", "E\\F", "'E F'", "-E", "- 'E'"]);
        text.push_str(" <<");
        text.push_str(delimiter);
        if random.chance(20) {
            text.push_str(random.pick(&["; cmd", " | cmd", " <<F", " && b1 # c", " \\\n cmd"]));
        }
        text.push('\n');
        for _ in 0..random.below(4) {
            for _ in 0..random.below(3) {
                text.push_str(random.pick(BODIES));
            }
            text.push('\n');
        }
        text.push_str(if delimiter.starts_with('-') { "\tE\n" } else { "" });
        text.push_str(match delimiter {
            "E\\F" => "EF\n",
            "'E F'" => "E F\n",
            _ => "E\n",
        });
        text.push_str(random.pick(&["", "", "F\n"]));
    }
}

const BODIES: &[&str] = &[
    "body",
    "\t",
    "\\",
    "\\\\",
    "\\$x",
    "\\`",
    "\"",
    "'",
    "\\\"",
    "\\a",
    "$x",
    "${x:-q}",
    "$(aa b1)",
    "`aa b1`",
    "$((1+1))",
    " E",
    "E ",
    "#",
    "$",
    "\\\n",
    "$'a'",
    "$\"b\"",
    "~",
    "*",
    "{a,b}",
    "E",
    "${x:-'q'}",
    "\\\\$x",
    ")",
];

fn word(random: &mut Random, text: &mut String) {
    let most = if random.chance(60) { 1 } else { 3 };
    for _ in 0..=random.below(most) {
        text.push_str(match random.below(100) {
            0..50 => random.pick(NAMES),
            50..68 => random.pick(QUOTES),
            68..85 => random.pick(EXPANSIONS),
            _ => random.pick(ODD),
        });
    }
}
