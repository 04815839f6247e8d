//! Reading bodies and judging them.

use toolwire::json::{Doc, Value};
use toolwire::lint::{Finding, LintSetup, Profile, lint_request};
use toolwire::model::ApiName;
use toolwire::providers::HttpView;

/// A rule with the members of a body that breaks it and of one that does not. They are put behind those of the
/// API's base, and of two members with one key the last counts; after `!` there is no base. `$http` gives path and headers.
pub(crate) struct Case {
    pub(crate) rule: &'static str,
    pub(crate) api: &'static str,
    pub(crate) breaks: &'static str,
    pub(crate) holds: &'static str,
}

/// What lint finds in the body with these members, under the API's own rules.
pub(crate) fn findings(api: &str, base: &str, members: &str) -> Vec<Finding> {
    let text = match members.strip_prefix('!') {
        Some(members) => format!("{{{members}}}"),
        None => format!("{{{base}{members}}}"),
    };
    let doc = Doc::parse(text.as_str()).unwrap_or_else(|error| panic!("{text}: {error}"));
    judge(api, doc.root(), Profile::Strict)
}

pub(crate) fn judge(api: &str, body: Value<'_>, profile: Profile) -> Vec<Finding> {
    let api: ApiName = api.parse().unwrap();
    let http = body.get("$http");
    let path = http.and_then(|http| http.text_of("path")).unwrap_or_default();
    let headers: Vec<(String, String)> = http
        .and_then(|http| http.get("headers"))
        .into_iter()
        .flat_map(Value::members)
        .map(|(name, value)| (name.decode().into_owned(), value.to_text().unwrap().into_owned()))
        .collect();
    let http = http.map(|_| HttpView { path: &path, headers: &headers });
    lint_request(&api, body, &LintSetup { http, profile })
}
