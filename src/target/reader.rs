//! The naive readers as targets: healthy, they are the oracle; with a quirk, a mutant.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::builtin::{names_sent, panic_message};
use super::naive::{self, Quirk};
use super::stimulus::{Stimulus, StimulusTurn, Target};
use crate::corpus::Subject;
use crate::json::JsonText;
use crate::model::ApiName;
use crate::observe::{Ended, Seen};
use crate::providers::DecodeSetup;

/// A naive reader.
#[derive(Debug, Clone)]
pub struct Naive {
    quirk: Option<Quirk>,
    name: String,
}

impl Naive {
    /// The oracle, named `naive`.
    pub fn healthy() -> Self {
        Self { quirk: None, name: "naive".to_owned() }
    }

    /// The mutant with this mistake, named `mutant:<quirk>`.
    pub fn mutant(quirk: Quirk) -> Self {
        Self { quirk: Some(quirk), name: format!("mutant:{}", quirk.name()) }
    }
}

impl Target for Naive {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&self, stimulus: &Stimulus<'_>) -> Ended {
        let applies = self.quirk.is_none_or(|quirk| match stimulus.subject {
            Subject::Framing => quirk.is_framing(),
            Subject::Api(api) => quirk.apis().contains(&api),
        });
        if !applies {
            return Ended::Unsupported(format!("{} says nothing about {}", self.name, stimulus.subject.name()));
        }
        let turn = |(number, turn): (u32, &StimulusTurn<'_>)| match stimulus.subject {
            Subject::Framing => Seen::Frames(naive::frames(self.quirk, &turn.pieces)),
            Subject::Api(api) => {
                let setup = DecodeSetup { turn: number, status: Some(turn.status), ..stimulus.setup.clone() };
                Seen::Turn(Box::new(naive::read(api, &setup, self.quirk, &turn.pieces)))
            }
        };
        let read = || (0u32..).zip(&stimulus.turns).map(turn).collect();
        match catch_unwind(AssertUnwindSafe(read)) {
            Ok(seen) => Ended::Observed(seen),
            Err(panic) => Ended::Crash(panic_message(&*panic)),
        }
    }

    /// It sends nothing itself: the answers that it reads are to our own requests.
    fn names(&self, api: &ApiName, request: &JsonText) -> Vec<(String, String)> {
        names_sent(api, request)
    }
}
