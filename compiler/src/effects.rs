//! What is wrong with the effects of a whole policy set: names that nothing declares, or that two files do, and what
//! contradicts what other files say.

use std::collections::{BTreeMap, HashSet};

use policyc_runtime::format::MOST_CAPABILITIES;

use crate::check::{
    duplicate_capability, duplicate_profile, duplicate_tool, invalid_capability, invalid_vocabulary,
    unknown_capability, unknown_parameter, unknown_profile, unknown_tool, unreachable_tool,
};
use crate::db::run_order;
use crate::diagnostics::{Diagnostic, Severity, Site};
use crate::eval::evaluate;
use crate::layers::is_trusted;
use crate::rules::effects::{Piece, Profile, Requirement, Tool, UNKNOWN_PROCESS};
use crate::rules::{Declarations, Element, Matcher, Origin};
use crate::source::{PolicySet, SourceFile, Span};
use crate::syntax::{Located, Step, locate};

/// How many mistakes of one file are told.
const MOST_OF_A_FILE: usize = 1_000;

/// Every mistake, with the file whose run made the declaration. What is not declared is only looked for while no file has
/// mistakes that may have hidden it.
#[salsa::tracked]
fn mistakes(db: &dyn salsa::Database, set: PolicySet) -> Vec<(SourceFile, Diagnostic)> {
    let order = run_order(db, set);
    let declared = |file: &SourceFile| &evaluate(db, set, *file).declarations;
    if !order.iter().any(|file| has_effects(declared(file))) {
        return Vec::new();
    }
    let mut effects = Effects::new(db);
    for file in order.iter().filter(|file| is_trusted(db, set, **file)) {
        effects.declared(*file, declared(file));
    }
    let broken =
        |file: &SourceFile| evaluate(db, set, *file).diagnostics.iter().any(|it| it.severity == Severity::Error);
    if !order.iter().any(broken) {
        for file in order {
            effects.used(*file, declared(file), is_trusted(db, set, *file));
        }
    }
    effects.mistakes
}

/// Those of the file.
pub(crate) fn mistakes_of(
    db: &dyn salsa::Database,
    set: PolicySet,
    file: SourceFile,
) -> impl Iterator<Item = &Diagnostic> {
    mistakes(db, set).iter().filter(move |(other, _)| *other == file).map(|(_, mistake)| mistake).take(MOST_OF_A_FILE)
}

fn has_effects(declarations: &Declarations) -> bool {
    let Declarations { capabilities, commands, tools, requirements, profiles, expectations, .. } = declarations;
    let profiled = expectations.iter().any(|expectation| expectation.profile.is_some());
    let none = capabilities.is_empty() && commands.is_empty() && tools.is_empty() && requirements.is_empty();
    !none || !profiles.is_empty() || profiled
}

/// What the set declares, and what is wrong with it.
struct Effects<'db> {
    db: &'db dyn salsa::Database,
    /// Whether each is a claim, and where it stands.
    capabilities: BTreeMap<&'db str, (bool, &'db Origin)>,
    tools: BTreeMap<&'db str, &'db Tool>,
    profiles: BTreeMap<&'db str, &'db Profile>,
    /// Whether the vocabulary is known to be too large.
    full: bool,
    mistakes: Vec<(SourceFile, Diagnostic)>,
    /// What was told where: a loop says the same many times.
    told: HashSet<(SourceFile, Span, String)>,
}

/// What a list of names is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Effects,
    Claims,
}

impl<'db> Effects<'db> {
    fn new(db: &'db dyn salsa::Database) -> Self {
        Self {
            db,
            capabilities: BTreeMap::new(),
            tools: BTreeMap::new(),
            profiles: BTreeMap::new(),
            full: false,
            mistakes: Vec::new(),
            told: HashSet::new(),
        }
    }

    fn tell(&mut self, file: SourceFile, mistake: Diagnostic) {
        let place = (mistake.primary.file, mistake.primary.span, mistake.message.clone());
        if self.told.insert(place) {
            self.mistakes.push((file, mistake));
        }
    }

    /// Where a part of the call stands, and whether a literal is there.
    fn site(&self, origin: &Origin, path: &[Step<'_>]) -> (Site, bool) {
        let Located { span, literal } = locate(origin.file.text(self.db), origin.span, path);
        (Site::within(origin, span), literal)
    }

    /// Takes note of what a file declares.
    fn declared(&mut self, file: SourceFile, declarations: &'db Declarations) {
        const NAME: Step<'static> = Step::Parameter { name: "name", position: Some(0) };
        let place = |origin: &Origin, site: &Site| (origin.file, site.span);
        for capability in &declarations.capabilities {
            let (name, origin) = (capability.name.as_str(), &capability.origin);
            let (site, _) = self.site(origin, &[NAME]);
            if let Some((_, first)) = self.capabilities.get(name) {
                let first = place(first, &self.site(first, &[NAME]).0);
                self.tell(file, duplicate_capability::diagnostic(&site, name, first));
                continue;
            }
            self.capabilities.insert(name, (capability.claim, origin));
            let implied = !self.capabilities.contains_key(UNKNOWN_PROCESS);
            if self.capabilities.len() + usize::from(implied) > MOST_CAPABILITIES && !self.full {
                self.full = true;
                let implied = implied.then_some(UNKNOWN_PROCESS);
                self.tell(file, invalid_vocabulary::too_many(&site, MOST_CAPABILITIES, implied));
            }
        }
        for tool in &declarations.tools {
            let (site, _) = self.site(&tool.origin, &[NAME]);
            match self.tools.get(tool.name.as_str()) {
                Some(first) => {
                    let first = place(&first.origin, &self.site(&first.origin, &[NAME]).0);
                    self.tell(file, duplicate_tool::diagnostic(&site, &tool.name, first));
                }
                None => drop(self.tools.insert(&tool.name, tool)),
            }
        }
        for profile in &declarations.profiles {
            let (site, _) = self.site(&profile.origin, &[NAME]);
            match self.profiles.get(profile.name.as_str()) {
                Some(first) => {
                    let first = place(&first.origin, &self.site(&first.origin, &[NAME]).0);
                    self.tell(file, duplicate_profile::diagnostic(&site, &profile.name, first));
                }
                None => drop(self.profiles.insert(&profile.name, profile)),
            }
        }
    }

    /// Looks at what a file makes of what is declared. An untrusted layer is only warned: it cannot keep others from using
    /// the set.
    fn used(&mut self, file: SourceFile, declarations: &'db Declarations, trusted: bool) {
        let before = self.mistakes.len();
        if trusted {
            for command in &declarations.commands {
                let names = ("command", "effects", Some(1));
                self.names(file, &command.rule.origin, names, &command.effects, Kind::Effects);
            }
            for tool in &declarations.tools {
                self.names(file, &tool.origin, ("tool", "effects", Some(1)), &tool.effects, Kind::Effects);
                self.names(file, &tool.origin, ("tool", "claims", None), &tool.claims, Kind::Claims);
            }
            for profile in &declarations.profiles {
                self.names(file, &profile.origin, ("profile", "allow", None), &profile.allow, Kind::Effects);
                self.names(file, &profile.origin, ("profile", "prompt", None), &profile.prompt, Kind::Effects);
                self.offers(file, profile);
            }
        }
        for requirement in &declarations.requirements {
            let origin = &requirement.origin;
            self.names(file, origin, ("requires", "effects", Some(0)), &requirement.effects, Kind::Effects);
            self.names(file, origin, ("requires", "unless", None), &requirement.unless, Kind::Claims);
            self.fact(file, requirement);
        }
        for expectation in &declarations.expectations {
            let Some(name) = expectation.profile.as_deref().filter(|name| !self.profiles.contains_key(name)) else {
                continue;
            };
            let (site, literal) =
                self.site(&expectation.origin, &[Step::Parameter { name: "profile", position: None }]);
            let known: Vec<&str> = self.profiles.keys().copied().collect();
            self.tell(file, unknown_profile::diagnostic(&site, name, &known, literal));
        }
        if !trusted {
            for (_, mistake) in self.mistakes.iter_mut().skip(before) {
                mistake.severity = Severity::Warning;
            }
        }
    }

    /// The `names` that are listed for a parameter of a builtin.
    fn names(
        &mut self,
        file: SourceFile,
        origin: &Origin,
        (builtin, parameter, position): (&str, &str, Option<usize>),
        names: &[String],
        kind: Kind,
    ) {
        for (place, name) in names.iter().enumerate() {
            let known = match self.capabilities.get(name.as_str()) {
                Some((claim, _)) => Some(*claim),
                None => (name == UNKNOWN_PROCESS).then_some(false),
            };
            if known == Some(kind == Kind::Claims) {
                continue;
            }
            let path = [Step::Parameter { name: parameter, position }, Step::Item(place)];
            let (site, literal) = self.site(origin, &path);
            let mistake = match known {
                Some(true) => invalid_capability::claim(&site, name, builtin, parameter),
                Some(false) => invalid_capability::effect(&site, name, builtin, parameter),
                None => {
                    let fitting = self.capabilities.iter().filter(|(_, (claim, _))| *claim == (kind == Kind::Claims));
                    let fitting: Vec<&str> = fitting.map(|(name, _)| *name).collect();
                    unknown_capability::diagnostic(&site, name, &fitting, literal)
                }
            };
            self.tell(file, mistake);
        }
    }

    /// The tools that a profile offers: those that are declared, and that it lets do what they do.
    fn offers(&mut self, file: SourceFile, profile: &Profile) {
        for (place, element) in profile.tools.iter().enumerate() {
            let path = [Step::Parameter { name: "tools", position: None }, Step::Item(place)];
            for name in &element.words {
                let Some(tool) = self.tools.get(name.as_str()) else {
                    let (site, literal) = self.site(&profile.origin, &path);
                    let known: Vec<&str> = self.tools.keys().copied().collect();
                    let replaceable = literal && element.len() == 1;
                    self.tell(file, unknown_tool::diagnostic(&site, name, &known, replaceable));
                    continue;
                };
                let listed = |effect: &&String| profile.allow.contains(effect) || profile.prompt.contains(effect);
                if let Some(effect) = tool.effects.iter().find(|effect| !listed(effect)) {
                    let (site, _) = self.site(&profile.origin, &path);
                    self.tell(file, unreachable_tool::diagnostic(&site, &profile.name, name, effect));
                }
            }
            for matcher in &element.matchers {
                let Matcher::Glob(pattern) = matcher else { continue };
                if !self.tools.keys().any(|name| policyc_runtime::describes_tool(pattern, name)) {
                    let (site, _) = self.site(&profile.origin, &path);
                    let shown = Element { words: Vec::new(), matchers: vec![matcher.clone()] }.to_string();
                    self.tell(file, unknown_tool::nothing(&site, &shown));
                }
            }
        }
    }

    /// What a fact asks of calls: every tool that needs it can tell it.
    fn fact(&mut self, file: SourceFile, requirement: &Requirement) {
        let concerned: Vec<&Tool> = self
            .tools
            .values()
            .filter(|tool| tool.effects.iter().any(|effect| requirement.effects.contains(effect)))
            .filter(|tool| !tool.claims.iter().any(|claim| requirement.unless.contains(claim)))
            .copied()
            .collect();
        for piece in &requirement.fact {
            let name = match piece {
                Piece::Literal(_) => continue,
                Piece::Target => "target",
                Piece::Parameter(name) => name,
            };
            let tells = |tool: &Tool| match piece {
                Piece::Target => tool.target.is_some(),
                _ => tool.parameters.iter().any(|it| it.name == name && it.role.is_word()),
            };
            let path = [Step::Parameter { name: "fact", position: Some(1) }];
            if !concerned.iter().any(|tool| tells(tool)) {
                let parameters = concerned.iter().flat_map(|tool| &tool.parameters);
                let known: Vec<&str> = parameters.map(|parameter| parameter.name.as_str()).collect();
                let (site, _) = self.site(&requirement.origin, &path);
                self.tell(file, unknown_parameter::fact(&site, name, &known));
            } else if let Some(lacking) = concerned.iter().find(|tool| !tells(tool)) {
                let (site, _) = self.site(&requirement.origin, &path);
                self.tell(file, unknown_parameter::lacking(&site, name, &lacking.name));
            }
        }
    }
}
