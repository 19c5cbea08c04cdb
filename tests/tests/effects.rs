//! What requests do: properties over random policies, on the naive reference and on the table, and what no `expect` can ask.

use std::collections::BTreeMap;

use policyc::answers::causes;
use policyc::rules::Decision;
use policyc_runtime::{
    Access, Account, Approval, Cause, Context, Discharge, Discharged, Folders, Grant, Refusal, Request, Table, Terms,
};
use policyc_tests::naive_effects::{self, Naive};
use policyc_tests::policy::Policy;
use policyc_tests::random::Random;

const FOLDERS: Folders<'static> = Folders { working: "/work", home: Some("/home/dev") };
const PROGRAMS: [&str; 3] = ["p", "q", "r"];
const WORDS: [&str; 3] = ["a", "b", "c"];
const FLAGS: [&str; 2] = ["-x", "-y"];
const EFFECTS: [&str; 6] = ["e.a", "e.b", "e.c", "e.d", "command.listed", "command.write_workspace"];
const TOOLS: [&str; 3] = ["t", "s/u", "v"];
const FACTS: [&str; 3] = ["done", "read:x", "read:y"];

/// How many requests each property is tried on.
const CASES: usize = 10_000;
/// How many of them are put to one policy.
const OF_A_POLICY: usize = 25;

fn some<'l>(random: &mut Random, list: &[&'l str]) -> Vec<&'l str> {
    list.iter().copied().filter(|_| random.one_in(3)).collect()
}

fn at_least_one<'l>(random: &mut Random, list: &[&'l str]) -> Vec<&'l str> {
    let mut chosen = some(random, list);
    if chosen.is_empty() {
        chosen.push(*random.pick(list));
    }
    chosen
}

/// Statements of a policy; `more` is one further effect of every row and tool.
fn statements(random: &mut Random, more: Option<&str>) -> Vec<String> {
    let mut text = Vec::new();
    for effect in EFFECTS {
        let read = effect.starts_with("e.") && random.one_in(2);
        text.push(format!("capability({effect:?}{})", if read { ", access = \"read\"" } else { "" }));
    }
    text.push("capability(\"claim\", claim = True)".to_owned());
    let effects = |random: &mut Random| {
        let mut effects = at_least_one(random, &EFFECTS);
        effects.extend(more.filter(|more| !effects.contains(more)));
        format!("{effects:?}")
    };
    let pattern = |random: &mut Random| {
        let mut pattern = vec![*random.pick(&PROGRAMS)];
        pattern.extend((0..random.below(3)).map(|_| *random.pick(&WORDS)));
        format!("{pattern:?}")
    };
    for _ in 0..2 + random.below(4) {
        let (pattern, effects) = (pattern(random), effects(random));
        let condition = match random.below(3) {
            0 => format!(", having = [[{:?}]]", random.pick(&FLAGS)),
            1 => format!(", without = [[{:?}]]", random.pick(&FLAGS)),
            _ => String::new(),
        };
        text.push(format!("command({pattern}, {effects}{condition})"));
    }
    for _ in 0..random.below(3) {
        let decision = random.pick(&["allow", "allow", "prompt", "forbidden"]);
        text.push(format!("prefix_rule({}, {decision:?})", pattern(random)));
    }
    for name in TOOLS.iter().take(2) {
        let claims = if random.one_in(3) { ", claims = [\"claim\"]" } else { "" };
        let locked = if random.one_in(4) { ", locked = True" } else { "" };
        let effects = effects(random);
        text.push(format!("tool({name:?}, {effects}, params = {{\"k\": \"text\", \"o\": \"text?\"}}{claims}{locked})"));
    }
    for _ in 0..random.below(2) {
        let fact = random.pick(&["done", "read:{k}"]);
        let effect = random.pick(&EFFECTS[..4]);
        text.push(format!("requires([{effect:?}], {fact:?}, unless = [\"claim\"])"));
    }
    for name in ["one", "two"] {
        let allow = some(random, &EFFECTS);
        let prompt: Vec<&str> = some(random, &EFFECTS).into_iter().filter(|effect| !allow.contains(effect)).collect();
        let tools = some(random, &TOOLS[..2]);
        text.push(format!("profile({name:?}, allow = {allow:?}, prompt = {prompt:?}, tools = {tools:?})"));
    }
    text
}

/// A policy without mistakes but for warnings; what is made of a fact that no tool can tell is one, and tried again.
fn policy(random: &mut Random) -> Policy {
    loop {
        let policy = Policy::of(&(statements(random, None).join("\n") + "\n"));
        if policy.is_usable() {
            return policy;
        }
    }
}

#[derive(Clone, Debug)]
enum Asked {
    Command(Vec<String>),
    Tool(&'static str, Vec<(&'static str, &'static str)>, String),
}

impl Asked {
    fn new(random: &mut Random) -> Self {
        if random.one_in(3) {
            let mut arguments = Vec::new();
            for name in ["k", "o", "z"] {
                if random.one_in(if name == "z" { 12 } else { 2 }) || name == "k" && !random.one_in(6) {
                    arguments.push((name, *random.pick(&["x", "y"])));
                }
            }
            let written: Vec<String> = arguments.iter().map(|(name, value)| format!("{name:?}:{value:?}")).collect();
            let tool: &&str = random.pick(&TOOLS);
            return Self::Tool(tool, arguments, format!("{{{}}}", written.join(",")));
        }
        let mut words = vec![(*random.pick(&PROGRAMS)).to_owned()];
        words.extend((0..random.below(4)).map(|_| (*random.pick(&WORDS)).to_owned()));
        words.extend((0..random.below(3)).map(|_| (*random.pick(&FLAGS)).to_owned()));
        Self::Command(words)
    }

    fn request(&self) -> Request<'_, String> {
        match self {
            Self::Command(words) => Request::Command(words),
            Self::Tool(tool, _, arguments) => Request::Tool { tool, arguments, target: None },
        }
    }

    fn naive(&self, policy: &Policy, terms: &Terms<'_>) -> Naive {
        let digest = self.request().digest();
        match self {
            Self::Command(words) => naive_effects::command(policy.declarations(), words, terms, &digest),
            Self::Tool(tool, arguments, _) => {
                naive_effects::tool(policy.declarations(), tool, arguments, terms, &digest)
            }
        }
    }
}

fn terms<'q>(random: &mut Random, facts: &'q [&'q str]) -> Terms<'q> {
    let profile = random.pick(&["one", "two", "one", "two", "three"]);
    Terms { profile: Some(profile), read_only: random.one_in(5), facts, ..Terms::NONE }
}

fn decision(table: &Table<'_>, request: Request<'_, String>, terms: &Terms<'_>) -> Option<Decision> {
    let context = Context { folders: Some(FOLDERS), terms: Some(terms), ..Context::default() };
    let evaluation = table.decide(request, &context);
    let decision = evaluation.decision();
    let account = evaluation.account();
    let same = account.decision == decision;
    assert!(
        same,
        "{decision:?}, but the account of {request:?} under {terms:?} says {:?}: {:?}",
        account.decision, account.effects
    );
    decision
}

fn open(policy: &Policy) -> Table<'_> {
    Table::from_bytes(policy.table()).expect("a good policy has a good table")
}

/// Tries a property on many policies and requests, and counts how often each decision came.
fn try_all(
    seed: u64,
    mut property: impl FnMut(&mut Random, &Policy, &Table<'_>, &Asked, &Terms<'_>) -> Option<Decision>,
) {
    let mut random = Random::seeded(seed);
    let mut decided: BTreeMap<Decision, usize> = BTreeMap::new();
    for _ in 0..CASES / OF_A_POLICY {
        let policy = policy(&mut random);
        let table = open(&policy);
        for _ in 0..OF_A_POLICY {
            let asked = Asked::new(&mut random);
            let facts = some(&mut random, &FACTS);
            let terms = terms(&mut random, &facts);
            if let Some(decision) = property(&mut random, &policy, &table, &asked, &terms) {
                *decided.entry(decision).or_default() += 1;
            }
        }
    }
    let enough = decided.len() == 3 && decided.values().all(|number| *number > CASES / 100);
    assert!(enough, "the samples test too little: {decided:?}");
}

/// What the naive reference and the table decide alike.
fn both(policy: &Policy, table: &Table<'_>, asked: &Asked, terms: &Terms<'_>) -> Option<Decision> {
    let decided = decision(table, asked.request(), terms);
    assert_eq!(asked.naive(policy, terms).decision, decided, "naive and table, {asked:?} under {terms:?}");
    decided
}

#[test]
fn p1_adding_an_effect_never_loosens() {
    let mut seeds = Random::seeded(1);
    let mut compared = 0;
    while compared < CASES {
        let seed = seeds.below(usize::MAX >> 1) as u64;
        let more = *seeds.pick(&EFFECTS);
        let [fewer, more] =
            [None, Some(more)].map(|more| Policy::of(&(statements(&mut Random::seeded(seed), more).join("\n") + "\n")));
        if !fewer.is_usable() || !more.is_usable() {
            continue;
        }
        let tables = (open(&fewer), open(&more));
        for _ in 0..OF_A_POLICY {
            let asked = Asked::new(&mut seeds);
            let facts = some(&mut seeds, &FACTS);
            let terms = terms(&mut seeds, &facts);
            let one = both(&fewer, &tables.0, &asked, &terms);
            let other = both(&more, &tables.1, &asked, &terms);
            assert!(other >= one, "{asked:?} under {terms:?}: {one:?}, with one more effect {other:?}");
            compared += 1;
        }
    }
}

/// Terms with an approval or grants that may or may not be good, of everything that there is.
fn discharging<'q>(random: &mut Random, terms: &Terms<'q>, asked: &Asked, grants: &'q [Grant<'q>]) -> Terms<'q> {
    let mut digest = asked.request().digest();
    if random.one_in(4) {
        digest[0] ^= 1;
    }
    let by = if random.one_in(3) { " " } else { "ann" };
    let reason = if random.one_in(3) { "" } else { "so" };
    let approval = Approval { by, reason, digest };
    Terms {
        approval: random.one_in(2).then_some(approval),
        grants,
        per_request: random.one_in(5),
        time: 1_000,
        ..*terms
    }
}

fn grants() -> Vec<Grant<'static>> {
    let grant = |capability| Grant {
        capability,
        target: None,
        parameters: &[],
        access: Access::Write,
        expires: 2_000,
        remaining: None,
    };
    EFFECTS.into_iter().map(grant).collect()
}

#[test]
fn p2_approvals_and_grants_change_prompts_only() {
    let all = grants();
    let (mut discharged, mut kept) = (0, 0);
    try_all(2, |random, policy, table, asked, terms| {
        let before = both(policy, table, asked, terms);
        let granted = random.below(all.len() + 1);
        let granted = discharging(random, terms, asked, &all[..granted]);
        let after = both(policy, table, asked, &granted);
        if before == Some(Decision::Prompt) {
            assert!(matches!(after, Some(Decision::Prompt | Decision::Allow)));
            discharged += usize::from(after == Some(Decision::Allow));
            kept += usize::from(after == Some(Decision::Prompt));
        } else {
            assert_eq!(after, before, "{asked:?} under {granted:?}");
        }
        before
    });
    assert!(discharged > 100 && kept > 100, "{discharged} discharged, {kept} kept");
}

#[test]
fn p3_read_only_only_tightens() {
    try_all(3, |_, policy, table, asked, terms| {
        let [free, bound] = [false, true].map(|read_only| both(policy, table, asked, &Terms { read_only, ..*terms }));
        assert!(bound >= free, "{asked:?} under {terms:?}: {free:?}, read-only {bound:?}");
        free
    });
}

#[test]
fn p4_what_is_unknown_is_never_allowed() {
    let all = grants();
    let mut unknown = 0;
    try_all(4, |random, policy, table, asked, terms| {
        let naive = asked.naive(policy, terms);
        let granted = Terms { approval: None, ..discharging(random, terms, asked, &all) };
        let digest = asked.request().digest();
        let approved = Terms { approval: Some(Approval { by: "ann", reason: "so", digest }), ..granted };
        let after = both(policy, table, asked, &approved);
        if naive.effects.iter().any(|effect| effect == "command.unknown_process") {
            unknown += 1;
            assert_eq!(after, Some(Decision::Forbidden), "{asked:?} under {approved:?}");
        }
        naive.decision
    });
    assert!(unknown > CASES / 10, "only {unknown} were unknown");
}

#[test]
fn p5_the_table_answers_as_the_naive_reference() {
    try_all(5, |_, policy, table, asked, terms| {
        let naive = asked.naive(policy, terms);
        let context = Context { folders: Some(FOLDERS), terms: Some(terms), ..Context::default() };
        let account = table.decide(asked.request(), &context).account();
        let mut effects: Vec<&str> = account.effects.numbers().map(|it| table.capability(it).unwrap().name()).collect();
        effects.sort_unstable();
        assert_eq!(effects, naive.effects, "{asked:?}");
        assert_eq!(account.decision, naive.decision, "{asked:?} under {terms:?}");
        naive.decision
    });
}

#[test]
fn p6_the_same_policy_makes_the_same_bytes() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let compare = |thread: usize| {
        let mut random = Random::seeded(6 + 100 * thread as u64);
        for _ in 0..CASES.div_ceil(threads) {
            let text = statements(&mut random, None).join("\n") + "\n";
            let [one, other] = [Policy::of(&text), Policy::of(&text)];
            assert_eq!(one.is_usable(), other.is_usable(), "{text}");
            assert!(one.table() == other.table(), "{text}");
            if one.is_usable() {
                assert_eq!(open(&one).digest(), open(&other).digest());
            }
        }
    };
    std::thread::scope(|scope| {
        for thread in 0..threads {
            scope.spawn(move || compare(thread));
        }
    });
}

/// What a shipped profile says of a request under terms.
fn shipped<R>(request: Request<'_, String>, terms: &Terms<'_>, look: impl FnOnce(&Account<'_>) -> R) -> R {
    shipped_beside(request, terms, |account, _| look(account))
}

/// The same with the table beside it.
fn shipped_beside<R>(
    request: Request<'_, String>,
    terms: &Terms<'_>,
    look: impl FnOnce(&Account<'_>, &Table<'_>) -> R,
) -> R {
    let load = ["profiles", "operations", "files"];
    let names = ["READERS", "COMPONENTS", "FILE_WRITE"];
    let lines = load.iter().zip(names).map(|(file, name)| format!("load(\"@std//profiles/{file}.rules\", {name:?})\n"));
    thread_local! {
        static POLICY: std::cell::OnceCell<Policy> = const { std::cell::OnceCell::new() };
    }
    POLICY.with(|policy| {
        let policy = policy.get_or_init(|| Policy::guarded_of(&lines.collect::<String>()));
        let errors: Vec<_> = policy.errors().map(|error| &error.message).collect();
        assert!(errors.is_empty(), "{errors:?}");
        let table = open(policy);
        let context = Context { folders: Some(FOLDERS), terms: Some(terms), ..Context::default() };
        let evaluation = table.decide(request, &context);
        assert_eq!(evaluation.decision(), evaluation.account().decision);
        look(&evaluation.account(), &table)
    })
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

fn under(profile: &str) -> Terms<'_> {
    Terms { profile: Some(profile), ..Terms::NONE }
}

fn approved<'q>(terms: Terms<'q>, request: &Request<'_, String>) -> Terms<'q> {
    Terms { approval: Some(Approval { by: "ann", reason: "looked at it", digest: request.digest() }), ..terms }
}

/// R000.53, R000.54, R000.56: what is known and asked about, an approval permits, and the account says so.
#[test]
fn approvals_permit_what_is_asked_about() {
    for line in ["git push", "npm install", "dotnet run", "rm x", "sh -c x"] {
        let words = words(line);
        let request = Request::Command(&words);
        let asked = shipped(request, &under("verify"), |account| (account.decision, account.discharge.clone()));
        if line == "sh -c x" {
            assert_eq!(asked.0, Some(Decision::Forbidden), "{line}");
            continue;
        }
        assert_eq!(asked.0, Some(Decision::Prompt), "{line}");
        assert!(asked.1.contains(&Discharge::Approval));
        shipped(request, &approved(under("verify"), &request), |account| {
            assert_eq!(account.decision, Some(Decision::Allow), "{line}");
            assert_eq!(account.undischarged, Some(Decision::Prompt));
            assert_eq!(account.discharged, Some(Discharged::Approval));
        });
    }
}

/// R000.55: an approval never makes anything of what is unknown.
#[test]
fn approvals_never_permit_what_is_unknown() {
    for line in ["frobnicate", "docker run x", "terraform destroy", "find . -delete", "rg --pre=x y", "/tmp/evil/rg x"]
    {
        let words = words(line);
        let request = Request::Command(&words);
        for profile in ["none", "readonly", "verify", "repair"] {
            let decision = shipped(request, &approved(under(profile), &request), |account| account.decision);
            assert_eq!(decision, Some(Decision::Forbidden), "{line} under {profile}");
        }
    }
}

/// R000.56: a row, and only that, makes a command known.
#[test]
fn a_row_makes_a_command_known() {
    let text = "capability(\"reads\", access = \"read\")\nprofile(\"p\", allow = [\"reads\"])\n";
    let row = "command([\"frobnicate\"], [\"reads\"])\n";
    let words = words("frobnicate x");
    for (text, expected) in [(text.to_owned(), Decision::Forbidden), (format!("{text}{row}"), Decision::Allow)] {
        let policy = Policy::of(&text);
        assert_eq!(decision(&open(&policy), Request::Command(&words), &under("p")), Some(expected), "{text}");
    }
}

/// R001.31, R001.50: an approval is bound to the request, has a reason, and is by a person.
#[test]
fn approvals_are_bound_to_a_request_and_a_person() {
    let restart = |unit: &str| format!("{{\"unit\":\"{unit}\"}}");
    let (one, other) = (restart("nginx"), restart("sshd"));
    let request = Request::Tool { tool: "service.restart", arguments: &one, target: None };
    let changed = Request::Tool { tool: "service.restart", arguments: &other, target: None };
    let terms = approved(under("operations"), &request);
    let of = |request, terms: &Terms<'_>| {
        shipped(request, terms, |account| {
            let refusals = account.causes.iter().filter_map(|cause| match cause {
                Cause::Refusal(refusal) => Some(refusal.to_string()),
                _ => None,
            });
            (account.decision, refusals.collect::<Vec<_>>())
        })
    };
    assert_eq!(of(request, &terms).0, Some(Decision::Allow));
    let blanks = Request::Tool { tool: "service.restart", arguments: " { \"unit\" : \"nginx\" } ", target: None };
    assert_eq!(of(blanks, &terms).0, Some(Decision::Allow), "blanks make no other request");
    assert_eq!(of(changed, &terms), (Some(Decision::Prompt), vec![Refusal::ApprovalOfAnother.to_string()]));
    for (by, reason) in [("planner", "x"), (" Executor ", "x"), ("", "x"), ("ann", "  ")] {
        let digest = request.digest();
        let terms = Terms { approval: Some(Approval { by, reason, digest }), ..under("operations") };
        let (decision, refusals) = of(request, &terms);
        assert_eq!(decision, Some(Decision::Prompt), "{by:?} {reason:?}");
        assert_eq!(refusals.len(), 1);
    }
}

/// R001.46, R001.59: nothing permits a call of a locked tool.
#[test]
fn locked_tools_stay_locked() {
    let request = Request::Tool { tool: "sudo_shell", arguments: "{\"command\":\"id\"}", target: None };
    let grants = [grant("host.sudo")];
    let terms = Terms { grants: &grants, time: 1_000, ..approved(under("operations"), &request) };
    shipped(request, &terms, |account| {
        assert_eq!(account.decision, Some(Decision::Prompt));
        assert_eq!(account.discharge, [Discharge::Nothing]);
    });
}

const fn grant(capability: &str) -> Grant<'_> {
    Grant { capability, target: None, parameters: &[], access: Access::Write, expires: 2_000, remaining: Some(1) }
}

fn restarts(grants: &[Grant<'_>], more: Terms<'_>) -> Option<Decision> {
    let request = Request::Tool { tool: "service.restart", arguments: "{\"unit\":\"nginx.service\"}", target: None };
    let terms = Terms { profile: Some("operations"), time: 1_000, grants, ..more };
    shipped(request, &terms, |account| account.decision)
}

/// R001.19, R001.20, R001.41, R001.44, R001.47, R001.43: a grant is for an effect, a target, parameters, an access, a
/// time, a number.
#[test]
fn grants_permit_what_they_say() {
    let good = grant("service.restart");
    let for_nginx = Grant { target: Some("nginx.*"), parameters: &[("unit", "nginx*")], ..good };
    for grant in [good, for_nginx, Grant { remaining: None, ..good }] {
        assert_eq!(restarts(&[grant], Terms::NONE), Some(Decision::Allow), "{grant:?}");
    }
    for grant in [
        Grant { capability: "service.read", ..good },
        Grant { target: Some("sshd*"), ..good },
        Grant { target: Some("nginx"), ..good },
        Grant { parameters: &[("unit", "sshd*")], ..good },
        Grant { parameters: &[("other", "*")], ..good },
        Grant { access: Access::Read, ..good },
        Grant { expires: 1_000, ..good },
        Grant { expires: 0, ..good },
        Grant { remaining: Some(0), ..good },
    ] {
        assert_eq!(restarts(&[grant], Terms::NONE), Some(Decision::Prompt), "{grant:?}");
    }
    assert_eq!(restarts(&[good], Terms { per_request: true, ..Terms::NONE }), Some(Decision::Prompt));
    let approval = |request: &Request<'_, String>| approved(Terms { per_request: true, ..Terms::NONE }, request);
    let request = Request::Tool { tool: "service.restart", arguments: "{\"unit\":\"nginx.service\"}", target: None };
    assert_eq!(restarts(&[], approval(&request)), Some(Decision::Allow), "an approval is of the very request");
}

/// R001.42: no grant lasts longer than a week, or than the policy says.
#[test]
fn grants_end_within_a_week() {
    let week = 7 * 24 * 60 * 60;
    for (expires, expected) in [(1_000 + week, Decision::Allow), (1_001 + week, Decision::Prompt)] {
        assert_eq!(restarts(&[Grant { expires, ..grant("service.restart") }], Terms::NONE), Some(expected));
    }
}

/// R001.45: a grant makes nothing of what is forbidden.
#[test]
fn grants_never_permit_what_is_forbidden() {
    let words = words("git push");
    let all = [grant("command.git_push"), grant("command.network_access"), grant("command.unknown_process")];
    for profile in ["none", "readonly", "repair"] {
        let terms = Terms { grants: &all, time: 1_000, ..under(profile) };
        assert_eq!(shipped(Request::Command(&words), &terms, |account| account.decision), Some(Decision::Forbidden));
    }
    let terms = Terms { grants: &all, time: 1_000, ..under("verify") };
    shipped(Request::Command(&words), &terms, |account| {
        assert_eq!(account.decision, Some(Decision::Allow));
        assert_eq!(account.discharged, Some(Discharged::Grants(0b11)));
    });
}

/// R001.29, R001.30: the target comes from the parameters; another is refused.
#[test]
fn a_target_is_what_the_parameters_say() {
    let of = |target| {
        let arguments = "{\"unit\":\"nginx.service\"}";
        let request = Request::Tool { tool: "service.status", arguments, target };
        shipped(request, &under("operations"), |account| (account.decision, account.target.clone()))
    };
    assert_eq!(of(None), (Some(Decision::Allow), Some("nginx.service".to_owned())));
    assert_eq!(of(Some("nginx.service")).0, Some(Decision::Allow));
    for other in ["sshd.service", "nginx", "", "nginx.service "] {
        assert_eq!(of(Some(other)).0, Some(Decision::Forbidden), "{other:?}");
    }
    let page =
        Request::Tool { tool: "browser.read", arguments: "{\"url\":\"https://Example.com:443/a\"}", target: None };
    assert_eq!(shipped(page, &under("operations"), |account| account.target.clone()).as_deref(), Some("example.com"));
}

/// R001.17, R001.21, R001.22, R001.23, R001.24, R001.25, R001.26, R001.54, R001.34: a plan can ask what an operation is
/// like, of what is declared and never of its name.
#[test]
fn operations_say_what_they_are_like() {
    let policy = Policy::guarded_of("load(\"@std//profiles/operations.rules\", \"COMPONENTS\")\n");
    let table = open(&policy);
    for (name, writes, idempotent, seconds, cost) in [
        ("service.status", false, true, Some(10), Some("low")),
        ("service.restart", true, false, Some(60), Some("medium")),
        ("logs.query", false, true, Some(30), Some("medium")),
        ("host.memory.status", false, true, Some(5), Some("low")),
        ("sudo_shell", true, false, Some(60), Some("high")),
    ] {
        let tool = table.tool(name).unwrap();
        let effects: Vec<_> = tool.effects().numbers().map(|number| table.capability(number).unwrap()).collect();
        assert_eq!(effects.iter().any(|effect| effect.writes()), writes, "{name}");
        assert_eq!(tool.idempotent(), idempotent, "{name}");
        assert_eq!(tool.timeout().map(std::num::NonZero::get), seconds, "{name}");
        assert_eq!(tool.cost().map(policyc_runtime::Cost::name), cost, "{name}");
    }
    let undeclared = Policy::of("capability(\"a\")\ncapability(\"b\", access = \"read\")\n");
    let writes: Vec<bool> = open(&undeclared).capabilities().map(|capability| capability.writes()).collect();
    assert_eq!(writes, [true, false, true], "what says nothing of its access writes, and so does what is unknown");
}

/// R001.14, R001.38, R002.21: what nobody vouches for is claimed to be so.
#[test]
fn content_of_others_is_of_low_trust() {
    let policy = Policy::guarded_of("load(\"@std//profiles/operations.rules\", \"LOW_TRUST\")\n");
    let table = open(&policy);
    for name in ["browser.navigate", "browser.read", "browser.links", "http.fetch", "logs.query"] {
        let claims = table.tool(name).unwrap().claims();
        assert!(
            claims.numbers().any(|number| table.capability(number).unwrap().name() == "content.low_trust"),
            "{name}"
        );
    }
}

/// R001.18, R001.41, R001.49, R001.51: what grants are limited by is in the table.
#[test]
fn limits_of_grants_are_in_the_table() {
    let policy = Policy::guarded_of("load(\"@std//profiles/operations.rules\", \"COMPONENTS\")\n");
    let table = open(&policy);
    let limits: Vec<_> = table.grants().collect();
    assert_eq!(limits.len(), 1);
    assert_eq!((limits[0].max_ttl(), limits[0].max_open()), (7 * 24 * 60 * 60, Some(5)));
    assert!(limits[0].reserved().any(|name| name == "planner"));
}

/// R002.5, R002.6, R002.7, R002.11: a write needs the fact that its file was read; an exempt call says that it does not
/// apply, and which claim exempts it.
#[test]
fn what_is_written_must_have_been_read() {
    let write = |path: &str| format!("{{\"path\":\"{path}\",\"content\":\"x\"}}");
    let decision = |path: &str, facts: &[&str]| {
        let arguments = write(path);
        let request = Request::Tool { tool: "file_write", arguments: &arguments, target: None };
        shipped(request, &Terms { facts, ..under("files") }, |account| account.decision)
    };
    for (path, facts, expected) in [
        ("a", &[][..], Decision::Forbidden),
        ("a", &["read:/work/a"], Decision::Allow),
        ("./b/../a", &["read:/work/a"], Decision::Allow),
        ("/work/a", &["read:/work/a"], Decision::Allow),
        ("a", &["read:/work/b"], Decision::Forbidden),
        ("a", &["read:a"], Decision::Forbidden),
        ("../a", &["read:/a"], Decision::Forbidden),
    ] {
        assert_eq!(decision(path, facts), Some(expected), "{path} {facts:?}");
    }
    let request =
        Request::Tool { tool: "file_copy", arguments: "{\"source\":\"a\",\"dest\":\"b\"}", target: Some("b") };
    shipped(request, &under("files"), |account| {
        assert_eq!(account.decision, Some(Decision::Allow));
        assert_eq!(account.facts.iter().map(|fact| fact.holds).collect::<Vec<_>>(), [None], "told as not applicable");
        assert_eq!(account.claims.numbers().count(), 1, "the claim is told like an effect");
    });
}

/// R002.29: a source may lie under a folder that an operator lets be read, a destination may not.
#[test]
fn only_sources_may_lie_outside() {
    let copy = |source: &str, dest: &str| format!("{{\"source\":\"{source}\",\"dest\":\"{dest}\"}}");
    let terms = Terms { read_roots: &["/usr/share/doc"], ..under("files") };
    let decision = |source: &str, dest: &str, terms: &Terms<'_>| {
        let arguments = copy(source, dest);
        let request = Request::Tool { tool: "file_copy", arguments: &arguments, target: None };
        shipped(request, terms, |account| account.decision)
    };
    assert_eq!(decision("/usr/share/doc/a", "b", &terms), Some(Decision::Allow));
    assert_eq!(decision("/usr/share/doc/a", "b", &under("files")), Some(Decision::Forbidden));
    assert_eq!(decision("/usr/share/docs/a", "b", &terms), Some(Decision::Forbidden));
    assert_eq!(decision("/usr/share/doc/../../../etc/passwd", "b", &terms), Some(Decision::Forbidden));
    assert_eq!(decision("a", "/usr/share/doc/b", &terms), Some(Decision::Forbidden));
}

/// R004.1, R004.4, R004.5, R004.6, R004.7, R004.13, R004.8, R004.9, R004.10, R004.11, R004.12: in a read-only context,
/// whatever changes something is forbidden, and what it is called and what it does are told.
#[test]
fn read_only_contexts_change_nothing() {
    let writing = [
        ("service.restart", "{\"unit\":\"x\"}", "operations"),
        ("file_delete", "{\"path\":\"a\"}", "files"),
        ("qre_write_file", "{\"path\":\"a\",\"content\":\"\"}", "repair"),
    ];
    for (tool, arguments, profile) in writing {
        let request = Request::Tool { tool, arguments, target: None };
        let terms = Terms { read_only: true, facts: &["read:/work/a"], ..approved(under(profile), &request) };
        shipped(request, &terms, |account| {
            assert_eq!(account.decision, Some(Decision::Forbidden), "{tool}");
            assert!(account.causes.iter().any(|cause| matches!(cause, Cause::ReadOnly { .. })), "{tool}");
            assert_eq!(account.tool.map(|tool| tool.name().to_owned()).as_deref(), Some(tool));
        });
        let free = Terms { read_only: false, ..terms };
        assert_eq!(shipped(request, &free, |account| account.decision), Some(Decision::Allow), "{tool}");
    }
    let read = Request::Tool { tool: "file_read", arguments: "{\"path\":\"a\"}", target: None };
    let terms = Terms { read_only: true, ..under("files") };
    assert_eq!(shipped(read, &terms, |account| account.decision), Some(Decision::Allow));
    for (line, expected) in [("rg x", Decision::Allow), ("dotnet build --no-restore", Decision::Forbidden)] {
        let words = words(line);
        let terms = Terms { read_only: true, ..under("verify") };
        assert_eq!(shipped(Request::Command(&words), &terms, |account| account.decision), Some(expected), "{line}");
    }
}

/// R004.2, R004.3, R004.14, R004.15, R004.16, R004.17, X11, X12: whether a plan may run in a read-only context is what its
/// effect says, which one declaration turns; that the context is one, only the host says.
#[test]
fn plans_do_not_run_in_read_only_contexts() {
    let policy = |access: &str| {
        Policy::of(&format!(
            "capability(\"plan.list\", access = \"read\")\ncapability(\"plan.run\"{access})\n\
             tool(\"plan/list\", [\"plan.list\"])\n\
             [tool(name, [\"plan.run\"], params = {{\"plan\": \"text\", \"read_only\": \"boolean?\"}}) for name in \
             [\"plan/execute\", \"plan/apply\"]]\n\
             profile(\"plans\", allow = [\"plan.list\", \"plan.run\"], tools = [glob(\"plan/*\")])\n"
        ))
    };
    let (writes, reads) = (policy(""), policy(", access = \"read\""));
    let bound = Terms { read_only: true, ..under("plans") };
    let decide = |policy: &Policy, tool: &str, arguments: &str, terms: &Terms<'_>| {
        decision(&open(policy), Request::Tool { tool, arguments, target: None }, terms)
    };
    assert_eq!(decide(&writes, "plan/list", "{}", &bound), Some(Decision::Allow));
    for tool in ["plan/execute", "plan/apply"] {
        for arguments in ["{\"plan\":\"p\"}", "{\"plan\":\"p\",\"read_only\":false}"] {
            assert_eq!(decide(&writes, tool, arguments, &under("plans")), Some(Decision::Allow), "{tool}");
            assert_eq!(decide(&writes, tool, arguments, &bound), Some(Decision::Forbidden), "{tool} {arguments}");
            assert_eq!(decide(&reads, tool, arguments, &bound), Some(Decision::Allow), "{tool} {arguments}");
        }
    }
}

/// R004.1 without a profile, and X13: what nothing is known of changes something.
#[test]
fn read_only_needs_no_profile() {
    let terms = Terms { read_only: true, ..Terms::NONE };
    let policy = Policy::of("prefix_rule([\"p\"])\n");
    let words = words("p x");
    assert_eq!(decision(&open(&policy), Request::Command(&words), &terms), Some(Decision::Forbidden));
    let declared = "capability(\"r\", access = \"read\")\ncommand([\"p\"], [\"r\"])\nprefix_rule([\"p\"])\n";
    assert_eq!(decision(&open(&Policy::of(declared)), Request::Command(&words), &terms), Some(Decision::Allow));
}

/// X5, X6: an allow rule covers a command that no row describes, as far as the profile lists that.
#[test]
fn an_allow_rule_lists_a_command() {
    let text = "capability(\"command.listed\")\nprefix_rule([\"p\"])\nprofile(\"a\", allow = [\"command.listed\"])\n\
                profile(\"q\", prompt = [\"command.listed\"])\nprofile(\"n\")\n";
    let policy = Policy::of(text);
    for (profile, line, expected) in [
        ("a", "p x", Decision::Allow),
        ("q", "p x", Decision::Prompt),
        ("n", "p x", Decision::Forbidden),
        ("a", "q x", Decision::Forbidden),
        ("a", "./p x", Decision::Forbidden),
        ("a", "/tmp/p x", Decision::Forbidden),
    ] {
        let words = words(line);
        let decided = decision(&open(&policy), Request::Command(&words), &under(profile));
        assert_eq!(decided, Some(expected), "{line} under {profile}");
    }
    let without = Policy::of("capability(\"other\")\nprefix_rule([\"p\"])\nprofile(\"a\", allow = [\"other\"])\n");
    assert_eq!(decision(&open(&without), Request::Command(&words("p")), &under("a")), Some(Decision::Forbidden));
}

/// What a bad request is, the request, the profile, and what the answer says of the declaration that it breaks.
type Bad<'b> = (&'b str, Request<'b, String>, &'b str, &'b str);

const fn call<'b>(tool: &'b str, arguments: &'b str) -> Request<'b, String> {
    Request::Tool { tool, arguments, target: None }
}

/// What is wrong with a request is never allowed, approved of or not, and the answer says which declaration it breaks.
#[test]
fn bad_input_is_never_allowed() {
    let deep = format!("{{\"path\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
    let long = format!("{{\"path\":\"{}\"}}", "x".repeat(10 << 20));
    let many = format!("{{{}\"path\":\"a\"}}", "\"x\":0,".repeat(1 << 20));
    let unit = "{\"unit\":\"nginx.service\"}";
    let (read, status, logs) = ("`file_read` is declared at @std//", "`service.status` is", "`logs.query` is");
    let table: &[Bad<'_>] = &[
        ("an unknown tool", call("unheard_of", "{}"), "files", "there is no tool `unheard_of`"),
        ("a tool nearly known", call("file_raed", "{}"), "files", "`file_read` is the nearest"),
        ("no tool", call("", "{}"), "files", "`` is not the name of a tool"),
        ("a name of three parts", call("a/b/c", "{}"), "files", "`a/b/c` is not the name of a tool"),
        ("a name with a blank", call("file_read ", "{}"), "files", "`file_read ` is not the name of a tool"),
        ("a name in other letters", call("File_read", "{}"), "files", "there is no tool `File_read`"),
        ("a tool of another profile", call("file_read", "{\"path\":\"a\"}"), "repair", "`repair` is declared at"),
        ("no arguments", call("file_read", ""), "files", read),
        ("a list", call("file_read", "[]"), "files", read),
        ("a number", call("file_read", "1"), "files", read),
        ("null", call("file_read", "null"), "files", read),
        ("text", call("file_read", "\"path\""), "files", read),
        ("no JSON", call("file_read", "{path: 'a'}"), "files", read),
        ("half of it", call("file_read", "{\"path\":\"a\""), "files", read),
        ("a comma too many", call("file_read", "{\"path\":\"a\",}"), "files", read),
        ("a byte order mark", call("file_read", "\u{feff}{\"path\":\"a\"}"), "files", read),
        ("two objects", call("file_read", "{\"path\":\"a\"} {}"), "files", read),
        (
            "a number for a path",
            call("file_read", "{\"path\":1}"),
            "files",
            "`path` takes a value of the kind `source_path`",
        ),
        ("null for a path", call("file_read", "{\"path\":null}"), "files", read),
        ("a list for a path", call("file_read", "{\"path\":[\"a\"]}"), "files", read),
        ("an object for a path", call("file_read", "{\"path\":{\"a\":1}}"), "files", read),
        ("text for a boolean", call("list_dir", "{\"recursive\":\"true\"}"), "files", "kind `boolean`"),
        ("text for a number", call("logs.query", "{\"unit\":\"x\",\"lines\":\"1\"}"), "operations", logs),
        ("a fraction", call("logs.query", "{\"unit\":\"x\",\"lines\":1.5}"), "operations", logs),
        ("an exponent", call("logs.query", "{\"unit\":\"x\",\"lines\":1e3}"), "operations", logs),
        ("a number like an option", call("logs.query", "{\"unit\":\"x\",\"lines\":-1}"), "operations", logs),
        ("a key twice", call("file_read", "{\"path\":\"a\",\"path\":\"b\"}"), "files", read),
        ("a key twice, escaped", call("file_read", "{\"path\":\"a\",\"p\\u0061th\":\"b\"}"), "files", read),
        ("a key twice, far down", call("file_read", "{\"path\":{\"x\":[{\"a\":1,\"a\":2}]}}"), "files", read),
        ("a parameter too many", call("file_read", "{\"path\":\"a\",\"more\":1}"), "files", "no parameter `more`"),
        ("a parameter in other letters", call("file_read", "{\"Path\":\"a\"}"), "files", "lacks the parameter `path`"),
        ("a parameter too few", call("file_read", "{}"), "files", "lacks the parameter `path`"),
        ("lists in lists, 10,000 deep", call("file_read", &deep), "files", read),
        ("10 MB", call("file_read", &long), "files", read),
        ("a million keys", call("file_read", &many), "files", read),
        ("a path with NUL", call("file_read", "{\"path\":\"a\\u0000b\"}"), "files", "`path`: the path has a control"),
        (
            "a path with a line break",
            call("file_read", "{\"path\":\"a\\nb\"}"),
            "files",
            "`path`: the path has a control",
        ),
        ("a line break in JSON", call("file_read", "{\"path\":\"a\nb\"}"), "files", read),
        ("half a surrogate", call("file_read", "{\"path\":\"\\ud800\"}"), "files", read),
        ("an empty path", call("file_read", "{\"path\":\"\"}"), "files", "`path`: the path is empty"),
        ("a path that leads out", call("file_read", "{\"path\":\"../a\"}"), "files", "`path`: the path leads out"),
        ("a drive", call("file_read", "{\"path\":\"C:/a\"}"), "files", "`path`: the path leads out"),
        ("the workspace itself", call("qre_write_file", "{\"path\":\".\",\"content\":\"\"}"), "repair", "`path`: "),
        ("a unit with a leading dash", call("service.status", "{\"unit\":\"-x\"}"), "operations", status),
        (
            "an option for a unit",
            call("service.status", "{\"unit\":\"--force\"}"),
            "operations",
            "`unit` names no unit",
        ),
        ("a path for a unit", call("service.status", "{\"unit\":\"../x\"}"), "operations", status),
        (
            "a trailing dot",
            call("browser.read", "{\"url\":\"https://example.com./\"}"),
            "operations",
            "ends with a dot",
        ),
        ("another script", call("browser.read", "{\"url\":\"https://exаmple.com/\"}"), "operations", "not ASCII"),
        ("a user", call("browser.read", "{\"url\":\"https://a@example.com/\"}"), "operations", "`url`: "),
        ("a host with a trailing dot", Request::Network { protocol: "https", host: "example.com." }, "verify", "dot"),
        ("a host in another script", Request::Network { protocol: "https", host: "exаmple.com" }, "verify", "ASCII"),
        ("a host with NUL", Request::Network { protocol: "https", host: "a\0" }, "verify", "the destination: "),
        ("no host", Request::Network { protocol: "https", host: "" }, "verify", "the destination: "),
        ("an unknown protocol", Request::Network { protocol: "gopher", host: "a.b" }, "verify", "no protocol `gopher`"),
        (
            "another target",
            Request::Tool { tool: "service.status", arguments: unit, target: Some("sshd.service") },
            "operations",
            "`sshd.service` is not the target",
        ),
        (
            "a target of a tool without",
            Request::Tool { tool: "host.disk.usage", arguments: "{}", target: Some("/") },
            "operations",
            "`/` is not the target",
        ),
        ("no command", Request::Command(&[]), "verify", "does not list `command.unknown_process`"),
    ];
    for (what, request, profile, says) in table {
        for profile in [Some(*profile), Some("unheard_of"), None] {
            let terms = Terms { profile, facts: &["read:/work/a"], ..Terms::NONE };
            let (decision, reasons) = shipped_beside(*request, &approved(terms, request), |account, table| {
                let reasons = account.causes.iter().map(|cause| causes::cause(cause, account, table));
                (account.decision, reasons.collect::<Vec<_>>())
            });
            assert_ne!(decision, Some(Decision::Allow), "{what} under {profile:?}");
            if profile.is_some() {
                assert_eq!(decision, Some(Decision::Forbidden), "{what} under {profile:?}");
            }
            if profile.is_some_and(|profile| profile != "unheard_of") {
                assert!(reasons.iter().any(|reason| reason.contains(says)), "{what}: {reasons:?}");
            }
        }
    }
}

/// Network rules judge hosts, in one spelling, under profiles and without.
#[test]
fn hosts_are_judged_in_one_spelling() {
    let text = "capability(\"command.network_access\")\nnetwork_rule(\"Example.com\", \"https\", \"allow\")\n\
                network_rule(\"evil.example\", \"https\", \"forbidden\")\nnetwork_rule(\"[::1]\", \"http\", \"allow\")\n\
                profile(\"v\", prompt = [\"command.network_access\"])\nprofile(\"a\", allow = [\"command.network_access\"])\n\
                profile(\"n\")\n";
    let policy = Policy::of(text);
    let table = open(&policy);
    for (protocol, host, [free, allowing, asking]) in [
        ("https", "EXAMPLE.com:443", [Some(Decision::Allow), Some(Decision::Allow), Some(Decision::Prompt)]),
        ("https_connect", "example.com", [Some(Decision::Allow), Some(Decision::Allow), Some(Decision::Prompt)]),
        ("http", "example.com", [None, Some(Decision::Forbidden), Some(Decision::Forbidden)]),
        ("https", "evil.example", [Some(Decision::Forbidden); 3]),
        ("https", "other.example", [None, Some(Decision::Forbidden), Some(Decision::Forbidden)]),
        ("http", "0:0:0:0:0:0:0:1", [Some(Decision::Allow), Some(Decision::Allow), Some(Decision::Prompt)]),
        ("https", "example.com.", [Some(Decision::Forbidden); 3]),
        ("https", "exаmple.com", [Some(Decision::Forbidden); 3]),
        ("https", "2130706433", [Some(Decision::Forbidden); 3]),
        ("ftp", "example.com", [Some(Decision::Forbidden); 3]),
        ("https", "", [Some(Decision::Forbidden); 3]),
    ] {
        let request = Request::Network { protocol, host };
        for (profile, expected) in [(None, free), (Some("a"), allowing), (Some("v"), asking)] {
            let terms = Terms { profile, ..Terms::NONE };
            assert_eq!(decision(&table, request, &terms), expected, "{protocol} {host} under {profile:?}");
        }
        assert_eq!(decision(&table, request, &under("n")), Some(Decision::Forbidden));
    }
}

/// A digest is of the kind and of all that a request says, each part with its length.
#[test]
fn digests_tell_requests_apart() {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let [one, joined, split] = [words(&["a", "b"]), words(&["a b"]), words(&["ab", ""])];
    let kind = policyc_runtime::ShellKind::Bash;
    let requests: [Request<'_, String>; 10] = [
        Request::Command(&one),
        Request::Command(&joined),
        Request::Command(&split),
        Request::Text { text: "a b", kind },
        Request::Tool { tool: "a", arguments: "{}", target: None },
        Request::Tool { tool: "a", arguments: "{}", target: Some("") },
        Request::Tool { tool: "a", arguments: "{\"b\":1}", target: None },
        Request::Tool { tool: "a", arguments: "{\"b\":1.0}", target: None },
        Request::Tool { tool: "a", arguments: "{\"b\":1,\"b\":1}", target: None },
        Request::Network { protocol: "a", host: "b" },
    ];
    let digests: std::collections::BTreeSet<_> = requests.iter().map(Request::digest).collect();
    assert_eq!(digests.len(), requests.len());
    let sorted: Request<'_, String> =
        Request::Tool { tool: "a", arguments: "{\"b\":1,\"c\":\"\\u0064\"}", target: None };
    let unsorted: Request<'_, String> =
        Request::Tool { tool: "a", arguments: " {\"c\":\"d\", \"b\": 1}", target: None };
    assert_eq!(sorted.digest(), unsorted.digest());
}
