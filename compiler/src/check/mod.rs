//! The codes of all mistakes: one file a code, each with the words for it.

pub(crate) mod closest;
mod words;

pub mod broad_default;
pub mod broad_rule;
pub mod broad_secret;
pub mod duplicate_argument;
pub mod duplicate_capability;
pub mod duplicate_effect;
pub mod duplicate_file;
pub mod duplicate_option;
pub mod duplicate_profile;
pub mod duplicate_program;
pub mod duplicate_tool;
pub mod empty_alternatives;
pub mod empty_example;
pub mod empty_folder;
pub mod empty_justification;
pub mod empty_list;
pub mod empty_pattern;
pub mod evadable_example;
pub mod failing_evaluation;
pub mod failing_example;
pub mod failing_expectation;
pub mod failing_module;
pub mod invalid_call;
pub mod invalid_capability;
pub mod invalid_condition;
pub mod invalid_configuration;
pub mod invalid_dialect;
pub mod invalid_element;
pub mod invalid_example;
pub mod invalid_executable;
pub mod invalid_fact;
pub mod invalid_glob;
pub mod invalid_grant;
pub mod invalid_host;
pub mod invalid_load;
pub mod invalid_name;
pub mod invalid_nesting;
pub mod invalid_option;
pub mod invalid_path;
pub mod invalid_pointer;
pub mod invalid_profile;
pub mod invalid_program;
pub mod invalid_request;
pub mod invalid_size;
pub mod invalid_syntax;
pub mod invalid_text;
pub mod invalid_tool;
pub mod invalid_type;
pub mod invalid_variable;
pub mod invalid_vocabulary;
pub mod invalid_word;
pub mod shadowed_program;
pub mod shadowed_rule;
pub mod unknown_argument;
pub mod unknown_capability;
pub mod unknown_decision;
pub mod unknown_file;
pub mod unknown_key;
pub mod unknown_kind;
pub mod unknown_module;
pub mod unknown_name;
pub mod unknown_parameter;
pub mod unknown_profile;
pub mod unknown_program;
pub mod unknown_protocol;
pub mod unknown_tool;
pub mod unreachable_declaration;
pub mod unreachable_end;
pub mod unreachable_file;
pub mod unreachable_module;
pub mod unreachable_tool;

use crate::diagnostics::Code;

/// Every code, sorted.
pub const CODES: &[Code] = &[
    broad_default::CODE,
    broad_rule::CODE,
    broad_secret::CODE,
    duplicate_argument::CODE,
    duplicate_capability::CODE,
    duplicate_effect::CODE,
    duplicate_file::CODE,
    duplicate_option::CODE,
    duplicate_profile::CODE,
    duplicate_program::CODE,
    duplicate_tool::CODE,
    empty_alternatives::CODE,
    empty_example::CODE,
    empty_folder::CODE,
    empty_justification::CODE,
    empty_list::CODE,
    empty_pattern::CODE,
    evadable_example::CODE,
    failing_evaluation::CODE,
    failing_example::CODE,
    failing_expectation::CODE,
    failing_module::CODE,
    invalid_call::CODE,
    invalid_capability::CODE,
    invalid_condition::CODE,
    invalid_configuration::CODE,
    invalid_dialect::CODE,
    invalid_element::CODE,
    invalid_example::CODE,
    invalid_executable::CODE,
    invalid_fact::CODE,
    invalid_glob::CODE,
    invalid_grant::CODE,
    invalid_host::CODE,
    invalid_load::CODE,
    invalid_name::CODE,
    invalid_nesting::CODE,
    invalid_option::CODE,
    invalid_path::CODE,
    invalid_pointer::CODE,
    invalid_profile::CODE,
    invalid_program::CODE,
    invalid_request::CODE,
    invalid_size::CODE,
    invalid_syntax::CODE,
    invalid_text::CODE,
    invalid_tool::CODE,
    invalid_type::CODE,
    invalid_variable::CODE,
    invalid_vocabulary::CODE,
    invalid_word::CODE,
    shadowed_program::CODE,
    shadowed_rule::CODE,
    unknown_argument::CODE,
    unknown_capability::CODE,
    unknown_decision::CODE,
    unknown_file::CODE,
    unknown_key::CODE,
    unknown_kind::CODE,
    unknown_module::CODE,
    unknown_name::CODE,
    unknown_parameter::CODE,
    unknown_profile::CODE,
    unknown_program::CODE,
    unknown_protocol::CODE,
    unknown_tool::CODE,
    unreachable_declaration::CODE,
    unreachable_end::CODE,
    unreachable_file::CODE,
    unreachable_module::CODE,
    unreachable_tool::CODE,
];

/// The codes of what is allowed and rarely meant, sorted: `policyc.toml` says how much each weighs.
pub const LINTS: &[Code] = &[
    broad_rule::CODE,
    broad_secret::CODE,
    evadable_example::CODE,
    invalid_word::CODE,
    shadowed_program::CODE,
    shadowed_rule::CODE,
    unknown_program::CODE,
    unreachable_declaration::CODE,
];

#[cfg(test)]
mod testing {
    use crate::diagnostics::{Diagnostic, Site};
    use crate::source::{SourceFile, Span};

    /// A place in a file that is not looked at.
    pub(crate) fn site() -> Site {
        let db = salsa::DatabaseImpl::default();
        let file = SourceFile::new(&db, "a.rules".to_owned(), String::new());
        Site::new(file, Span::default())
    }

    /// The message of `diagnostic`, once it is seen to be written in the house style.
    pub(crate) fn message(diagnostic: &Diagnostic) -> &str {
        let message = diagnostic.message.as_str();
        let first = message.chars().next().unwrap();
        assert!(first.is_lowercase() || first == '`', "starts lower case: {message}");
        assert!(!message.ends_with('.') && !message.contains('\n'), "one line, no full stop: {message}");
        message
    }
}

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn codes_are_sorted_and_begin_with_a_known_problem() {
        let problems = [
            "unknown-",
            "invalid-",
            "empty-",
            "duplicate-",
            "shadowed-",
            "unreachable-",
            "failing-",
            "broad-",
            "evadable-",
        ];
        assert!(CODES.is_sorted());
        for code in CODES {
            assert!(problems.iter().any(|problem| code.0.starts_with(problem)), "{}", code.0);
        }
    }

    #[test]
    fn every_code_has_its_page_and_every_page_its_code() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/diagnostics");
        let mut pages: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "README.md")
            .collect();
        pages.sort();
        let expected: Vec<String> = CODES.iter().map(|code| format!("{}.md", code.0)).collect();
        assert_eq!(pages, expected);
    }
}
