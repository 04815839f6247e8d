//! Times that are worth comparing on a machine that others use too.

use std::time::Duration;

/// The medians of interleaved pairs.
#[derive(Debug, Clone, Copy)]
pub struct Pairs {
    /// How long the first side took.
    pub first: Duration,
    /// How long the second side took.
    pub second: Duration,
    /// How many times as long the second side took; the median of the pairs, not of the sides.
    pub ratio: f64,
}

/// Runs both sides `rounds` times, in turn, and each first in every other round.
pub fn pairs(rounds: usize, mut first: impl FnMut(), mut second: impl FnMut()) -> Pairs {
    let mut times: Vec<(Duration, Duration)> = Vec::with_capacity(rounds);
    for round in 0..rounds.max(1) {
        if round % 2 == 0 {
            let first = time(&mut first);
            times.push((first, time(&mut second)));
        } else {
            let second = time(&mut second);
            times.push((time(&mut first), second));
        }
    }
    Pairs {
        first: median(times.iter().map(|(first, _)| *first), Duration::cmp),
        second: median(times.iter().map(|(_, second)| *second), Duration::cmp),
        ratio: median(times.iter().map(|(first, second)| second.div_duration_f64(*first)), f64::total_cmp),
    }
}

fn time(side: &mut impl FnMut()) -> Duration {
    let start = now();
    side();
    now().saturating_sub(start)
}

/// What this thread has computed so far; waiting for a turn on the processor does not count.
#[cfg(unix)]
fn now() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(now).unwrap_or_default()
}

/// What has passed since the first call.
#[cfg(not(unix))]
fn now() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    #[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// The middle one; of an even number, the lower of the two in the middle.
fn median<T: Copy>(items: impl Iterator<Item = T>, order: impl Fn(&T, &T) -> std::cmp::Ordering) -> T {
    let mut items: Vec<T> = items.collect();
    items.sort_by(order);
    items[(items.len() - 1) / 2]
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_the_middle_one() {
        assert_eq!(median([3, 1, 2].into_iter(), i32::cmp), 2);
        assert_eq!(median([4, 1, 2, 3].into_iter(), i32::cmp), 2);
    }
}
