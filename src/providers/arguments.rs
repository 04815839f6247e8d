//! The argument text of one call: fragments in, an object or a reason out.
//!
//! Fragments are appended and looked at once more, when the call closes. Text that is one object
//! is taken as it is. Only otherwise is known assembly undone (a leading `{}`, a second copy,
//! cumulative pieces), which no valid text can look like: a proper prefix of an object followed by
//! an object is not JSON.

use super::repair;
use crate::json::{Doc, Error, Facts, JsonText, Kind, Progress, Scanner, Str, TextBuffer, Value, check};
use crate::model::ProblemKind;

/// The longest argument text that is kept, in bytes.
pub const MAX_ARGUMENTS: usize = 64 << 20;

/// The arguments of a call while they come.
#[derive(Debug, Default)]
pub(super) struct ArgumentText {
    text: TextBuffer,
    scanner: Scanner,
    /// Where the last non-empty fragment begins.
    last: usize,
    fragments: u32,
    /// Each fragment so far began with the whole one before it.
    cumulative: bool,
    /// What is known of arguments that came as one value.
    facts: Option<Facts>,
    /// The arguments came as a value instead of as text.
    from_value: bool,
    over_limit: bool,
    /// Why the text cannot be trusted, whatever it says.
    fault: Option<String>,
}

/// What was undone to get the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Assembly {
    /// Nothing.
    Plain,
    /// No text came, or `null`: `{}`.
    Empty,
    /// An empty object stood before the real one.
    LeadingEmpty,
    /// The object came more than once.
    Repeated,
    /// Each piece repeated what came before.
    Cumulative,
    /// Not assembly: the text was mended.
    Repaired,
}

/// Usable arguments.
#[derive(Debug)]
pub(super) struct Resolved {
    pub(super) arguments: JsonText,
    pub(super) assembly: Assembly,
    pub(super) duplicate_keys: bool,
}

/// Why arguments are not usable.
#[derive(Debug)]
pub(super) struct Unusable {
    pub(super) kind: ProblemKind,
    pub(super) message: String,
}

impl ArgumentText {
    /// The text of a value that a decoder put together from pieces, and why it cannot be trusted if it cannot.
    pub(super) fn built(text: &str, fault: Option<String>) -> Self {
        let mut arguments = Self { from_value: true, fragments: 1, fault, ..Self::default() };
        arguments.scanner.push(text);
        arguments.text.push_str(text);
        arguments
    }

    /// Takes the next fragment; returns the text that it adds.
    pub(super) fn push(&mut self, fragment: Str<'_>) -> &str {
        if fragment.is_empty() || self.over_limit {
            return "";
        }
        if self.text.as_str().len() + fragment.raw().len() > MAX_ARGUMENTS {
            self.over_limit = true;
            return "";
        }
        let before = self.text.as_str().len();
        self.text.push(fragment);
        let (old, new) = self.text.as_str().split_at_checked(before).unwrap_or(("", ""));
        self.scanner.push(new);
        let previous = old.get(self.last..).unwrap_or("");
        self.cumulative = match self.fragments {
            0 => true,
            _ => self.cumulative && new.len() >= previous.len() && new.starts_with(previous),
        };
        self.fragments = self.fragments.saturating_add(1);
        self.last = before;
        self.text.as_str().get(before..).unwrap_or("")
    }

    /// Takes arguments that came as a value; returns the text that it adds.
    pub(super) fn push_value(&mut self, value: Value<'_>) -> &str {
        self.from_value = true;
        self.cumulative = false;
        let before = self.text.as_str().len();
        let alone = self.fragments == 0 && matches!(value.kind(), Kind::Object | Kind::Array);
        self.text.push_str(value.raw());
        if alone {
            self.scanner = Scanner::after_brackets();
            self.facts = Some(Facts::of(value));
        } else {
            self.scanner.push(value.raw());
        }
        self.fragments = self.fragments.saturating_add(1);
        self.text.as_str().get(before..).unwrap_or("")
    }

    /// The text so far.
    pub(super) fn as_str(&self) -> &str {
        self.text.as_str()
    }

    /// How far the text has come.
    pub(super) fn progress(&self) -> Progress {
        self.scanner.progress()
    }

    /// True if the arguments came as one value and as nothing else: there is nothing left that could be cut.
    pub(super) fn is_value(&self) -> bool {
        self.from_value && self.fragments == 1
    }

    /// True if `fragment` is exactly the text so far.
    pub(super) fn is_copy(&self, fragment: Str<'_>) -> bool {
        fragment.is(self.text.as_str())
    }

    /// The raw text, for freeform calls and errors.
    pub(super) fn into_text(self) -> String {
        self.text.finish()
    }

    /// The arguments of a closed call, or why there are none and the raw text.
    pub(super) fn resolve(self, mend: bool) -> Result<Resolved, (Unusable, String)> {
        match self.plain() {
            Some(facts) => {
                let arguments = JsonText::checked(self.text.finish(), &facts);
                Ok(Resolved { arguments, assembly: Assembly::Plain, duplicate_keys: facts.duplicate_keys })
            }
            None => self.resolve_odd(mend).map_err(|why| (why, self.into_text())),
        }
    }

    /// The usual case: the text is one object.
    fn plain(&self) -> Option<Facts> {
        if let Some(facts) = self.facts.as_ref().filter(|_| self.is_value()) {
            return (facts.kind == Kind::Object && !facts.lone_surrogate).then(|| facts.clone());
        }
        if self.over_limit || self.fault.is_some() || self.text.is_lossy() {
            return None;
        }
        check(self.text.as_str()).ok().filter(|facts| facts.kind == Kind::Object && !facts.lone_surrogate)
    }

    /// Everything else: no arguments, assembly to undo, repairs, errors.
    fn resolve_odd(&self, mend: bool) -> Result<Resolved, Unusable> {
        let text = self.text.as_str();
        if let Some(message) = self.fault.clone() {
            return Err(Unusable { kind: ProblemKind::InvalidArgumentsJson, message });
        }
        if self.over_limit {
            let message = format!("arguments are longer than {MAX_ARGUMENTS} bytes");
            return Err(Unusable { kind: ProblemKind::InvalidArgumentsJson, message });
        }
        if self.text.is_lossy() {
            let message = "arguments hold half of a surrogate pair".to_owned();
            return Err(Unusable { kind: ProblemKind::InvalidArgumentsJson, message });
        }
        // What providers mean by no text, and by `null`, is that there are no arguments.
        if matches!(text.trim(), "" | "null") {
            let arguments = JsonText::empty_object();
            return Ok(Resolved { arguments, assembly: Assembly::Empty, duplicate_keys: false });
        }
        let why = match object(text, Assembly::Plain) {
            Ok(resolved) => return Ok(resolved),
            Err(NotAnObject::Unusable(unusable)) => unusable,
            Err(NotAnObject::Invalid(error)) => match self.undo_assembly(text) {
                Some(resolved) => return Ok(resolved),
                None => Unusable {
                    kind: ProblemKind::InvalidArgumentsJson,
                    message: format!("arguments are not JSON: {error}"),
                },
            },
        };
        match repair::object(text).filter(|_| mend) {
            Some(text) => object(&text, Assembly::Repaired).map_err(|_| why),
            None => Err(why),
        }
    }

    /// The one object that text which is no JSON stands for, if it came by a known detour.
    fn undo_assembly(&self, text: &str) -> Option<Resolved> {
        let text = text.trim();
        let after_empty = text.strip_prefix("{}").map(str::trim_start);
        let cumulative = (self.cumulative && self.fragments > 1).then(|| self.text.as_str().get(self.last..)).flatten();
        let candidates = [
            (after_empty, Assembly::LeadingEmpty),
            (repeated(text), Assembly::Repeated),
            (after_empty.and_then(repeated), Assembly::Repeated),
            (cumulative, Assembly::Cumulative),
        ];
        candidates.into_iter().find_map(|(text, assembly)| object(text?, assembly).ok())
    }
}

enum NotAnObject {
    Invalid(Error),
    Unusable(Unusable),
}

fn object(text: &str, assembly: Assembly) -> Result<Resolved, NotAnObject> {
    let doc = Doc::parse(text).map_err(NotAnObject::Invalid)?;
    let root = doc.root();
    if root.kind() != Kind::Object {
        let message = format!("arguments are {}, not an object", root.kind().article());
        return Err(NotAnObject::Unusable(Unusable { kind: ProblemKind::ArgumentsNotObject, message }));
    }
    if root.has_lone_surrogate() {
        let message = "arguments hold half of a surrogate pair".to_owned();
        return Err(NotAnObject::Unusable(Unusable { kind: ProblemKind::InvalidArgumentsJson, message }));
    }
    Ok(Resolved { arguments: JsonText::of(root), assembly, duplicate_keys: root.has_duplicate_keys() })
}

/// The first value of a text that is that value two or more times over.
fn repeated(text: &str) -> Option<&str> {
    let end = Scanner::end_of_value(text)?;
    let (first, mut rest) = text.split_at_checked(end)?;
    if rest.trim_start().is_empty() {
        return None;
    }
    while !rest.trim_start().is_empty() {
        rest = rest.trim_start().strip_prefix(first)?;
    }
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::{ArgumentText, Assembly};
    use crate::json::Doc;
    use crate::model::ProblemKind;

    fn resolve(fragments: &[&str], mend: bool) -> Result<(String, Assembly), ProblemKind> {
        let mut arguments = ArgumentText::default();
        for fragment in fragments {
            let quoted = serde_json::to_string(fragment).unwrap();
            let added = arguments.push(Doc::parse(&quoted).unwrap().root().as_str().unwrap()).to_owned();
            assert_eq!(&added, fragment);
        }
        arguments.resolve(mend).map(|r| (r.arguments.as_str().to_owned(), r.assembly)).map_err(|(u, _)| u.kind)
    }

    #[test]
    fn valid_text_is_taken_as_it_is() {
        let plain = |pieces: &[&str]| resolve(pieces, false).unwrap();
        assert_eq!(plain(&["", "{\"a\": 1.0", "}"]), ("{\"a\": 1.0}".into(), Assembly::Plain));
        // Looks cumulative, and is a healthy join.
        assert_eq!(plain(&["{\"k\":[", "{\"k\":[1]}]}"]).1, Assembly::Plain);
        assert_eq!(plain(&[]), ("{}".into(), Assembly::Empty));
        assert_eq!(plain(&[" "]), ("{}".into(), Assembly::Empty));
        assert_eq!(plain(&["nu", "ll"]), ("{}".into(), Assembly::Empty));
    }

    #[test]
    fn known_detours_are_undone() {
        let plain = |pieces: &[&str]| resolve(pieces, false).unwrap();
        assert_eq!(plain(&["{}", "{\"a\":1}"]), ("{\"a\":1}".into(), Assembly::LeadingEmpty));
        assert_eq!(plain(&["{\"a\"", ":1}", "{\"a\":1}"]), ("{\"a\":1}".into(), Assembly::Repeated));
        assert_eq!(plain(&["{\"a\":1}{\"a\":1}{\"a\":1}"]).1, Assembly::Repeated);
        assert_eq!(plain(&["{\"a\"", "{\"a\":1", "{\"a\":1}"]), ("{\"a\":1}".into(), Assembly::Cumulative));
    }

    #[test]
    fn anything_else_is_an_error_that_names_its_kind() {
        for (text, kind) in [
            ("{\"a\":1}{\"b\":2}", ProblemKind::InvalidArgumentsJson),
            ("{\"a\":", ProblemKind::InvalidArgumentsJson),
            ("{\"a\":1}</tool>", ProblemKind::InvalidArgumentsJson),
            ("{\"a\":\"\\ud83d\"}", ProblemKind::InvalidArgumentsJson),
            ("[1]", ProblemKind::ArgumentsNotObject),
            ("\"{\\\"a\\\":1}\"", ProblemKind::ArgumentsNotObject),
        ] {
            assert_eq!(resolve(&[text], false), Err(kind), "{text}");
        }
        assert_eq!(resolve(&["\"{\\\"a\\\":1}\""], true), Ok(("{\"a\":1}".into(), Assembly::Repaired)));
    }
}
