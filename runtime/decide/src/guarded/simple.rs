//! One simple command: its names, its rules, and what it runs.

use alloc::string::String;
use alloc::vec::Vec;

use policyc_shell::{Parameters, ShellKind, Span};

use super::conditions::is_harmless;
use super::dynamic::Name;
use super::grammar::{Grammar, Mark, assigned};
use super::heads::base_of_glob;
use super::line::{Judged, Line};
use super::setting::{Mode, Setting};
use super::walk::{Head, Own, Walk};
use super::{Answer, DEEPEST, Judge};
use crate::answers::{Doubt, Reading};
use crate::format::{CASELESS_ROOT, ROOT};
use crate::matcher::NUMBER;

impl<'t> Judge<'t, '_> {
    /// Judges a simple command with all that it runs. `defined` says that its program is a function, whose commands are
    /// judged where they stand.
    pub(super) fn simple(
        &mut self,
        line: &Line<'_>,
        span: Option<Span>,
        defined: bool,
        setting: &Setting<'_>,
    ) -> Answer {
        self.step(1 + line.len());
        if self.is_exhausted() {
            return Answer::Prompt;
        }
        let before = self.open(line, span, setting);
        let placed;
        let setting = if self.record.is_some() && !(setting.reading.scanned || setting.reading.guessed) {
            placed = Setting { origin: Some(line.start()), ..*setting };
            &placed
        } else {
            setting
        };
        let (answer, harmless) = match line.word(0) {
            None => (
                if line.extended {
                    self.uncovered(setting);
                    self.unknown(Answer::None, setting, Doubt::Dynamic { word: 0 })
                } else {
                    Answer::Allow
                },
                true,
            ),
            Some(program) if program.is_dynamic() => (self.unknown_program(line, setting), false),
            Some(program) => self.program(line, program.text, true, defined, setting),
        };
        self.close(before, answer, harmless);
        answer
    }

    /// Judges a command of a known program. `sure` is whether the name is the whole truth.
    fn program(
        &mut self,
        line: &Line<'_>,
        program: &str,
        sure: bool,
        defined: bool,
        setting: &Setting<'_>,
    ) -> (Answer, bool) {
        let names = self.names(program, setting.windows);
        let heads = || {
            names.iter().flatten().map(|named| {
                let head = named.head();
                Head { certain: head.certain && sure, ..head }
            })
        };
        let known = heads().find_map(|head| Some((head, self.known(head.name)?)));
        let table = self.table;
        let windows = setting.windows || heads().any(|head| head.caseless);
        let grammar = Grammar::new(table, known.map(|(_, found)| found), line, windows);
        let surely_known = sure && known.is_some_and(|(head, (_, found))| self.knows(found, &head, program));

        let moved = self.moved.len();
        self.enter_folders(line, &grammar);
        let mut own = Own::default();
        for head in heads() {
            let walk = self.rules(line, &grammar, head, setting);
            own.restrictive = own.restrictive.max(walk.restrictive);
            own.allowed = own.allowed.max(walk.allowed);
            own.doubted |= walk.doubted;
        }
        if let Some(covered) = setting.covered {
            if self.covers(line, &grammar, covered) {
                own.allowed = own.allowed.max(Some(covered));
            } else {
                own.doubted = true;
            }
        }
        self.allowed |= own.allowed.is_some();
        let harmless = (defined || grammar.known && grammar.harmless && surely_known)
            && (!grammar.inner.is_empty() || setting.foreign.is_empty() && setting.redirects.iter().all(is_harmless));
        let mut answer = match own {
            Own { restrictive: Some(decision), .. } => Answer::from(decision),
            Own { allowed: Some(_), .. } => Answer::Allow,
            Own { doubted: true, .. } => Answer::Prompt,
            _ if harmless => Answer::Allow,
            _ => Answer::None,
        };
        let covered = self.gather(line, &grammar, heads(), (own.allowed.is_some(), harmless), setting);
        self.enter_any_folder(&grammar);
        let permitted = harmless || covered || own.allowed.is_some();
        answer = answer.max(self.inner(line, &grammar, permitted, own.allowed, setting));
        if own.allowed.is_some() && answer == Answer::None {
            answer = self.unknown(answer, setting, Doubt::Inner);
        }
        if !grammar.effects.is_empty() || !grammar.code.is_empty() {
            answer = answer.max(self.effects(line, &grammar, &own, heads(), setting));
        }
        answer = answer.max(self.evaluated(line, &grammar, setting));
        if let Some((place, kind)) = grammar.file
            && line.word(place).is_some_and(|word| word.is_dynamic())
        {
            answer = answer.max(self.written_file(kind, line.span(place), setting));
        }
        if !grammar.known && !defined {
            answer = answer.max(self.tail(line, setting));
        }
        if !defined && (!grammar.known || grammar.waits_for_code) {
            answer = answer.max(self.fed_code(&grammar, setting));
        }
        if (program.is_empty() || program.contains(' ')) && setting.windows && line.len() > 1 {
            answer = answer.max(self.titled(line, setting));
        }
        if program.contains('-') {
            answer = answer.max(self.subcommand_in_name(line, program, setting));
        }
        if grammar.reads_operands {
            answer = answer.max(self.fed_operands(line, setting));
        }
        if !self.aliases.is_empty() || program.contains('=') {
            answer = answer.max(self.written_otherwise(line, program, setting));
        }
        if setting.mode == Mode::Doubtful && answer == Answer::Allow {
            self.doubt(|| Doubt::Surroundings);
            answer = Answer::Prompt;
        }
        if grammar.works_elsewhere() {
            self.moved.truncate(moved);
        }
        self.remember(line, &grammar, setting);
        (answer, harmless)
    }

    /// The rules for one name of the program.
    fn rules<'w>(
        &mut self,
        line: &Line<'w>,
        grammar: &'w Grammar<'w>,
        head: Head<'w>,
        setting: &'w Setting<'w>,
    ) -> Own {
        let mut walk = Walk::new(*line, grammar, setting, head);
        self.walk(&mut walk);
        if walk.own.depends {
            self.scan_rules(&mut walk, &Name::Known(head.name));
        }
        walk.own
    }

    /// Restrictive rules alone, for words that may be a command: nothing that it runs is looked at. Rules about every
    /// program are asked only where the words `begin`: they look at all words behind.
    pub(super) fn rules_alone(&mut self, line: &Line<'_>, begin: bool, setting: &Setting<'_>) -> Answer {
        self.step(1);
        let Some(program) = line.word(0) else { return Answer::None };
        let base;
        let program = if program.is_dynamic() {
            base = base_of_glob(&program.glob(self.folders, self.dots));
            if base.is_empty() || base.contains(WILD) {
                return Answer::None;
            }
            &base
        } else {
            program.text
        };
        let names = self.names(program, setting.windows);
        let mut answer = Answer::None;
        let mut grammar = None;
        let table = self.table;
        for named in names.iter().flatten() {
            let head = Head { certain: false, any: begin, ..named.head() };
            if !self.begins_a_rule(&head) {
                continue;
            }
            let near = if begin { *line } else { line.range(0, FAR) };
            let grammar: &Grammar<'_> =
                grammar.get_or_insert_with(|| Grammar::new(table, self.known(head.name), &near, false));
            self.step(near.len());
            if let Some(decision) = self.rules(&near, grammar, head, setting).restrictive {
                answer = answer.max(Answer::from(decision));
            }
        }
        if program.contains('-')
            && let Some(words) = self.parted(&line.range(0, FAR), program)
        {
            let parted = Setting { parted: true, ..*setting };
            answer = answer.max(self.rules_alone(&Line::parsed(&words), begin, &parted));
        }
        answer
    }

    /// Restrictive rules about every program.
    pub(super) fn rules_of_any_program(&mut self, line: &Line<'_>, setting: &Setting<'_>) -> Answer {
        self.step(line.len());
        let grammar = Grammar::new(self.table, None, line, false);
        let head = Head { name: "", certain: false, base_name: false, caseless: false, any: true };
        let mut walk = Walk::new(*line, &grammar, setting, head);
        self.scan_rules(&mut walk, &Name::Known(""));
        walk.own.restrictive.map_or(Answer::Allow, Answer::from)
    }

    fn begins_a_rule(&self, head: &Head<'_>) -> bool {
        let parameters = self.table.parameters;
        parameters.matchers != 0 && (head.any || self.describes_some_head(head.name))
            || parameters.canonical != 0
            || self.table.edge(ROOT, crate::word::Exact(head.name)).is_some()
            || head.caseless && self.table.edge(CASELESS_ROOT, crate::word::Exact(head.name)).is_some()
    }

    /// Whether the head of some rule describes the name, without being all of its pattern for every name.
    fn describes_some_head(&self, name: &str) -> bool {
        self.table.matcher_edges(ROOT).any(|(matcher, found)| {
            (matcher != crate::Matcher::AnyWord || !found.is_leaf()) && self.describes(matcher, name, true)
        })
    }

    /// What the words of a program that nothing is known of look like: it may run them.
    fn tail(&mut self, line: &Line<'_>, setting: &Setting<'_>) -> Answer {
        if setting.reading.scanned || line.len() < 2 {
            return Answer::Allow;
        }
        let reading = Reading { scanned: true, ..setting.reading };
        let restrictive = Setting { origin: Some(line.start()), weak: true, ..setting.apart(reading) };
        let mut answer = Answer::Allow;
        for place in 1..line.len() {
            if self.is_exhausted() {
                break;
            }
            let rest = line.range(place, line.len());
            let Some(word) = rest.word(0) else { continue };
            let mut found = self.rules_alone(&rest, false, &restrictive);
            if word.text.contains(TEXT) && !word.is_dynamic() && setting.depth <= DEEPEST {
                let deeper = Setting { depth: setting.depth + 1, origin: None, ..restrictive };
                found = found.max(self.text(word.text, ShellKind::Bash, &deeper));
                if self.hides(word.text, &deeper) {
                    found = Answer::Forbidden;
                }
            }
            if found > Answer::None {
                answer = self.unknown(answer, setting, Doubt::Tail { word: place });
            }
        }
        answer
    }

    /// The restrictive rules at every word, and nothing else.
    pub(super) fn scan_words(&mut self, line: &Line<'_>, start: usize, setting: &Setting<'_>) -> Answer {
        let reading = Reading { scanned: true, ..setting.reading };
        let setting = setting.apart(reading);
        (start..line.len()).fold(Answer::None, |answer, place| {
            answer.max(self.rules_alone(&line.range(place, line.len()), place == start, &setting))
        })
    }

    /// The command behind what may be the title of its window.
    fn titled(&mut self, line: &Line<'_>, setting: &Setting<'_>) -> Answer {
        let restrictive = Setting { depth: setting.depth + 1, ..setting.restrictive(setting.reading) };
        if restrictive.depth > DEEPEST {
            return Answer::Allow;
        }
        self.simple(&line.range(1, line.len()), None, false, &restrictive).restriction()
    }

    /// Restrictions on a program and its subcommand that are spelt as one word.
    fn subcommand_in_name(&mut self, line: &Line<'_>, program: &str, setting: &Setting<'_>) -> Answer {
        if setting.depth > DEEPEST {
            return Answer::Allow;
        }
        let Some(words) = self.parted(line, program) else { return Answer::Allow };
        let reading = Reading { base_name: true, guessed: true, ..setting.reading };
        let restrictive = Setting {
            depth: setting.depth + 1,
            covered: None,
            origin: None,
            parted: true,
            ..setting.restrictive(reading)
        };
        let words = Line::parsed(&words).replacing(line.placeholders(None), line.extended);
        self.simple(&words, None, false, &restrictive).restriction()
    }

    /// The command behind assignments that stand where a program should, and behind an alias that the request defined.
    fn written_otherwise(&mut self, line: &Line<'_>, program: &str, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        let restrictive = Setting { depth: setting.depth + 1, ..setting.restrictive(setting.reading) };
        let doubtful = Setting { mode: setting.mode.and(Mode::Doubtful), inside: self.current(), ..restrictive };
        if assigned(program).is_some() && line.len() > 1 {
            let skipped = (1..line.len())
                .find(|place| line.word(*place).is_none_or(|word| word.is_dynamic() || assigned(word.text).is_none()));
            if let Some(place) = skipped {
                answer = answer.max(self.simple(&line.range(place, line.len()), None, false, &restrictive));
            }
        }
        answer = answer.restriction();
        self.step(self.aliases.len() * line.len() / 16);
        if !self.aliases.is_empty() && restrictive.depth <= DEEPEST && !self.is_exhausted() {
            // In what an alias stands for, it stands for itself.
            let aliases = core::mem::take(&mut self.aliases);
            let known = |word: Judged<'_>| aliases.iter().rfind(|(name, _)| !word.is_dynamic() && name == word.text);
            let is_alias = aliases.iter().any(|(name, _)| name == program);
            if line.words().any(|word| known(word).is_some()) {
                let mut text = String::new();
                for (place, word) in line.words().enumerate() {
                    match known(word) {
                        Some((_, stands_for)) => {
                            text.push(' ');
                            text.push_str(stands_for);
                        }
                        None if place == 0 => text.push_str(word.text),
                        None => word.push_word(&mut text),
                    }
                }
                let found = self.text(&text, ShellKind::Bash, if is_alias { &doubtful } else { &restrictive });
                answer = answer.max(if is_alias { found } else { found.restriction() });
            }
            let defined = core::mem::replace(&mut self.aliases, aliases);
            self.aliases.extend(defined);
        }
        answer
    }

    /// Remembers what the command sets for those that follow.
    fn remember(&mut self, line: &Line<'_>, grammar: &Grammar<'_>, setting: &Setting<'_>) {
        if grammar.moves {
            self.leave(line, grammar, setting);
        }
        let places = grammar.marked(|mark| if let Mark::Parameter(place) = mark { Some(place) } else { None });
        if !places.is_empty() {
            let words = places.iter().filter_map(|place| line.word(*place));
            let words = words.map(|word| (!word.is_dynamic()).then(|| word.text.into()));
            let parameters: Parameters = core::iter::once(None).chain(words).collect();
            if self.parameters.len() < policyc_shell::MAX_GUESSES && !self.parameters.contains(&parameters) {
                self.parameters.push(parameters);
            }
        }
        let shifts = grammar.marked(|mark| if let Mark::Shift(place) = mark { Some(place) } else { None });
        for place in shifts {
            self.shift(line.word(place), setting);
        }
        if grammar.assigns {
            for place in &grammar.assignments {
                let Some(word) = line.word(*place) else { continue };
                // A word without a value names a variable all the same, and one that only the run can know may name any:
                // by its own text it is never inert.
                let name = assigned(word.text).unwrap_or(word.text);
                self.assign(name);
            }
        }
        let definition = grammar.marked(|mark| if let Mark::Definition(place) = mark { Some(place) } else { None });
        if let [name, meaning] = definition.as_slice()
            && let (Some(name), Some(meaning)) = (line.word(*name), line.word(*meaning))
        {
            self.aliases.push((name.text.into(), meaning.text.into()));
            // Where options say which is which, it may be the other way round.
            if definition.first().is_some_and(|first| *first > 1) {
                self.aliases.push((meaning.text.into(), name.text.into()));
            }
        }
        for place in &grammar.aliases {
            if let Some((name, text)) = line.word(*place).and_then(|word| word.text.split_once('=')) {
                self.aliases.push((name.into(), text.into()));
            }
        }
    }

    /// Remembers the parameters so far without the first ones.
    fn shift(&mut self, number: Option<Judged<'_>>, setting: &Setting<'_>) {
        let known = number.map_or(Some(1), |word| word.text.parse::<usize>().ok());
        let numbers = known.map_or(1..=3, |number| number..=number);
        let before: Vec<Parameters> = setting.parameters.iter().chain(&self.parameters).cloned().collect();
        for (parameters, number) in before.iter().flat_map(|one| numbers.clone().map(move |number| (one, number))) {
            let kept = parameters.iter().skip(1 + number.min(parameters.len()));
            let shifted: Parameters = parameters.iter().take(1).chain(kept).cloned().collect();
            if self.parameters.len() < policyc_shell::MAX_GUESSES && !self.parameters.contains(&shifted) {
                self.parameters.push(shifted);
            }
        }
    }

    /// Judges a command whose program only the run can know.
    fn unknown_program(&mut self, line: &Line<'_>, setting: &Setting<'_>) -> Answer {
        let Some(program) = line.word(0) else { return Answer::None };
        self.uncovered(setting);
        let base = base_of_glob(&program.glob(self.folders, self.dots));
        let mut answer = Answer::None;
        if !base.contains(WILD) && !base.is_empty() {
            let setting = Setting { mode: setting.mode.and(Mode::Doubtful), ..*setting };
            answer = self.program(line, &base, false, false, &setting).0;
        } else if base.trim_start_matches("[!.]").contains(|one: char| !matches!(one, '*' | '?')) {
            let grammar = Grammar::new(self.table, None, line, setting.windows);
            let head = Head { name: "", certain: false, base_name: true, caseless: false, any: true };
            let restrictive = setting.restrictive(Reading { expanded: true, ..setting.reading });
            let mut walk = Walk::new(*line, &grammar, &restrictive, head);
            self.scan_rules(&mut walk, &Name::Glob(base));
            answer = walk.own.restrictive.map_or(answer, Answer::from);
        }
        answer = answer.max(self.printed_program(line, setting));
        answer = answer.max(self.fed_program(line, setting));
        if program.vanishes() {
            answer = answer.max(self.without_program(line, setting));
        }
        answer = answer.max(self.tail(line, setting));
        self.unknown(answer, setting, Doubt::Dynamic { word: 0 })
    }
}

impl Judge<'_, '_> {
    /// The command that is left where the program, and words behind it that may become nothing as well, do so.
    fn without_program(&mut self, line: &Line<'_>, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        let restrictive = Setting { depth: setting.depth + 1, ..setting.restrictive(setting.reading) };
        for place in 1..line.len() {
            let rest = line.range(place, line.len());
            if restrictive.depth > DEEPEST {
                return answer.max(self.scan(&rest, 0, &restrictive).restriction());
            }
            // One that may be anything says nothing of its own.
            if line.word(place).is_none_or(|word| !word.is_anything()) {
                return answer.max(self.simple(&rest, None, false, &restrictive));
            }
            if place < FAR {
                answer = answer.max(self.printed_program(&rest, &restrictive));
            }
        }
        answer
    }

    /// The command whose first words a substitution prints: those that the command in it is told.
    fn printed_program(&mut self, line: &Line<'_>, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        let Some(span) = line.span(0).filter(|_| setting.depth <= DEEPEST) else { return answer };
        let restrictive = setting.restrictive(setting.reading);
        for command in self.commands_within(span, setting).filter(|command| command.span != span) {
            // The first word behind the program may be an option, or say how the others are printed.
            for told in (1..command.words.len().min(3)).filter_map(|first| command.words.get(first..)) {
                let told = Line::parsed(told);
                let (mut text, _) = told.text(0, told.len(), 0);
                (1..line.len()).filter_map(|place| line.word(place)).for_each(|word| word.push_word(text.to_mut()));
                answer = answer.max(self.text(&text, ShellKind::Bash, &restrictive).restriction());
            }
        }
        answer
    }
}

/// What a glob describes more than one word with.
const WILD: [char; 5] = ['*', '?', '[', '\\', NUMBER];

/// What makes a word a text that a shell would not take for one plain word.
pub(super) const TEXT: [char; 14] = [' ', '\n', '\t', '{', '$', ';', '&', '|', '<', '>', '`', '\'', '"', '\\'];

/// How many words behind a place that may begin a command are looked at.
const FAR: usize = 64;
