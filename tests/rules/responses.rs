//! The Responses API.

use crate::support::Case;

pub(crate) const BASE: &str = r#""model":"m","input":"hi","#;

const fn case(rule: &'static str, breaks: &'static str, holds: &'static str) -> Case {
    Case { rule, api: "openai-responses", breaks, holds }
}

pub(crate) const CASES: &[Case] = &[
    case(
        "OAI-R-001",
        r#""tools":[{"type":"function","function":{"name":"f","parameters":{}}}]"#,
        r#""tools":[{"type":"function","name":"f","parameters":{"type":"object"},"strict":false}]"#,
    ),
    case(
        "OAI-R-002",
        r#""tools":[{"type":"function","name":"a.b","parameters":null,"strict":false}]"#,
        r#""tools":[{"type":"function","name":"a_b","parameters":null,"strict":false}]"#,
    ),
    case(
        "OAI-R-003",
        r#""tools":[{"type":"function","name":"f","parameters":null,"strict":null}]"#,
        r#""tools":[{"type":"function","name":"f","parameters":null,"strict":false},{"type":"web_search"}]"#,
    ),
    case(
        "OAI-R-004",
        r#""tools":[{"type":"function","name":"f","strict":false}]"#,
        r#""tools":[{"type":"namespace","name":"n","description":"d","tools":[{"type":"function","name":"f","strict":false}]}]"#,
    ),
    case(
        "OAI-R-005",
        r#""tools":[{"type":"function","name":"f","strict":true,"parameters":{"type":"object","properties":{"a":{}},"required":[]}}]"#,
        r#""tools":[{"type":"function","name":"f","strict":true,"parameters":{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false}}]"#,
    ),
    case(
        "OAI-R-006",
        r#""input":[{"type":"function_call","call_id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","output":"x"}]"#,
        r#""input":[{"type":"function_call","call_id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","output":"x"}]"#,
    ),
    case(
        "OAI-R-007",
        r#""input":[{"type":"function_call","id":"call_b","call_id":"call_a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"call_a","output":"x"}]"#,
        r#""input":[{"type":"function_call","id":"fc_b","call_id":"call_a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"call_a","output":"x"}]"#,
    ),
    case(
        "OAI-R-008",
        r#""input":[{"type":"function_call","id":"fc_a","call_id":"fc_a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"fc_a","output":"x"}]"#,
        r#""input":[{"type":"function_call","call_id":"fc_a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"fc_a","output":"x"}]"#,
    ),
    case(
        "OAI-R-009",
        r#""input":[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"role":"user","content":"x"}]"#,
        r#""input":[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"role":"user","content":"x"},{"type":"function_call_output","call_id":"a","output":"x"}]"#,
    ),
    case(
        "OAI-R-010",
        r#""input":[{"role":"user","content":"go"},{"type":"function_call_output","call_id":"a","output":"1"}]"#,
        r#""previous_response_id":"resp_1","input":[{"type":"function_call_output","call_id":"a","output":"1"}]"#,
    ),
    case(
        "OAI-R-011",
        r#""input":[{"type":"custom_tool_call","call_id":"a","name":"f","input":"x"},{"type":"function_call_output","call_id":"a","output":"x"}]"#,
        r#""input":[{"type":"custom_tool_call","call_id":"a","name":"f","input":"x"},{"type":"custom_tool_call_output","call_id":"a","output":"x"}]"#,
    ),
    case(
        "OAI-R-012",
        r#""input":[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":{"a":1}}]"#,
        r#""input":[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":[{"type":"input_text","text":"x"}]}]"#,
    ),
    case(
        "OAI-R-014",
        r#""input":[{"role":"user","content":"go"},{"type":"reasoning","id":"rs_1","summary":[]},{"role":"user","content":"next"}]"#,
        r#""input":[{"role":"user","content":"go"},{"type":"reasoning","id":"rs_1","summary":[]},{"type":"function_call","id":"fc_1","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"1"}]"#,
    ),
    case(
        "OAI-R-015",
        r#""store":false,"input":[{"type":"reasoning","id":"rs_1","summary":[]},{"role":"assistant","content":"a"}]"#,
        r#""store":false,"input":[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"E"},{"role":"assistant","content":"a"}]"#,
    ),
    case(
        "OAI-R-016",
        r#""store":false,"model":"o3""#,
        r#""store":false,"model":"o3","include":["reasoning.encrypted_content"]"#,
    ),
    case(
        "OAI-R-017",
        r#""previous_response_id":"r","conversation":"c""#,
        r#""previous_response_id":null,"conversation":"c""#,
    ),
    case(
        "OAI-R-019",
        r#""input":[{"type":"function_call","call_id":"a","name":"f","arguments":{}},{"type":"function_call_output","call_id":"a","output":"x"}]"#,
        r#""input":[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"x"}]"#,
    ),
    case(
        "OAI-R-020",
        r#""tools":[{"type":"custom","name":"sh","format":{"type":"grammar","grammar":{"syntax":"regex","definition":"a"}}}]"#,
        r#""tools":[{"type":"custom","name":"sh","format":{"type":"grammar","syntax":"regex","definition":"a"}}]"#,
    ),
    case(
        "OAI-R-021",
        r#""tools":[{"type":"function","name":"f","parameters":null,"strict":false}],"tool_choice":{"type":"function","function":{"name":"f"}}"#,
        r#""tools":[{"type":"function","name":"f","parameters":null,"strict":false}],"tool_choice":{"type":"function","name":"f"}"#,
    ),
    case(
        "OAI-R-021",
        r#""tools":[{"type":"function","name":"f","parameters":null,"strict":false}],"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[]}"#,
        r#""tools":[{"type":"function","name":"f","parameters":null,"strict":false}],"tool_choice":{"type":"allowed_tools","mode":"auto","tools":[{"type":"function","name":"f"}]}"#,
    ),
    case(
        "OAI-R-022",
        r#""tools":[{"type":"function","name":"f","parameters":null,"strict":false,"defer_loading":true}]"#,
        r#""tools":[{"type":"tool_search"},{"type":"function","name":"f","parameters":null,"strict":false,"defer_loading":true}]"#,
    ),
    case("OAI-R-023", r#""max_output_tokens":15"#, r#""max_output_tokens":16"#),
    case("OR-004", r#""type":"response.create","stream":true"#, r#""type":"response.create""#),
];
