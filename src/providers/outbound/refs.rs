//! Local references inside a schema, put in place of themselves.
//!
//! Providers read `$defs` differently or not at all, and the root of a schema may lose all but three of its keys on the
//! way. References that go round in circles end in a schema that allows anything.

use super::keywords::{Holds, holds};
use crate::json::Tree;

/// How many nodes an expanded schema may have; what is still to be expanded then allows anything.
/// Types that refer to each other grow exponentially.
const MAX_NODES: usize = 20_000;

/// How many schemas deep a reference is still put in place: the result has to stay readable by parsers that stop at 128 or 512 levels.
const MAX_LEVELS: usize = 100;

/// Annotations beside a `$ref` that win over those of what it refers to.
const BESIDE: &[&str] = &["title", "description", "default", "nullable"];

/// What happened while references were put in place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// References that lead nowhere in the schema; they stay, and `$defs` with them.
    pub(super) unresolved: Vec<String>,
    /// The root is nothing but a reference that leads back to itself.
    pub(super) circular: bool,
    /// The expansion was cut at a limit.
    pub(super) cut: bool,
}

/// The schema with its local references in place. Where a circle ends, anything is allowed;
/// with `typed`, anything of the type that would stand there.
pub(super) fn inline<'t>(root: &Tree<'t>, typed: bool) -> (Tree<'t>, Found) {
    let mut inliner = Inliner { root, typed, open: vec![String::new()], nodes: 0, found: Found::default() };
    let mut schema = inliner.schema(root, 0);
    let found = inliner.found;
    if !found.unresolved.is_empty() {
        for keyword in ["$defs", "definitions"] {
            if let Some(definitions) = root.get(keyword) {
                schema.set(keyword, definitions.clone());
            }
        }
    }
    let circular = root.get("$ref").is_some() && schema.is_empty() && found.unresolved.is_empty();
    (schema, Found { circular, ..found })
}

fn is_definitions(keyword: &str) -> bool {
    matches!(keyword, "$defs" | "definitions")
}

struct Inliner<'s, 't> {
    root: &'s Tree<'t>,
    typed: bool,
    /// Pointers that are being expanded, outermost first; the root's is empty.
    open: Vec<String>,
    nodes: usize,
    found: Found,
}

impl<'s, 't> Inliner<'s, 't> {
    fn schema(&mut self, schema: &Tree<'t>, level: usize) -> Tree<'t> {
        let Tree::Object(members) = schema else { return self.data(schema) };
        if let Some(reference) = schema.get("$ref").and_then(Tree::as_str)
            && let Some(pointer) = pointer_of(reference)
        {
            match resolve(self.root, &pointer) {
                Some(target) => return self.expand(schema, target, pointer, level),
                None => self.found.unresolved.push(reference.to_owned()),
            }
        }
        self.nodes += 1;
        let mut out = Vec::with_capacity(members.len());
        for (keyword, value) in members {
            let value = match holds(keyword) {
                Holds::Map if is_definitions(keyword) => continue,
                Holds::Data => self.data(value),
                Holds::Schema => self.schema(value, level + 1),
                Holds::List | Holds::Either => match value {
                    Tree::Array(items) => Tree::Array(items.iter().map(|item| self.schema(item, level + 1)).collect()),
                    inner => self.schema(inner, level + 1),
                },
                Holds::Map => match value {
                    Tree::Object(inner) => Tree::Object(
                        inner.iter().map(|(name, schema)| (name.clone(), self.schema(schema, level + 1))).collect(),
                    ),
                    other => self.data(other),
                },
            };
            out.push((keyword.clone(), value));
        }
        Tree::Object(out)
    }

    fn data(&mut self, value: &Tree<'t>) -> Tree<'t> {
        self.nodes += size(value);
        value.clone()
    }

    fn expand(&mut self, reference: &Tree<'t>, target: &'s Tree<'t>, pointer: String, level: usize) -> Tree<'t> {
        let mut out = if self.open.contains(&pointer) {
            self.end(target)
        } else if self.nodes > MAX_NODES || level > MAX_LEVELS {
            self.found.cut = true;
            self.end(target)
        } else {
            self.open.push(pointer);
            let expanded = self.schema(target, level + 1);
            self.open.pop();
            expanded
        };
        for keyword in BESIDE {
            if let (Some(value), true) = (reference.get(keyword), out.is_object()) {
                out.set(*keyword, value.clone());
            }
        }
        out
    }
}

impl<'t> Inliner<'_, 't> {
    /// What stands where no more is expanded.
    fn end(&self, target: &Tree<'t>) -> Tree<'t> {
        match target.get("type") {
            Some(kind @ Tree::String(_)) if self.typed && target.get("$ref").is_none() => {
                Tree::Object(vec![("type".into(), kind.clone())])
            }
            _ => Tree::object(),
        }
    }
}

/// How many nodes a value has; a long text counts for several.
fn size(value: &Tree<'_>) -> usize {
    match value {
        Tree::String(text) => 1 + text.len() / 256,
        Tree::Array(items) => items.iter().map(size).sum::<usize>() + 1,
        Tree::Object(members) => members.iter().map(|(_, member)| size(member)).sum::<usize>() + 1,
        Tree::Literal(_) => 1,
    }
}

/// The JSON pointer of a local reference, `#` and escapes taken off; `None` for one that is no local pointer.
fn pointer_of(reference: &str) -> Option<String> {
    let fragment = reference.strip_prefix('#')?;
    if !fragment.is_empty() && !fragment.starts_with('/') {
        // A name of `$anchor`: rare, and resolved like any other that is not found.
        return Some(format!("\u{0}{fragment}"));
    }
    Some(percent_decoded(fragment))
}

fn percent_decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = (*first == b'%')
            .then(|| tail.get(..2))
            .flatten()
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let Some(byte) = code {
            bytes.push(byte);
            rest = tail.get(2..).unwrap_or(&[]);
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn resolve<'s, 't>(root: &'s Tree<'t>, pointer: &str) -> Option<&'s Tree<'t>> {
    if pointer.is_empty() {
        return Some(root);
    }
    let mut value = root;
    for token in pointer.strip_prefix('/')?.split('/') {
        let token = token.replace("~1", "/").replace("~0", "~");
        value = match value {
            Tree::Object(_) => value.get(&token)?,
            Tree::Array(items) => items.get(token.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    matches!(value, Tree::Object(_)).then_some(value).or_else(|| value.as_bool().map(|_| value))
}

#[cfg(test)]
mod tests {
    use super::inline;
    use crate::json::{Style, Tree, Writer};

    fn inlined(schema: &str) -> (String, super::Found) {
        let (tree, found) = inline(&Tree::parse(schema).unwrap(), false);
        let mut writer = Writer::new(Style::Compact);
        tree.write(&mut writer);
        (writer.finish(), found)
    }

    #[test]
    fn references_are_put_in_place() {
        for (schema, expected) in [
            (
                r##"{"properties":{"o":{"$ref":"#/$defs/O"}},"$defs":{"O":{"type":"object","title":"O"}}}"##,
                r#"{"properties":{"o":{"type":"object","title":"O"}}}"#,
            ),
            (
                r##"{"properties":{"o":{"$ref":"#/definitions/a~1b%20~0","description":"mine","minLength":3}},"definitions":{"a/b ~":{"type":"string","description":"theirs"}}}"##,
                r#"{"properties":{"o":{"type":"string","description":"mine"}}}"#,
            ),
            (r##"{"$ref":"#/$defs/R","$defs":{"R":{"type":"object"}}}"##, r#"{"type":"object"}"#),
            (
                r##"{"properties":{"a":{"type":"string"},"b":{"$ref":"#/properties/a"}}}"##,
                r#"{"properties":{"a":{"type":"string"},"b":{"type":"string"}}}"#,
            ),
            (
                r##"{"properties":{"$ref":{"type":"string"},"d":{"default":{"$ref":"#/x"}},"e":{"$ref":"#/properties/d"}}}"##,
                r##"{"properties":{"$ref":{"type":"string"},"d":{"default":{"$ref":"#/x"}},"e":{"default":{"$ref":"#/x"}}}}"##,
            ),
        ] {
            assert_eq!(inlined(schema), (expected.to_owned(), super::Found::default()), "{schema}");
        }
    }

    #[test]
    fn circles_end_in_a_schema_that_allows_anything() {
        let tree = r##"{"properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/N"}}}}}}"##;
        assert_eq!(
            inlined(tree).0,
            r#"{"properties":{"n":{"type":"object","properties":{"kids":{"type":"array","items":{}}}}}}"#
        );
        assert_eq!(inlined(r##"{"properties":{"self":{"$ref":"#"}}}"##).0, r#"{"properties":{"self":{}}}"#);
        let (_, found) =
            inlined(r##"{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}}}"##);
        assert!(found.circular);
        assert!(inlined(r##"{"$ref":"#"}"##).1.circular);
    }

    #[test]
    fn what_leads_nowhere_stays_with_the_definitions() {
        let schema =
            r##"{"properties":{"o":{"$ref":"#/$defs/X"},"p":{"$ref":"https://example.com/p"}},"$defs":{"O":{}}}"##;
        let (text, found) = inlined(schema);
        assert_eq!(text, schema);
        assert_eq!(found.unresolved, ["#/$defs/X"]);
    }

    #[test]
    fn long_texts_count_for_several_nodes() {
        let properties: Vec<String> = (0..3000).map(|n| format!(r##""p{n}":{{"$ref":"#/$defs/T"}}"##)).collect();
        let text = "x".repeat(100_000);
        let schema = format!(
            r#"{{"properties":{{{}}},"$defs":{{"T":{{"type":"string","description":"{text}"}}}}}}"#,
            properties.join(",")
        );
        let (text, found) = inlined(&schema);
        assert!(found.cut && text.len() < 8_000_000, "{}", text.len());
    }

    #[test]
    fn types_that_all_refer_to_each_other_do_not_explode() {
        let names: Vec<String> = (0..30).map(|n| format!("T{n}")).collect();
        let properties: Vec<String> =
            names.iter().map(|name| format!(r##""{name}":{{"$ref":"#/$defs/{name}"}}"##)).collect();
        let properties = properties.join(",");
        let defs: Vec<String> =
            names.iter().map(|name| format!(r#""{name}":{{"type":"object","properties":{{{properties}}}}}"#)).collect();
        let schema = format!(r#"{{"properties":{{{properties}}},"$defs":{{{}}}}}"#, defs.join(","));
        let (text, found) = inlined(&schema);
        assert!(found.cut && text.len() < 4_000_000);
        let chain: Vec<String> =
            (0..5000).map(|n| format!(r##""C{n}":{{"items":{{"$ref":"#/$defs/C{}"}}}}"##, n + 1)).collect();
        let schema = format!(r##"{{"items":{{"$ref":"#/$defs/C0"}},"$defs":{{{}}}}}"##, chain.join(","));
        assert!(inlined(&schema).1.cut);
    }
}
