//! Where Gemini's models are served, and what requests need there.

use super::super::outbound::gemini_subset::{PARAMETERS, Subset, VERTEX_PARAMETERS};
use super::super::outbound::path_segment;

/// A service of Gemini's models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    /// What it is called; the first is its name, the others stand for it as well.
    pub(super) names: &'static [&'static str],
    /// How the path is made.
    route: Route,
    /// The form of `parameters` that it takes.
    pub(super) parameters: &'static Subset,
    /// The request stands in an envelope, with the model and the project beside it.
    pub(super) envelope: bool,
}

/// How the path of a request is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Route {
    /// The model is a resource of its own: `/v1beta/models/M`.
    Model,
    /// The model belongs to a publisher, in a project and a place.
    Publisher,
    /// The model stands in the body.
    Fixed,
}

const DIALECTS: &[Dialect] = &[
    Dialect { names: &["aistudio"], route: Route::Model, parameters: &PARAMETERS, envelope: false },
    Dialect { names: &["vertex"], route: Route::Publisher, parameters: &VERTEX_PARAMETERS, envelope: false },
    // google-gemini/gemini-cli `packages/core/src/code_assist`.
    Dialect { names: &["codeassist", "code-assist"], route: Route::Fixed, parameters: &PARAMETERS, envelope: true },
];

/// The row of a dialect; without a name AI Studio.
pub(super) fn dialect(name: Option<&str>) -> Option<&'static Dialect> {
    let name = name.unwrap_or("aistudio");
    DIALECTS.iter().find(|dialect| dialect.names.contains(&name))
}

/// The names of all dialects.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    DIALECTS.iter().filter_map(|dialect| dialect.names.first().copied())
}

impl Dialect {
    /// The path for a model, with its query. Without `alt=sse` a stream would be one JSON array.
    pub(super) fn path(&self, model: &str, stream: bool) -> String {
        let verb = if stream { ":streamGenerateContent?alt=sse" } else { ":generateContent" };
        let resource = |model: &str, collection: &str| {
            // A resource's name is one already: `models/M`, `tunedModels/T`, `publishers/P/models/M`.
            let full = if model.contains('/') { model.to_owned() } else { format!("{collection}/{model}") };
            full.split('/').map(path_segment).collect::<Vec<_>>().join("/")
        };
        match self.route {
            Route::Model => format!("/v1beta/{}{verb}", resource(model, "models")),
            Route::Publisher if model.starts_with("projects/") => format!("/v1/{}{verb}", resource(model, "")),
            Route::Publisher => {
                let model = model.strip_prefix("models/").unwrap_or(model);
                let model = resource(model, "publishers/google/models");
                format!("/v1/projects/{{project}}/locations/{{location}}/{model}{verb}")
            }
            Route::Fixed => format!("/v1internal{verb}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::dialect;

    #[test]
    fn paths_name_the_model_where_it_is_served() {
        for (name, model, stream, path) in [
            (None, "gemini-3-pro", true, "/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse"),
            (None, "models/gemini-3-pro", false, "/v1beta/models/gemini-3-pro:generateContent"),
            (None, "tunedModels/a b?", false, "/v1beta/tunedModels/a%20b%3F:generateContent"),
            (
                Some("vertex"),
                "gemini-3-pro",
                true,
                "/v1/projects/{project}/locations/{location}/publishers/google/models/gemini-3-pro:streamGenerateContent?alt=sse",
            ),
            (
                Some("vertex"),
                "publishers/anthropic/models/claude",
                false,
                "/v1/projects/{project}/locations/{location}/publishers/anthropic/models/claude:generateContent",
            ),
            (
                Some("vertex"),
                "projects/p/locations/l/endpoints/7",
                false,
                "/v1/projects/p/locations/l/endpoints/7:generateContent",
            ),
            (Some("codeassist"), "gemini-3-pro", true, "/v1internal:streamGenerateContent?alt=sse"),
        ] {
            assert_eq!(dialect(name).unwrap().path(model, stream), path);
        }
    }
}
