//! What a decoder shows while a stream runs.

use super::problem::Diagnostic;
use super::turn::Stop;

/// One thing that a piece of the stream changed. Calls are numbered by first appearance, from 0,
/// over all choices of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// A call began.
    Opened {
        /// Its number.
        call: usize,
        /// Its id, if one came with it.
        id: Option<&'a str>,
    },
    /// A call got its name, or more of it.
    Named {
        /// Its number.
        call: usize,
        /// The name so far.
        name: &'a str,
    },
    /// A call got more argument text.
    Appended {
        /// Its number.
        call: usize,
        /// The new text.
        text: &'a str,
    },
    /// A call got its end.
    Closed {
        /// Its number.
        call: usize,
    },
    /// More text for the user.
    Text(&'a str),
    /// More thinking.
    Thinking(&'a str),
    /// The provider said why it stopped.
    Stop(Stop),
    /// Something odd was tolerated.
    Note(&'a Diagnostic),
}
