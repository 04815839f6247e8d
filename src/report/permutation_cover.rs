//! Which `axis=value` to write behind a case, so that an entry takes in some of its permutations and not others.

/// Selections of axes (`chunking=byte`, `chunking=byte,newline=lf`, or nothing for all) that together match every
/// wanted permutation and no forbidden one; single axes before whole permutations. A wanted permutation that cannot
/// be told from a forbidden one is left out.
pub(super) fn cover(wanted: &[&str], forbidden: &[&str]) -> Vec<String> {
    if forbidden.is_empty() {
        return if wanted.is_empty() { Vec::new() } else { vec![String::new()] };
    }
    let mut left: Vec<&str> = wanted.to_vec();
    let mut found = Vec::new();
    while let Some(axis) = widest_axis(&left, forbidden) {
        left.retain(|permutation| !matches(axis, permutation));
        found.push(axis.to_owned());
    }
    for permutation in left {
        let told_apart = !forbidden.iter().any(|other| matches(permutation, other));
        if told_apart && !found.iter().any(|selection| selection == permutation) {
            found.push(permutation.to_owned());
        }
    }
    found
}

/// Both selections at once.
pub(super) fn both(first: &str, second: &str) -> String {
    let mut all: Vec<&str> = axes(first).collect();
    for axis in axes(second) {
        if !all.contains(&axis) {
            all.push(axis);
        }
    }
    all.join(",")
}

/// The axis that takes in the most of `left`, the first of several, and nothing forbidden.
fn widest_axis<'p>(left: &[&'p str], forbidden: &[&str]) -> Option<&'p str> {
    let mut widest: Option<(usize, &str)> = None;
    for axis in left.iter().flat_map(|permutation| axes(permutation)) {
        if forbidden.iter().any(|other| matches(axis, other)) {
            continue;
        }
        let count = left.iter().filter(|permutation| matches(axis, permutation)).count();
        if widest.is_none_or(|(most, _)| count > most) {
            widest = Some((count, axis));
        }
    }
    widest.map(|(_, axis)| axis)
}

/// True if `permutation` has every axis of the selection.
fn matches(selection: &str, permutation: &str) -> bool {
    axes(selection).all(|axis| axes(permutation).any(|other| other == axis))
}

fn axes(selection: &str) -> impl Iterator<Item = &str> {
    selection.split(',').filter(|axis| axis.contains('='))
}

#[cfg(test)]
mod tests {
    use super::{both, cover};

    #[test]
    fn single_axes_come_before_whole_permutations() {
        for (wanted, forbidden, selections) in [
            (vec!["c=a", "c=b"], vec![], vec![""]),
            (vec![], vec!["c=a"], vec![]),
            (vec!["c=a"], vec!["c=b"], vec!["c=a"]),
            (vec!["c=a,n=x", "c=a,n=y"], vec!["c=b,n=x", "c=b,n=y"], vec!["c=a"]),
            (vec!["c=a,n=x", "c=b,n=x"], vec!["c=a,n=y", "c=b,n=y"], vec!["n=x"]),
            (vec!["c=a,n=x"], vec!["c=a,n=y", "c=b,n=x"], vec!["c=a,n=x"]),
            (vec!["c=a,n=x", "c=a,n=y", "c=b,n=x", "c=k"], vec!["c=b,n=y", "c=d,n=x"], vec!["c=a", "c=k", "c=b,n=x"]),
            (vec![""], vec!["c=a"], vec![]),
            (vec!["n=x"], vec!["c=a,n=x"], vec![]),
        ] {
            assert_eq!(cover(&wanted, &forbidden), selections, "{wanted:?} but not {forbidden:?}");
        }
        assert_eq!(both("n=x", "c=a,n=x"), "n=x,c=a");
        assert_eq!(both("", "c=a"), "c=a");
    }
}
