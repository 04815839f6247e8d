//! The requests of one case: what the target makes of the neutral request, judged.

use super::conversation::Conversation;
use super::variants::{earlier, tools_reversed};
use crate::check::CheckResult;
use crate::check::outbound::{RequestJudge, determinism, prefix_result};
use crate::corpus::{Case, Grade, Subject};
use crate::json::JsonText;
use crate::model::ApiName;
use crate::observe::{Seen, Sent, SentRequest};
use crate::target::Target;

/// What became of the requests of a case.
#[derive(Debug, Default)]
pub(super) struct Outbound {
    /// Every check that was asserted.
    pub(super) checks: Vec<CheckResult>,
    /// Why something was not judged.
    pub(super) unjudged: Option<String>,
    /// What killed the target.
    pub(super) crash: Option<String>,
}

/// Judges the requests that the case expects; `seen` is what the target read in the responses, `at_least` the mildest
/// grade.
pub(super) fn judge(case: &Case, target: &dyn Target, seen: &[Seen], at_least: Option<Grade>) -> Outbound {
    let mut out = Outbound::default();
    let (Subject::Api(api), Some(request)) = (case.subject, &case.request) else { return out };
    let api = ApiName { api, dialect: case.dialect.clone() };
    let mut conversation = Conversation::new(&case.tool_script);
    let mut request = request.clone();
    let mut turn = 0;
    let judge = RequestJudge { api: &api, at_least };
    for pattern in &case.requests {
        while turn < pattern.turn {
            let Some(Seen::Turn(answer)) = seen.get(turn) else {
                out.unjudged = Some(format!("the request of turn {}: there is no answer before it", pattern.turn + 1));
                return out;
            };
            request = conversation.next(api.api, &request, answer);
            turn += 1;
        }
        match target.encode(&api, &request) {
            Sent::Unsupported(why) => out.unjudged = Some(why),
            Sent::Crash(why) => {
                out.crash = Some(why);
                return out;
            }
            sent => {
                out.checks.extend(judge.judge(pattern, &sent));
                if let Sent::Request { request: sent, .. } = &sent {
                    out.checks.extend(together(&api, target, &request, sent, turn));
                }
            }
        }
    }
    out
}

/// What several requests say together: that order does not matter, and that each begins with the one before.
fn together(
    api: &ApiName,
    target: &dyn Target,
    request: &JsonText,
    sent: &SentRequest,
    turn: usize,
) -> Vec<CheckResult> {
    let mut checks = Vec::new();
    // A target that does not sort has to say the same thing twice at least.
    let other = if target.sorts_tools() { tools_reversed(request) } else { Some(request.clone()) };
    if let Some(Sent::Request { request: again, .. }) = other.map(|other| target.encode(api, &other)) {
        checks.push(determinism(api, turn, sent, &again));
    }
    // Where the provider keeps what came before, only what is new goes out.
    let kept = request.doc().root().some("previousResponseId").is_some();
    if target.sorts_tools() && !kept {
        let before: Vec<SentRequest> = earlier(request)
            .iter()
            .filter_map(|earlier| match target.encode(api, earlier) {
                Sent::Request { request, .. } => Some(request),
                _ => None,
            })
            .collect();
        if !before.is_empty() {
            let all: Vec<&SentRequest> = before.iter().chain([sent]).collect();
            checks.push(prefix_result(api, turn, &all));
        }
    }
    checks
}
