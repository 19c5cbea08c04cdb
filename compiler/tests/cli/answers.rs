//! Answers as hosts read them: real ones of many kinds have the shape that `docs/answers.schema.json` promises.

use serde_json::Value;

use crate::{folder, run, write};

const POLICY: &str = r#"
prefix_rule(["git", ["status", "log"]], justification = "reads only")
prefix_rule(["git", "push"], "prompt")
prefix_rule(["git", "push", "-f"], "forbidden", justification = "history is shared")
prefix_rule(["psql"], env = ["PGHOST"])
prefix_rule(["rm"], "forbidden")
host_executable(name = "git", paths = ["/usr/bin/git"])
"#;

/// Texts of every kind that answers are told apart by.
const TEXTS: &[&str] = &[
    "git status",
    "git push; git log | cat",
    "/opt/git status; /usr/bin/git status",
    "sudo git -C . push -f",
    "bash -c 'git push -f; sh -c \"git status\"'",
    "A=1 PGHOST=x psql > out",
    "$CMD push; git $SUB; ${X:-rm} y",
    "unknowntool git push; unknowntool 'rm -rf x'",
    "git --exec-path=x status; git log --output=x",
    "curl x | sh",
    "xargs git push < list",
    "git status 'x",
    "git status \u{200b}",
    "make > x; make",
    "",
    "for x in a; do rm $x; done; f() { git push; }; f",
    "echo $(git push) `rm x` <(git log)",
];

#[test]
fn answers_have_the_promised_shape() {
    let folder = folder(&[
        ("p.rules", POLICY),
        ("d.rules", "default_decision('forbidden', justification = 'closed')\n"),
        ("layer/l.rules", "prefix_rule(['git', 'log'], 'prompt')\n"),
    ]);
    let line = |key: &str, value: Value| serde_json::json!({ key: value }).to_string();
    let mut batch: Vec<String> = TEXTS.iter().map(|text| line("shell", (*text).into())).collect();
    batch.extend(
        ["git push -f x", "/opt/git log", "sudo -u x rm y", "make", "git status a\u{202e}"]
            .map(|command| line("command", command.split(' ').map(Value::from).collect())),
    );
    batch.push(r#"{"shell":"git push","shell_kind":"powershell"}"#.to_owned());
    batch.push(r#"{"shell":"git push","shell_kind":"cmd"}"#.to_owned());
    batch.push("nonsense".to_owned());
    write(folder.path(), "batch", batch.join("\n") + "\n{\"shell\":\"ls \u{fffd}\"}");
    let mut bytes = batch.join("\n").into_bytes();
    bytes.extend_from_slice(
        b"\n{\"shell\":\"git status \xff\"}\n{\"command\":[\"git\",\"status\",\"\xff\"]}\n{\"x\":\"\xff\"}\n",
    );
    write(folder.path(), "batch", bytes);
    let schema = schema();
    let mut seen = std::collections::BTreeSet::new();
    for sources in [
        "--rules p.rules",
        "--rules p.rules --rules d.rules",
        "--layer user=p.rules --layer project:untrusted=layer",
        "--rules p.rules --matching reference",
    ] {
        let ran = run(folder.path(), &format!("eval {sources} --batch batch")).ends_with(0);
        assert_eq!(ran.stdout.lines().count(), batch.len() + 3);
        for answer in ran.stdout.lines() {
            let parsed: Value = serde_json::from_str(answer).unwrap();
            if let Err(why) = holds(&schema, &schema, &parsed) {
                panic!("{why}: {answer}");
            }
            keys(&parsed, &mut seen);
            consistent(&parsed);
        }
    }
    // What no answer has was not looked at.
    for key in
        ["default", "layer", "problem", "fix", "suggestion", "dynamic", "harmless", "of", "inside", "how", "error"]
    {
        assert!(seen.contains(key), "no answer has `{key}`");
    }
}

/// Requests under profiles, with the options beside them.
const ACCOUNTS: &[&str] = &[
    "--profile verify --shell 'rg x > out; git push'",
    "--profile verify --approve-risk 'release day' -- git push",
    "--profile verify --approve-risk 'release day' -- docker ps",
    "--profile readonly --read-only --shell 'rg x < /etc/shadow; make $X'",
    "--profile heard --shell 'make'",
    "--profile files --fact read:/x --tool file_write --args '{\"path\":\"a\",\"content\":\"\"}'",
    "--profile files --tool file_copy --args '{\"source\":\"a\",\"dest\":\"b\"}' --target b",
    "--profile files --tool file_raed --args '[]'",
    "--profile operations --tool service.restart --args '{\"unit\":\"x\"}'",
    "--profile operations --tool service.status --args '{\"unit\":\"-x\"}'",
    "--profile operations --tool sudo_shell --args '{\"command\":\"id\"}'",
    "--profile verify --network https evil.example",
    "--profile verify --network https example.com",
    "--tool wiki/write --args '{}'",
    "--network https evil.example.",
];

#[test]
fn accounts_have_the_promised_shape() {
    let policy = "load('@std//profiles/profiles.rules', 'READERS')\nload('@std//profiles/operations.rules', 'COMPONENTS')\n\
                  load('@std//profiles/files.rules', 'FILE_WRITE')\nnetwork_rule('evil.example', 'https', 'forbidden')\n\
                  network_rule('example.com', 'https', 'allow')\ntool_rule(glob('wiki/*'), decision = 'prompt')\n\
                  prefix_rule(['make'], 'prompt')\nprofile('heard', allow = ['command.arbitrary_execution'])\n";
    let folder = folder(&[("p.rules", policy)]);
    let schema = schema();
    let mut seen = std::collections::BTreeSet::new();
    let mut kinds = std::collections::BTreeSet::new();
    for request in ACCOUNTS {
        for format in ["json", "qre"] {
            let ran = run(folder.path(), &format!("eval --rules p.rules --format {format} {request}")).ends_with(0);
            let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
            if let Err(why) = holds(&schema, &schema, &answer) {
                panic!("{request}: {why}: {answer}");
            }
            keys(&answer, &mut seen);
            let causes = answer["account"]["causes"].as_array().into_iter().flatten();
            let sources = answer["account"]["effects"].as_array().into_iter().flatten();
            let sources = sources.flat_map(|effect| effect["sources"].as_array().into_iter().flatten());
            kinds.extend(causes.chain(sources).map(|one| one["kind"].as_str().unwrap().to_owned()));
        }
    }
    for key in [
        "tool",
        "target",
        "runs",
        "claims",
        "facts",
        "holds",
        "undischarged",
        "discharged",
        "approvalReason",
        "discharge",
        "file",
        "line",
        "commandCapabilities",
        "reasons",
    ] {
        assert!(seen.contains(key), "no answer has `{key}`");
    }
    for kind in [
        "effect",
        "read-only",
        "fact",
        "rule",
        "tool-rule",
        "network-rule",
        "refusal",
        "row",
        "redirect",
        "uncovered",
        "tool",
        "destination",
    ] {
        assert!(kinds.contains(kind), "no answer has the kind `{kind}`");
    }
}

#[test]
fn a_suggestion_allows_what_it_is_made_for() {
    let folder = folder(&[("p.rules", "prefix_rule(['rm'], 'forbidden')\n")]);
    for text in [
        "make test",
        "A=1 B='x y' make -j4 > out.txt 2>&1",
        "make \"it's\" '\"' 'a\\b'",
        "/opt/bin/tool x",
        "bash -c 'LD_PRELOAD=x make'",
        "{ make; make install; } > /tmp/log",
        "sudo -u dev make",
        "echo \"$X\"",
    ] {
        let mut rules = String::new();
        for _ in 0..3 {
            write(folder.path(), "own.rules", &rules);
            let shell = shlex::try_quote(text).unwrap();
            let ran = run(folder.path(), &format!("eval --rules p.rules --rules own.rules --shell {shell}"));
            let answer: Value = serde_json::from_str(&ran.ends_with(0).stdout).unwrap();
            if answer["decision"] == "allow" {
                break;
            }
            for command in answer["commands"].as_array().unwrap() {
                if let Some(suggestion) = command["suggestion"].as_str() {
                    rules += &format!("{suggestion}\n");
                }
            }
        }
        let shell = shlex::try_quote(text).unwrap();
        let ran = run(folder.path(), &format!("eval --exit-code --rules p.rules --rules own.rules --shell {shell}"));
        assert_eq!(ran.code, 0, "{text}\n{rules}{}", ran.stdout);
    }
}

/// A rule that would not help, would be wider than it looks or would keep a secret is not proposed.
#[test]
fn nothing_is_suggested_that_would_be_wrong() {
    let folder = folder(&[("p.rules", "prefix_rule(['rm'], 'forbidden')\n")]);
    for text in [
        "make \"x",
        "make $(",
        "'make test' x",
        "'' x",
        "git $X",
        "$X y",
        "curl -H 'Authorization: Bearer abc' x",
        "curl https://me:hunter2@example.com/x",
    ] {
        let shell = shlex::try_quote(text).unwrap();
        let ran = run(folder.path(), &format!("eval --rules p.rules --shell {shell}")).ends_with(0);
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_ne!(answer["decision"], "allow", "{text}");
        for command in answer["commands"].as_array().unwrap() {
            assert_eq!(command["suggestion"], Value::Null, "{text}: {}", ran.stdout);
        }
    }
    let ran = run(folder.path(), "eval --rules p.rules --shell 'make \"$X\"'").ends_with(0);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let suggestion = answer["commands"][0]["suggestion"].as_str().unwrap();
    assert!(suggestion.ends_with("  # whatever follows"), "{suggestion}");
}

#[test]
fn of_a_text_of_thousands_of_commands_a_page_is_explained() {
    let folder = folder(&[("p.rules", "prefix_rule(['ls'])\nprefix_rule(['rm'], 'forbidden')\n")]);
    let text = format!("{}rm x\n{}make\n", "ls; ".repeat(3_000), "ls\n".repeat(3_000));
    let shell = shlex::try_quote(&text).unwrap();
    let ran = run(folder.path(), &format!("explain --rules p.rules --shell {shell}")).ends_with(0);
    assert!(ran.stdout.lines().count() < 300, "{} lines", ran.stdout.lines().count());
    let left_out = "Judged, but not listed here: 5,001 more commands.";
    for told in ["forbidden  …s; ls;", "p.rules:2:1", left_out, "1,000 more commands are allowed", "; rm x", "  rm x"]
    {
        assert!(ran.stdout.contains(told), "{told}: {}", ran.stdout);
    }
    let ran = run(folder.path(), &format!("eval --rules p.rules --exit-code --shell {shell}")).ends_with(11);
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(answer["commands"].as_array().unwrap().len(), 1_001);
    assert_eq!(answer["commandsLeftOut"], 5_001);
}

/// What an answer says twice, it says alike.
fn consistent(answer: &Value) {
    let Some(commands) = answer["commands"].as_array() else { return };
    for command in commands {
        let text = |span: &Value| answer["texts"][span["text"].as_u64().unwrap() as usize]["text"].as_str().unwrap();
        if let Some(span) = command.get("span") {
            let range = span["start"].as_u64().unwrap() as usize..span["end"].as_u64().unwrap() as usize;
            assert_eq!(text(span).get(range), command["text"].as_str(), "{answer}");
        }
        for found in command["matches"].as_array().unwrap() {
            for word in found["words"].as_array().unwrap() {
                assert!((word.as_u64().unwrap() as usize) < command["words"].as_array().unwrap().len(), "{answer}");
            }
        }
        for display in [&command["display"], &answer["texts"][0]["display"]] {
            let hidden = |character: char| character.is_control() || "\u{200b}\u{202e}".contains(character);
            assert!(!display.as_str().unwrap_or_default().contains(hidden), "{answer}");
        }
    }
    let strictest = |decision: &Value| ["allow", "prompt", "forbidden"].iter().position(|name| decision == name);
    let matched = answer["matchedRules"].as_array().unwrap().iter();
    let strictest_rule = matched.map(|matched| strictest(&matched["prefixRuleMatch"]["decision"])).max().flatten();
    assert!(strictest(&answer["decision"]) >= strictest_rule, "{answer}");
}

fn keys(value: &Value, seen: &mut std::collections::BTreeSet<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| {
            seen.insert(key.clone());
            keys(value, seen);
        }),
        Value::Array(items) => items.iter().for_each(|item| keys(item, seen)),
        _ => {}
    }
}

fn schema() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/answers.schema.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Whether `value` is as `schema` says, by the keywords that the schema uses; another keyword is a failure, not ignored.
fn holds(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let at = |key: &str, result: Result<(), String>| result.map_err(|why| format!("{key}: {why}"));
    for (keyword, wanted) in schema.as_object().unwrap() {
        let met = match keyword.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let pointer = wanted.as_str().unwrap().strip_prefix('#').unwrap();
                holds(root, root.pointer(pointer).unwrap(), value)?;
                true
            }
            "oneOf" => {
                let results: Vec<_> =
                    wanted.as_array().unwrap().iter().map(|schema| holds(root, schema, value)).collect();
                match results.iter().filter(|result| result.is_ok()).count() {
                    1 => true,
                    _ => return Err(format!("one of {results:?}")),
                }
            }
            "type" => match wanted.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "integer" => value.is_u64() || value.is_i64(),
                other => panic!("the type {other} is not known here"),
            },
            "const" => value == wanted,
            "enum" => wanted.as_array().unwrap().contains(value),
            "minimum" => value.as_i64() >= wanted.as_i64(),
            "minItems" => value.as_array().is_some_and(|items| items.len() as u64 >= wanted.as_u64().unwrap()),
            "required" => wanted.as_array().unwrap().iter().all(|key| value.get(key.as_str().unwrap()).is_some()),
            "items" => {
                value.as_array().into_iter().flatten().try_for_each(|item| at("items", holds(root, wanted, item)))?;
                true
            }
            "properties" => {
                for (key, schema) in wanted.as_object().unwrap() {
                    if let Some(member) = value.get(key) {
                        at(key, holds(root, schema, member))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                assert_eq!(wanted, &Value::Bool(false));
                let known = schema["properties"].as_object().unwrap();
                value.as_object().is_none_or(|members| members.keys().all(|key| known.contains_key(key)))
            }
            other => panic!("the keyword {other} is not known here"),
        };
        if !met {
            return Err(format!("{keyword} {wanted} does not hold of {value}"));
        }
    }
    Ok(())
}

#[test]
fn the_check_of_shapes_finds_mistakes() {
    let schema = schema();
    let wrong = [
        r#"{"matchedRules":[],"version":2,"matching":"guarded","commands":[]}"#,
        r#"{"matchedRules":[],"version":1,"matching":"guarded"}"#,
        r#"{"matchedRules":[],"decision":"maybe"}"#,
        r#"{"matchedRules":[{"prefixRuleMatch":{"matchedPrefix":[1],"decision":"allow"}}]}"#,
        r#"{"error":1}"#,
    ];
    for answer in wrong {
        assert!(holds(&schema, &schema, &serde_json::from_str(answer).unwrap()).is_err(), "{answer}");
    }
}
