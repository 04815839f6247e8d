//! A request under the rules of its API.

use super::finding::Finding;
use super::profile::Profile;
use crate::json::Value;
use crate::model::ApiName;
use crate::providers::{HttpView, read, rules};

/// How a request is judged.
#[derive(Debug, Clone, Copy, Default)]
pub struct LintSetup<'a> {
    /// Path and headers, where known; without them the rules about them are silent.
    pub http: Option<HttpView<'a>>,
    /// Whose rules count.
    pub profile: Profile,
}

/// Judges the body of a request to `api`. Findings stand in the order of the rules; of a rule with very many
/// breaches the first are told, and how many more there are.
pub fn lint_request(api: &ApiName, body: Value<'_>, setup: &LintSetup<'_>) -> Vec<Finding> {
    let view = read(api.api, body).with_http(setup.http).with_dialect(api.dialect.as_deref());
    let mut findings = Vec::new();
    for rule in rules(api.api) {
        let breaches = rule.breaches(&view);
        let more = breaches.more;
        findings.extend(breaches.found.into_iter().map(|offence| Finding {
            rule,
            severity: setup.profile.severity(rule, offence.severity),
            pointer: offence.pointer,
            message: offence.message,
        }));
        if let (1.., Some(last)) = (more, findings.last_mut()) {
            last.message = format!("{}; {more} more like this", last.message);
        }
    }
    findings
}
