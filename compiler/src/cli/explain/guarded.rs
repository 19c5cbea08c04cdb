//! What decided under guarded matching: the text piece by piece, each piece with its rule.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

use policyc_runtime::{
    AnsweredWord, Answers, CommandAnswer, CommandMatch, Context, Decision, Doubt, Rule, Span, Table,
};

use policyc::check::broad_secret;
use policyc::count::count;

use super::super::asked::{Asked, NotUtf8};
use super::super::paint::Paint;
use super::super::{escape, reasons, suggestion};
use super::layout::{INDENT, Written, indent, wrap};
use super::rules;
use super::sheet::{Mark, Sheet, Tone};

/// How many pieces are told of.
const MOST: usize = 20;
/// How many pieces are marked.
const MOST_MARKED: usize = 500;
/// How many further matches of one piece are told of.
const MORE_MATCHES: usize = 4;

/// A decision and its reasons, for a person.
pub(super) fn text<'a>(
    table: &Table<'a>,
    context: &Context<'_>,
    asked: &Asked,
    answers: &Answers<'a>,
    decision: Option<Decision>,
    paint: Paint,
) -> Result<String, std::fmt::Error> {
    let line = asked.words().map(Line::new);
    let mut explanation = Explanation { table, context, answers, paint, pieces: Vec::new(), told: Vec::new() };
    explanation.pieces = explanation.find_pieces(line.as_ref());
    let mut text = String::new();
    explanation.whole(&mut text, asked, line.as_ref(), decision)?;
    for place in 0..answers.texts.len() {
        if answers.texts.get(place).is_some_and(|text| text.of.is_some()) {
            explanation.inner_text(&mut text, place)?;
        }
    }
    explanation.end(&mut text, decision)?;
    Ok(text)
}

/// A command of words as one would type it.
struct Line {
    text: String,
    words: Vec<Range<usize>>,
}

impl Line {
    fn new(words: &[String]) -> Self {
        let mut line = Self { text: String::new(), words: Vec::new() };
        for word in words {
            if !line.words.is_empty() {
                line.text.push(' ');
            }
            let start = line.text.len();
            line.text.push_str(&escape::word(word));
            line.words.push(start..line.text.len());
        }
        line
    }
}

/// On which sheet something stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum On {
    Line,
    Text(usize),
}

/// Where a command stands: each of its words, as far as it is known.
struct Standing {
    on: On,
    words: Vec<Option<Range<usize>>>,
}

/// A command that there is something to say of.
struct Piece {
    /// Its place among the commands.
    command: usize,
    on: On,
    /// Where it stands; empty if that cannot be shown.
    span: Range<usize>,
    /// Where the words stand that the deciding rule took.
    taken: Vec<Range<usize>>,
    /// What it is answered for itself.
    own: Option<Decision>,
}

struct Explanation<'e, 'a> {
    table: &'e Table<'a>,
    context: &'e Context<'e>,
    answers: &'e Answers<'a>,
    paint: Paint,
    pieces: Vec<Piece>,
    /// The problems of texts that were told, so that their commands need not say them again.
    told: Vec<usize>,
}

impl<'a> Explanation<'_, 'a> {
    fn command(&self, place: usize) -> Option<&CommandAnswer<'a>> {
        self.answers.commands.get(place)
    }

    /// The commands that there is something to say of, in order.
    fn find_pieces(&self, line: Option<&Line>) -> Vec<Piece> {
        let mut places: Vec<Standing> = Vec::new();
        for command in &self.answers.commands {
            let outer = command.inside.and_then(|outer| Some((self.command(outer)?, places.get(outer)?)));
            places.push(standing(command, line, outer));
        }
        let piece = |(place, Standing { on, words }): (usize, Standing)| {
            let command = self.command(place)?;
            let known = || words.iter().flatten();
            let from = known().map(|span| span.start).min().unwrap_or_default();
            let to = known().map(|span| span.end).max().unwrap_or_default();
            let span = command.place.map_or(from..to, |(_, span)| bytes(span));
            let deciding = ordered(command).first().copied();
            let taken = deciding.map(|found| reasons::taken(command, found)).unwrap_or_default();
            let taken = taken.iter().filter_map(|word| words.get(*word)?.clone()).collect();
            Some(Piece { command: place, on, span, taken, own: own(command) })
        };
        let all: Vec<Piece> = places.into_iter().enumerate().filter_map(piece).collect();
        let mut restricted_inside = vec![false; all.len()];
        for command in &self.answers.commands {
            if command.decision > Some(Decision::Allow)
                && let Some(outer) = command.inside.and_then(|outer| restricted_inside.get_mut(outer))
            {
                *outer = true;
            }
        }
        let telling: Vec<bool> =
            all.iter().zip(restricted_inside).map(|(piece, restricted)| self.tells(piece, restricted)).collect();
        let harmless = |piece: &Piece| self.command(piece.command).is_some_and(|command| command.harmless);
        let any = telling.contains(&true);
        let only = all.iter().position(|piece| !harmless(piece)).unwrap_or_default();
        let kept = all.into_iter().zip(telling).enumerate();
        let kept = kept.filter(|(place, (_, tells))| if any { *tells } else { *place == only });
        let mut pieces: Vec<Piece> = Vec::new();
        let mut strictest: HashMap<(On, usize, usize), Option<Decision>> = HashMap::new();
        for (_, (piece, _)) in kept {
            // What a command may well become is told only if that is stricter.
            let place = (piece.on, piece.span.start, piece.span.end);
            let known = if piece.span.is_empty() { None } else { strictest.insert(place, piece.own) };
            if known.is_none_or(|known| known < piece.own) {
                pieces.push(piece);
            } else {
                strictest.extend(known.map(|known| (place, known)));
            }
        }
        pieces
    }

    /// Whether there is more to say of a command than that it runs another, or that it may run.
    fn tells(&self, piece: &Piece, restricted_inside: bool) -> bool {
        let Some(command) = self.command(piece.command) else { return false };
        if command.matches.is_empty() && command.doubts.is_empty() && self.only_may_run(command) {
            return false;
        }
        !command.matches.is_empty()
            || command.doubts.iter().any(|doubt| !matches!(doubt, Doubt::Inner | Doubt::NotUnderstood))
            || !command.harmless && piece.own.is_none() && !restricted_inside
    }

    /// Whether a command stands for what another may become: only restrictive rules were looked for.
    fn only_may_run(&self, command: &CommandAnswer<'_>) -> bool {
        let unknown =
            |doubt: &Doubt| matches!(doubt, Doubt::Dynamic { .. } | Doubt::StandardInput | Doubt::Tail { .. });
        match command.inside.and_then(|outer| self.command(outer)) {
            Some(outer) => outer.doubts.iter().any(unknown),
            None => command.place.is_none() && !self.answers.texts.is_empty(),
        }
    }

    /// The decision, beside the text or the command with its pieces marked, and what is to be said of them.
    fn whole(&mut self, text: &mut String, asked: &Asked, line: Option<&Line>, decision: Option<Decision>) -> Written {
        let paint = self.paint;
        let (label, columns) = match decision {
            Some(decision) => (paint.decision(decision, decision).to_string(), decision.name().len() + 2),
            None => (paint.warning("no decision").to_string(), "no decision".len() + 2),
        };
        let (on, whole) = match (line, self.answers.texts.first()) {
            (Some(line), _) => (On::Line, line.text.as_str()),
            (None, Some(own)) => (On::Text(0), own.text.as_str()),
            (None, None) => (On::Text(0), ""),
        };
        if whole.is_empty() {
            writeln!(text, "{label}")?;
        } else {
            write!(text, "{label}  ")?;
            self.sheet(on, whole).draw(text, columns, paint);
        }
        if self.answers.commands.is_empty() && self.answers.texts.iter().all(|text| text.problem.is_none()) {
            text.push_str("\nThere is no command in it.\n");
        }
        match asked.not_utf8 {
            Some(NotUtf8::InText(place)) => {
                self.told.push(0);
                wrap(text, 0, &format!("\nIt is not UTF-8 at byte {place}, and is allowed by no rule."))?;
            }
            _ => self.problem(text, 0, on)?,
        }
        if self.answers.exhausted {
            let why =
                "It takes more steps to judge than any honest request, and is answered as strictly as the policy can.";
            text.push('\n');
            wrap(text, 0, why)?;
        }
        if self.answers.left_out > 0 {
            writeln!(text, "\nJudged, but not listed here: {}.", count(self.answers.left_out, "more command"))?;
        }
        let only = self.pieces.iter().filter(|_| self.pieces.len() == 1).find_map(|piece| self.command(piece.command));
        if let Some(first) = only.and_then(|command| command.words.first()).filter(|first| !first.dynamic)
            && (asked.words().is_some() || suggestion::one_word(&first.text))
        {
            super::blank(text, std::slice::from_ref(&first.text), decision.filter(|_| self.answers.default.is_none()))?;
        }
        if decision.is_none() && self.pieces.len() == 1 {
            let why = match only {
                Some(command) if command.harmless => "It is harmless, but no rule allows it",
                _ if self.table.rules().len() == 0 => "The policy has no rules",
                _ => "No rule matches",
            };
            writeln!(text, "\n{why}, so the host's default speaks.")?;
            return Ok(());
        }
        self.told_of(text, on)?;
        if decision.is_none() && self.numbered() {
            text.push_str("\nNot all of it is decided, so the host's default speaks.\n");
        }
        Ok(())
    }

    /// A text that a command runs, if there is something to say of it.
    fn inner_text(&mut self, text: &mut String, place: usize) -> Written {
        let Some(inner) = self.answers.texts.get(place) else { return Ok(()) };
        let on = On::Text(place);
        if !self.pieces.iter().any(|piece| piece.on == on) && inner.problem.is_none() {
            return Ok(());
        }
        let runner = inner.of.and_then(|of| self.command(of)).map_or("", reasons::program);
        let runner = escape::display(runner).into_owned();
        write!(text, "\n`{}` runs this text:\n\n  ", escape::shortened(&runner, 60))?;
        self.sheet(on, &inner.text).draw(text, 2, self.paint);
        self.problem(text, place, on)?;
        self.told_of(text, on)
    }

    /// Why a text is not understood.
    fn problem(&mut self, text: &mut String, place: usize, on: On) -> Written {
        let problem =
            if on == On::Text(place) { self.answers.texts.get(place).and_then(|text| text.problem) } else { None };
        let Some(problem) = problem else { return Ok(()) };
        self.told.push(place);
        text.push('\n');
        let marked = if problem.span.start < problem.span.end { " (marked `!`)" } else { "" };
        wrap(text, 0, &format!("The text is not understood, so nothing in it is allowed: {problem}{marked}."))
    }

    fn numbered(&self) -> bool {
        self.pieces.len() > 1
    }

    /// Whether there are so many pieces that those which are allowed go without saying.
    fn crowded(&self) -> bool {
        self.pieces.len() > MOST
    }

    fn goes_without_saying(&self, piece: &Piece) -> bool {
        let doubtless = || self.command(piece.command).is_none_or(|command| command.doubts.is_empty());
        self.crowded() && piece.own == Some(Decision::Allow) && doubtless()
    }

    /// The text with the pieces on it marked.
    fn sheet<'s>(&self, on: On, text: &'s str) -> Sheet<'s> {
        let mut marks = Vec::new();
        for (number, piece) in self.pieces.iter().enumerate().filter(|(_, piece)| piece.on == on) {
            if marks.len() > MOST_MARKED {
                break;
            }
            // A single command that nothing matched is not made clearer by a line under all of it.
            if piece.span.is_empty() || !self.numbered() && piece.taken.is_empty() || self.goes_without_saying(piece) {
                continue;
            }
            let tone = Tone::Decision(piece.own);
            let number = self.numbered().then_some(number + 1);
            marks.push(Mark { span: piece.span.clone(), line: '~', tone, number });
            marks.extend(piece.taken.iter().map(|span| Mark { span: span.clone(), line: '^', tone, number: None }));
        }
        if let On::Text(place) = on
            && let Some(problem) = self.answers.texts.get(place).and_then(|text| text.problem)
        {
            let span = bytes(problem.span);
            if !span.is_empty() {
                marks.push(Mark { span, line: '!', tone: Tone::Problem, number: None });
            }
        }
        Sheet { text, marks }
    }

    /// What there is to say of the pieces on a sheet.
    fn told_of(&self, text: &mut String, on: On) -> Written {
        let here: Vec<_> = self.pieces.iter().enumerate().filter(|(_, piece)| piece.on == on).collect();
        let (silent, told): (Vec<_>, Vec<_>) = here.into_iter().partition(|(_, piece)| self.goes_without_saying(piece));
        for (number, piece) in told.iter().take(MOST) {
            self.piece(text, number + 1, piece)?;
        }
        if told.len() > MOST {
            writeln!(text, "\n… and {} more", told.len() - MOST)?;
        }
        match silent.len() {
            0 => Ok(()),
            1 => writeln!(text, "\nOne more command is allowed."),
            number => writeln!(text, "\n{} are allowed.", count(number, "more command")),
        }
    }

    fn piece(&self, text: &mut String, number: usize, piece: &Piece) -> Written {
        let Some(command) = self.command(piece.command) else { return Ok(()) };
        let paint = self.paint;
        let (lead, gap) = match number {
            _ if !self.numbered() => ("  ".to_owned(), "  "),
            ..10 => (format!("{number} "), "  "),
            _ => (format!("{number} "), " "),
        };
        text.push('\n');
        // Some stand nowhere as they are run, and of a long text not all of it is shown.
        let alone = self.numbered() && (piece.span.is_empty() || self.crowded());
        if alone {
            let shown = escape::words(command.words.iter().map(|word| word.text.as_str()));
            writeln!(text, "{lead}{gap}{}", paint.strong(escape::shortened(&shown, 200)))?;
        }
        let (lead, gap) = if alone { ("  ".to_owned(), "  ") } else { (lead, gap) };
        let label = match piece.own {
            Some(decision) => paint.decision(decision, format!("{:<9}", decision.name())).to_string(),
            None => paint.warning(format!("{:<9}", "undecided")).to_string(),
        };
        let matches = ordered(command);
        let mut doubts: Vec<&Doubt> = command.doubts.iter().filter(|doubt| self.is_news(command, doubt)).collect();
        if let Some((first, more)) = matches.split_first() {
            write!(text, "{lead}{label}{gap}")?;
            self.found(text, command, first, true)?;
            let decided = reasons::counts(command, first) && first.rule.decision() > Decision::Allow;
            if !decided {
                self.doubts(text, command, &doubts, "but: ")?;
            }
            for found in more.iter().take(MORE_MATCHES) {
                let label = format!("{:<9}", format!("({})", found.rule.decision()));
                write!(text, "  {}  ", paint.faint(label))?;
                self.found(text, command, found, false)?;
            }
            if more.len() > MORE_MATCHES {
                indent(text, INDENT);
                writeln!(text, "… and {} more rules", more.len() - MORE_MATCHES)?;
            }
            return Ok(());
        }
        if !doubts.is_empty() {
            write!(text, "{lead}{label}{gap}")?;
            let first = doubts.remove(0);
            self.doubt(text, command, first, "", true)?;
            return self.doubts(text, command, &doubts, "and: ");
        }
        write!(text, "{lead}{label}{gap}")?;
        if command.harmless {
            return writeln!(
                text,
                "`{}` is harmless and needs no rule of its own",
                escape::line(reasons::program(command))
            );
        }
        if piece.own.is_some() {
            return writeln!(text, "the text it stands in is not understood");
        }
        match suggestion::rule(self.table, self.context, self.answers, command) {
            Some(rule) => {
                writeln!(text, "no rule is about it; this one would allow it:")?;
                indent(text, INDENT);
                writeln!(text, "{rule}")
            }
            None => wrap_begun(text, &format!("no rule is about it{}", self.unsuggested(command))),
        }?;
        if self.numbered() { rules::nearest_in_a_line(text, self.table, &words(command), self.paint) } else { Ok(()) }
    }

    /// Why no rule is proposed for a command, where that is worth knowing.
    fn unsuggested(&self, command: &CommandAnswer<'_>) -> String {
        let text = command.place.and_then(|(text, _)| self.answers.texts.get(text)).or(self.answers.texts.first());
        let first = command.words.first().filter(|first| !first.dynamic);
        match first {
            _ if text.is_some_and(|text| text.problem.is_some()) => {
                "; the text it stands in is not understood".to_owned()
            }
            Some(first) if suggestion::one_word(&first.text) => {
                let shown = escape::word(&first.text);
                format!("; {} is one word with a blank in it", escape::shortened(&shown, 60))
            }
            Some(first) if first.text.is_empty() => "; its first word is empty".to_owned(),
            _ if command.words.iter().any(|word| broad_secret::is_secret(&word.text)) => {
                "; one of its words looks like a secret, which no rule should hold".to_owned()
            }
            _ => String::new(),
        }
    }

    /// Whether a doubt says what nothing before it said.
    fn is_news(&self, command: &CommandAnswer<'_>, doubt: &Doubt) -> bool {
        let told = || command.place.is_some_and(|(text, _)| self.told.contains(&text));
        match doubt {
            Doubt::Surroundings => command.doubts.len() == 1 && !told(),
            Doubt::NotUnderstood => !told(),
            // What an option does is worse than that nothing says it is harmless.
            Doubt::Option { word } => {
                !command.doubts.contains(&Doubt::Runs { word: *word })
                    && !command.doubts.contains(&Doubt::WritesOption { word: *word })
            }
            _ => true,
        }
    }

    /// A rule that matched; in full if it decides.
    fn found(&self, text: &mut String, command: &CommandAnswer<'_>, found: &CommandMatch<'_>, full: bool) -> Written {
        let (rule, paint) = (&found.rule, self.paint);
        rules::described(text, rule, paint);
        text.push('\n');
        let mut facts = paint.place(rules::place(rule)).to_string();
        let layer = rule.layer();
        if !layer.name.is_empty() {
            facts += &format!(", layer {}", escape::line(layer.name));
        }
        if full {
            let how = reasons::reading(self.answers, command, found.reading);
            if !how.is_empty() {
                facts += &format!(", {how}");
            }
        }
        if paint.is_on() {
            indent(text, INDENT);
            writeln!(text, "{facts}")?;
        } else {
            wrap(text, INDENT, &facts)?;
        }
        if full { rules::reasons(text, rule, paint) } else { Ok(()) }
    }

    fn doubts(&self, text: &mut String, command: &CommandAnswer<'_>, doubts: &[&Doubt], lead: &str) -> Written {
        for doubt in doubts {
            self.doubt(text, command, doubt, lead, false)?;
        }
        Ok(())
    }

    fn doubt(&self, text: &mut String, command: &CommandAnswer<'_>, doubt: &Doubt, lead: &str, begun: bool) -> Written {
        let reason = reasons::reason(self.table, self.context.folders.as_ref(), self.answers, command, doubt);
        let mut paragraph = String::new();
        wrap(&mut paragraph, INDENT, &format!("{lead}{}", reason.sentence))?;
        text.push_str(if begun { paragraph.trim_start() } else { &paragraph });
        match reason.fix {
            Some(fix) => wrap(text, INDENT, &format!("fix: {fix}")),
            None => Ok(()),
        }
    }

    /// What would change the answer.
    fn end(&self, text: &mut String, decision: Option<Decision>) -> Written {
        if let Some(default) = &self.answers.default {
            let place = format!("{}:{}:{}", escape::line(default.file()), default.line(), default.column());
            let said = self.paint.decision(default.decision(), default.decision());
            writeln!(text, "\nNo rule decides it; default_decision at {} says {said}.", self.paint.place(place))?;
            if let Some(justification) = default.justification() {
                wrap(text, 0, &format!("why: {}", escape::line(justification)))?;
            }
        }
        if (decision.is_none() || self.answers.default.is_some())
            && let [piece] = self.pieces.as_slice()
            && let Some(command) = self.command(piece.command).filter(|command| command.matches.is_empty())
        {
            rules::nearest(text, self.table, &words(command), &[], self.paint)?;
            if let Some(rule) = suggestion::rule(self.table, self.context, self.answers, command) {
                write!(
                    text,
                    "\nTo allow it, add this rule (\"prompt\" and \"forbidden\" are possible too):\n\n    {rule}\n"
                )?;
            }
        }
        let deciding: Vec<&Rule<'_>> = self
            .pieces
            .iter()
            .filter(|piece| piece.own == decision && decision > Some(Decision::Allow))
            .filter_map(|piece| ordered(self.command(piece.command)?).first().copied())
            .filter(|found| Some(found.rule.decision()) == decision)
            .map(|found| &found.rule)
            .collect();
        rules::milder(text, deciding.into_iter())
    }
}

/// A paragraph whose first line is begun.
fn wrap_begun(text: &mut String, said: &str) -> Written {
    let mut paragraph = String::new();
    wrap(&mut paragraph, INDENT, said)?;
    text.push_str(paragraph.trim_start());
    Ok(())
}

fn words<'c>(command: &'c CommandAnswer<'_>) -> Vec<&'c str> {
    command.words.iter().map(|word| word.text.as_str()).collect()
}

/// Where the words of a command stand.
fn standing(
    command: &CommandAnswer<'_>,
    line: Option<&Line>,
    outer: Option<(&CommandAnswer<'_>, &Standing)>,
) -> Standing {
    let spans = |on| Standing { on, words: command.words.iter().map(|word| word.span.map(bytes)).collect() };
    match (command.place, outer, line) {
        (Some((text, _)), _, _) => spans(On::Text(text)),
        (None, Some((_, outer)), _) if command.words.iter().any(|word| word.span.is_some()) => spans(outer.on),
        (None, Some((outer, Standing { on, words })), _) => {
            let same =
                |window: &&[AnsweredWord]| window.iter().zip(&command.words).all(|(one, other)| one.text == other.text);
            let number = command.words.len();
            let place = outer.words.windows(number.max(1)).skip(1).position(|window| same(&window));
            let start = place.map_or(words.len(), |place| place + 1);
            Standing { on: *on, words: (0..number).map(|word| words.get(start + word).cloned().flatten()).collect() }
        }
        (None, None, Some(line)) => Standing { on: On::Line, words: line.words.iter().cloned().map(Some).collect() },
        (None, None, None) => spans(On::Text(0)),
    }
}

/// What a command is answered for itself, whatever it runs.
fn own(command: &CommandAnswer<'_>) -> Option<Decision> {
    let counting = || command.matches.iter().filter(|found| reasons::counts(command, found));
    match counting().map(|found| found.rule.decision()).max() {
        Some(decision) if decision > Decision::Allow => Some(decision),
        _ if command.decision == Some(Decision::Allow) => Some(Decision::Allow),
        _ if command.doubts.iter().any(|doubt| *doubt != Doubt::Inner) => Some(Decision::Prompt),
        allowed => allowed.or(command.harmless.then_some(Decision::Allow)),
    }
}

/// The rules that matched: those that count first, of those the strictest.
fn ordered<'c, 'a>(command: &'c CommandAnswer<'a>) -> Vec<&'c CommandMatch<'a>> {
    let mut matches: Vec<_> = command.matches.iter().collect();
    matches.sort_by_key(|found| (!reasons::counts(command, found), std::cmp::Reverse(found.rule.decision())));
    matches
}

const fn bytes(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}
