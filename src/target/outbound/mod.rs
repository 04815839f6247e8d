//! Senders that are wrong on purpose.
//!
//! A mistake is made before the encoder, in the neutral request ([`neutral`]), or behind it, in the JSON of the body
//! ([`tools`], [`messages`], [`ids`]) or the headers: the encoders themselves need no switch. What such a sender reads, it
//! reads right.

mod ids;
mod messages;
mod neutral;
mod place;
mod quirk;
mod rest;
mod schemas;
mod tools;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

pub use quirk::OutboundQuirk;

use super::builtin::{Builtin, panic_message, read_request, sent};
use super::stimulus::{Stimulus, Target};
use crate::json::{Doc, JsonText, Style, Tree, Value, Writer};
use crate::model::{ApiName, Request};
use crate::observe::{Ended, Sent};
use crate::providers::{Encoded, RequestView, encode, read};

/// A sender that makes one mistake.
#[derive(Debug)]
pub struct Sender {
    quirk: OutboundQuirk,
    name: String,
    /// Stands for a clock: no two requests see the same.
    clock: AtomicU64,
}

/// One request between encoder and wire.
struct Wire<'w> {
    quirk: OutboundQuirk,
    api: &'w ApiName,
    /// The neutral request, without the mistake.
    request: &'w Request,
    /// Its JSON, with what the encoder does not read.
    neutral: Value<'w>,
    /// Names that are others on the wire: (wire name, the caller's name).
    names: &'w [(String, String)],
    /// The body as it was encoded.
    view: &'w RequestView<'w>,
}

impl Sender {
    /// The mutant with this mistake, named `mutant:<quirk>`.
    pub fn mutant(quirk: OutboundQuirk) -> Self {
        Self { quirk, name: format!("mutant:{}", quirk.name()), clock: AtomicU64::new(0) }
    }

    fn send(&self, api: &ApiName, neutral: &JsonText) -> Sent {
        let request = match read_request(api, neutral) {
            Ok(request) => request,
            Err(refused) => return refused,
        };
        let mut wrong = request.clone();
        let now = || self.clock.fetch_add(1, Ordering::Relaxed);
        neutral::edit(self.quirk, &mut wrong, now);
        let encoded = encode(api.api, &wrong).or_else(|refused| neutral::insist(self.quirk, api.api, &wrong, refused));
        sent(encoded.map(|encoded| {
            let mut encoded = self.edited(api, &request, neutral, encoded);
            rest::edit(self.quirk, &mut encoded);
            encoded
        }))
    }

    /// The request with the mistake in its body.
    fn edited(&self, api: &ApiName, request: &Request, neutral: &JsonText, encoded: Encoded) -> Encoded {
        let body = {
            let (Ok(doc), Ok(mut tree)) = (Doc::parse(encoded.body.as_str()), Tree::parse(&encoded.body)) else {
                return encoded;
            };
            let view = read(api.api, doc.root());
            let neutral = neutral.doc();
            let wire =
                Wire { quirk: self.quirk, api, request, neutral: neutral.root(), names: &encoded.names, view: &view };
            tools::edit(&wire, &mut tree);
            schemas::edit(&wire, &mut tree);
            messages::edit(&wire, &mut tree);
            ids::edit(&wire, &mut tree);
            rest::edit_body(&wire, &mut tree);
            let mut writer = Writer::new(Style::Compact);
            tree.write(&mut writer);
            rest::halves(&wire, writer.finish())
        };
        Encoded { body, ..encoded }
    }
}

impl Target for Sender {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, stimulus: &Stimulus<'_>) -> Ended {
        Builtin.run(stimulus)
    }

    fn names(&self, api: &ApiName, request: &JsonText) -> Vec<(String, String)> {
        Builtin.names(api, request)
    }

    fn encode(&self, api: &ApiName, request: &JsonText) -> Sent {
        if !self.quirk.apis().contains(&api.api) {
            return Sent::Unsupported(format!("{} says nothing about {}", self.name, api.api));
        }
        match catch_unwind(AssertUnwindSafe(|| self.send(api, request))) {
            Ok(sent) => sent,
            Err(panic) => Sent::Crash(panic_message(&*panic)),
        }
    }

    fn sorts_tools(&self) -> bool {
        true
    }
}
