//! The caller's names in a finished turn.

use std::collections::HashMap;

use crate::model::Turn;

/// Puts the caller's name wherever a call has one that the request had changed; `names` are (wire name, the
/// caller's name).
pub(super) fn rename(turn: &mut Turn, names: &[(String, String)]) {
    let callers: HashMap<&String, &String> = names.iter().map(|(wire, name)| (wire, name)).collect();
    rename_by(turn, &callers);
}

fn rename_by(turn: &mut Turn, callers: &HashMap<&String, &String>) {
    let called = turn.calls.iter_mut().map(|call| &mut call.name);
    let wrong = turn.errors.iter_mut().filter_map(|problem| problem.name.as_mut());
    let open = turn.incomplete.iter_mut().filter_map(|call| call.name.as_mut());
    for name in called.chain(wrong).chain(open) {
        if let Some(own) = callers.get(name) {
            name.clone_from(own);
        }
    }
    turn.choices.iter_mut().for_each(|choice| rename_by(choice, callers));
}
