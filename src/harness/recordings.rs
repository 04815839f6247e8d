//! Captured traffic as cases.

use crate::corpus::{Case, CaseId, Response, TurnPattern};
use crate::framing::End;
use crate::load::Capture;
use crate::model::Turn;
use crate::providers::DecodeSetup;
use crate::target::naive;

/// Makes a case of each capture. What the naive reader makes of it whole is what any target has to make of it,
/// however it is cut.
pub fn recording_cases(captures: Vec<Capture>) -> Vec<Case> {
    let case = |capture: Capture| {
        let expect = TurnPattern::of(&expected(&capture));
        let (provider, name) = capture.name.split_once('/').unwrap_or(("recordings", &capture.name));
        let id = CaseId::kebab(provider, name);
        let Capture { api, status, request, file, body, .. } = capture;
        let status = status.unwrap_or(200);
        let response = Response { status, headers: Vec::new(), file, body, end: End::Eof, cuts: Vec::new() };
        Case::recorded(id, api, request, response, expect)
    };
    captures.into_iter().map(case).collect()
}

/// The naive reading, without the wording of messages, which each reader has of its own.
fn expected(capture: &Capture) -> Turn {
    let mut setup = DecodeSetup { status: capture.status, ..DecodeSetup::default() };
    if let Some(request) = &capture.request {
        setup = setup.with_request(request.doc().root());
    }
    let mut turn = naive::read(capture.api, &setup, None, &[&capture.body]);
    without_messages(&mut turn);
    turn
}

fn without_messages(turn: &mut Turn) {
    turn.errors.iter_mut().for_each(|problem| problem.message = None);
    turn.choices.iter_mut().for_each(without_messages);
}
