//! What a decoder is told besides the bytes.

use std::borrow::Cow;
use std::collections::HashMap;

use super::encoder::encode;
use crate::json::Value;
use crate::model::{ApiName, Request};

/// What is known about a response before its first byte.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DecodeSetup {
    /// Names of the declared tools as they stand on the wire, where known; empty if not.
    pub tools: Vec<String>,
    /// Tool names that are others on the wire: (wire name, the caller's name), as in
    /// [`Encoded::names`](super::Encoded::names). Take them in by [`Self::with_names`].
    pub names: Vec<(String, String)>,
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
                inner.text_of("name").map(Cow::into_owned)
            })
            .collect();
        self.choices = request.some("n").and_then(Value::as_u64).or(Some(1));
        self
    }

    /// Takes (wire name, the caller's name) of the request whose tools are known already.
    #[must_use]
    pub fn with_names(mut self, names: Vec<(String, String)>) -> Self {
        if names.is_empty() {
            return self;
        }
        // A stream spells the names of the wire, and pieces of a name can be judged by those alone.
        let wire: HashMap<&str, &str> = names.iter().map(|(wire, name)| (name.as_str(), wire.as_str())).collect();
        for tool in &mut self.tools {
            if let Some(wire) = wire.get(tool.as_str()) {
                (*wire).clone_into(tool);
            }
        }
        self.names = names;
        self
    }

    /// The caller's name for one of the wire: the one that this request changed into exactly it, else itself.
    pub(super) fn callers_name(&self, wire: String) -> String {
        self.names.iter().find(|(name, _)| *name == wire).map_or(wire, |(_, name)| name.clone())
    }

    /// True if the status is known and not 2xx.
    pub fn failed(&self) -> bool {
        self.status.is_some_and(|status| !(200..300).contains(&status))
    }
}

/// The tool names that are others on the wire of a neutral request: (wire name, the caller's name). There are none if
/// the value is no neutral request (what a provider got holds the names of the wire), or cannot be sent.
pub fn wire_names(api: &ApiName, request: Value<'_>) -> Vec<(String, String)> {
    let Ok(mut request) = Request::read(request) else { return Vec::new() };
    if request.options.dialect.is_none() {
        request.options.dialect.clone_from(&api.dialect);
    }
    encode(api.api, &request).map(|encoded| encoded.names).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{DecodeSetup, wire_names};
    use crate::json::Doc;
    use crate::model::{Api, ApiName};

    #[test]
    fn names_that_a_request_changed_are_known_by_both_names() {
        let names = |text: &str| {
            let api = ApiName { api: Api::AnthropicMessages, dialect: None };
            let doc = Doc::parse(text).unwrap();
            DecodeSetup::default().with_request(doc.root()).with_names(wire_names(&api, doc.root()))
        };
        let request = r#"{"model":"m","messages":[{"role":"user","content":"hi"}],
            "tools":[{"name":"bash"},{"name":"docs/read"},{"name":"find"}],"options":{"oauthToolNames":true}}"#;
        let setup = names(request);
        assert_eq!(setup.tools, ["Bash", "docs_read", "find"]);
        for (wire, name) in [
            ("Bash", "bash"),
            ("docs_read", "docs/read"),
            ("find", "find"),
            // Near is not exact.
            ("BASH", "BASH"),
            ("Bash ", "Bash "),
            ("", ""),
        ] {
            assert_eq!(setup.callers_name(wire.to_owned()), name);
        }
        let plain = names(&request.replace("true", "false").replace("docs/", "docs_"));
        assert_eq!((plain.tools.len(), plain.names.len()), (3, 0));
        // Of a body that a provider got nothing is to be mapped.
        let own =
            r#"{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],"tools":[{"name":"a.b"}]}"#;
        assert!(names(own).names.is_empty());
    }

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
