//! The naive reference of effects: a plain scan of the declarations, for commands of plain words whose options stand at the
//! end, and for tool calls whose parameters are texts. It knows the language's description and nothing else.

use policyc::rules::effects::{LONGEST_GRANT, Piece, Profile, UNKNOWN_PROCESS};
use policyc::rules::{Decision, Declarations, Element, PrefixRule};
use policyc_runtime::{Access, Approval, Grant, Terms};

/// What tells one request from another.
type Digest = [u8; 32];

/// What a request does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Naive {
    /// The names of its effects, sorted.
    pub effects: Vec<String>,
    /// The decision.
    pub decision: Option<Decision>,
}

/// Judges a command under a profile.
#[must_use]
pub fn command(declarations: &Declarations, words: &[String], terms: &Terms<'_>, digest: &Digest) -> Naive {
    let rows = declarations.commands.iter().filter(|row| matches(&row.rule, words));
    let mut effects: Vec<String> = rows.flat_map(|row| row.effects.iter().cloned()).collect();
    let rules: Vec<_> = declarations.prefix_rules.iter().filter(|rule| matches(rule, words)).collect();
    if effects.is_empty() {
        let allowed = rules.iter().any(|rule| rule.decision == Decision::Allow);
        let listed = allowed && declarations.capabilities.iter().any(|it| it.name == "command.listed");
        effects.push(if listed { "command.listed" } else { UNKNOWN_PROCESS }.to_owned());
    }
    let rule = rules.iter().map(|rule| rule.decision).max();
    let asked = Asked { claims: &[], arguments: None, locked: false, digest };
    decide(declarations, effects, &asked, rule, terms)
}

/// Judges a tool call under a profile.
#[must_use]
pub fn tool(
    declarations: &Declarations,
    name: &str,
    arguments: &[(&str, &str)],
    terms: &Terms<'_>,
    digest: &Digest,
) -> Naive {
    let declared = declarations.tools.iter().find(|tool| tool.name == name);
    let offered = profile(declarations, terms).is_some_and(|profile| offers(profile, name));
    let broken = declared.is_none_or(|tool| {
        let given = |name: &str| arguments.iter().any(|(known, _)| *known == name);
        let lacking = tool.parameters.iter().any(|it| !it.optional && !given(&it.name));
        lacking || arguments.iter().any(|(name, _)| !tool.parameters.iter().any(|it| it.name == *name))
    });
    let effects = declared.map_or_else(|| vec![UNKNOWN_PROCESS.to_owned()], |tool| tool.effects.clone());
    let claims = declared.map_or(&[][..], |tool| &tool.claims);
    let refused = (broken || !offered).then_some(Decision::Forbidden);
    let locked = declared.is_some_and(|tool| tool.locked);
    decide(declarations, effects, &Asked { claims, arguments: Some(arguments), locked, digest }, refused, terms)
}

fn profile<'d>(declarations: &'d Declarations, terms: &Terms<'_>) -> Option<&'d Profile> {
    declarations.profiles.iter().find(|profile| Some(profile.name.as_str()) == terms.profile)
}

fn offers(profile: &Profile, name: &str) -> bool {
    profile.tools.iter().flat_map(|element| &element.words).any(|known| known == name)
}

fn matches(rule: &PrefixRule, words: &[String]) -> bool {
    let behind = words.get(rule.pattern.len()..).unwrap_or_default();
    let occurs = |element: &Element| behind.iter().any(|word| element.words.contains(word));
    rule.pattern.len() <= words.len()
        && rule.pattern.iter().zip(words).all(|(element, word)| element.words.contains(word))
        && rule.conditions.having.iter().all(occurs)
        && !rule.conditions.without.iter().any(occurs)
}

/// What of a request counts beside its effects.
struct Asked<'r> {
    claims: &'r [String],
    arguments: Option<&'r [(&'r str, &'r str)]>,
    /// Whether nothing discharges what is asked.
    locked: bool,
    digest: &'r Digest,
}

fn decide(
    declarations: &Declarations,
    mut effects: Vec<String>,
    asked: &Asked<'_>,
    other: Option<Decision>,
    terms: &Terms<'_>,
) -> Naive {
    effects.sort();
    effects.dedup();
    let Some(profile) = profile(declarations, terms) else {
        return Naive { effects, decision: Some(Decision::Forbidden) };
    };
    let cell = |effect: &String| match effect {
        effect if profile.allow.contains(effect) => Decision::Allow,
        effect if profile.prompt.contains(effect) => Decision::Prompt,
        _ => Decision::Forbidden,
    };
    let reads = |effect: &String| declarations.capabilities.iter().any(|it| it.name == *effect && it.read);
    let mut decision = effects.iter().map(cell).max().max(other).unwrap_or(Decision::Allow);
    if terms.read_only && effects.iter().any(|effect| !reads(effect)) {
        decision = Decision::Forbidden;
    }
    for requirement in &declarations.requirements {
        let concerned = requirement.effects.iter().any(|effect| effects.contains(effect));
        if !concerned || requirement.unless.iter().any(|claim| asked.claims.contains(claim)) {
            continue;
        }
        let value = |piece: &Piece| match piece {
            Piece::Literal(text) => Some(text.clone()),
            Piece::Parameter(name) => {
                asked.arguments?.iter().find(|(known, _)| known == name).map(|it| it.1.to_owned())
            }
            Piece::Target => None,
        };
        let fact: Option<String> = requirement.fact.iter().map(value).collect();
        if !fact.is_some_and(|fact| terms.facts.contains(&&*fact)) {
            decision = Decision::Forbidden;
        }
    }
    if decision == Decision::Prompt && !asked.locked {
        let good = |approval: &Approval<'_>| {
            !approval.by.trim().is_empty() && !approval.reason.trim().is_empty() && approval.digest == *asked.digest
        };
        let granted = |effect: &String| {
            let fits = |grant: &Grant<'_>| {
                let reaches = grant.access == Access::Write || reads(effect);
                let lasts = grant.expires > terms.time && grant.expires - terms.time <= u64::from(LONGEST_GRANT);
                grant.capability == effect && reaches && lasts && grant.remaining != Some(0)
            };
            cell(effect) != Decision::Prompt || terms.grants.iter().any(fits)
        };
        // A rule that asks is not an effect, and no grant is for it.
        let grantable = !terms.per_request && other.unwrap_or(Decision::Allow) == Decision::Allow;
        if terms.approval.as_ref().is_some_and(good) || grantable && effects.iter().all(granted) {
            decision = Decision::Allow;
        }
    }
    Naive { effects, decision: Some(decision) }
}
