//! All checks on one request, and those on several.

use super::payload::{Apart, Comparison, compare, compare_members};
use super::prefix::prefix;
use super::table::{DETERMINISM, DIAGNOSTICS, PREFIX, REQUEST, REQUEST_CHECKS, about};
use crate::check::result::{CheckOutcome, CheckResult};
use crate::corpus::{ExpectedBody, Grade, RequestPattern};
use crate::json::{Doc, JsonText, Kind, Strictness, Value, difference};
use crate::lint::{Finding, LintSetup, Profile, lint_request};
use crate::model::ApiName;
use crate::observe::{Sent, SentRequest};
use crate::providers::{About, HttpView, MarkerView, RequestView, Severity, read};

/// How requests are judged.
#[derive(Debug, Clone, Copy)]
pub struct RequestJudge<'a> {
    /// What they speak.
    pub api: &'a ApiName,
    /// The mildest grade in which bodies are compared, whatever the case asks for.
    pub at_least: Option<Grade>,
}

/// What one check found.
enum Found {
    NotAsserted,
    Same,
    Apart(Apart),
}

impl RequestJudge<'_> {
    /// Judges what a target made of the request of turn `turn`. Empty if the target could not try.
    pub fn judge(&self, pattern: &RequestPattern, sent: &Sent) -> Vec<CheckResult> {
        let request = match Self::request(pattern, sent) {
            Ok(request) => request,
            Err(None) => return Vec::new(),
            Err(Some(found)) => return vec![result(REQUEST, pattern.turn, found)],
        };
        let mut results = vec![result(REQUEST, pattern.turn, Found::Same)];
        let text = String::from_utf8_lossy(&request.body);
        let Ok(doc) = Doc::parse(&*text) else {
            let found = Found::Apart(Apart {
                pointer: String::new(),
                expected: Some(JsonText::string("a body of JSON")),
                actual: Some(JsonText::string(&text)),
                only_order: false,
            });
            return vec![result(REQUEST, pattern.turn, found)];
        };
        let http = HttpView { path: &request.path, headers: &request.headers };
        let view = read(self.api.api, doc.root()).with_http(Some(http)).with_dialect(self.api.dialect.as_deref());
        let look = Look { judge: self, pattern, request, view: &view, body: doc.root(), grade: self.grade(pattern) };
        let profile = Profile::of(self.api.dialect.as_deref());
        let findings = lint_request(self.api, doc.root(), &LintSetup { http: Some(http), profile });
        for check in REQUEST_CHECKS {
            let Some(about) = check.about else { continue };
            let expected = match about {
                About::CacheControl => look.markers(),
                About::Headers => look.headers(),
                about => look.members(about),
            };
            let found = match expected {
                Found::Apart(apart) => Found::Apart(apart),
                other => look.rules(about, &findings, other),
            };
            if !matches!(found, Found::NotAsserted) {
                results.push(result(check.slug, pattern.turn, found));
            }
        }
        let found = diagnostics(pattern, sent);
        if !matches!(found, Found::NotAsserted) {
            results.push(result(DIAGNOSTICS, pattern.turn, found));
        }
        results
    }

    fn grade(&self, pattern: &RequestPattern) -> Grade {
        let grade = self.at_least.map_or(pattern.grade, |least| least.max(pattern.grade));
        // What a placeholder stands for has no bytes.
        if pattern.placeholders { grade.min(Grade::Exact) } else { grade }
    }

    /// The request, if one was expected and came; else what the first check says, or nothing if it was not tried.
    fn request<'s>(pattern: &RequestPattern, sent: &'s Sent) -> Result<&'s SentRequest, Option<Found>> {
        let said = |kind: &str, message: Option<&str>| {
            JsonText::build(|w| {
                w.object(|w| {
                    w.key("refused");
                    w.object(|w| {
                        w.member("kind", kind);
                        w.optional("message", message);
                    });
                });
            })
        };
        let differ = |expected, actual| {
            let apart =
                Apart { pointer: String::new(), expected: Some(expected), actual: Some(actual), only_order: false };
            Err(Some(Found::Apart(apart)))
        };
        match (&pattern.refused, sent) {
            (_, Sent::Unsupported(_) | Sent::Crash(_)) => Err(None),
            (None, Sent::Request { request, .. }) => Ok(request),
            (Some(kind), Sent::Refused { kind: actual, .. }) if kind == actual || kind == "<any>" => {
                Err(Some(Found::Same))
            }
            (Some(kind), Sent::Refused { kind: actual, message }) => {
                differ(said(kind, None), said(actual, Some(message)))
            }
            (Some(kind), Sent::Request { request, .. }) => {
                differ(said(kind, None), JsonText::string(&String::from_utf8_lossy(&request.body)))
            }
            (None, Sent::Refused { kind, message }) => differ(JsonText::string("a request"), said(kind, Some(message))),
        }
    }
}

/// One request under all checks.
struct Look<'l> {
    judge: &'l RequestJudge<'l>,
    pattern: &'l RequestPattern,
    request: &'l SentRequest,
    view: &'l RequestView<'l>,
    body: Value<'l>,
    grade: Grade,
}

impl Look<'_> {
    fn how(&self) -> Comparison {
        Comparison { api: self.judge.api.api, grade: self.grade, placeholders: self.pattern.placeholders }
    }

    /// The members of the body that are about `what`.
    fn members(&self, what: About) -> Found {
        let api = self.judge.api.api;
        let mut asserted = false;
        for pointer in &self.pattern.absent {
            let key = pointer.split('/').nth(1).unwrap_or("");
            if about(api, key) != what {
                continue;
            }
            asserted = true;
            if let Some(value) = self.body.pointer(pointer) {
                return Found::Apart(Apart {
                    pointer: pointer.clone(),
                    expected: None,
                    actual: Some(JsonText::of(value)),
                    only_order: false,
                });
            }
        }
        if let Some(expected) = &self.pattern.body {
            let doc = expected.text.doc();
            for pointer in &self.pattern.at {
                let keep = |key: &str| about(api, key) == what;
                let first = pointer.split('/').nth(1).map(|token| token.replace("~1", "/").replace("~0", "~"));
                let apart = match first {
                    Some(key) if keep(&key) => {
                        asserted = true;
                        compare(doc.root(), self.body, pointer, self.how())
                    }
                    Some(_) => None,
                    // The whole body: those of its members.
                    None => {
                        let has = |body: Value<'_>| body.members().any(|(key, _)| keep(&key.decode()));
                        asserted |= has(doc.root()) || has(self.body);
                        compare_members(doc.root(), self.body, self.how(), &keep)
                    }
                };
                if let Some(apart) = apart {
                    return Found::Apart(apart);
                }
            }
            if what == About::Body && self.pattern.at.iter().any(String::is_empty) {
                asserted = true;
                if let Some(apart) = self.whole(expected) {
                    return Found::Apart(apart);
                }
            }
        }
        if asserted { Found::Same } else { Found::NotAsserted }
    }

    /// The text of the whole body, where that is asked for.
    fn whole(&self, expected: &ExpectedBody) -> Option<Apart> {
        if self.grade == Grade::Bytes {
            let doc = expected.text.doc();
            return compare(doc.root(), self.body, "", self.how()).or_else(|| {
                let text = String::from_utf8_lossy(&self.request.body);
                (text != expected.text.as_str()).then(|| Apart {
                    pointer: String::new(),
                    expected: Some(JsonText::string(expected.text.as_str())),
                    actual: Some(JsonText::string(&text)),
                    only_order: false,
                })
            });
        }
        let kind = self.body.kind();
        (kind != Kind::Object).then(|| Apart {
            pointer: String::new(),
            expected: Some(expected.text.clone()),
            actual: Some(JsonText::of(self.body)),
            only_order: false,
        })
    }

    /// The markers below the asserted pointers. In the closer grades they are compared with what carries them.
    fn markers(&self) -> Found {
        let own = self.members(About::CacheControl);
        let Some(expected) = self.pattern.body.as_ref().filter(|_| !matches!(own, Found::Apart(_))) else { return own };
        let doc = expected.text.doc();
        let expected = read(self.judge.api.api, doc.root());
        let below = |marker: &&MarkerView<'_>| {
            let under = |at: &String| {
                marker
                    .node
                    .pointer
                    .strip_prefix(at.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            self.pattern.at.iter().any(under)
        };
        let list = |view: &RequestView<'_>| {
            JsonText::build(|w| {
                w.object(|w| {
                    for marker in view.markers.iter().filter(below) {
                        w.key(&marker.node.pointer);
                        w.value(marker.node.value);
                    }
                });
            })
        };
        let (expected, actual) = (list(&expected), list(self.view));
        if expected.as_str() == "{}" && actual.as_str() == "{}" {
            return own;
        }
        match difference(expected.doc().root(), actual.doc().root(), Strictness::Value) {
            None => Found::Same,
            Some(_) => Found::Apart(Apart {
                pointer: String::new(),
                expected: Some(expected),
                actual: Some(actual),
                only_order: false,
            }),
        }
    }

    fn headers(&self) -> Found {
        let differ = |pointer: String, expected: Option<&str>, actual: Option<&str>| {
            let text = |text: Option<&str>| text.map(JsonText::string);
            Found::Apart(Apart { pointer, expected: text(expected), actual: text(actual), only_order: false })
        };
        if let Some(path) = self.pattern.path.as_deref().filter(|path| *path != self.request.path) {
            return differ("path".to_owned(), Some(path), Some(&self.request.path));
        }
        for (name, expected) in &self.pattern.headers {
            let values: Vec<&str> = self
                .request
                .headers
                .iter()
                .filter(|(key, _)| key.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.as_str())
                .collect();
            // A header that is sent twice is one with a list.
            let actual = (!values.is_empty()).then(|| values.join(","));
            let same = match (expected.as_deref(), actual.as_deref()) {
                (None, None) => true,
                (Some("<any text>"), Some(value)) => !value.is_empty(),
                (Some(expected), Some(actual)) => expected == actual || words(expected) == words(actual),
                _ => false,
            };
            if !same {
                return differ(format!("header:{name}"), expected.as_deref(), actual.as_deref());
            }
        }
        if self.pattern.headers.is_empty() && self.pattern.path.is_none() { Found::NotAsserted } else { Found::Same }
    }

    /// The rules about `what`: errors, and those that the case names.
    fn rules(&self, what: About, findings: &[Finding], found: Found) -> Found {
        let counts = |finding: &&Finding| {
            finding.rule.about == what
                && (finding.severity == Severity::Error || self.pattern.rules.iter().any(|id| id == finding.rule.id))
        };
        if let Some(finding) = findings.iter().find(counts) {
            let rule = format!("{}: {}", finding.rule.id, finding.rule.says);
            return Found::Apart(Apart {
                expected: Some(JsonText::string(&rule)),
                actual: Some(JsonText::string(&finding.message)),
                pointer: finding.pointer.clone(),
                only_order: false,
            });
        }
        let named =
            self.pattern.rules.iter().any(|id| crate::lint::rule(id).is_some_and(|(_, rule)| rule.about == what));
        if named && matches!(found, Found::NotAsserted) { Found::Same } else { found }
    }
}

/// The items of a list in a header, as a set.
fn words(text: &str) -> std::collections::BTreeSet<&str> {
    text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect()
}

fn diagnostics(pattern: &RequestPattern, sent: &Sent) -> Found {
    if pattern.diagnostics.is_empty() {
        return Found::NotAsserted;
    }
    let Sent::Request { diagnostics, .. } = sent else { return Found::NotAsserted };
    // A target that shows none is not asked.
    let Some(shown) = diagnostics else { return Found::NotAsserted };
    let doc = shown.doc();
    for expected in &pattern.diagnostics {
        let wanted = expected.doc();
        let fits = |item: Value<'_>| difference(wanted.root(), item, Strictness::Subset).is_none();
        if !doc.root().items().any(fits) {
            return Found::Apart(Apart {
                pointer: String::new(),
                expected: Some(expected.clone()),
                actual: Some(shown.clone()),
                only_order: false,
            });
        }
    }
    Found::Same
}

fn result(check: &str, turn: usize, found: Found) -> CheckResult {
    let pass = CheckResult {
        check: check.to_owned(),
        outcome: CheckOutcome::Pass,
        turn,
        expected: None,
        actual: None,
        pointer: None,
    };
    match found {
        Found::Apart(apart) => CheckResult {
            outcome: CheckOutcome::Fail,
            expected: apart.expected,
            actual: apart.actual,
            pointer: Some(apart.pointer),
            ..pass
        },
        Found::Same | Found::NotAsserted => pass,
    }
}

/// Two requests that have to be the same to the byte: of one neutral request, its tools given in two orders.
pub fn determinism(api: &ApiName, turn: usize, first: &SentRequest, other: &SentRequest) -> CheckResult {
    if first.body == other.body {
        return result(DETERMINISM, turn, Found::Same);
    }
    let (one, two) = (String::from_utf8_lossy(&first.body), String::from_utf8_lossy(&other.body));
    let how = Comparison { api: api.api, grade: Grade::Bytes, placeholders: false };
    let apart = match (Doc::parse(&*one), Doc::parse(&*two)) {
        (Ok(one), Ok(two)) => compare(one.root(), two.root(), "", how),
        _ => None,
    };
    let whole = || Apart {
        pointer: String::new(),
        expected: Some(JsonText::string(&one)),
        actual: Some(JsonText::string(&two)),
        only_order: false,
    };
    result(DETERMINISM, turn, Found::Apart(apart.unwrap_or_else(whole)))
}

/// Successive requests of one conversation: each has to begin with the one before it.
pub fn prefix_result(api: &ApiName, turn: usize, requests: &[&SentRequest]) -> CheckResult {
    let texts: Vec<_> = requests.iter().map(|request| String::from_utf8_lossy(&request.body)).collect();
    let docs: Vec<_> = texts.iter().filter_map(|text| Doc::parse(&**text).ok()).collect();
    for pair in docs.windows(2) {
        let [before, after] = pair else { continue };
        if let Some(apart) = prefix(&read(api.api, before.root()), &read(api.api, after.root())) {
            return result(PREFIX, turn, Found::Apart(apart));
        }
    }
    result(PREFIX, turn, Found::Same)
}
