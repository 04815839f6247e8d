//! Requests against what was expected of them: grades, rewrites, placeholders, order, rules, several requests.
#![expect(clippy::unwrap_used, reason = "tests")]

mod compare;
mod judge;
mod prefix;
mod run;
