//! Mistral.

use crate::support::Case;

pub(crate) const BASE: &str = r#""model":"m","messages":[{"role":"user","content":"hi"}],"#;

const fn case(rule: &'static str, breaks: &'static str, holds: &'static str) -> Case {
    Case { rule, api: "mistral-chat", breaks, holds }
}

pub(crate) const CASES: &[Case] = &[
    case(
        "MIS-001",
        r#""messages":[{"role":"assistant","content":"","tool_calls":[{"id":"call_0fypS1hVX","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_0fypS1hVX","name":"f","content":"x"}]"#,
        r#""messages":[{"role":"assistant","content":"","tool_calls":[{"id":"0fypS1hVX","function":{"name":"f","arguments":{}}}]},{"role":"tool","tool_call_id":"0fypS1hVX","name":"f","content":"x"}]"#,
    ),
    case(
        "MIS-002",
        r#""messages":[{"role":"assistant","content":"","tool_calls":[{"id":"null","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"null","name":"f","content":"x"}]"#,
        r#""messages":[{"role":"assistant","content":"","tool_calls":[{"id":"0fypS1hVX","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"0fypS1hVX","name":"f","content":"x"}]"#,
    ),
    case(
        "MIS-003",
        r#""messages":[{"role":"assistant","content":"","tool_calls":[{"id":"0fypS1hVX","function":{"name":"f","arguments":"{}"}},{"id":"1fypS1hVX","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"0fypS1hVX","name":"f","content":"x"}]"#,
        r#""messages":[{"role":"assistant","content":"","tool_calls":[{"id":"0fypS1hVX","function":{"name":"f","arguments":"{}"}},{"id":"1fypS1hVX","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1fypS1hVX","name":"f","content":"x"},{"role":"tool","tool_call_id":"0fypS1hVX","name":"f","content":"x"}]"#,
    ),
    case(
        "MIS-004",
        r#""messages":[{"role":"assistant","content":"","tool_calls":[{"id":"0fypS1hVX","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"0fypS1hVX","name":"f","content":"x"},{"role":"user","content":"y"}]"#,
        r#""messages":[{"role":"assistant","content":"","tool_calls":[{"id":"0fypS1hVX","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"0fypS1hVX","name":"f","content":"x"},{"role":"assistant","content":"z"},{"role":"user","content":"y"}]"#,
    ),
    case(
        "MIS-005",
        r#""tools":[{"type":"function","function":{"name":"f"}}]"#,
        r#""tools":[{"type":"function","function":{"name":"f","parameters":{}}},{"type":"image_generation"}]"#,
    ),
    case("MIS-006", r#""seed":1"#, r#""random_seed":1"#),
    case(
        "MIS-007",
        r#""messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]"#,
        r#""messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","prefix":true}]"#,
    ),
    case("MIS-008", r#""tool_choice":"force""#, r#""tool_choice":"any""#),
    case(
        "MIS-009",
        r#""messages":[{"role":"assistant","content":"","toolCalls":[{"id":"0fypS1hVX","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","toolCallId":"0fypS1hVX","name":"f","content":"x"}]"#,
        r#""messages":[{"role":"user","content":[{"type":"image_url","image_url":"u"}]}]"#,
    ),
];
