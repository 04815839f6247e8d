//! Two bodies against each other, with the first difference.

use std::borrow::Cow;
use std::collections::HashMap;

use super::equivalence::{Rewrite, Zone, below, is_aside, is_default, rewrites};
use crate::corpus::Grade;
use crate::json::{Doc, JsonText, Kind, Strictness, Style, Value, Writer, difference, same_number};
use crate::model::Api;
use crate::providers::{camel_case, escape_token};

/// How two bodies are compared.
#[derive(Debug, Clone, Copy)]
pub struct Comparison {
    /// Whose words they are in.
    pub api: Api,
    /// How closely.
    pub grade: Grade,
    /// `<any>`, `<any text>` and `<id:1>` in the expected body stand for what they say.
    pub placeholders: bool,
}

/// Where two bodies differ first, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Apart {
    /// RFC 6901 pointer.
    pub pointer: String,
    /// The expected value; `None` if there should be none. Where only the order differs, `{"order":[…]}`.
    pub expected: Option<JsonText>,
    /// The actual value; `None` if there is none. Where only the order differs, `{"order":[…]}`.
    pub actual: Option<JsonText>,
    /// The same items, or members, in another order.
    pub only_order: bool,
}

/// The first difference at or below `pointer` of two bodies, or `None`.
pub fn compare(expected: Value<'_>, actual: Value<'_>, pointer: &str, how: Comparison) -> Option<Apart> {
    let mut place = Place { pointer: pointer.to_owned(), key: String::new(), around: Zone::Wire, zone: Zone::Wire };
    for token in pointer.split('/').skip(1) {
        place.key = token.replace("~1", "/").replace("~0", "~");
        place.around = place.zone;
        place.zone = below(how.api, place.zone, &place.key);
    }
    place.apart(at(expected, pointer, how), at(actual, pointer, how), how)
}

/// The first difference of those members of two bodies whose keys are kept, or `None`.
pub(super) fn compare_members(
    expected: Value<'_>,
    actual: Value<'_>,
    how: Comparison,
    keep: &dyn Fn(&str) -> bool,
) -> Option<Apart> {
    let name = |key: Cow<'_, str>| spelled(how, Zone::Wire, key);
    let keys = |body: Value<'_>| body.members().map(|(key, _)| name(key.decode())).collect::<Vec<String>>();
    let mut wanted = members(how, Zone::Wire, expected);
    let mut found = members(how, Zone::Wire, actual);
    for key in keys(expected).into_iter().chain(keys(actual)).filter(|key| keep(key)) {
        let sides = (wanted.remove(&key), found.remove(&key));
        let zone = below(how.api, Zone::Wire, &key);
        let place = Place { pointer: format!("/{}", escape_token(&key)), key, around: Zone::Wire, zone };
        if let Some(apart) = place.apart(sides.0, sides.1, how) {
            return Some(apart);
        }
    }
    None
}

/// A place of a body, and what keys mean there.
struct Place {
    pointer: String,
    /// The key of the member, or the index of the item.
    key: String,
    /// What keys mean where it stands.
    around: Zone,
    /// What keys mean below it.
    zone: Zone,
}

impl Place {
    fn apart(&self, expected: Option<Value<'_>>, actual: Option<Value<'_>>, how: Comparison) -> Option<Apart> {
        let (expected, actual) = match (expected, actual) {
            (None, None) => return None,
            (Some(expected), Some(actual)) => (expected, actual),
            (expected, actual) => {
                let free = |value| {
                    is_default(how.api, self.around, &self.key, value) || is_aside(how.api, self.around, &self.key)
                };
                let free = how.grade == Grade::Equivalent && expected.or(actual).is_some_and(free);
                let lone = Apart { pointer: self.pointer.clone(), ..Apart::sides(expected, actual) };
                return (!free).then_some(lone);
            }
        };
        if how.grade == Grade::Equivalent && is_aside(how.api, self.around, &self.key) {
            return None;
        }
        if how.grade == Grade::Bytes {
            return bytes(expected, actual, &self.pointer, how.api);
        }
        let mut matcher = Matcher { how, path: Vec::new(), bound: HashMap::new(), named: HashMap::new() };
        let found = matcher.walk(self.zone, &self.key, expected, actual)?;
        Some(Apart { pointer: matcher.pointer(&self.pointer), ..found })
    }
}

/// The key, in one spelling where the API does not mind which.
fn spelled(how: Comparison, zone: Zone, key: Cow<'_, str>) -> String {
    let casing = how.grade == Grade::Equivalent
        && matches!(zone, Zone::Wire | Zone::Schema)
        && rewrites(how.api).any(|rewrite| matches!(rewrite, Rewrite::Casing));
    if casing { camel_case(&key) } else { key.into_owned() }
}

/// The members of an object by their keys; of duplicates the last one counts.
fn members(how: Comparison, zone: Zone, object: Value<'_>) -> HashMap<String, Value<'_>> {
    object.members().map(|(key, value)| (spelled(how, zone, key.decode()), value)).collect()
}

/// The value at a pointer, in whichever spelling where the API does not mind.
fn at<'a>(body: Value<'a>, pointer: &str, how: Comparison) -> Option<Value<'a>> {
    let mut zone = Zone::Wire;
    let mut value = body;
    for token in pointer.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~0", "~");
        value = if value.kind() == Kind::Array {
            value.items().nth(token.parse().ok()?)?
        } else {
            let wanted = spelled(how, zone, Cow::Borrowed(&token));
            value.members().filter(|(key, _)| spelled(how, zone, key.decode()) == wanted).last()?.1
        };
        zone = below(how.api, zone, &token);
    }
    Some(value)
}

/// Text against text. Where the JSON is the same, the difference is one of order or spelling.
fn bytes(expected: Value<'_>, actual: Value<'_>, pointer: &str, api: Api) -> Option<Apart> {
    if expected.raw() == actual.raw() {
        return None;
    }
    let exact = Comparison { api, grade: Grade::Exact, placeholders: false };
    let mut matcher = Matcher { how: exact, path: Vec::new(), bound: HashMap::new(), named: HashMap::new() };
    if let Some(found) = matcher.walk(Zone::Wire, "", expected, actual) {
        return Some(Apart { pointer: matcher.pointer(pointer), ..found });
    }
    let Some(found) = difference(expected, actual, Strictness::Text) else {
        // White space or escapes.
        return Some(Apart {
            pointer: pointer.to_owned(),
            expected: Some(JsonText::string(expected.raw())),
            actual: Some(JsonText::string(actual.raw())),
            only_order: false,
        });
    };
    // Values are the same: what differs is the text of a number, or a list of keys.
    let keys = |text: &Option<String>| text.as_ref().and_then(|text| JsonText::new(text.as_str()).ok());
    let is_list = |text: &Option<JsonText>| text.as_ref().is_some_and(|text| text.as_str().starts_with('['));
    let (expected, actual) = (keys(&found.expected), keys(&found.actual));
    let only_order = is_list(&expected) && is_list(&actual);
    let wrap = |text: Option<JsonText>| if only_order { text.map(|text| order(&text)) } else { text };
    Some(Apart {
        pointer: format!("{pointer}{}", found.pointer),
        expected: wrap(expected),
        actual: wrap(actual),
        only_order,
    })
}

fn order(list: &JsonText) -> JsonText {
    JsonText::build(|w| {
        w.object(|w| {
            w.key("order");
            w.value(list.doc().root());
        });
    })
}

struct Matcher {
    how: Comparison,
    path: Vec<String>,
    /// What placeholders of ids stand for.
    bound: HashMap<String, String>,
    /// The same the other way round: two placeholders are two ids.
    named: HashMap<String, String>,
}

impl Apart {
    fn sides(expected: Option<Value<'_>>, actual: Option<Value<'_>>) -> Self {
        let (expected, actual) = (expected.map(JsonText::of), actual.map(JsonText::of));
        Self { pointer: String::new(), expected, actual, only_order: false }
    }
}

impl Matcher {
    /// The pointer to where it stands, below `base`.
    fn pointer(&self, base: &str) -> String {
        self.path.iter().fold(base.to_owned(), |out, token| out + "/" + &escape_token(token))
    }

    fn equivalent(&self) -> bool {
        self.how.grade == Grade::Equivalent
    }

    fn walk(&mut self, zone: Zone, key: &str, expected: Value<'_>, actual: Value<'_>) -> Option<Apart> {
        if self.how.placeholders
            && let Some(text) = expected.as_str()
            && let Some(fits) = self.placeholder(&text.decode(), actual)
        {
            let mut other = || self.equivalent() && self.rewritten(zone, key, expected, actual);
            return if fits || other() { None } else { Some(Apart::sides(Some(expected), Some(actual))) };
        }
        if self.equivalent() && self.rewritten(zone, key, expected, actual) {
            return None;
        }
        // What a string of JSON may hold is data, as the object itself.
        let json = |rewrite| matches!(rewrite, Rewrite::JsonString(name) if name == key);
        let zone = if zone == Zone::Wire && rewrites(self.how.api).any(json) { Zone::Data } else { zone };
        if expected.kind() != actual.kind() {
            return Some(Apart::sides(Some(expected), Some(actual)));
        }
        let same = match expected.kind() {
            Kind::Object => return self.objects(zone, expected, actual),
            Kind::Array => return self.arrays(zone, key, expected, actual),
            Kind::Null => true,
            Kind::Bool => expected.raw() == actual.raw(),
            Kind::Number => same_number(expected.raw(), actual.raw()),
            Kind::String => same_text(expected, actual),
        };
        if same { None } else { Some(Apart::sides(Some(expected), Some(actual))) }
    }

    /// Whether the value fits the placeholder; `None` if the text is none.
    fn placeholder(&mut self, text: &str, actual: Value<'_>) -> Option<bool> {
        let id = text.strip_prefix("<id:").and_then(|rest| rest.strip_suffix('>'));
        match (text, id) {
            ("<any>", _) => Some(true),
            ("<any text>", _) => Some(actual.as_str().is_some_and(|text| !text.is_empty())),
            (_, Some(name)) => {
                let Some(found) = actual.to_text().filter(|text| !text.is_empty()) else { return Some(false) };
                let bound = self.bound.entry(name.to_owned()).or_insert_with(|| found.clone().into_owned());
                let named = self.named.entry(found.clone().into_owned()).or_insert_with(|| name.to_owned());
                Some(*bound == found && named == name)
            }
            _ => None,
        }
    }

    /// True if one of the API's rewrites makes the values one.
    fn rewritten(&mut self, zone: Zone, key: &str, expected: Value<'_>, actual: Value<'_>) -> bool {
        let api = self.how.api;
        rewrites(api).any(|rewrite| match rewrite {
            Rewrite::OneBlock { keys, types } if zone == Zone::Wire && keys.contains(&key) => {
                self.one_block(types, expected, actual) || self.one_block(types, actual, expected)
            }
            Rewrite::OneMessage(name) if zone == Zone::Wire && key == name => {
                one_message(expected, actual) || one_message(actual, expected)
            }
            Rewrite::JsonString(name) if zone == Zone::Wire && key == name => same_json(expected, actual),
            Rewrite::TypeCasing if zone == Zone::Schema && key == "type" => {
                let text = |value: Value<'_>| value.to_text().map(|text| text.to_ascii_lowercase());
                text(expected).is_some() && text(expected) == text(actual)
            }
            _ => false,
        })
    }

    /// True if `text` is a string and `list` one block with that text.
    fn one_block(&mut self, types: &[&str], text: Value<'_>, list: Value<'_>) -> bool {
        if text.kind() != Kind::String || list.kind() != Kind::Array {
            return false;
        }
        let mut items = list.items();
        let (Some(block), None) = (items.next(), items.next()) else { return false };
        let kind = block.get("type").and_then(Value::to_text).unwrap_or_default();
        let rest = |(key, value): (crate::json::Str<'_>, Value<'_>)| {
            let key = key.decode();
            matches!(&*key, "type" | "text")
                || is_aside(self.how.api, Zone::Wire, &key)
                || is_default(self.how.api, Zone::Wire, &key, value)
        };
        if !types.contains(&&*kind) || !block.members().all(rest) {
            return false;
        }
        let Some(inner) = block.get("text") else { return false };
        // Either side may hold the placeholder.
        let fits = |matcher: &mut Self, pattern: Value<'_>, value: Value<'_>| {
            let text = pattern.to_text().unwrap_or_default();
            matcher.how.placeholders && matcher.placeholder(&text, value) == Some(true)
        };
        same_text(text, inner) || fits(self, text, inner) || fits(self, inner, text)
    }

    fn objects(&mut self, zone: Zone, expected: Value<'_>, actual: Value<'_>) -> Option<Apart> {
        let api = self.how.api;
        let (mut wanted, mut found) = (members(self.how, zone, expected), members(self.how, zone, actual));
        let keys = |object: Value<'_>| {
            object.members().map(|(key, _)| spelled(self.how, zone, key.decode())).collect::<Vec<String>>()
        };
        for key in keys(expected).into_iter().chain(keys(actual)) {
            let sides = (wanted.remove(&key), found.remove(&key));
            if self.equivalent() && is_aside(api, zone, &key) {
                continue;
            }
            self.path.push(key.clone());
            let apart = match sides {
                // An earlier duplicate, or a key that both have.
                (None, None) => None,
                (Some(expected), Some(actual)) => self.walk(below(api, zone, &key), &key, expected, actual),
                (Some(lone), None) | (None, Some(lone)) if self.equivalent() && is_default(api, zone, &key, lone) => {
                    None
                }
                (expected, actual) => Some(Apart::sides(expected, actual)),
            };
            if apart.is_some() {
                return apart;
            }
            self.path.pop();
        }
        None
    }

    fn arrays(&mut self, zone: Zone, key: &str, expected: Value<'_>, actual: Value<'_>) -> Option<Apart> {
        let depth = self.path.len();
        let (mut left, mut right) = (expected.items(), actual.items());
        for at in 0.. {
            let (wanted, found) = (left.next(), right.next());
            let apart = match (wanted, found) {
                (None, None) => return None,
                (Some(wanted), Some(found)) => {
                    self.path.push(at.to_string());
                    self.walk(zone, key, wanted, found)
                }
                (wanted, found) => {
                    self.path.push(at.to_string());
                    Some(Apart::sides(wanted, found))
                }
            };
            if apart.is_none() {
                self.path.pop();
                continue;
            }
            if apart.as_ref().is_some_and(|apart| !apart.only_order) && self.same_items(zone, expected, actual) {
                self.path.truncate(depth);
                return Some(Apart {
                    pointer: String::new(),
                    expected: Some(order(&labels(expected))),
                    actual: Some(order(&labels(actual))),
                    only_order: true,
                });
            }
            return apart;
        }
        None
    }

    /// True if two lists hold the same items in some order.
    fn same_items(&self, zone: Zone, expected: Value<'_>, actual: Value<'_>) -> bool {
        let sorted = |list: Value<'_>| {
            let mut texts: Vec<String> = list.items().map(|item| self.canonical(zone, item)).collect();
            texts.sort_unstable();
            texts
        };
        expected.items().count() == actual.items().count() && sorted(expected) == sorted(actual)
    }

    /// The value with sorted keys and without what is compared elsewhere.
    fn canonical(&self, zone: Zone, value: Value<'_>) -> String {
        let mut writer = Writer::new(Style::Compact);
        self.write_canonical(zone, value, &mut writer);
        writer.finish()
    }

    fn write_canonical(&self, zone: Zone, value: Value<'_>, w: &mut Writer) {
        match value.kind() {
            Kind::Object => w.object(|w| {
                let members: std::collections::BTreeMap<_, _> =
                    value.members().map(|(key, value)| (key.decode(), value)).collect();
                for (key, value) in members {
                    if self.equivalent() && is_aside(self.how.api, zone, &key) {
                        continue;
                    }
                    w.key(&key);
                    self.write_canonical(below(self.how.api, zone, &key), value, w);
                }
            }),
            Kind::Array => w.array(|w| value.items().for_each(|item| self.write_canonical(zone, item, w))),
            Kind::String => w.string(&value.to_text().unwrap_or_default()),
            _ => w.literal(value.raw()),
        }
    }
}

fn same_text(a: Value<'_>, b: Value<'_>) -> bool {
    match (a.as_str(), b.as_str()) {
        (Some(a), Some(b)) if a.has_lone_surrogate() || b.has_lone_surrogate() => a.raw() == b.raw(),
        (Some(a), Some(b)) => a.decode() == b.decode(),
        _ => false,
    }
}

/// True if `text` is a string and `list` one message of the user's with that content.
fn one_message(text: Value<'_>, list: Value<'_>) -> bool {
    let mut items = list.items();
    let (Some(message), None) = (items.next(), items.next()) else { return false };
    let Some(content) = message.get("content") else { return false };
    let is = |key: &str, word: &str| message.get(key).and_then(Value::to_text).is_none_or(|text| text == word);
    let known = message.members().all(|(key, _)| matches!(&*key.decode(), "role" | "type" | "content"));
    let one = content.items().next().filter(|_| content.items().nth(1).is_none()).and_then(|part| part.get("text"));
    text.kind() == Kind::String
        && known
        && message.get("role").is_some()
        && is("role", "user")
        && is("type", "message")
        && same_text(text, one.unwrap_or(content))
}

/// True if the two hold the same JSON, each as a string or as itself.
fn same_json(expected: Value<'_>, actual: Value<'_>) -> bool {
    let text = |value: Value<'_>| value.to_text().map_or_else(|| value.raw().to_owned(), Cow::into_owned);
    let (expected, actual) = (text(expected), text(actual));
    match (Doc::parse(expected), Doc::parse(actual)) {
        (Ok(expected), Ok(actual)) => difference(expected.root(), actual.root(), Strictness::Value).is_none(),
        _ => false,
    }
}

/// What items of a list are called: a name, an id, a role; else their text, cut.
fn labels(list: Value<'_>) -> JsonText {
    const LONGEST: usize = 60;
    let label = |item: Value<'_>| {
        let inner = ["function", "custom", "functionCall", "functionResponse", "function_call", "function_response"]
            .iter()
            .find_map(|key| item.some(key))
            .unwrap_or(item);
        let keys = ["name", "id", "tool_use_id", "tool_call_id", "call_id", "role"];
        let text = keys.iter().find_map(|key| inner.get(key).or_else(|| item.get(key))?.to_text());
        let text = text.unwrap_or_else(|| item.to_text().unwrap_or(Cow::Borrowed(item.raw())));
        text.chars().take(LONGEST).collect::<String>()
    };
    JsonText::build(|w| w.array(|w| list.items().for_each(|item| w.string(&label(item)))))
}
