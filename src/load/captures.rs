//! Captured traffic in the layout `<provider>/<name>/meta.json` with the body beside it.
#![expect(clippy::disallowed_methods, reason = "reads captures from disk")]

use std::path::Path;

use super::corpus::LoadError;
use crate::json::{Doc, JsonText, Value};
use crate::model::Api;

/// One captured response.
#[derive(Debug, Clone)]
pub struct Capture {
    /// `provider/name`.
    pub name: String,
    /// The API it speaks.
    pub api: Api,
    /// The HTTP status, if it is known.
    pub status: Option<u16>,
    /// The body of its request, if that is known and JSON.
    pub request: Option<JsonText>,
    /// The file of its body.
    pub file: String,
    /// The body.
    pub body: Vec<u8>,
}

/// Every capture below `dir` of an API that is decoded, by name. Others are left out.
///
/// # Errors
/// If the folder cannot be read.
pub fn captures(dir: &Path) -> Result<Vec<Capture>, LoadError> {
    let mut captures = Vec::new();
    for provider in folders(dir)? {
        for capture in folders(&dir.join(&provider))? {
            captures.extend(read(dir, &format!("{provider}/{capture}"))?);
        }
    }
    captures.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(captures)
}

fn folders(dir: &Path) -> Result<Vec<String>, LoadError> {
    let io = |source| LoadError::Io { path: dir.to_owned(), source };
    let mut names = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(io)? {
        let entry = entry.map_err(io)?;
        if entry.file_type().map_err(io)?.is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    Ok(names)
}

/// The API of a capture, which may be called by its method.
fn api_of(name: &str) -> Option<Api> {
    match name {
        "gemini-generate-content" => Some(Api::Gemini),
        name => name.parse().ok(),
    }
}

fn read(dir: &Path, name: &str) -> Result<Option<Capture>, LoadError> {
    let folder = dir.join(name);
    let file = |file: &str| {
        let path = folder.join(file);
        std::fs::read(&path).map_err(|source| LoadError::Io { path, source })
    };
    let Ok(meta) = file("meta.json") else { return Ok(None) };
    let meta = String::from_utf8_lossy(&meta).into_owned();
    let Ok(doc) = Doc::parse(meta) else { return Ok(None) };
    let meta = doc.root();
    let Some(api) = meta.text_of("api").and_then(|api| api_of(&api)) else { return Ok(None) };
    let Some(body_file) = meta.text_of("body_file").filter(|name| !name.contains(['/', '\\'])) else { return Ok(None) };
    let status = meta.get("http_status").and_then(Value::as_u64).and_then(|status| u16::try_from(status).ok());
    let request = match meta.text_of("request_file").filter(|name| !name.contains(['/', '\\'])) {
        None => None,
        Some(name) => JsonText::new(String::from_utf8_lossy(&file(&name)?).into_owned()).ok(),
    };
    let body = file(&body_file)?;
    Ok(Some(Capture { name: name.to_owned(), api, status, request, file: body_file.into_owned(), body }))
}
