//! Runs a provider's rules over what was sent.
//!
//! In: a request body and what is known about it. Out: findings, each with its rule, how grave it is here, the
//! pointer, what is wrong and what to do about it. Nothing is read from disk, and a body may be as wrong as it
//! likes.

mod finding;
mod profile;
mod request;

pub use finding::{Finding, write_findings};
pub use profile::Profile;
pub use request::{LintSetup, lint_request};

use crate::model::Api;
use crate::providers::{self, Rule};

/// Every rule of every API, by API and in the order of ids there.
pub fn rules() -> impl Iterator<Item = (Api, &'static Rule)> {
    Api::ALL.iter().flat_map(|api| providers::rules(*api).iter().map(|rule| (*api, rule)))
}

/// The rule with this id, whatever the casing.
pub fn rule(id: &str) -> Option<(Api, &'static Rule)> {
    rules().find(|(_, rule)| rule.id.eq_ignore_ascii_case(id))
}
