//! Ways to write and to wrap a command so that the same command runs: the generator behind the law's property test.
//!
//! A composition is one command, a spelling of its words, what stands around the words, and wrappings around it all.

use crate::random::Random;

/// What a wrapping can be put around, each kind part of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// The words of a command and nothing else: what may follow a wrapper.
    Words,
    /// A simple command, perhaps with assignments in front.
    Statement,
    /// Any text.
    Text,
}

/// One way to wrap a command.
#[derive(Clone, Copy, Debug)]
pub struct Wrapping {
    /// The text around it. `«text»` stands for what is wrapped, `«quoted»` for the same as one single-quoted word,
    /// `«ticks»` for the same between backticks, `«n»` for a number of its own.
    pub template: &'static str,
    /// What it can be put around.
    pub takes: Form,
    /// What comes of it.
    pub gives: Form,
    /// Whether the command stays as allowed as it was, under the shipped knowledge of programs.
    pub harmless: bool,
    /// Whether nobody declares what it does: then a restriction of what is wrapped can only cost an allow.
    pub opaque: bool,
    /// Whether the command is given further words, so that it is another one for a rule without room for them.
    pub extends: bool,
}

const fn words(template: &'static str) -> Wrapping {
    Wrapping { template, takes: Form::Words, gives: Form::Words, harmless: false, opaque: false, extends: false }
}

const fn statement(template: &'static str) -> Wrapping {
    Wrapping { template, takes: Form::Statement, gives: Form::Text, harmless: false, opaque: false, extends: false }
}

const fn text(template: &'static str) -> Wrapping {
    Wrapping { template, takes: Form::Text, gives: Form::Text, harmless: false, opaque: false, extends: false }
}

/// A command that is given a text.
const fn run(template: &'static str) -> Wrapping {
    Wrapping { template, takes: Form::Text, gives: Form::Words, harmless: false, opaque: false, extends: false }
}

const fn harmless(wrapping: Wrapping) -> Wrapping {
    Wrapping { harmless: true, ..wrapping }
}

const fn opaque(wrapping: Wrapping) -> Wrapping {
    Wrapping { opaque: true, ..wrapping }
}

const fn extends(wrapping: Wrapping) -> Wrapping {
    Wrapping { extends: true, ..wrapping }
}

/// Every wrapping.
pub const WRAPPINGS: &[Wrapping] = &[
    // Programs that run their operands.
    words("sudo «text»"),
    words("sudo -n -u root «text»"),
    words("sudo A=1 «text»"),
    words("doas «text»"),
    harmless(words("env «text»")),
    words("env -i A=1 «text»"),
    words("env -u A -- «text»"),
    words("/usr/bin/env «text»"),
    harmless(words("timeout 9 «text»")),
    words("timeout -k 3 --signal=KILL 9s «text»"),
    harmless(words("nice «text»")),
    harmless(words("nice -n 5 «text»")),
    words("ionice -c3 «text»"),
    harmless(words("nohup «text»")),
    words("setsid «text»"),
    words("stdbuf -oL «text»"),
    harmless(words("command «text»")),
    words("exec «text»"),
    words("exec -a x «text»"),
    words("busybox «text»"),
    words("flock /tmp/l «text»"),
    extends(words("xargs «text»")),
    extends(words("xargs -n 1 -P 4 «text»")),
    words("xargs -0 -I%«n»% «text»"),
    words("find . -exec «text» ';'"),
    extends(words("find . -name '*.c' -exec «text» {} +")),
    words("find . -type f -execdir «text» \\;"),
    words("docker exec -it box «text»"),
    words("docker compose exec web «text»"),
    words("chroot /srv «text»"),
    opaque(words("unknown-wrapper-of-mine x «text»")),
    // Keywords and builtins in front of a simple command.
    harmless(statement("time «text»")),
    harmless(statement("! «text»")),
    statement("coproc «text»"),
    statement("true && «text»"),
    statement("false || «text»"),
    statement("true | «text»"),
    statement("«text» | cat"),
    statement("«text» && true"),
    statement("«text» || true"),
    harmless(statement("«text» &")),
    statement("[ -f a ] && «text»"),
    statement("[[ -n $A ]] && «text»"),
    statement("if «text»; then :; fi"),
    statement("while «text»; do break; done"),
    harmless(statement("«text» # a comment")),
    extends(Wrapping { gives: Form::Text, ..words("echo origin | xargs -- «text»") }),
    // Texts.
    text("true; «text»"),
    text("true\n«text»"),
    text("false &\n«text»"),
    text("«text»\necho $HOME"),
    harmless(text("# a comment\n«text»")),
    harmless(text("«text»\n# a comment")),
    harmless(text("( «text»\n)")),
    harmless(text("{ «text»\n}")),
    harmless(text("if true; then\n«text»\nfi")),
    text("if false; then :; else\n«text»\nfi"),
    text("if false; then :; elif true; then\n«text»\nfi"),
    harmless(text("for x in a b; do\n«text»\ndone")),
    text("for ((i = 0; i < 1; i++)); do\n«text»\ndone"),
    text("while true; do\n«text»\nbreak; done"),
    text("until false; do\n«text»\nbreak; done"),
    text("case a in\nb) ;;\na)\n«text»\n;; esac"),
    text("select x in a; do\n«text»\nbreak; done"),
    harmless(text("f«n»() {\n«text»\n}; f«n»")),
    text("function f«n» {\n«text»\n}\nf«n» a"),
    text("f«n»() (\n«text»\n)\nf«n»"),
    text("echo $( «text»\n)"),
    text("echo \"$( «text»\n)\""),
    text("echo \"a ${X:-$( «text»\n)} b\""),
    text("x=$( «text»\n)"),
    text("export K=\"$( «text»\n)\""),
    text("a=( $( «text»\n) )"),
    text("echo `«ticks»`"),
    opaque(text("echo \"`«ticks»`\"")),
    text("cat <(«text»\n)"),
    text("echo a > >(«text»\n)"),
    text("diff <(true) <(«text»\n)"),
    text("echo $(( $( «text»\n) + 1 ))"),
    text("case $( «text»\n) in *) ;; esac"),
    text("for x in $( «text»\n); do :; done"),
    text("cat <<E«n»\n$( «text»\n)\nE«n»"),
    text("sh <<'E«n»'\n«text»\nE«n»"),
    text("bash -s -- a <<'E«n»'\n«text»\nE«n»"),
    opaque(text("cat <<'E«n»' | sh\n«text»\nE«n»")),
    text("trap «quoted» EXIT"),
    text("alias zz«n»=«quoted»\nzz«n»"),
    text("echo «quoted» | sh"),
    opaque(text("printf '%s\\n' «quoted» | bash")),
    text("bash <<< «quoted»"),
    text("PROMPT_COMMAND=x\n«text»"),
    text("set -e\n«text»"),
    text("cd /srv/app && {\n«text»\n}"),
    // Commands that are given a text.
    harmless(run("sh -c «quoted»")),
    harmless(run("bash -lc «quoted»")),
    run("/bin/zsh -lc «quoted»"),
    run("bash -euo pipefail -c «quoted» x y"),
    run("dash -c «quoted»"),
    run("env sh -c «quoted»"),
    run("su -c «quoted» user"),
    run("su - user -c «quoted»"),
    run("sudo sh -c «quoted»"),
    run("ssh host «quoted»"),
    run("ssh -p 22 -i key user@host «quoted»"),
    run("watch -n 1 «quoted»"),
    extends(run("parallel «quoted» ::: a")),
    run("xargs -I%«n»% sh -c «quoted»"),
    run("find . -exec sh -c «quoted» \\;"),
    run("docker run --rm -it image sh -c «quoted»"),
    run("script -c «quoted» /dev/null"),
    run("flock /tmp/l -c «quoted»"),
    harmless(run("eval «quoted»")),
];

/// How one word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// As it is, or single-quoted if it must be.
    Plain,
    /// `'word'`
    Single,
    /// `"word"`
    Double,
    /// `w\ord`
    Backslash,
    /// `w''ord`
    EmptyQuotes,
    /// `"w"'ord'`
    Joined,
    /// `$'\x77ord'`
    Ansi,
    /// `$'\167\157…'`
    Octal,
    /// `w\` and a line break in the word
    Continued,
}

const SPELLINGS: &[Spelling] = &[
    Spelling::Plain,
    Spelling::Single,
    Spelling::Double,
    Spelling::Backslash,
    Spelling::EmptyQuotes,
    Spelling::Joined,
    Spelling::Ansi,
    Spelling::Octal,
    Spelling::Continued,
];

/// What may stand in front of a program's name.
const FOLDERS: &[&str] =
    &["/usr/bin/", "./", "../bin/", "/tmp/x/", "/proc/self/root/usr/bin/", "~/bin/", "//usr///bin/./"];

/// Options to put between a program and its next word; the last ones are declared by nobody.
const OPTIONS: &[(&str, &[&str])] = &[
    (
        "git",
        &["-C /srv/app", "--no-pager", "-c user.name=x", "--git-dir=/srv/.git", "--git-dir /srv/.git", "-p", "--bare"],
    ),
    ("docker", &["--context x", "-H tcp://h", "--log-level=debug", "-D"]),
    ("kubectl", &["-n default", "--namespace=default", "--context prod"]),
    ("helm", &["-n default", "--kube-context=prod"]),
    ("npm", &["--prefix /srv", "--silent"]),
    ("terraform", &["-chdir=/srv"]),
    ("cargo", &["+nightly", "--offline", "-q", "--color never"]),
    ("gh", &["-R o/r"]),
    ("systemctl", &["--user", "-H host"]),
    ("", &["--of-nobody", "--of-nobody=1", "-@"]),
];

/// What may be put around the words of a simple command.
const AROUND: &[(&str, &str)] = &[
    ("A=1 ", ""),
    ("GIT_TRACE=1 B=\"$(true)\" ", ""),
    ("", " > /tmp/o"),
    ("", " 2>&1"),
    ("", " >> /tmp/o 2>/dev/null"),
    ("", " < /dev/null"),
    ("> /tmp/o ", ""),
    ("", " <<< a"),
    ("", " &> /tmp/o"),
];

/// Ways to write a whole command whose words need no quotes: `«words»` are its words, `«commas»` with commas between
/// them, `«ifs»` with expansions between them, `«first»` the first and `«rest»` the others. With whether only the run can
/// know the words.
const WHOLE: &[(&str, bool)] = &[
    ("{«commas»}", false),
    ("«ifs»", true),
    ("cmd /c «words»", false),
    ("cmd.exe /d /c '«words»'", false),
    ("pwsh -Command '«words»'", false),
    ("powershell.exe -NoProfile -Command \"«words»\"", false),
    ("${X:-«first»} «rest»", true),
    ("X=«first»; $X «rest»", true),
    ("$'«first»' «rest»", false),
    ("'C:\\Tools\\«first».exe' «rest»", false),
    ("«first».exe «rest»", false),
    ("\\\n«words»", false),
    ("«words»\t", false),
    ("\u{20}\u{20}«words»", false),
];

/// A command, written and wrapped in some way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composition {
    /// The words of the command.
    pub words: Vec<String>,
    /// How each is written.
    pub spellings: Vec<Spelling>,
    /// What stands in front of the program's name.
    pub folder: Option<&'static str>,
    /// Options after the program.
    pub option: Option<&'static str>,
    /// What is put around the words.
    pub around: Option<usize>,
    /// The way to write the whole command, instead of all that.
    pub whole: Option<usize>,
    /// The wrappings, by their places, the innermost first.
    pub wrappings: Vec<usize>,
}

impl Composition {
    /// `words` as they are.
    #[must_use]
    pub fn plain(words: &[String]) -> Self {
        Self {
            words: words.to_vec(),
            spellings: vec![Spelling::Plain; words.len()],
            folder: None,
            option: None,
            around: None,
            whole: None,
            wrappings: Vec::new(),
        }
    }

    /// `words` in some disguise, with up to `depth` wrappings around it. If it is to stay `harmless`, all of it does not
    /// touch an allow.
    #[must_use]
    pub fn random(random: &mut Random, words: &[String], depth: usize, harmless: bool) -> Self {
        let mut composition = Self::plain(words);
        if random.one_in(2) {
            composition.spellings = words.iter().map(|_| *random.pick(SPELLINGS)).collect();
        }
        let mut form = Form::Words;
        if !harmless {
            let program = words.first().map_or("", String::as_str);
            if random.one_in(4) && !program.contains('/') {
                composition.folder = Some(*random.pick(FOLDERS));
            }
            if random.one_in(4) && words.len() > 1 {
                let known = OPTIONS.iter().filter(|(name, _)| *name == program || name.is_empty());
                let options: Vec<&str> = known.flat_map(|(_, options)| options.iter().copied()).collect();
                composition.option = Some(*random.pick(&options));
            }
            if random.one_in(4) {
                composition.around = Some(random.below(AROUND.len()));
                form = Form::Statement;
            }
            if random.one_in(8) && !program.contains('/') && words.iter().all(|word| is_bare(word)) {
                composition = Self { whole: Some(random.below(WHOLE.len())), ..Self::plain(words) };
                form = Form::Text;
            }
        }
        for _ in 0..depth {
            let place = random.below(WRAPPINGS.len());
            let Some(wrapping) = WRAPPINGS.get(place) else { continue };
            if wrapping.takes >= form && (wrapping.harmless || !harmless) {
                composition.wrappings.push(place);
                form = wrapping.gives;
            }
        }
        composition
    }

    /// Whether the words, and that they run, are known before the run.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.whole.and_then(|place| WHOLE.get(place)).is_none_or(|(_, dynamic)| !dynamic)
            && !self.wrappings.iter().filter_map(|place| WRAPPINGS.get(*place)).any(|wrapping| wrapping.opaque)
    }

    /// Whether the command that runs may have more words.
    #[must_use]
    pub fn extends(&self) -> bool {
        self.wrappings.iter().filter_map(|place| WRAPPINGS.get(*place)).any(|wrapping| wrapping.extends)
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = match self.whole.and_then(|place| WHOLE.get(place)) {
            Some((template, _)) => self.whole(template),
            None => self.spelled(),
        };
        for (level, wrapping) in self.wrappings.iter().filter_map(|place| WRAPPINGS.get(*place)).enumerate() {
            text = wrap(wrapping.template, &text, level);
        }
        text
    }

    fn whole(&self, template: &str) -> String {
        let (first, rest) = self.words.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
        template
            .replace("«words»", &self.words.join(" "))
            .replace("«commas»", &if rest.is_empty() { format!("{first},") } else { self.words.join(",") })
            .replace("«ifs»", &self.words.join("${IFS}"))
            .replace("«first»", first)
            .replace("«rest»", &rest.join(" "))
    }

    fn spelled(&self) -> String {
        let mut written: Vec<String> =
            self.words.iter().zip(&self.spellings).map(|(word, spelling)| spell(word, *spelling)).collect();
        if let (Some(folder), Some(program)) = (self.folder, written.first_mut()) {
            program.insert_str(0, folder);
        }
        if let Some(option) = self.option {
            written.insert(1, option.to_owned());
        }
        let (before, after) = self.around.and_then(|place| AROUND.get(place)).copied().unwrap_or_default();
        format!("{before}{}{after}", written.join(" "))
    }

    /// The smallest composition that still `fails`.
    #[must_use]
    pub fn shrink(mut self, fails: &dyn Fn(&Self) -> bool) -> Self {
        while let Some(smaller) = self.smaller().into_iter().find(|smaller| fails(smaller)) {
            self = smaller;
        }
        self
    }

    fn smaller(&self) -> Vec<Self> {
        let mut smaller = Vec::new();
        for place in 0..self.wrappings.len() {
            let mut candidate = self.clone();
            candidate.wrappings.remove(place);
            smaller.push(candidate);
        }
        for (number, spelling) in self.spellings.iter().enumerate() {
            if *spelling != Spelling::Plain {
                let mut candidate = self.clone();
                if let Some(spelling) = candidate.spellings.get_mut(number) {
                    *spelling = Spelling::Plain;
                }
                smaller.push(candidate);
            }
        }
        let mut without = |change: fn(&mut Self)| {
            let mut candidate = self.clone();
            change(&mut candidate);
            if candidate != *self {
                smaller.push(candidate);
            }
        };
        without(|candidate| candidate.folder = None);
        without(|candidate| candidate.option = None);
        without(|candidate| candidate.around = None);
        without(|candidate| candidate.whole = None);
        // A form that only a smaller composition has would make another command of it.
        smaller.retain(Self::fits);
        smaller
    }

    /// Whether each wrapping takes what it is put around.
    fn fits(&self) -> bool {
        let mut form = match (self.whole, self.around) {
            (Some(_), _) => Form::Text,
            (None, Some(_)) => Form::Statement,
            (None, None) => Form::Words,
        };
        self.wrappings.iter().filter_map(|place| WRAPPINGS.get(*place)).all(|wrapping| {
            let fits = wrapping.takes >= form;
            form = wrapping.gives;
            fits
        })
    }
}

/// Whether a word needs no quotes in any of the shells.
fn is_bare(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|one| one.is_ascii_alphanumeric() || "-_./:+".contains(one))
}

fn wrap(template: &str, text: &str, level: usize) -> String {
    template
        .replace("«n»", &level.to_string())
        .replace("«quoted»", &quoted(text))
        .replace("«ticks»", &text.replace('\\', "\\\\").replace('`', "\\`"))
        .replace("«text»", text)
}

/// `text` as one single-quoted word.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn spell(word: &str, spelling: Spelling) -> String {
    let mut characters = word.chars();
    let (first, rest) = (characters.next(), characters.as_str());
    let bare = is_bare(word);
    match (spelling, first) {
        (Spelling::Double, _) if !word.contains(['"', '\\', '$', '`', '!']) => format!("\"{word}\""),
        (Spelling::Backslash, Some(first)) if bare => format!("{first}\\{rest}").trim_end_matches('\\').to_owned(),
        (Spelling::EmptyQuotes, Some(first)) if bare => format!("{first}''{rest}\"\""),
        (Spelling::Joined, Some(first)) if bare => format!("\"{first}\"'{rest}'"),
        (Spelling::Ansi, Some(first)) if bare => format!("$'\\x{:02x}{rest}'", u32::from(first)),
        (Spelling::Octal, _) if bare => {
            format!("$'{}'", word.chars().map(|one| format!("\\{:03o}", u32::from(one))).collect::<String>())
        }
        (Spelling::Continued, Some(first)) if bare => format!("{first}\\\n{rest}"),
        (Spelling::Plain, _) if bare => word.to_owned(),
        _ => quoted(word),
    }
}
