//! What tells the members of the chat family apart.

use super::super::notes::RuleNames;

/// One API of the family, as differences.
#[derive(Debug)]
pub(in super::super) struct Family {
    /// Keys come in camelCase, too.
    pub(in super::super) camel_case: bool,
    /// The member that a chunk may be wrapped in.
    pub(in super::super) envelope: Option<&'static str>,
    /// The rule against the text `null` as an id.
    pub(in super::super) null_id: Option<&'static str>,
    /// The rule against an empty name.
    pub(in super::super) empty_name: Option<&'static str>,
    /// Rules that go by another id here, or that this API does not have.
    pub(in super::super) rules: RuleNames,
}
