//! One simple command: its names, its rules, and what it runs.

use alloc::string::String;
use alloc::vec::Vec;

use policyc_shell::{Parameters, ShellKind, SimpleCommand, Span};

use super::conditions::is_harmless;
use super::dynamic::Name;
use super::grammar::{Effect, Grammar, Inner, Mark, assigned};
use super::heads::base_of_glob;
use super::line::{Judged, Line};
use super::setting::{Mode, Setting};
use super::text::is_text;
use super::walk::{Head, Own, Walk};
use super::{Answer, DEEPEST, Judge};
use crate::answers::{Doubt, Reading};
use crate::format::{CASELESS_ROOT, ROOT, option};

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
        let known = heads().find_map(|head| Some((head, self.knows(&head, program)?)));
        let table = self.table;
        let windows = setting.windows || heads().any(|head| head.caseless);
        let grammar = Grammar::new(table, known.map_or("", |(head, _)| head.name), line, windows);
        let surely_known = known.is_some_and(|(_, surely)| surely && sure);

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
        self.enter_any_folder(&grammar);
        answer = answer.max(self.inner(line, &grammar, harmless || own.allowed.is_some(), own.allowed, setting));
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
            base = base_of_glob(&program.glob(self.folders));
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
            let grammar: &Grammar<'_> = grammar.get_or_insert_with(|| Grammar::new(table, head.name, &near, false));
            self.step(near.len());
            if let Some(decision) = self.rules(&near, grammar, head, setting).restrictive {
                answer = answer.max(Answer::from(decision));
            }
        }
        answer
    }

    /// Restrictive rules about every program.
    pub(super) fn rules_of_any_program(&mut self, line: &Line<'_>, setting: &Setting<'_>) -> Answer {
        self.step(line.len());
        let grammar = Grammar::new(self.table, "", line, false);
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

    /// Judges what the command runs. An allow that reaches into it holds for it, too.
    fn inner(
        &mut self,
        line: &Line<'_>,
        grammar: &Grammar<'_>,
        permitted: bool,
        reach: Option<usize>,
        setting: &Setting<'_>,
    ) -> Answer {
        let mut answer = Answer::Allow;
        if grammar.inner.is_empty() && grammar.assignments.is_empty() {
            return answer;
        }
        let mut foreign: Vec<&str> = setting.foreign.to_vec();
        let assignments = grammar.assignments.iter().filter_map(|place| {
            let text = line.word(*place)?.beginning();
            assigned(text).or_else(|| text.split('=').next())
        });
        foreign.extend(assignments.filter(|name| !self.is_inert(name)));
        let certain = permitted && !grammar.ambiguous;
        let mode = if certain { setting.mode } else { setting.mode.and(Mode::Doubtful) };
        for inner in &grammar.inner {
            let covered = reach.and_then(|reach| reach.checked_sub(inner.start())).filter(|words| *words > 0);
            // The rule names the very text: that is all of it.
            let named = covered.is_some() && matches!(inner, Inner::Text { .. });
            let setting = Setting {
                mode: if named { Mode::Restrictive } else { mode },
                foreign: if covered.is_some() { &[] } else { &foreign },
                covered,
                depth: setting.depth + 1,
                inside: self.current(),
                ..*setting
            };
            let found = self.run(line, grammar, *inner, &setting);
            if !certain && found == Answer::Prompt {
                self.doubt_option(grammar, inner.start().min(line.len()));
            }
            answer = answer.max(if named && found == Answer::None { Answer::Allow } else { found });
        }
        if let Some(place) = grammar.inputs {
            answer = answer.max(self.inputs(line, grammar, place, setting));
        }
        if grammar.ambiguous
            && let Some(start) = grammar.inner.iter().map(Inner::start).min().filter(|start| *start < line.len())
        {
            answer = answer.max(self.scan(line, start, setting));
        }
        answer
    }

    /// Whether an allow that takes so many of the words, being about what runs them, also covers what their program
    /// does because of its options.
    fn covers(&mut self, line: &Line<'_>, grammar: &Grammar<'_>, covered: usize) -> bool {
        let mut covers = true;
        for effect in grammar.effects.iter().filter(|effect| effect.word >= covered || line.word(effect.word).is_none())
        {
            let word = effect.word;
            self.doubt(|| Doubt::Runs { word });
            covers = false;
        }
        covers
    }

    fn run(&mut self, line: &Line<'_>, grammar: &Grammar<'_>, inner: Inner, setting: &Setting<'_>) -> Answer {
        let placeholder = line.placeholder(grammar.placeholder);
        let placeholders = line.placeholders(placeholder.as_ref());
        match inner {
            Inner::Words { start, end } => {
                let until_plus = line.word(end).is_some_and(|word| word.text == "+");
                let words = line.range(start, end);
                let words = words.replacing(placeholders, words.extended || grammar.extends || until_plus);
                if setting.depth > DEEPEST {
                    self.doubt(|| Doubt::TooDeep);
                    return self.scan(&words, 0, setting).max(Answer::Prompt);
                }
                let answer = self.simple(&words, None, false, setting);
                answer.max(self.text_as_program(&words, setting))
            }
            Inner::Text { kind, start, end, offset, given } => {
                let words = line.replacing(placeholders, line.extended || grammar.extends);
                let (text, known) = words.text(start, end, offset);
                let mode = if known { setting.mode } else { setting.mode.and(Mode::Doubtful) };
                let behind = (end..line.len()).filter_map(|place| words.word(place));
                let behind = behind.map(|word| (!word.is_dynamic()).then(|| word.text.into()));
                let own = [behind.collect()];
                let parameters = if given { &own[..] } else { setting.parameters };
                let mut answer = self.text(&text, kind, &Setting { mode, parameters, ..*setting });
                if end - start > 1 && setting.depth <= DEEPEST {
                    answer = answer.max(self.unjoined(&words.range(start, end), setting));
                }
                if !known {
                    for span in (start..end).filter(|place| line.word(*place).is_some_and(|word| word.is_dynamic())) {
                        answer = answer.max(self.printed_within(kind, line.span(span), setting));
                    }
                }
                if known && !words.extended {
                    answer
                } else {
                    self.unknown(answer, setting, Doubt::Dynamic { word: start })
                }
            }
            Inner::Respelt { start, end, offset, stays } => {
                let (value, known) = line.text(start, end, offset);
                let mut text = String::new();
                if let Some(program) = line.word(0).filter(|_| stays) {
                    program.push_word(&mut text);
                }
                text.push(' ');
                super::respelt::push(&mut text, &value);
                (end..line.len()).filter_map(|place| line.word(place)).for_each(|word| word.push_word(&mut text));
                let mode = if known { setting.mode } else { setting.mode.and(Mode::Doubtful) };
                let answer = self.text(&text, ShellKind::Bash, &Setting { mode, covered: None, ..*setting });
                if known && !line.extended {
                    answer
                } else {
                    self.unknown(answer, setting, Doubt::Dynamic { word: start })
                }
            }
            Inner::StandardInput { kind, descriptor } => self.standard_input(kind, descriptor, setting),
            Inner::Supplied => {
                let answer = self.standard_input(ShellKind::Bash, 0, setting);
                self.unknown(answer, setting, Doubt::Inner)
            }
        }
    }

    /// Restrictions on words that are joined to a text, should they be passed on as they are.
    fn unjoined(&mut self, words: &Line<'_>, setting: &Setting<'_>) -> Answer {
        let reading = Reading { guessed: true, ..setting.reading };
        self.simple(words, None, false, &setting.restrictive(reading)).restriction()
    }

    /// The text that stands where a program should: no program has blanks in its name, but some hand to a shell what they
    /// are given.
    fn text_as_program(&mut self, words: &Line<'_>, setting: &Setting<'_>) -> Answer {
        let text = words.word(0).filter(|word| !word.is_dynamic() && word.text.contains(char::is_whitespace));
        let Some(text) = text else { return Answer::Allow };
        let restrictive = Setting { covered: None, ..setting.restrictive(setting.reading) };
        self.text(text.text, ShellKind::Bash, &restrictive).restriction()
    }

    /// What options and operands with code, which cannot be looked into, make of the answer.
    fn effects<'h>(
        &mut self,
        line: &Line<'_>,
        grammar: &Grammar<'_>,
        own: &Own,
        mut heads: impl Iterator<Item = Head<'h>>,
        setting: &Setting<'_>,
    ) -> Answer {
        let mut answer = Answer::Allow;
        let runs = |judge: &Self, effect: &&Effect| {
            let flags = judge.table.options.get(effect.option).map_or(0, |record| record.field(0));
            flags >> option::RUNS_SHIFT & 7 == option::CODE
        };
        let code = grammar.effects.iter().find(|effect| runs(self, effect));
        let places = grammar
            .effects
            .iter()
            .filter_map(|effect| effect.value)
            .chain(grammar.code.iter().map(|place| (*place, 0)));
        for (place, offset) in places {
            let Some(word) = line.word(place).filter(|word| !word.is_dynamic()) else { continue };
            let text = word.text.get(offset..).unwrap_or_default();
            if text.contains(|one: char| !one.is_ascii_alphanumeric()) && self.hides(text, setting) {
                answer = self.unknown(answer, setting, Doubt::Tail { word: place });
            }
        }
        if let Some(effect) = code
            && own.restrictive.is_none()
            && own.allowed.is_none()
            && heads.any(|head| self.restricts(head.name))
        {
            let word = effect.word;
            answer = self.unknown(answer, setting, Doubt::Runs { word });
        }
        answer
    }

    /// What runs because names with subscripts and arithmetic are evaluated, and values of variables on the way.
    fn evaluated(&mut self, line: &Line<'_>, grammar: &Grammar<'_>, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        let code = |effect: &Effect| {
            let flags = self.table.options.get(effect.option).map_or(0, |record| record.field(0));
            flags >> option::RUNS_SHIFT & 7 == option::CODE
        };
        let mut evaluates = !setting.evaluable.is_empty() && grammar.effects.iter().any(code);
        for mark in &grammar.marks {
            let (place, arithmetic) = match mark {
                Mark::Name(place) => (*place, false),
                Mark::Arithmetic(place) => (*place, true),
                _ => continue,
            };
            evaluates = true;
            let Some(word) = line.word(place) else { continue };
            if word.is_dynamic() {
                answer = self.unknown(answer, setting, Doubt::Dynamic { word: place });
                continue;
            }
            let subscript = word.text.split_once('[').and_then(|(_, rest)| rest.rsplit_once(']'));
            let text = if arithmetic { word.text } else { subscript.map_or(word.text, |(subscript, _)| subscript) };
            answer = answer.max(self.arithmetic(text, setting));
        }
        if evaluates {
            answer = answer.max(self.evaluable(setting));
        }
        answer
    }

    /// What literal texts run if they are evaluated as the value of a variable.
    pub(super) fn evaluable(&mut self, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        for text in setting.evaluable {
            let found = self.arithmetic(text, &setting.restrictive(setting.reading)).restriction();
            answer = self.unknown(answer.max(found), setting, Doubt::Surroundings);
        }
        answer
    }

    /// Judges a text that is evaluated as arithmetic.
    fn arithmetic(&mut self, text: &str, setting: &Setting<'_>) -> Answer {
        let surroundings = Setting { redirects: &[], feeders: &[], covered: None, evaluable: &[], ..*setting };
        self.text(&["(( ", text, " ))"].concat(), ShellKind::Bash, &surroundings)
    }

    /// Whether a text in an unknown language has the words of a command that a rule restricts.
    fn hides(&mut self, text: &str, setting: &Setting<'_>) -> bool {
        self.step(text.len() / 4);
        let separators = |one: char| !one.is_alphanumeric() && !"-_.+@%:~".contains(one);
        let words: Vec<&str> = text.split(separators).filter(|word| !word.is_empty()).collect();
        let setting = Setting { origin: None, weak: true, ..*setting };
        self.scan_words(&Line::typed(&super::line::Command(&words)), 0, &setting) > Answer::None
    }

    /// What code in an unknown language looks like that a program is given as its standard input: it may run commands.
    fn fed_code(&mut self, grammar: &Grammar<'_>, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        let texts = setting.redirects.iter().filter(|redirect| is_text(redirect.kind)).map(|one| &one.target);
        let feeders = if grammar.known { setting.feeders } else { &[] };
        let printed = feeders.iter().flat_map(|feeder| feeder.words.iter().skip(1));
        for word in texts.chain(printed) {
            if word.text.contains(TEXT) && self.hides(&word.text, setting) {
                answer = self.unknown(answer, setting, Doubt::StandardInput);
            }
        }
        answer
    }

    /// What the words of a program that nothing is known of look like: it may run them.
    fn tail(&mut self, line: &Line<'_>, setting: &Setting<'_>) -> Answer {
        if setting.reading.scanned || line.len() < 2 {
            return Answer::Allow;
        }
        let mut answer = Answer::Allow;
        for place in 1..line.len() {
            if self.is_exhausted() {
                break;
            }
            let rest = line.range(place, line.len());
            let Some(word) = rest.word(0) else { continue };
            let reading = Reading { scanned: true, ..setting.reading };
            let restrictive = Setting {
                redirects: &[],
                feeders: &[],
                origin: Some(line.start()),
                weak: true,
                ..setting.restrictive(reading)
            };
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
    fn scan_words(&mut self, line: &Line<'_>, start: usize, setting: &Setting<'_>) -> Answer {
        let reading = Reading { scanned: true, ..setting.reading };
        let setting = Setting { redirects: &[], feeders: &[], ..setting.restrictive(reading) };
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
        if !self.aliases.is_empty() && restrictive.depth <= DEEPEST {
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

    /// Judges a command whose program only the run can know.
    fn unknown_program(&mut self, line: &Line<'_>, setting: &Setting<'_>) -> Answer {
        let Some(program) = line.word(0) else { return Answer::None };
        let base = base_of_glob(&program.glob(self.folders));
        let mut answer = Answer::None;
        if !base.contains(WILD) && !base.is_empty() {
            let setting = Setting { mode: setting.mode.and(Mode::Doubtful), ..*setting };
            answer = self.program(line, &base, false, false, &setting).0;
        } else if base.contains(|one: char| !matches!(one, '*' | '?')) {
            let grammar = Grammar::new(self.table, "", line, setting.windows);
            let head = Head { name: "", certain: false, base_name: true, caseless: false, any: true };
            let restrictive = setting.restrictive(Reading { expanded: true, ..setting.reading });
            let mut walk = Walk::new(*line, &grammar, &restrictive, head);
            self.scan_rules(&mut walk, &Name::Glob(base));
            answer = walk.own.restrictive.map_or(answer, Answer::from);
        }
        answer = answer.max(self.printed_program(line, setting));
        if program.vanishes() && line.len() > 1 {
            let rest = line.range(1, line.len());
            let restrictive = Setting { depth: setting.depth + 1, ..setting.restrictive(setting.reading) };
            answer = answer.max(self.simple(&rest, None, false, &restrictive));
        }
        answer = answer.max(self.tail(line, setting));
        self.unknown(answer, setting, Doubt::Dynamic { word: 0 })
    }
}

impl Judge<'_, '_> {
    /// The command whose first words a substitution prints: those that the command in it is told.
    fn printed_program(&mut self, line: &Line<'_>, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        let Some(span) = line.span(0).filter(|_| setting.depth <= DEEPEST) else { return answer };
        let restrictive = setting.restrictive(setting.reading);
        let within = |command: &&SimpleCommand<'_>| span.start < command.span.start && command.span.end < span.end;
        for command in setting.script.iter().filter(within) {
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
const WILD: [char; 4] = ['*', '?', '[', '\\'];

/// What makes a word a text that a shell would not take for one plain word.
pub(super) const TEXT: [char; 14] = [' ', '\n', '\t', '{', '$', ';', '&', '|', '<', '>', '`', '\'', '"', '\\'];

/// How many words behind a place that may begin a command are looked at.
const FAR: usize = 64;
