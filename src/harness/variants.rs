//! Other forms of a neutral request: its tools in another order, and the requests that came before it.

use crate::json::{JsonText, Value};

/// How many earlier requests of a conversation are looked at; the latest say most.
const MOST_EARLIER: usize = 8;

/// The request with its tools in the opposite order; `None` if it has fewer than two.
pub(super) fn tools_reversed(request: &JsonText) -> Option<JsonText> {
    let doc = request.doc();
    let tools: Vec<Value<'_>> = doc.root().some("tools")?.items().collect();
    (tools.len() > 1).then(|| with(doc.root(), "tools", tools.into_iter().rev()))
}

/// The requests of the conversation before this one: each ends where a turn of the model's begins. In order; the
/// request itself is not among them.
pub(super) fn earlier(request: &JsonText) -> Vec<JsonText> {
    let doc = request.doc();
    let messages: Vec<Value<'_>> = doc.root().some("messages").into_iter().flat_map(Value::items).collect();
    let is_model = |message: &Value<'_>| message.get("role").and_then(Value::to_text).as_deref() == Some("assistant");
    let ends: Vec<usize> = messages
        .windows(2)
        .enumerate()
        // The model's turns in a row are one.
        .filter(|(_, pair)| matches!(pair, [before, next] if is_model(next) && !is_model(before)))
        .map(|(at, _)| at + 1)
        .collect();
    let skipped = ends.len().saturating_sub(MOST_EARLIER);
    let until = |end: &usize| with(doc.root(), "messages", messages.iter().take(*end).copied());
    ends.iter().skip(skipped).map(until).collect()
}

/// The object with these items as its list under `key`.
fn with<'a>(object: Value<'a>, key: &str, items: impl Iterator<Item = Value<'a>>) -> JsonText {
    let mut items = Some(items);
    JsonText::build(|w| {
        w.object(|w| {
            for (name, value) in object.members() {
                w.key(&name.decode());
                match items.take_if(|_| name.is(key)) {
                    Some(items) => w.array(|w| items.for_each(|item| w.value(item))),
                    None => w.value(value),
                }
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use super::{earlier, tools_reversed};
    use crate::json::JsonText;

    fn text(text: &str) -> JsonText {
        JsonText::new(text).unwrap()
    }

    #[test]
    fn tools_change_places_and_nothing_else() {
        let request = text(r#"{"a":1.0,"tools":[{"name":"x"},{"name":"y"}],"b":[]}"#);
        assert_eq!(
            tools_reversed(&request).unwrap().as_str(),
            r#"{"a":1.0,"tools":[{"name":"y"},{"name":"x"}],"b":[]}"#
        );
        assert_eq!(tools_reversed(&text(r#"{"tools":[{"name":"x"}]}"#)), None);
        assert_eq!(tools_reversed(&text(r#"{"tools":null}"#)), None);
    }

    #[test]
    fn earlier_requests_end_before_the_model_speaks() {
        let (user, model) = (r#"{"role":"user"}"#, r#"{"role":"assistant"}"#);
        let request = text(&format!(r#"{{"messages":[{user},{model},{model},{user},{model}]}}"#));
        let found: Vec<String> = earlier(&request).iter().map(|one| one.as_str().to_owned()).collect();
        assert_eq!(
            found,
            [format!(r#"{{"messages":[{user}]}}"#), format!(r#"{{"messages":[{user},{model},{model},{user}]}}"#)]
        );
        assert!(earlier(&text(r#"{"messages":[]}"#)).is_empty());
    }
}
