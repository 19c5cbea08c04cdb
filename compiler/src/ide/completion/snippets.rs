//! Whole statements and calls to go on from, as data.

/// A statement: what it is called, what it is for, and its text, in which `$1` and the like are places to go on at.
pub(super) struct Snippet {
    /// Its name.
    pub(super) label: &'static str,
    /// What it is for.
    pub(super) detail: &'static str,
    /// Its text.
    pub(super) text: &'static str,
}

/// Statements that a policy is made of.
pub(super) const STATEMENTS: [Snippet; 5] = [
    Snippet {
        label: "rule",
        detail: "a rule with examples",
        text: "prefix_rule(\n    [\"$1\"],\n    \"${2|prompt,forbidden,allow|}\",\n    justification = \"$3\",\n    match = [\"$4\"],\n    not_match = [\"$5\"],\n)",
    },
    Snippet { label: "load", detail: "names of another file", text: "load(\"$1\", \"$2\")" },
    Snippet { label: "def", detail: "a function that makes rules", text: "def ${1:name}($2):\n    $0" },
    Snippet { label: "for", detail: "a loop, in a function", text: "for ${1:word} in ${2:words}:\n    $0" },
    Snippet { label: "if", detail: "a condition, in a function", text: "if $1:\n    $0" },
];

/// The arguments with which a call of a builtin begins.
pub(super) fn arguments(builtin: &str) -> &'static str {
    match builtin {
        "prefix_rule" => "[\"$1\"], \"${2|prompt,forbidden,allow|}\"",
        "host_executable" => "\"$1\", [\"$2\"]",
        "network_rule" => "\"$1\", \"${2|https,http,socks5_tcp,socks5_udp|}\", \"${3|allow,prompt,forbidden|}\"",
        "default_decision" => "\"${1|prompt,forbidden|}\"",
        "expect" => "\"$1\", \"${2|allow,prompt,forbidden|}\"",
        "inert_env" => "[\"$1\"]",
        "program" => "\"$1\", options = [$2]",
        "option" | "glob" | "path" => "\"$1\"",
        "any_word" => "",
        _ => "$1",
    }
}
