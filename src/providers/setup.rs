//! What a decoder is told besides the bytes.

use crate::json::Value;

/// What is known about a response before its first byte.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DecodeSetup {
    /// Names of the declared tools, where known; empty if not.
    pub tools: Vec<String>,
    /// How many choices were asked for, where known.
    pub choices: Option<u64>,
    /// The HTTP status, where known; an error status makes the turn an `http_status` error.
    pub status: Option<u16>,
    /// Number of the turn in its conversation; generated ids depend on it.
    pub turn: u32,
    /// Mend broken arguments where that is safe, and mark them.
    pub repair: bool,
}

impl DecodeSetup {
    /// Takes the tool names and the number of choices from a request: the neutral one, or the body of
    /// any provider.
    #[must_use]
    pub fn with_request(mut self, request: Value<'_>) -> Self {
        let tools = request.some("tools").into_iter().flat_map(Value::items);
        self.tools = tools
            .flat_map(|tool| {
                // Gemini wraps its declarations; the others have one tool an entry.
                let wrapped = tool.some("functionDeclarations").or_else(|| tool.some("function_declarations"));
                let single = if wrapped.is_some() { None } else { Some(tool) };
                wrapped.into_iter().flat_map(Value::items).chain(single)
            })
            .filter_map(|tool| {
                let inner = tool.some("function").or_else(|| tool.some("custom")).unwrap_or(tool);
                inner.text_of("name").map(std::borrow::Cow::into_owned)
            })
            .collect();
        self.choices = request.some("n").and_then(Value::as_u64).or(Some(1));
        self
    }

    /// True if the status is known and not 2xx.
    pub fn failed(&self) -> bool {
        self.status.is_some_and(|status| !(200..300).contains(&status))
    }
}

#[cfg(test)]
mod tests {
    use super::DecodeSetup;
    use crate::json::Doc;

    #[test]
    fn tool_names_are_found_in_every_request_shape() {
        for (request, names) in [
            (r#"{"tools":[{"name":"a"},{"type":"function","function":{"name":"b"}}]}"#, vec!["a", "b"]),
            (r#"{"tools":[{"type":"custom","custom":{"name":"c"}}],"n":2}"#, vec!["c"]),
            (r#"{"tools":[{"functionDeclarations":[{"name":"d"},{"name":"e"}]}]}"#, vec!["d", "e"]),
            (r#"{"tools":null}"#, vec![]),
        ] {
            let doc = Doc::parse(request).unwrap();
            assert_eq!(DecodeSetup::default().with_request(doc.root()).tools, names);
        }
    }
}
