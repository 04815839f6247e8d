//! What each place that takes Google's schemas knows of JSON Schema: a row a place.
//!
//! Sources: `Schema` and `FunctionDeclaration` in the Gemini API reference and in google-genai's `types`; what is refused
//! beside them stands in zed-industries/zed#44875, google-gemini/gemini-cli#7878, prism-php/prism#974.

/// Where a schema goes, and what may stand in it there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::providers) struct Subset {
    /// The place, for people.
    pub(in crate::providers) place: &'static str,
    /// How types and null are written.
    pub(super) style: Style,
    /// Keywords that are taken, and what may stand under them.
    keywords: &'static [(&'static str, Takes)],
    /// Keywords that are taken there and nowhere else.
    more: &'static [(&'static str, Takes)],
}

/// How types and null are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `type` is one name, null is `nullable: true`, `enum` holds strings, and beside `anyOf` only annotations stand.
    OpenApi {
        /// Types are spelled like the protocol's enum: `STRING`.
        upper: bool,
    },
    /// `type` may be a list, null is a type, and `enum` may hold numbers.
    JsonSchema,
}

/// What a keyword takes; anything else under it makes the server refuse the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// The name of a type, or a list of them.
    Types,
    /// A list of literal values.
    Literals,
    /// A string.
    Text,
    /// The name of a format.
    Format,
    /// A whole number, not negative.
    Count,
    /// A number.
    Number,
    /// A list of strings.
    Texts,
    /// Names of properties.
    Names,
    /// Any value.
    Value,
    /// A schema.
    Schema,
    /// A list of schemas.
    Schemas,
    /// Schemas under names.
    Map,
    /// A boolean or a schema.
    SchemaOrFlag,
}

const OPEN_API: &[(&str, Takes)] = &[
    ("type", Takes::Types),
    ("format", Takes::Format),
    ("title", Takes::Text),
    ("description", Takes::Text),
    ("enum", Takes::Literals),
    ("default", Takes::Value),
    ("items", Takes::Schema),
    ("minItems", Takes::Count),
    ("maxItems", Takes::Count),
    ("properties", Takes::Map),
    ("required", Takes::Names),
    ("propertyOrdering", Takes::Texts),
    ("minProperties", Takes::Count),
    ("maxProperties", Takes::Count),
    ("minLength", Takes::Count),
    ("maxLength", Takes::Count),
    ("pattern", Takes::Text),
    ("minimum", Takes::Number),
    ("maximum", Takes::Number),
];

/// `parameters` of the Gemini API.
pub(in crate::providers) const PARAMETERS: Subset =
    Subset { place: "`parameters`", style: Style::OpenApi { upper: true }, keywords: OPEN_API, more: &[] };

/// `parameters` of Vertex AI, which knows `additionalProperties` as well.
pub(in crate::providers) const VERTEX_PARAMETERS: Subset =
    Subset { place: "`parameters` of Vertex", more: &[("additionalProperties", Takes::SchemaOrFlag)], ..PARAMETERS };

/// Tools of servers that speak another API and hand on to Gemini. An unknown keyword is refused there too
/// (AstrBotDevs/AstrBot#7572).
pub(in crate::providers) const HANDED_ON: Subset =
    Subset { place: "schemas that are handed on to Gemini", style: Style::OpenApi { upper: false }, ..PARAMETERS };

/// `parametersJsonSchema`. Other keywords are ignored there, as far as is known; `$ref` and its kin are in place already.
pub(in crate::providers) const JSON_SCHEMA: Subset = Subset {
    place: "`parametersJsonSchema`",
    style: Style::JsonSchema,
    keywords: &[
        ("type", Takes::Types),
        ("format", Takes::Text),
        ("title", Takes::Text),
        ("description", Takes::Text),
        ("enum", Takes::Literals),
        ("default", Takes::Value),
        ("items", Takes::Schema),
        ("prefixItems", Takes::Schemas),
        ("minItems", Takes::Count),
        ("maxItems", Takes::Count),
        ("minimum", Takes::Number),
        ("maximum", Takes::Number),
        ("properties", Takes::Map),
        ("additionalProperties", Takes::SchemaOrFlag),
        ("required", Takes::Names),
        ("propertyOrdering", Takes::Texts),
    ],
    more: &[],
};

/// Formats that the `OpenAPI` form knows, with the type that has them.
const FORMATS: &[(&str, &str)] = &[
    ("string", "enum"),
    ("string", "date-time"),
    ("number", "float"),
    ("number", "double"),
    ("integer", "int32"),
    ("integer", "int64"),
];

impl Subset {
    /// What may stand under a keyword; `None` if it is not taken.
    pub(super) fn takes(&self, keyword: &str) -> Option<Takes> {
        self.keywords.iter().chain(self.more).find(|(name, _)| *name == keyword).map(|(_, takes)| *takes)
    }

    /// True for JSON Schema as it is.
    pub(super) fn is_json_schema(&self) -> bool {
        self.style == Style::JsonSchema
    }

    /// How the type `name` (lower case) is spelled.
    pub(super) fn spelled(&self, name: &'static str) -> &'static str {
        match self.style {
            Style::OpenApi { upper: true } => {
                TYPES.iter().find(|(lower, _)| *lower == name).map_or(name, |(_, upper)| upper)
            }
            _ => name,
        }
    }
}

/// The types, as JSON Schema and as the protocol's enum spell them.
const TYPES: &[(&str, &str)] = &[
    ("string", "STRING"),
    ("number", "NUMBER"),
    ("integer", "INTEGER"),
    ("boolean", "BOOLEAN"),
    ("array", "ARRAY"),
    ("object", "OBJECT"),
    ("null", "NULL"),
];

/// The type called `name` in either spelling, in lower case.
pub(super) fn type_name(name: &str) -> Option<&'static str> {
    TYPES.iter().find(|(lower, upper)| *lower == name || *upper == name).map(|(lower, _)| *lower)
}

/// True if the `OpenAPI` form knows the format for a type.
pub(super) fn knows_format(kind: Option<&str>, format: &str) -> bool {
    FORMATS.iter().any(|(has, name)| *name == format && kind.is_none_or(|kind| kind == *has))
}

/// The types that a keyword says something about in the `OpenAPI` form; none for an annotation.
pub(super) fn concerns(keyword: &str) -> &'static [&'static str] {
    match keyword {
        "properties" | "required" | "propertyOrdering" | "minProperties" | "maxProperties" | "additionalProperties" => {
            &["object"]
        }
        "items" | "prefixItems" | "minItems" | "maxItems" => &["array"],
        "minLength" | "maxLength" | "pattern" | "enum" => &["string"],
        "minimum" | "maximum" => &["number", "integer"],
        "format" => &["string", "number", "integer"],
        _ => &[],
    }
}
