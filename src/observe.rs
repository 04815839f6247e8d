//! What a target showed.

use crate::model::Turn;

/// What a target made of one response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// A turn.
    Turn(Box<Turn>),
    /// The frames of a stream, from a target that can show framing alone.
    Frames(SeenFrames),
}

/// Frames, as a framing case expects them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SeenFrames {
    /// Event name, empty if none, and data.
    pub frames: Vec<(String, String)>,
    /// Texts of comments.
    pub comments: Vec<String>,
    /// Field and value of strays.
    pub strays: Vec<(String, String)>,
    /// The last event came without its blank line.
    pub unterminated: bool,
    /// What could not be framed.
    pub faults: Vec<String>,
}

/// What came out of a target for one permutation of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// One result a turn.
    Observed(Vec<Seen>),
    /// The target cannot try this.
    Unsupported(String),
    /// The target died.
    Crash(String),
}
