//! Cache markers.
//!
//! Source: Anthropic documentation, "Prompt caching"; the order of lifetimes: a report of the API's answer in
//! headroom#2939.

use super::super::super::charset::is_blank;
use super::super::super::request_view::{MarkerPlace, RequestView};
use super::super::super::rule::{Offences, shown};

/// Most markers in one request, the one on the request as a whole included.
const MOST: usize = 4;

pub(super) fn count(view: &RequestView<'_>, out: &mut Offences<'_>) {
    if let Some(fifth) = view.markers.get(MOST) {
        out.add(&fifth.node.pointer, format!("{} cache markers; {MOST} are allowed", view.markers.len()));
    }
}

pub(super) fn lifetimes(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mut short = None;
    for marker in view.markers.iter().filter(|marker| marker.on != MarkerPlace::Request) {
        if marker.ttl.as_deref() == Some("1h") {
            if let Some(short) = short {
                out.add(&marker.node.pointer, format!("a marker of an hour comes after the shorter one at {short}"));
            }
        } else {
            short.get_or_insert(marker.node.pointer.as_str());
        }
    }
}

pub(super) fn places(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let inner = |part| std::iter::once(part);
    for (_, part) in view.parts() {
        let results = part.as_result().into_iter().flat_map(|result| &result.parts);
        for part in inner(part).chain(results) {
            let Some(marker) = part.node.some("cache_control") else { continue };
            let kind = part.type_name();
            if matches!(&*kind, "thinking" | "redacted_thinking") {
                out.add(&marker.pointer, format!("a cache marker on a block of type {}", shown(&kind)));
            } else if part.as_text().is_some_and(is_blank) {
                out.add(&marker.pointer, "a cache marker on empty text");
            }
        }
    }
    for part in view.system.iter().filter(|part| part.as_text().is_some_and(is_blank)) {
        if let Some(marker) = part.node.some("cache_control") {
            out.add(&marker.pointer, "a cache marker on empty text");
        }
    }
}

pub(super) fn values(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for marker in &view.markers {
        if marker.node.text("type").as_deref() != Some("ephemeral") {
            out.add(&marker.node.at("type"), "the type of a cache marker has to be \"ephemeral\"");
        }
        let Some(ttl) = marker.node.some("ttl") else { continue };
        if !matches!(marker.ttl.as_deref(), Some("5m" | "1h")) {
            out.add(&ttl.pointer, "the `ttl` of a cache marker has to be \"5m\" or \"1h\"");
        }
    }
}
