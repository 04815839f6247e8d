//! How many workers.

/// What was asked for, or one for each core.
pub(super) fn count(asked: Option<usize>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    asked.filter(|&jobs| jobs > 0).unwrap_or_else(cores)
}
