//! A case without its expectations.

use crate::corpus::Subject;
use crate::json::JsonText;
use crate::model::ApiName;
use crate::observe::{Ended, Sent};
use crate::providers::DecodeSetup;

/// What a target gets for one permutation of a case.
#[derive(Debug)]
pub struct Stimulus<'a> {
    /// What the responses speak.
    pub subject: Subject,
    /// What is known of the request.
    pub setup: &'a DecodeSetup,
    /// The responses, in order.
    pub turns: Vec<StimulusTurn<'a>>,
}

/// One response, as the target reads it.
#[derive(Debug)]
pub struct StimulusTurn<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The body in pieces.
    pub pieces: Vec<&'a [u8]>,
}

/// Something under test.
pub trait Target: Sync {
    /// The name in reports and expectations.
    fn name(&self) -> &str;

    /// Reads the responses of one permutation. Must come back, and must not panic.
    fn run(&self, stimulus: &Stimulus<'_>) -> Ended;

    /// The tool names that are others on the wire of a neutral request: (wire name, the caller's name). Asked once a
    /// case; what it says stands in the setup of each stimulus. Must come back, and must not panic.
    fn names(&self, _api: &ApiName, _request: &JsonText) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The request that it makes of a neutral one. Must come back, and must not panic.
    fn encode(&self, _api: &ApiName, _request: &JsonText) -> Sent {
        Sent::Unsupported(format!("{} sends no requests", self.name()))
    }

    /// True if it promises one order of tools, whatever order they are given in.
    fn sorts_tools(&self) -> bool {
        false
    }
}
