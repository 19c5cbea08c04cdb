//! Rules for hosts, as tables hold them.

use policyc_runtime::{Decision, Protocol, Table};
use policyc_tests::policy::Policy;

#[test]
fn spellings_of_a_host_are_one_host() {
    for spelling in ["API.Example.com.:443", "api.example.com", " Api.Example.Com ", "api.example.com:443"] {
        let policy = Policy::of(&format!("network_rule({spelling:?}, \"https\", \"allow\")\n"));
        assert!(policy.is_usable(), "{spelling}");
        let table = Table::from_bytes(policy.table()).expect("a good policy has a good table");
        let rules: Vec<_> = table.network_rules().map(|rule| (rule.host(), rule.protocol(), rule.decision())).collect();
        assert_eq!(rules, [("api.example.com", Protocol::Https, Decision::Allow)], "{spelling}");
    }
}
