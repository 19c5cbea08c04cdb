//! Random policies and commands over a small alphabet, so that they collide: what the property tests and the live
//! differential judge. A policy is a list of statements, so that a failing one shrinks by dropping some.

use crate::policy::File;
use crate::random::Random;

/// What kind of policies to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only statements that every engine accepts, without examples.
    Valid,
    /// Anything: examples that may fail, wrong values, odd hosts and paths.
    Any,
}

/// A random policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Each file's statements.
    pub files: Vec<Vec<String>>,
    /// Commands to judge.
    pub commands: Vec<Vec<String>>,
}

const HEADS: &[&str] = &[
    "git",
    "gh",
    "rm",
    "GIT",
    "Git",
    "é",
    "e\u{301}",
    "É",
    "ß",
    "SS",
    "\u{212a}",
    "k",
    "sh",
    "/usr/bin/git",
    "./git",
    "git/",
    "~/bin/git",
    "",
    "..",
    "oracle",
];
const WORDS: &[&str] = &[
    "a", "b", "c", "A", "--all", "-f", "", "x y", "*", "$V", "#1", "é", "E\u{301}", "K", "\u{212a}", "ﬁ", "fi", "İ",
    "i\u{307}", "ſ", "s", "\u{3c2}", "\u{3c3}", "~", "--", "-- ", "a\u{345}", "\u{1fb3}",
];
const PROGRAM_PATHS: &[&str] = &[
    "/usr/bin/git",
    "/opt/bin/git",
    "/usr//bin/./git",
    "/opt/x/../bin/gh",
    "/bin/rm",
    "/bin/GIT",
    "/bin/é",
    "/bin/e\u{301}",
    "/oracle/git",
    "/home/dev/bin/git",
    "/bin/sh",
    "/bin/ß",
    "/bin/SS",
];
const PATH_SPELLINGS: &[&str] = &[
    "/usr/bin/git",
    "/opt/bin/git",
    "/usr/bin/../bin/git",
    "//usr/bin/git",
    "/usr/bin/git/",
    "./git",
    "git/",
    "../oracle/git",
    "../project/git",
    "bin/gh",
    "/bin/GIT",
    "/bin/Git",
    "~/bin/git",
    "~",
    "~/",
    "~x/git",
    ".",
    "..",
    "",
    "/",
    "/opt/bin/gh",
    "/bin/é",
    "/bin/e\u{301}",
    "/bin/É",
    "/bin/ss",
    "/bin/k",
    "/bin/\u{212a}",
    "/bin/rm",
    "/sbin/rm",
    "git/..",
];

impl Sample {
    /// A policy of one or two files, and `commands` commands.
    #[must_use]
    pub fn new(random: &mut Random, kind: Kind, commands: usize) -> Self {
        let files = if random.one_in(4) { 2 } else { 1 };
        let mut patterns = Vec::new();
        let files = (0..files)
            .map(|_| (0..random.between(1, 8)).map(|_| statement(random, kind, &mut patterns)).collect())
            .collect();
        let commands = (0..commands).map(|_| command(random, &patterns)).collect();
        Self { files, commands }
    }

    /// Few rules, each of twelve elements with four overlapping alternatives: what a product construction would blow up on.
    #[must_use]
    pub fn wide(random: &mut Random, rules: usize, commands: usize) -> Self {
        let alphabet = ["a", "b", "c", "d", "e", "f"];
        let mut patterns = Vec::new();
        let statements = (0..rules)
            .map(|rule| {
                let mut pattern = vec![vec!["run".to_owned()]];
                for _ in 0..11 {
                    let mut words: Vec<String> = Vec::new();
                    while words.len() < 4 {
                        let word = (*random.pick(&alphabet)).to_owned();
                        if !words.contains(&word) {
                            words.push(word);
                        }
                    }
                    pattern.push(words);
                }
                let decision = *random.pick(&["allow", "prompt", "forbidden"]);
                let text = format!("prefix_rule({}, {decision:?}, justification = \"rule {rule}\")", list(&pattern));
                patterns.push(pattern);
                text
            })
            .collect();
        let commands = (0..commands)
            .map(|_| {
                let mut words = vec!["run".to_owned()];
                let pattern = random.pick(&patterns).clone();
                for element in pattern.iter().skip(1) {
                    let stray = random.one_in(40);
                    words.push(if stray { (*random.pick(&alphabet)).to_owned() } else { random.pick(element).clone() });
                }
                words.truncate(random.between(10, 12));
                if words.len() == 12 && random.one_in(3) {
                    words.push("z".to_owned());
                }
                words
            })
            .collect();
        Self { files: vec![statements], commands }
    }

    /// The files' texts.
    #[must_use]
    pub fn texts(&self) -> Vec<File> {
        self.files
            .iter()
            .enumerate()
            .map(|(index, statements)| File::new(format!("p{index}.rules"), statements.join("\n") + "\n"))
            .collect()
    }

    /// The smallest sample, by dropping files, statements and commands, that still `fails`.
    #[must_use]
    pub fn shrink(mut self, fails: &dyn Fn(&Self) -> bool) -> Self {
        loop {
            let Some(smaller) = self.smaller().into_iter().find(|candidate| fails(candidate)) else {
                return self;
            };
            self = smaller;
        }
    }

    fn smaller(&self) -> Vec<Self> {
        let mut candidates = Vec::new();
        let half = self.commands.len().div_ceil(2);
        if self.commands.len() > 1 {
            for chunk in self.commands.chunks(half) {
                candidates.push(Self { commands: chunk.to_vec(), ..self.clone() });
            }
        }
        for file in 0..self.files.len() {
            if self.files.len() > 1 {
                let mut candidate = self.clone();
                candidate.files.remove(file);
                candidates.push(candidate);
            }
            for statement in 0..self.files.get(file).map_or(0, Vec::len) {
                let mut candidate = self.clone();
                if let Some(statements) = candidate.files.get_mut(file) {
                    statements.remove(statement);
                }
                candidates.push(candidate);
            }
        }
        candidates
    }
}

/// `text` as a Starlark string literal.
#[must_use]
pub fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

fn list(pattern: &[Vec<String>]) -> String {
    let elements: Vec<String> = pattern
        .iter()
        .map(|element| match element.as_slice() {
            [word] => quote(word),
            words => format!("[{}]", words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(", ")),
        })
        .collect();
    format!("[{}]", elements.join(", "))
}

fn statement(random: &mut Random, kind: Kind, patterns: &mut Vec<Vec<Vec<String>>>) -> String {
    if random.one_in(5) {
        return host_executable(random);
    }
    if kind == Kind::Any {
        if random.one_in(12) {
            return network_rule(random);
        }
        if random.one_in(40) {
            return (*random.pick(ODD_STATEMENTS)).to_owned();
        }
    }
    let mut pattern = Vec::new();
    for place in 0..random.between(1, 4) {
        let vocabulary = if place == 0 { HEADS } else { WORDS };
        let alternatives = if random.one_in(3) { random.between(1, 3) } else { 1 };
        pattern.push((0..alternatives).map(|_| (*random.pick(vocabulary)).to_owned()).collect());
    }
    let canonical = random.one_in(3);
    let mut text = format!("prefix_rule({}", list(&pattern));
    if !random.one_in(3) {
        text += &format!(", decision = {}", quote(random.pick::<&str>(&["allow", "prompt", "forbidden"])));
    }
    if random.one_in(3) {
        text += &format!(", justification = \"because {}\"", random.below(10));
    }
    if canonical {
        text += ", canonical_matching = True";
    }
    if kind == Kind::Any {
        for (keyword, often) in [("match", 3), ("not_match", 4)] {
            if random.one_in(often) {
                let examples: Vec<String> =
                    (0..random.between(1, 2)).map(|_| example(random, &pattern, keyword == "match")).collect();
                text += &format!(", {keyword} = [{}]", examples.join(", "));
            }
        }
    }
    patterns.push(pattern);
    text + ")"
}

const ODD_STATEMENTS: &[&str] = &[
    "x = [1, 2][0]",
    "load(\"nowhere.rules\", \"x\")",
    "prefix_rule([])",
    "prefix_rule([\"git\", []])",
    "prefix_rule([\"git\"], decision = \"deny\")",
    "prefix_rule([\"git\"], justification = \" \")",
    "for w in [\"a\", \"b\"]: prefix_rule([\"git\", w])",
    "[prefix_rule([\"rm\", w], \"prompt\") for w in [\"a\", \"a\"]]",
    "(lambda: prefix_rule([\"k\"], canonical_matching = True))()",
    "prefix_rule(*[[\"gh\"], \"forbidden\"])",
    "prefix_rule(**{\"pattern\": [\"sh\"]})",
    "pattern = \"unused\"",
    "print(1)",
    "if True: prefix_rule([f\"{'git'}\"])",
    "def f(n): return prefix_rule([\"git\", str(n)]) if n == 0 else f(n - 1)",
    "prefix_rule([\"a\" \"b\"])",
    "prefix_rule([\"git\"]); prefix_rule([\"gh\"])",
];

fn host_executable(random: &mut Random) -> String {
    let path = *random.pick(PROGRAM_PATHS);
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut paths = Vec::new();
    if !random.one_in(5) {
        paths.push(quote(path));
    }
    if random.one_in(3) {
        paths.push(quote(&format!("/opt/../usr/bin/{name}")));
    }
    if random.one_in(4) {
        paths.push(quote(&format!("/oracle/{name}/")));
    }
    format!("host_executable({}, [{}])", quote(name), paths.join(", "))
}

fn network_rule(random: &mut Random) -> String {
    let pieces = ["example", ".", "com", ":", "80", "[", "]", "::1", "*", "/", " ", "Ü", "\u{a0}", "#", "@", "-"];
    let host: String = (0..random.between(1, 5)).map(|_| *random.pick(&pieces)).collect();
    let protocol = *random.pick(&["http", "https", "https_connect", "http-connect", "socks5_tcp", "socks5_udp", "ftp"]);
    let decision = *random.pick(&["allow", "prompt", "forbidden", "deny", "deny "]);
    format!("network_rule({}, {}, {})", quote(&host), quote(protocol), quote(decision))
}

/// An example: as a list or as shell text; for `match`, most of them hit.
fn example(random: &mut Random, pattern: &[Vec<String>], hits: bool) -> String {
    let wrong = if hits { random.one_in(30) } else { !random.one_in(30) };
    let mut words: Vec<String> = pattern.iter().map(|element| random.pick(element).clone()).collect();
    if wrong {
        let place = random.below(words.len());
        if let Some(word) = words.get_mut(place) {
            *word = (*random.pick(PATH_SPELLINGS)).to_owned();
        }
    } else if random.one_in(6)
        && let Some(word) = words.first_mut()
    {
        *word = format!("/usr/bin/{word}");
    }
    if random.one_in(2) {
        return format!("[{}]", words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(", "));
    }
    let spelled: Vec<String> = words.iter().map(|word| shell_word(random, word)).collect();
    let mut text = spelled.join(*random.pick(&[" ", " ", "  ", "\t", "\n"]));
    if random.one_in(8) {
        text.push_str(random.pick::<&str>(&[
            " # comment",
            "#",
            " '",
            "\\",
            " \"",
            " ;x",
            "&&",
            " $(x)",
            " ''",
            "\r",
            " \u{a0}",
            " \"\\x\\$\"",
        ]));
    }
    quote(&text)
}

fn shell_word(random: &mut Random, word: &str) -> String {
    match random.below(4) {
        0 => format!("'{word}'"),
        1 => format!("\"{word}\""),
        2 if !word.is_empty() => word.chars().flat_map(|character| ['\\', character]).collect(),
        _ => word.to_owned(),
    }
}

/// A command that often agrees with one of `patterns` for a while.
fn command(random: &mut Random, patterns: &[Vec<Vec<String>>]) -> Vec<String> {
    let mut words: Vec<String> = if patterns.is_empty() || random.one_in(6) {
        vec![(*random.pick(HEADS)).to_owned()]
    } else {
        random.pick(patterns).iter().map(|element| random.pick(element).clone()).collect()
    };
    for word in &mut words {
        if random.one_in(8) {
            *word = (*random.pick(WORDS)).to_owned();
        } else if random.one_in(8) {
            *word = if random.one_in(2) { word.to_lowercase() } else { word.to_uppercase() };
        }
    }
    if random.one_in(3)
        && let Some(first) = words.first_mut()
    {
        *first = (*random.pick(PATH_SPELLINGS)).to_owned();
    }
    if random.one_in(6) {
        words.truncate(random.between(1, 2));
    }
    for _ in 0..random.below(3) {
        words.push((*random.pick(WORDS)).to_owned());
    }
    words
}
