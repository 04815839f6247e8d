//! Captured traffic as cases.

use crate::corpus::{Case, CaseId, Response, TurnPattern};
use crate::framing::End;
use crate::load::Capture;
use crate::model::Turn;

/// Makes a case of each capture; what `read` makes of it whole is what any target has to make of it, however
/// it is cut.
pub fn recording_cases(captures: Vec<Capture>, read: impl Fn(&Capture) -> Turn) -> Vec<Case> {
    let case = |capture: Capture| {
        let (provider, name) = capture.name.split_once('/').unwrap_or(("recordings", &capture.name));
        let id = CaseId::kebab(provider, name);
        let expect = TurnPattern::of(&read(&capture));
        let Capture { api, status, request, file, body, .. } = capture;
        let status = status.unwrap_or(200);
        let response = Response { status, headers: Vec::new(), file, body, end: End::Eof, cuts: Vec::new() };
        Case::recorded(id, api, request, response, expect)
    };
    captures.into_iter().map(case).collect()
}
