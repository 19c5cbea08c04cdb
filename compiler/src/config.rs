//! `policyc.toml`: which files a policy set is made of, and how it is checked. Text in, data and mistakes out.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::check::{CODES, LINTS, invalid_configuration, unknown_key};
use crate::diagnostics::{Code, Diagnostic, Severity, Site};
use crate::source::{SourceFile, Span};

/// The name of the file.
pub const NAME: &str = "policyc.toml";

/// What a `policyc.toml` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Files and folders, relative to the file; nothing if it does not say.
    pub policies: Option<Vec<String>>,
    /// Which engine must understand the policies.
    pub dialect: Dialect,
    /// The layers, in order.
    pub layers: Vec<LayerOfConfig>,
    /// How much lints weigh.
    pub lints: Lints,
}

/// Which engine must understand a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// This one.
    #[default]
    Policyc,
    /// The reference engine.
    Codex,
}

/// A layer and its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerOfConfig {
    /// Its name.
    pub name: String,
    /// Whether its files may allow.
    pub trusted: bool,
    /// Files and folders, relative to the file that says so.
    pub policies: Vec<String>,
}

/// How much lints weigh, where that was said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lints {
    levels: BTreeMap<Code, Option<Severity>>,
}

impl Lints {
    /// The diagnostic as heavy as its lint; nothing if that is off. Errors are no lints.
    #[must_use]
    pub fn weighed(&self, diagnostic: Diagnostic) -> Option<Diagnostic> {
        if diagnostic.severity == Severity::Error {
            return Some(diagnostic);
        }
        match self.levels.get(&diagnostic.code) {
            Some(level) => level.map(|severity| Diagnostic { severity, ..diagnostic }),
            None => Some(diagnostic),
        }
    }
}

impl Config {
    /// The paths that are of no layer: the whole folder, unless something is named.
    #[must_use]
    pub fn own_policies(&self) -> Vec<String> {
        match &self.policies {
            Some(policies) => policies.clone(),
            None if self.layers.is_empty() => vec![".".to_owned()],
            None => Vec::new(),
        }
    }
}

/// What the file says, and what is wrong with it.
#[salsa::tracked]
pub fn read(db: &dyn salsa::Database, file: SourceFile) -> (Config, Vec<Diagnostic>) {
    let mut reader = Reader { file, diagnostics: Vec::new() };
    let (table, errors) = DeTable::parse_recoverable(file.text(db));
    for error in errors {
        let site = Site::new(file, error.span().map_or(Span::default(), Span::from));
        reader.diagnostics.push(invalid_configuration::syntax(&site, error.message()));
    }
    let config = reader.config(table.get_ref());
    reader.diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    (config, reader.diagnostics)
}

const KEYS: &[&str] = &["policies", "dialect", "layer", "lints"];
const KEYS_OF_LAYER: &[&str] = &["name", "trusted", "policies"];

struct Reader {
    file: SourceFile,
    diagnostics: Vec<Diagnostic>,
}

impl Reader {
    fn at(&self, span: Range<usize>) -> Site {
        Site::new(self.file, Span::from(span))
    }

    fn wrong(&mut self, value: &Spanned<DeValue<'_>>, key: &str, expected: &str) {
        self.diagnostics.push(invalid_configuration::value(&self.at(value.span()), key, expected));
    }

    fn config(&mut self, table: &DeTable<'_>) -> Config {
        let mut config = Config::default();
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "policies" => config.policies = Some(self.paths(value)),
                "dialect" => match value.get_ref().as_str() {
                    Some("codex") => config.dialect = Dialect::Codex,
                    Some("policyc") => config.dialect = Dialect::Policyc,
                    _ => self.wrong(value, "dialect", "`\"codex\"` or `\"policyc\"`"),
                },
                "layer" => match value.get_ref().as_array() {
                    Some(layers) => {
                        for layer in layers {
                            let layer = self.layer(layer, &config.layers);
                            config.layers.extend(layer);
                        }
                    }
                    None => self.wrong(value, "layer", "a list of tables; write `[[layer]]`"),
                },
                "lints" => match value.get_ref().as_table() {
                    Some(lints) => config.lints = self.lints(lints),
                    None => self.wrong(value, "lints", "a table; write `[lints]`"),
                },
                given => {
                    let mistake = unknown_key::diagnostic(&self.at(key.span()), "`policyc.toml`", given, KEYS);
                    self.diagnostics.push(mistake);
                }
            }
        }
        config
    }

    fn paths(&mut self, value: &Spanned<DeValue<'_>>) -> Vec<String> {
        const EXPECTED: &str = "a list of paths";
        let Some(items) = value.get_ref().as_array() else {
            self.wrong(value, "policies", EXPECTED);
            return Vec::new();
        };
        let mut paths = Vec::new();
        for item in items {
            match item.get_ref().as_str().filter(|path| !path.is_empty()) {
                Some(path) => paths.push(path.to_owned()),
                None => self.wrong(item, "policies", EXPECTED),
            }
        }
        paths
    }

    fn layer(&mut self, value: &Spanned<DeValue<'_>>, before: &[LayerOfConfig]) -> Option<LayerOfConfig> {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong(value, "layer", "a list of tables; write `[[layer]]`");
            return None;
        };
        let (mut named, mut trusted, mut policies) = (None, true, Vec::new());
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "name" => match value.get_ref().as_str().filter(|name| is_name(name)) {
                    Some(name) => named = Some((name.to_owned(), value.span())),
                    None => self.wrong(value, "name", "a text of letters, digits, `-`, `_` and `.`"),
                },
                "trusted" => match value.get_ref().as_bool() {
                    Some(said) => trusted = said,
                    None => self.wrong(value, "trusted", "`true` or `false`"),
                },
                "policies" => policies = self.paths(value),
                given => {
                    let mistake = unknown_key::diagnostic(&self.at(key.span()), "a layer", given, KEYS_OF_LAYER);
                    self.diagnostics.push(mistake);
                }
            }
        }
        let Some((name, span)) = named else {
            if !table.contains_key("name") {
                self.diagnostics.push(invalid_configuration::layer(&self.at(value.span()), "a layer has no `name`"));
            }
            return None;
        };
        if before.iter().any(|layer| layer.name == name && layer.trusted != trusted) {
            let problem = format!("the layer `{name}` is trusted and untrusted");
            self.diagnostics.push(invalid_configuration::layer(&self.at(span), &problem));
        }
        Some(LayerOfConfig { name, trusted, policies })
    }

    fn lints(&mut self, table: &DeTable<'_>) -> Lints {
        let mut lints = Lints::default();
        for (key, value) in table {
            let given = key.get_ref().as_ref();
            let Some(code) = LINTS.iter().find(|code| code.0 == given) else {
                let known: Vec<&str> = LINTS.iter().map(|code| code.0).collect();
                let error = CODES.iter().any(|code| code.0 == given);
                self.diagnostics.push(unknown_key::lint(&self.at(key.span()), given, &known, error));
                continue;
            };
            let level = match value.get_ref().as_str() {
                Some("off") => None,
                Some("warning") => Some(Severity::Warning),
                Some("error") => Some(Severity::Error),
                _ => {
                    self.wrong(value, given, "`\"off\"`, `\"warning\"` or `\"error\"`");
                    continue;
                }
            };
            lints.levels.insert(*code, level);
        }
        lints
    }
}

/// Whether a layer may be called so: answers and options name it.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
    !name.is_empty() && name.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::{Config, Dialect, LayerOfConfig};
    use crate::check::{broad_rule, shadowed_rule};
    use crate::db::Database;
    use crate::diagnostics::{Diagnostic, Severity, Site};
    use crate::source::{SourceFile, Span};

    /// What a text says, and each mistake as `CODE: TEXT`.
    fn said(text: &str) -> (Config, Vec<String>) {
        let db = Database::default();
        let file = SourceFile::new(&db, super::NAME.to_owned(), text.to_owned());
        let (config, diagnostics) = super::read(&db, file).clone();
        let told = diagnostics.iter().map(|it| format!("{}: {}", it.code.0, it.primary.span.of(text)));
        (config, told.collect())
    }

    #[test]
    fn everything_it_can_say_is_read() {
        let (config, mistakes) = said(
            "policies = ['policies', 'extra.rules']\ndialect = 'codex'\n\n[[layer]]\nname = 'user'\npolicies = ['~/.policies']\n\n\
             [[layer]]\nname = 'project'\ntrusted = false\npolicies = []\n\n[lints]\nbroad-rule = 'off'\nshadowed-rule = 'error'\n",
        );
        assert_eq!(mistakes, Vec::<String>::new());
        assert_eq!(config.own_policies(), ["policies", "extra.rules"]);
        assert_eq!(config.dialect, Dialect::Codex);
        let layer = |name: &str, trusted, policies: &[&str]| LayerOfConfig {
            name: name.to_owned(),
            trusted,
            policies: policies.iter().map(|it| (*it).to_owned()).collect(),
        };
        assert_eq!(config.layers, [layer("user", true, &["~/.policies"]), layer("project", false, &[])]);
        let db = Database::default();
        let site = Site::new(SourceFile::new(&db, String::new(), String::new()), Span::default());
        let weighed = |code| config.lints.weighed(Diagnostic::warning(code, &site, "", "")).map(|it| it.severity);
        assert_eq!(weighed(broad_rule::CODE), None);
        assert_eq!(weighed(shadowed_rule::CODE), Some(Severity::Error));
        assert_eq!(weighed(crate::check::broad_secret::CODE), Some(Severity::Warning));
        let error = Diagnostic::error(broad_rule::CODE, &site, "", "");
        assert_eq!(config.lints.weighed(error.clone()), Some(error), "an error is no lint");
    }

    #[test]
    fn without_a_word_it_is_the_whole_folder() {
        assert_eq!(said("").0.own_policies(), ["."]);
        assert_eq!(said("[[layer]]\nname = 'a'\n").0.own_policies(), Vec::<String>::new());
    }

    #[test]
    fn mistakes_are_located_and_the_rest_is_read() {
        for (text, expected) in [
            ("polices = ['a']\ndialect = 'codex'\n", vec!["unknown-key: polices"]),
            ("policies = 'a'\n", vec!["invalid-configuration: 'a'"]),
            ("policies = ['a', 3, '']\n", vec!["invalid-configuration: 3", "invalid-configuration: ''"]),
            ("dialect = 'code'\n", vec!["invalid-configuration: 'code'"]),
            ("layer = 1\nlints = 2\n", vec!["invalid-configuration: 1", "invalid-configuration: 2"]),
            ("[[layer]]\nnme = 'a'\n", vec!["invalid-configuration: [[layer]]", "unknown-key: nme"]),
            (
                "[[layer]]\nname = 'a b'\ntrusted = 1\n",
                vec!["invalid-configuration: 'a b'", "invalid-configuration: 1"],
            ),
            ("[[layer]]\nname = 'a'\n[[layer]]\nname = 'a'\ntrusted = false\n", vec!["invalid-configuration: 'a'"]),
            (
                "[lints]\nbroad-rul = 'off'\ninvalid-type = 'off'\n",
                vec!["unknown-key: broad-rul", "unknown-key: invalid-type"],
            ),
            ("[lints]\nbroad-rule = 'on'\n", vec!["invalid-configuration: 'on'"]),
        ] {
            assert_eq!(said(text).1, expected, "{text}");
        }
        let (config, mistakes) = said("dialect = 'codex'\npolicies = [\n");
        assert_eq!((config.dialect, mistakes.is_empty()), (Dialect::Codex, false));
    }
}
