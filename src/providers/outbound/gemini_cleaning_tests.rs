//! Schemas and what becomes of them in each of Google's forms.

use super::super::gemini_subset::{HANDED_ON, JSON_SCHEMA, PARAMETERS, Subset, VERTEX_PARAMETERS};
use super::super::schema::{SchemaRules, normalize};
use super::{clean, text_of};
use crate::json::{CompactText, Tape, Tree};

fn cleaned(schema: &str, subset: &'static Subset) -> (String, String) {
    let (tree, left_out) = clean(Tree::parse(schema).unwrap(), subset);
    let text = text_of(&tree);
    let (again, _) = clean(Tree::parse(&text).unwrap(), subset);
    assert_eq!(text_of(&again), text, "cleaning again changes nothing");
    (text, left_out.join(" "))
}

/// (schema, as `parameters`, as `parametersJsonSchema`, keywords left out of `parameters`)
const SCHEMAS: &[(&str, &str, &str, &str)] = &[
    // Null.
    (
        r#"{"type":["string","null"],"description":"x"}"#,
        r#"{"type":"STRING","description":"x","nullable":true}"#,
        r#"{"type":["string","null"],"description":"x"}"#,
        "",
    ),
    (
        r#"{"type":["null","array"],"items":{"type":"string"}}"#,
        r#"{"type":"ARRAY","items":{"type":"STRING"},"nullable":true}"#,
        r#"{"type":["null","array"],"items":{"type":"string"}}"#,
        "",
    ),
    (
        r#"{"anyOf":[{"type":"string"},{"type":"null","description":"none"}]}"#,
        r#"{"type":"STRING","nullable":true}"#,
        r#"{"type":["string","null"]}"#,
        "",
    ),
    (
        r#"{"type":["string","null"],"enum":["c","f",null]}"#,
        r#"{"type":"STRING","enum":["c","f"],"nullable":true}"#,
        r#"{"anyOf":[{"type":"string","enum":["c","f"]},{"type":"null"}]}"#,
        "",
    ),
    (r#"{"type":"null"}"#, r#"{"type":"NULL"}"#, r#"{"type":"null"}"#, ""),
    (r#"{"const":null}"#, r#"{"type":"NULL"}"#, r#"{"type":"null"}"#, ""),
    (
        r#"{"description":"d","anyOf":[{"type":"object","properties":{"a":{"type":"string","description":"v"}},"description":"v"},{"type":"null"}]}"#,
        r#"{"description":"d","type":"OBJECT","properties":{"a":{"type":"STRING","description":"v"}},"nullable":true}"#,
        r#"{"description":"d","type":["object","null"],"properties":{"a":{"type":"string","description":"v"}}}"#,
        "",
    ),
    // Literal values.
    (r#"{"const":"ins"}"#, r#"{"type":"STRING","enum":["ins"]}"#, r#"{"type":"string","enum":["ins"]}"#, ""),
    (
        r#"{"type":"integer","enum":[1,2]}"#,
        r#"{"type":"INTEGER","description":"One of: 1, 2."}"#,
        r#"{"type":"integer","enum":[1,2]}"#,
        "",
    ),
    (
        r#"{"const":1.5,"description":"d"}"#,
        r#"{"type":"NUMBER","description":"d Must be 1.5."}"#,
        r#"{"type":"number","enum":[1.5],"description":"d"}"#,
        "",
    ),
    (
        r#"{"const":true}"#,
        r#"{"type":"BOOLEAN","description":"Must be true."}"#,
        r#"{"type":"boolean","description":"Must be true."}"#,
        "",
    ),
    (
        r#"{"type":"string","enum":["","a","a",7]}"#,
        r#"{"type":"STRING","enum":["a","7"]}"#,
        r#"{"type":"string","enum":["","a",7]}"#,
        "",
    ),
    (r#"{"enum":["a",1]}"#, r#"{"description":"One of: \"a\", 1."}"#, r#"{"enum":["a",1]}"#, ""),
    (
        r#"{"description":"d","anyOf":[{"const":"a"},{"const":"b"}]}"#,
        r#"{"type":"STRING","description":"d","enum":["a","b"]}"#,
        r#"{"type":"string","description":"d","enum":["a","b"]}"#,
        "",
    ),
    (
        r#"{"oneOf":[{"type":"string","const":"a","description":"first"},{"type":"string","enum":["b","c"]},{"type":"null"}]}"#,
        r#"{"type":"STRING","enum":["a","b","c"],"description":"a: first.","nullable":true}"#,
        r#"{"description":"a: first.","anyOf":[{"type":"string","enum":["a","b","c"]},{"type":"null"}]}"#,
        "",
    ),
    // Types.
    (
        r#"{"type":["string","number"],"description":"d","minLength":1,"maximum":9}"#,
        r#"{"anyOf":[{"type":"STRING","minLength":1},{"type":"NUMBER","maximum":9}],"description":"d"}"#,
        r#"{"type":["string","number"],"description":"d","maximum":9}"#,
        "",
    ),
    (
        r#"{"type":["integer","number","null"]}"#,
        r#"{"type":"NUMBER","nullable":true}"#,
        r#"{"type":["integer","number","null"]}"#,
        "",
    ),
    (r#"{"type":"STRING"}"#, r#"{"type":"STRING"}"#, r#"{"type":"string"}"#, ""),
    (r#"{"type":"any"}"#, "{}", "{}", ""),
    (r#"{"properties":{"a":{}}}"#, r#"{"type":"OBJECT","properties":{"a":{}}}"#, r#"{"properties":{"a":{}}}"#, ""),
    // Keywords.
    (
        r#"{"type":"string","minLength":1,"maxLength":9,"pattern":"^a","format":"email","examples":["a"],"title":"t","default":"a"}"#,
        r#"{"type":"STRING","minLength":1,"maxLength":9,"pattern":"^a","title":"t","default":"a"}"#,
        r#"{"type":"string","format":"email","title":"t","default":"a"}"#,
        "examples format",
    ),
    (
        r#"{"type":"string","format":"date-time"}"#,
        r#"{"type":"STRING","format":"date-time"}"#,
        r#"{"type":"string","format":"date-time"}"#,
        "",
    ),
    (
        r#"{"type":"integer","format":"int64","minimum":-1.5,"maximum":"9","exclusiveMinimum":0,"multipleOf":2}"#,
        r#"{"type":"INTEGER","format":"int64","minimum":-1.5}"#,
        r#"{"type":"integer","format":"int64","minimum":-1.5}"#,
        "exclusiveMinimum maximum multipleOf",
    ),
    (
        r#"{"type":"object","properties":{"a":{"type":"string"},"b":false},"required":["b","a","a","c"],"additionalProperties":false,"patternProperties":{"x":{}},"$comment":"c","minProperties":1,"not":{}}"#,
        r#"{"type":"OBJECT","properties":{"a":{"type":"STRING"}},"required":["a"],"minProperties":1}"#,
        r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}"#,
        "$comment additionalProperties not patternProperties",
    ),
    (
        r#"{"type":"object","properties":{"format":{"type":"string","format":"x"},"definitions":{"const":"a"},"$ref":{"type":"string"}},"required":["format","definitions"]}"#,
        r#"{"type":"OBJECT","properties":{"format":{"type":"STRING"},"definitions":{"type":"STRING","enum":["a"]},"$ref":{"type":"STRING"}},"required":["format","definitions"]}"#,
        r#"{"type":"object","properties":{"format":{"type":"string","format":"x"},"definitions":{"type":"string","enum":["a"]},"$ref":{"type":"string"}},"required":["format","definitions"]}"#,
        "format",
    ),
    (
        r##"{"$ref":"#/$defs/gone","description":"d","minLength":1}"##,
        r#"{"description":"d"}"#,
        r#"{"description":"d"}"#,
        "$ref",
    ),
    // Lists.
    (
        r#"{"type":"array","items":[{"type":"string"},{"type":"integer"}]}"#,
        r#"{"type":"ARRAY","items":{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}]}}"#,
        r#"{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":{}}"#,
        "",
    ),
    (
        r#"{"type":"array","prefixItems":[{"type":"string"},{"type":"string"}],"items":{}}"#,
        r#"{"type":"ARRAY","items":{"type":"STRING"}}"#,
        r#"{"type":"array","prefixItems":[{"type":"string"},{"type":"string"}],"items":{}}"#,
        "",
    ),
    (
        r#"{"type":"array","items":true,"minItems":1,"maxItems":-1}"#,
        r#"{"type":"ARRAY","items":{},"minItems":1}"#,
        r#"{"type":"array","items":{},"minItems":1}"#,
        "maxItems",
    ),
    // Everything of `allOf`.
    (
        r#"{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"allOf":[{"properties":{"a":{"minLength":1},"b":{"type":"integer"}}}]}]}"#,
        r#"{"type":"OBJECT","properties":{"a":{"type":"STRING","minLength":1},"b":{"type":"INTEGER"}},"required":["a"]}"#,
        r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}"#,
        "",
    ),
    // Alternatives.
    (
        r#"{"description":"d","oneOf":[{"type":"string"},{"type":"integer"},{"type":"string"},false]}"#,
        r#"{"description":"d","anyOf":[{"type":"STRING"},{"type":"INTEGER"}]}"#,
        r#"{"description":"d","anyOf":[{"type":"string"},{"type":"integer"}]}"#,
        "",
    ),
    (
        r#"{"anyOf":[{"type":["string","null"]},{"anyOf":[{"type":"integer"},{"type":"boolean"}]}]}"#,
        r#"{"anyOf":[{"type":"STRING"},{"type":"INTEGER"},{"type":"BOOLEAN"}],"nullable":true}"#,
        r#"{"anyOf":[{"type":["string","null"]},{"type":"integer"},{"type":"boolean"}]}"#,
        "",
    ),
    (r#"{"anyOf":[{"type":"string"},{}],"description":"d"}"#, r#"{"description":"d"}"#, r#"{"description":"d"}"#, ""),
    (
        r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
        r#"{"type":"OBJECT","properties":{"a":{"type":"STRING"},"b":{"type":"STRING"}}}"#,
        r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}"#,
        "",
    ),
    (
        r#"{"type":"string","minLength":1,"anyOf":[{"pattern":"^a"},{"pattern":"^b","minLength":2}]}"#,
        r#"{"anyOf":[{"type":"STRING","pattern":"^a","minLength":1},{"type":"STRING","pattern":"^b","minLength":2}]}"#,
        r#"{"type":"string"}"#,
        "",
    ),
    (
        r#"{"properties":{"k":{"type":"string"}},"required":["k"],"oneOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]},{"type":"string"}]}"#,
        r#"{"anyOf":[{"type":"OBJECT","properties":{"k":{"type":"STRING"},"a":{"type":"STRING"},"b":{"type":"INTEGER"}},"required":["k","a"]},{"type":"STRING"}]}"#,
        r#"{"properties":{"k":{"type":"string"}},"required":["k"],"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]},{"type":"string"}]}"#,
        "",
    ),
];

#[test]
fn schemas_are_said_in_the_words_of_each_place() {
    let mut wrong = Vec::new();
    for (schema, parameters, json_schema, left_out) in SCHEMAS {
        let (text, what) = cleaned(schema, &PARAMETERS);
        if (text.as_str(), what.as_str()) != (*parameters, *left_out) {
            wrong.push(format!("{schema}\n  got  {text} [{what}]\n  want {parameters} [{left_out}]"));
        }
        let (text, _) = cleaned(schema, &JSON_SCHEMA);
        if text != *json_schema {
            wrong.push(format!("{schema}\n  got  {text}\n  want {json_schema}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn vertex_knows_additional_properties_and_relays_spell_types_small() {
    let schema = r#"{"type":"object","additionalProperties":{"type":["string","null"],"examples":[]}}"#;
    assert_eq!(
        cleaned(schema, &VERTEX_PARAMETERS).0,
        r#"{"type":"OBJECT","additionalProperties":{"type":"STRING","nullable":true}}"#
    );
    assert_eq!(cleaned(schema, &HANDED_ON), (r#"{"type":"object"}"#.to_owned(), "additionalProperties".to_owned()));
    assert_eq!(
        cleaned(r#"{"type":"object","additionalProperties":false}"#, &VERTEX_PARAMETERS).0,
        r#"{"type":"OBJECT","additionalProperties":false}"#
    );
}

#[test]
fn circles_end_in_their_type() {
    let schema = CompactText::new(
        r##"{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}"##,
    )
    .unwrap();
    let rules = SchemaRules { gemini: Some(&PARAMETERS), ..SchemaRules::JSON_SCHEMA };
    assert_eq!(
        text_of(normalize(&schema, &rules, &mut Tape::new()).unwrap().schema.tree()),
        r#"{"type":"OBJECT","properties":{"n":{"type":"OBJECT","properties":{"kids":{"type":"ARRAY","items":{"type":"OBJECT"}}}}}}"#
    );
}

#[test]
fn wide_and_deep_schemas_stay_linear() {
    let names =
        |n: usize| (0..n).map(|i| format!(r#""p{i}":{{"type":["string","null"]}}"#)).collect::<Vec<_>>().join(",");
    let wide = format!(r#"{{"type":"object","properties":{{{}}},"required":["p1","p2"]}}"#, names(20_000));
    assert!(cleaned(&wide, &PARAMETERS).0.len() > 500_000);
    let variants = (0..20_000).map(|i| format!(r#"{{"const":"v{i}"}}"#)).collect::<Vec<_>>().join(",");
    assert!(
        cleaned(&format!(r#"{{"anyOf":[{variants}]}}"#), &PARAMETERS).0.starts_with(r#"{"type":"STRING","enum":["v0""#)
    );
    let deep = format!("{}{{}}{}", r#"{"anyOf":[{"type":"string"},"#.repeat(120), "]}".repeat(120));
    assert_eq!(cleaned(&deep, &PARAMETERS).0, "{}");
    let deep = format!("{}{{}}{}", r#"{"type":"object","anyOf":[{"properties":{"x":"#.repeat(120), "}}]}".repeat(120));
    assert!(cleaned(&deep, &JSON_SCHEMA).0.len() > 2000);
}
