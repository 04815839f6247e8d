//! The normalized vocabulary: what every provider's wire format is read into.
//!
//! Plain values without behaviour of any provider. The JSON shapes are those that adapters answer
//! with and cases expect.

mod api;
mod call;
mod id;
mod message;
mod problem;
mod request;
mod step;
mod tool;
mod turn;

pub use api::{Api, ApiError, ApiName};
pub use call::{Arguments, Incomplete, ServerCall, ToolCall};
pub use id::{GeneratedIds, usable_id};
pub use message::{
    AssistantBlock, AssistantMessage, CallArguments, CallBlock, Content, ContentBlock, Image, Message, Origin,
    ThinkingBlock, ToolResult,
};
pub use problem::{Diagnostic, Problem, ProblemKind};
pub use request::{CacheRetention, GeminiSchemaField, Options, Request, RequestError, Strict};
pub use step::Step;
pub use tool::{Namespace, Tool, ToolChoice, ToolInput};
pub use turn::{Stop, Thinking, Turn, Usage};
