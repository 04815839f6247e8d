//! Events about the response as a whole: its beginning, its usage, its end.

use std::borrow::Cow;

use super::super::error_body;
use super::super::protocol::{Context, Protocol as _};
use super::decode::Responses;
use super::status::{self, Terminal};
use crate::json::{Kind, Value};
use crate::model::{Problem, ProblemKind, Usage};

impl Responses {
    /// Takes an event about the response, which it may hold.
    pub(super) fn lifecycle(&mut self, kind: &str, response: Option<Value<'_>>, cx: &mut Context<'_>) {
        let Some(word) = kind.strip_prefix("response.") else { return };
        if word == "created"
            && let Some(id) = response.and_then(|response| super::super::calls::id_of(response.get("id")?))
        {
            match &self.created {
                Some(first) if **first != *id => {
                    let text = format!("a second answer (`{id}`) begins inside the first (`{first}`)");
                    let problem = Problem::new(ProblemKind::ProtocolViolation).reason("OAI-R-045").message(text);
                    self.problems.add(problem);
                    self.spliced = true;
                }
                Some(_) => {}
                None => self.created = Some(id.into_owned()),
            }
        }
        if let Some(terminal) = status::of_word(word) {
            self.terminate(terminal, word, response, cx);
        }
    }

    /// Takes a body that is a response.
    pub(super) fn whole(&mut self, response: Value<'_>, cx: &mut Context<'_>) {
        self.whole = true;
        self.usage_of(Some(response));
        // A server that leaves the status out of a whole response has finished it; an unknown word is an end like any.
        let status = response.text_of("status").unwrap_or(Cow::Borrowed("completed"));
        if !status::is_running(&status) {
            let terminal = status::of_word(&status).unwrap_or(Terminal::Completed);
            self.terminate(terminal, &status, Some(response), cx);
        }
    }

    /// Takes the end of the response, and what it says of itself.
    fn terminate(&mut self, event: Terminal, word: &str, response: Option<Value<'_>>, cx: &mut Context<'_>) {
        let status = response.and_then(|response| response.text_of("status"));
        let stated = status.as_deref().and_then(status::of_word);
        if stated.is_some_and(|stated| stated != event) {
            cx.note("OAI-R-046", || "the status of the response is not that of its event".to_owned());
        }
        let terminal = stated.map_or(event, |stated| stated.max(event));
        if terminal == Terminal::Failed {
            // What was reported before is not told again in other words.
            if let Some(body) = response.filter(|body| error_body::find(*body).is_some()) {
                self.failed(error_body::read(body), cx);
            } else if !self.problems.explain_the_end() {
                let word = status.as_deref().filter(|_| stated == Some(terminal)).unwrap_or(word);
                let message = format!("the response ended as `{word}`");
                self.failed(Problem::new(ProblemKind::ProviderError).reason(word).message(message), cx);
            }
            self.terminal = Some(terminal);
            return;
        }
        self.terminal = Some(terminal);
        self.reason = response
            .and_then(|response| response.some("incomplete_details"))
            .and_then(|details| details.text_of("reason"))
            .map(Cow::into_owned);
        if let Some(output) = response.and_then(|response| response.some("output")) {
            self.snapshot(output, terminal, cx);
        }
    }

    /// Takes the counters of a response, if it has any.
    pub(super) fn usage_of(&mut self, response: Option<Value<'_>>) {
        let usage = response.and_then(|response| response.some("usage"));
        let Some(usage) = usage.filter(|usage| usage.kind() == Kind::Object) else { return };
        let count = |key: &str| usage.get(key).and_then(Value::as_u64);
        let details = usage.some("input_tokens_details");
        let detail = |key: &str| details?.get(key)?.as_u64();
        self.usage.get_or_insert_default().update(Usage {
            input: count("input_tokens"),
            output: count("output_tokens"),
            cache_read: detail("cached_tokens"),
            cache_write: detail("cache_write_tokens"),
        });
    }
}
