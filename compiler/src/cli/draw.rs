//! Diagnostics as people read them.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use codespan_reporting::diagnostic as codespan;
use codespan_reporting::files::line_starts;
use codespan_reporting::term;
use codespan_reporting::term::termcolor::{Ansi, NoColor, WriteColor};
use policyc::diagnostics::{Diagnostic, Label, Severity};
use policyc::source::{SourceFile, Span};

use super::excerpt::{Excerpt, Excerpts};
use super::paint::Paint;
use super::{escape, output};

/// More than anyone reads; `--format json` has them all.
const MOST: usize = 1_000;
/// Longer messages and notes are cut: a policy may quote a megabyte.
const LONGEST: usize = 1_000;

/// Draws diagnostics on standard error, and where to read on.
pub(super) fn diagnostics(db: &dyn salsa::Database, diagnostics: &[Diagnostic], paint: Paint) {
    output::complain(&drawn(db, diagnostics, paint));
}

/// The same as bytes.
pub(super) fn drawn(db: &dyn salsa::Database, diagnostics: &[Diagnostic], paint: Paint) -> Vec<u8> {
    let mut drawing = Drawing { db, paint, starts: HashMap::new() };
    let mut drawn = Vec::new();
    for diagnostic in diagnostics.iter().take(MOST) {
        drawing.draw(diagnostic, &mut drawn);
    }
    if diagnostics.len() > MOST {
        let text = format!("… and {} more (`--format json` prints all)\n\n", diagnostics.len() - MOST);
        drawn.extend_from_slice(text.as_bytes());
    }
    let codes: BTreeSet<_> = diagnostics.iter().take(MOST).map(|diagnostic| diagnostic.code.0).collect();
    match codes.len() {
        0 => {}
        1..=3 => {
            let pages: Vec<_> = codes.iter().map(|code| format!("docs/diagnostics/{code}.md")).collect();
            drawn.extend_from_slice(format!("{}\n", paint.faint(format!("more: {}", pages.join(", ")))).as_bytes());
        }
        _ => {
            let text = "more: docs/diagnostics/ has a page for each code in brackets";
            drawn.extend_from_slice(format!("{}\n", paint.faint(text)).as_bytes());
        }
    }
    drawn
}

struct Drawing<'db> {
    db: &'db dyn salsa::Database,
    paint: Paint,
    /// Where the lines of each file begin.
    starts: HashMap<SourceFile, Vec<usize>>,
}

impl<'db> Drawing<'db> {
    fn draw(&mut self, diagnostic: &Diagnostic, drawn: &mut Vec<u8>) {
        let mut files: Vec<(SourceFile, Vec<Range<usize>>)> = Vec::new();
        let labels = || std::iter::once(&diagnostic.primary).chain(&diagnostic.labels);
        for label in labels().filter(|label| !label.file.text(self.db).is_empty()) {
            let span = bytes(label.span);
            match files.iter_mut().find(|(file, _)| *file == label.file) {
                Some((_, spans)) => spans.push(span),
                None => files.push((label.file, vec![span])),
            }
        }
        let excerpts = Excerpts(files.iter().map(|(file, spans)| self.excerpt(*file, spans)).collect());
        let label = |(number, label): (usize, &Label)| {
            let file = files.iter().position(|(file, _)| *file == label.file)?;
            let style = if number == 0 { codespan::LabelStyle::Primary } else { codespan::LabelStyle::Secondary };
            let shown = excerpts.0.get(file)?.shown(label.file.text(self.db), &bytes(label.span));
            Some(codespan::Label::new(style, file, shown).with_message(safe_line(&label.text)))
        };
        let labels = repeats_counted(labels().enumerate().filter_map(label).collect());

        let mut notes: Vec<_> = diagnostic.notes.iter().map(|note| safe(note)).collect();
        if let Some(help) = &diagnostic.help {
            notes.push(format!("help: {}", safe(&help.text)));
        }
        let severity = match diagnostic.severity {
            Severity::Error => codespan::Severity::Error,
            Severity::Warning => codespan::Severity::Warning,
        };
        let shown = codespan::Diagnostic::new(severity)
            .with_code(diagnostic.code.0)
            .with_message(safe_line(&diagnostic.message))
            .with_labels(labels)
            .with_notes(notes);
        // A file of which nothing could be read has no line to show, yet its name belongs under the message.
        let name = (diagnostic.primary.file.text(self.db).is_empty()).then(|| name(self.db, diagnostic.primary.file));
        if self.paint.is_on() {
            let mut writer = Ansi::new(Vec::new());
            emit(&mut writer, &excerpts, &shown, name.as_deref(), self.paint);
            drawn.append(&mut writer.into_inner());
        } else {
            let mut writer = NoColor::new(Vec::new());
            emit(&mut writer, &excerpts, &shown, name.as_deref(), self.paint);
            drawn.append(&mut writer.into_inner());
        }
    }

    fn excerpt(&mut self, file: SourceFile, spans: &[Range<usize>]) -> Excerpt {
        let text = file.text(self.db);
        let starts = self.starts.entry(file).or_insert_with(|| line_starts(text).collect());
        Excerpt::new(name(self.db, file), text, starts, spans)
    }
}

fn emit<W: WriteColor>(
    writer: &mut W,
    excerpts: &Excerpts,
    diagnostic: &codespan::Diagnostic<usize>,
    name: Option<&str>,
    paint: Paint,
) {
    let config = term::Config::default();
    // Neither memory as the writer nor files made for this very diagnostic can fail.
    let drawn = match name {
        None => term::emit_to_write_style(writer, &config, excerpts, diagnostic),
        Some(name) => emit_unread(writer, &config, diagnostic, name, paint),
    };
    debug_assert!(drawn.is_ok(), "a diagnostic in memory can be drawn");
}

/// As codespan draws, but with the name of the file alone in place of a source line.
fn emit_unread<W: WriteColor>(
    writer: &mut W,
    config: &term::Config,
    diagnostic: &codespan::Diagnostic<usize>,
    name: &str,
    paint: Paint,
) -> Result<(), codespan_reporting::files::Error> {
    let code = diagnostic.code.as_deref();
    let mut renderer = term::Renderer::new(writer, config);
    renderer.render_header(None, diagnostic.severity, code, &diagnostic.message)?;
    std::io::Write::write_all(&mut renderer, format!("  {} {name}\n", paint.place("┌─")).as_bytes())?;
    for note in &diagnostic.notes {
        renderer.render_snippet_note(1, note)?;
    }
    renderer.render_empty()
}

/// A recursive function is called at one place many times: once is enough to see, with the number.
fn repeats_counted(labels: Vec<codespan::Label<usize>>) -> Vec<codespan::Label<usize>> {
    let mut counted: Vec<(codespan::Label<usize>, usize)> = Vec::new();
    for label in labels {
        match counted.iter_mut().find(|(earlier, _)| *earlier == label) {
            Some((_, times)) => *times += 1,
            None => counted.push((label, 1)),
        }
    }
    let with_times = |(label, times): (codespan::Label<usize>, usize)| match times {
        1 => label,
        times => {
            let message = format!("{} ({times} times)", label.message);
            label.with_message(message)
        }
    };
    counted.into_iter().map(with_times).collect()
}

fn bytes(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

fn name(db: &dyn salsa::Database, file: SourceFile) -> String {
    escape::line(file.label(db)).into_owned()
}

fn safe(text: &str) -> String {
    escape::shortened(&escape::lines(text), LONGEST).into_owned()
}

fn safe_line(text: &str) -> String {
    escape::shortened(&escape::line(text), LONGEST).into_owned()
}
