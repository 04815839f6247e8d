//! The prompt-cache prefix over two requests.

use rstest::rstest;
use toolwire::check::outbound::prefix;
use toolwire::json::Doc;
use toolwire::model::Api::{self, AnthropicMessages, Gemini, OpenaiChat, OpenaiResponses};
use toolwire::providers::read;

/// The pointer at which the later request leaves the earlier one's prefix.
fn leaves(api: Api, earlier: &str, later: &str) -> Option<String> {
    let (earlier, later) = (Doc::parse(earlier).unwrap(), Doc::parse(later).unwrap());
    prefix(&read(api, earlier.root()), &read(api, later.root())).map(|apart| apart.pointer)
}

#[rstest]
#[case::markers_and_strings(
    AnthropicMessages,
    r#"{"tools":[{"name":"f","cache_control":{"type":"ephemeral"}}],"system":"s","messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}]}"#,
    r#"{"tools":[{"name":"f"}],"system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}"#,
    None
)]
#[case::merged_messages(
    AnthropicMessages,
    r#"{"messages":[{"role":"user","content":"a"},{"role":"user","content":"b"}]}"#,
    r#"{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"text","text":"c"}]}]}"#,
    None
)]
#[case::tools_in_another_order(
    AnthropicMessages,
    r#"{"tools":[{"name":"f"},{"name":"g"}],"messages":[]}"#,
    r#"{"tools":[{"name":"g"},{"name":"f"}],"messages":[]}"#,
    Some("/tools/0")
)]
#[case::another_tool(
    AnthropicMessages,
    r#"{"tools":[{"name":"f"}],"messages":[{"role":"user","content":"a"}]}"#,
    r#"{"tools":[{"name":"f"},{"name":"g"}],"messages":[{"role":"user","content":"b"}]}"#,
    None
)]
#[case::key_order_of_a_schema(
    OpenaiChat,
    r#"{"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}],"messages":[]}"#,
    r#"{"tools":[{"type":"function","function":{"name":"f","parameters":{"properties":{},"type":"object"}}}],"messages":[]}"#,
    Some("/tools/0/function")
)]
#[case::system(
    AnthropicMessages,
    r#"{"system":"at 10:00","messages":[]}"#,
    r#"{"system":"at 10:01","messages":[]}"#,
    Some("/system")
)]
#[case::more_system(
    OpenaiChat,
    r#"{"messages":[{"role":"system","content":"a"}]}"#,
    r#"{"messages":[{"role":"system","content":"a"},{"role":"system","content":"b"}]}"#,
    Some("/messages/1/content")
)]
#[case::arguments_reordered(
    OpenaiChat,
    r#"{"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"a\":1,\"b\":2}"}}]}]}"#,
    r#"{"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"b\":2,\"a\":1}"}}]}]}"#,
    Some("/messages/0/tool_calls/0")
)]
#[case::another_id(
    OpenaiResponses,
    r#"{"input":[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}]}"#,
    r#"{"input":[{"type":"function_call","call_id":"b","name":"f","arguments":"{}"}]}"#,
    Some("/input/0")
)]
#[case::a_message_is_gone(
    Gemini,
    r#"{"contents":[{"parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b"}]}]}"#,
    r#"{"contents":[{"parts":[{"text":"a"}]}]}"#,
    Some("/contents/1/parts/0")
)]
#[case::responses_go_on(
    OpenaiResponses,
    r#"{"input":"hi"}"#,
    r#"{"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]},{"type":"function_call","call_id":"b","name":"f","arguments":"{}"}]}"#,
    None
)]
fn the_place_where_the_prefix_ends_is_told(
    #[case] api: Api,
    #[case] earlier: &str,
    #[case] later: &str,
    #[case] at: Option<&str>,
) {
    assert_eq!(leaves(api, earlier, later).as_deref(), at);
    assert_eq!(leaves(api, later, later), None);
}
