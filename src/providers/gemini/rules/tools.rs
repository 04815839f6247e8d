//! Declarations, their schemas, and the tool configuration.
//!
//! Source: types of google-genai 3.6 (`FunctionDeclaration`, `Schema`, `FunctionCallingConfig`).

use std::collections::{HashMap, HashSet};

use super::super::super::charset::{camel_case, fits, is_longer};
use super::super::super::request_view::{RequestView, ToolKind, ToolView};
use super::super::super::rule::{Offences, shown};
use super::super::super::subschemas::{Subschema, has_type, subschemas};
use super::super::read;
use super::route::Route;
use crate::json::{Kind, Value};

/// The longest name by the SDK's text, and the longest that was taken everywhere.
/// Source: google-gemini/gemini-cli#7878.
const LONGEST_NAME: usize = 128;
const LONGEST_CERTAIN: usize = 64;
const LONGEST_PROPERTY: usize = 64;
const MOST_DECLARATIONS: usize = 512;

/// Keys of the API's own `Schema`. Source: zed-industries/zed#44875 for what others give.
const SCHEMA: &[&str] = &[
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "default",
    "example",
    "items",
    "minItems",
    "maxItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "anyOf",
    "propertyOrdering",
];
/// Beside those, at Vertex.
const SCHEMA_AT_VERTEX: &[&str] = &["additionalProperties", "ref", "defs"];

/// Keys of the JSON Schema form.
const JSON_SCHEMA: &[&str] = &[
    "$id",
    "$defs",
    "$ref",
    "$anchor",
    "type",
    "format",
    "title",
    "description",
    "enum",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "anyOf",
    "oneOf",
    "properties",
    "additionalProperties",
    "required",
    "propertyOrdering",
];

const MODES: &[&str] = &["AUTO", "ANY", "NONE", "VALIDATED", "MODE_UNSPECIFIED"];

fn declarations<'v, 'a>(view: &'v RequestView<'a>) -> impl Iterator<Item = &'v ToolView<'a>> {
    view.tools.iter().filter(|tool| tool.kind == ToolKind::Function)
}

/// Words for types, at the place of their numbers in the API's enum.
const TYPES: &[&str] = &["unspecified", "string", "number", "integer", "boolean", "array", "object", "null"];

/// True if the schema's type is this word, by name or number.
fn is_type(schema: Value<'_>, word: &str) -> bool {
    let number = schema.get("type").and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
    has_type(schema, word) || number.and_then(|number| TYPES.get(number)) == Some(&word)
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_.:-".contains(c)
}

pub(super) fn names(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in declarations(view) {
        let name = tool.name.as_deref().unwrap_or("");
        let first = |c: char| c.is_ascii_alphabetic() || c == '_';
        if !name.starts_with(first) || !fits(name, LONGEST_NAME, is_name) {
            out.add(&tool.node.at("name"), format!("the name {} is refused", shown(name)));
        }
    }
}

pub(super) fn name_length(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in declarations(view) {
        let name = tool.name.as_deref().unwrap_or("");
        if is_longer(name, LONGEST_CERTAIN) {
            out.add(&tool.node.at("name"), format!("the name {} is longer than {LONGEST_CERTAIN}", shown(name)));
        }
    }
}

pub(super) fn names_unique(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let mut first: HashMap<&str, &str> = HashMap::new();
    for tool in declarations(view) {
        let Some(name) = tool.name.as_deref() else { continue };
        if let Some(other) = first.get(name) {
            out.add(&tool.node.at("name"), format!("the name {} stands at {other} too", shown(name)));
        } else {
            first.insert(name, &tool.node.pointer);
        }
    }
}

pub(super) fn one_form(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in declarations(view) {
        for (own, json) in
            [("parameters", read::JSON_SCHEMA), ("response", &["responseJsonSchema", "response_json_schema"])]
        {
            if tool.node.some(own).is_some()
                && let Some(other) = tool.node.any(json)
            {
                out.add(&other.pointer, format!("`{own}` is sent in both forms"));
            }
        }
    }
}

/// A check on every schema of the API's own form.
fn each_own(view: &RequestView<'_>, mut check: impl FnMut(&Subschema<'_, '_>)) {
    for tool in declarations(view) {
        if let Some(schema) = tool.node.some("parameters") {
            subschemas(&schema, &mut check);
        }
    }
}

pub(super) fn own_keys(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let vertex = Route::of(view) == Route::Vertex;
    each_own(view, |schema| {
        for (key, _) in schema.value.members() {
            let key = key.decode();
            let name = camel_case(&key);
            let known = |list: &[&str]| list.contains(&name.as_str());
            let fits = known(SCHEMA) || (vertex && known(SCHEMA_AT_VERTEX));
            if !fits {
                out.add_at(|| schema.pointer(), format!("{} is no key of the API's schemas", shown(&key)));
            }
        }
    });
}

pub(super) fn single_type(view: &RequestView<'_>, out: &mut Offences<'_>) {
    each_own(view, |schema| {
        // proto3 JSON takes an enum's number for its name.
        if schema.value.some("type").is_some_and(|kind| !matches!(kind.kind(), Kind::String | Kind::Number)) {
            out.add_at(|| schema.at("type"), "`type` has to be one word; null is said with `nullable`");
        }
    });
}

pub(super) fn enum_strings(view: &RequestView<'_>, out: &mut Offences<'_>) {
    each_own(view, |schema| {
        let other = |list: Value<'_>| list.items().any(|value| value.kind() != Kind::String);
        if schema.value.get("enum").is_some_and(other) {
            out.add_at(|| schema.at("enum"), "an enum may hold strings only");
        }
    });
}

pub(super) fn root_object(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in declarations(view) {
        let Some(schema) = tool.node.some("parameters") else { continue };
        if !is_type(schema.value, "object") {
            out.add(&schema.at("type"), "the root of `parameters` has to be of type object");
        }
    }
}

pub(super) fn empty_objects(view: &RequestView<'_>, out: &mut Offences<'_>) {
    each_own(view, |schema| {
        let empty = schema.value.get("properties").is_none_or(|properties| properties.members().next().is_none());
        if is_type(schema.value, "object") && empty && schema.value.get("anyOf").is_none() {
            out.add_at(|| schema.pointer(), "an object without properties");
        }
    });
}

pub(super) fn array_items(view: &RequestView<'_>, out: &mut Offences<'_>) {
    each_own(view, |schema| {
        if is_type(schema.value, "array") && schema.value.some("items").is_none() {
            out.add_at(|| schema.pointer(), "an array without `items`");
        }
    });
}

pub(super) fn required_known(view: &RequestView<'_>, out: &mut Offences<'_>) {
    each_own(view, |schema| {
        let properties = schema.value.get("properties").into_iter().flat_map(Value::members);
        let known: HashSet<_> = properties.map(|(key, _)| key.decode()).collect();
        for name in schema.value.get("required").into_iter().flat_map(Value::items).filter_map(Value::to_text) {
            if !known.contains(&name) {
                out.add_at(
                    || schema.at("required"),
                    format!("`required` names {}, which is no property", shown(&name)),
                );
            }
        }
    });
}

pub(super) fn property_names(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for schema in declarations(view).filter_map(|tool| tool.schema.as_ref()) {
        subschemas(schema, &mut |schema| {
            for (key, _) in schema.value.get("properties").into_iter().flat_map(Value::members) {
                let key = key.decode();
                let first = |c: char| c.is_ascii_alphabetic() || c == '_';
                let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
                if !key.starts_with(first) || !fits(&key, LONGEST_PROPERTY, allowed) {
                    out.add_at(|| schema.at("properties"), format!("the property name {} may be refused", shown(&key)));
                }
            }
        });
    }
}

pub(super) fn json_schema_keys(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for schema in declarations(view).filter_map(|tool| tool.node.any(read::JSON_SCHEMA)) {
        subschemas(&schema, &mut |schema| {
            let reference = schema.value.get("$ref").is_some();
            for (key, _) in schema.value.members() {
                let key = key.decode();
                if !JSON_SCHEMA.contains(&&*key) {
                    out.add_at(|| schema.pointer(), format!("{} is not among the keywords that are read", shown(&key)));
                } else if reference && !key.starts_with('$') {
                    out.add_at(|| schema.at("$ref"), format!("{} stands beside a `$ref`", shown(&key)));
                }
            }
        });
    }
}

pub(super) fn number(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let count = declarations(view).count();
    if count > MOST_DECLARATIONS {
        out.add(&view.body.at("tools"), format!("{count} declarations; {MOST_DECLARATIONS} are allowed"));
    }
}

pub(super) fn live_only(view: &RequestView<'_>, out: &mut Offences<'_>) {
    for tool in declarations(view) {
        if let Some(key) = tool.node.some("behavior") {
            out.add(&key.pointer, "`behavior` is for the Live API");
        }
    }
    for (part, _) in view.results() {
        let Some(response) = part.node.any(read::RESPONSE) else { continue };
        for keys in [&["willContinue", "will_continue"], &["scheduling", "scheduling"]] {
            if let Some(key) = response.any(keys) {
                out.add(&key.pointer, "this is for the Live API");
            }
        }
    }
}

pub(super) fn mode(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let Some(choice) = &view.tool_choice else { return };
    if let Some(mode) = choice.node.some("mode")
        && mode.to_text().is_none_or(|word| !MODES.contains(&&*word))
    {
        out.add(&mode.pointer, format!("the mode is none of {}", MODES.join(", ")));
    }
}

pub(super) fn allowed_names(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let Some(choice) = &view.tool_choice else { return };
    let Some(allowed) = choice.node.any(read::ALLOWED).filter(|list| list.value.items().next().is_some()) else {
        return;
    };
    if !matches!(choice.node.text("mode").as_deref(), Some("ANY" | "VALIDATED")) {
        out.add(&allowed.pointer, "names are allowed with the modes ANY and VALIDATED only");
    }
    let declared: HashSet<&str> = declarations(view).filter_map(|tool| tool.name.as_deref()).collect();
    for (name, pointer) in &choice.names {
        if !declared.contains(&**name) {
            out.add(pointer, format!("{} is not declared", shown(name)));
        }
    }
}

pub(super) fn streamed_arguments(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let keys = ["streamFunctionCallArguments", "stream_function_call_arguments"];
    let Some(flag) = view.tool_choice.as_ref().and_then(|choice| choice.node.any(&keys)) else { return };
    let known = view.http.is_some() || view.dialect.is_some();
    let streams = view.http.is_none_or(|http| http.path.contains(":stream"));
    if flag.value.as_bool() == Some(true) && known && (Route::of(view) != Route::Vertex || !streams) {
        out.add(&flag.pointer, "arguments are streamed at Vertex only, and only by streamGenerateContent");
    }
}

pub(super) fn server_side_calls(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let keys = ["includeServerSideToolInvocations", "include_server_side_tool_invocations"];
    let flag = view.body.any(read::TOOL_CONFIG).and_then(|config| config.any(&keys));
    if let Some(flag) = flag.filter(|_| Route::of(view) != Route::AiStudio) {
        out.add(&flag.pointer, "this is for AI Studio only");
    }
}

pub(super) fn forced_without_tools(view: &RequestView<'_>, out: &mut Offences<'_>) {
    let Some(choice) = &view.tool_choice else { return };
    if choice.mode.is_forced() && declarations(view).next().is_none() {
        out.add(&choice.node.at("mode"), "a call is demanded, and there are no declarations");
    }
}
