//! Arguments that come as pieces with a path each (`partialArgs`, Vertex).
//!
//! Values stand in one list and name each other by their place in it; a value that is replaced stays there, unreachable.
//! Each piece costs what its own bytes cost, whatever has come before.

use super::super::arguments::{ArgumentText, MAX_ARGUMENTS};
use super::super::protocol::Context;
use super::members::Members;
use super::path::{Step, steps};
use super::piece::{Leaf, Piece, PieceError};
use crate::json::{Kind, Style, TextBuffer, Value, Writer};

/// How many values the arguments of one call may hold that come in pieces, replaced ones included.
pub(super) const MAX_VALUES: usize = 1 << 20;

/// The arguments so far.
#[derive(Debug, Default)]
pub(super) struct Partial {
    nodes: Vec<Node>,
    root: Option<usize>,
    /// Bytes of keys and values that came.
    bytes: usize,
    /// The string that was set or continued last, if more of it was announced.
    continuing: Option<usize>,
    /// The first fault; nothing is built after it.
    fault: Option<PieceError>,
}

#[derive(Debug)]
enum Node {
    Object(Members),
    Array(Vec<usize>),
    Text {
        text: TextBuffer,
        /// More of it was announced.
        more: bool,
    },
    /// Any other value, and those of `args`.
    Json(Box<str>),
}

/// What was odd about a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Oddities {
    /// Another string was left although more of it was announced.
    left: bool,
    /// An object or array was replaced.
    replaced: bool,
}

impl Partial {
    /// Takes `args`, whose members are set like pieces.
    pub(super) fn args(&mut self, args: Value<'_>) {
        let result = if self.fault.is_none() { self.merge(args) } else { Ok(()) };
        self.fail(result.err());
    }

    /// Takes the list of pieces of a part.
    pub(super) fn pieces(&mut self, list: Value<'_>, cx: &mut Context<'_>) {
        if list.kind() != Kind::Array {
            self.fail(Some(PieceError::NotAList));
        }
        for entry in list.items() {
            if self.fault.is_some() {
                return;
            }
            let result = Piece::read(entry, cx).and_then(|piece| piece.map(|piece| self.set(&piece)).transpose());
            match result {
                Ok(odd) => note(odd.unwrap_or_default(), cx),
                Err(fault) => self.fail(Some(fault)),
            }
        }
    }

    /// The arguments cannot be known any more.
    pub(super) fn fail(&mut self, fault: Option<PieceError>) {
        self.fault = self.fault.or(fault);
    }

    /// The value so far as text, and why it cannot be used if it cannot.
    pub(super) fn finish(self) -> ArgumentText {
        let mut writer = Writer::new(Style::Compact);
        let mut half = false;
        if let Some(root) = self.root {
            self.write(root, &mut writer, &mut half);
        }
        let fault = self.fault.or(half.then_some(PieceError::HalfCharacter));
        ArgumentText::built(&writer.finish(), fault.map(|fault| fault.to_string()))
    }

    fn write(&self, node: usize, w: &mut Writer, half: &mut bool) {
        match self.nodes.get(node) {
            Some(Node::Object(members)) => w.object(|w| {
                for (key, value) in members.iter() {
                    w.key(key);
                    self.write(value, w, half);
                }
            }),
            Some(Node::Array(items)) => w.array(|w| items.iter().for_each(|item| self.write(*item, w, half))),
            Some(Node::Text { text, .. }) if text.is_lossy() => {
                *half = true;
                w.string(&text.clone().finish());
            }
            Some(Node::Text { text, .. }) => w.string(text.as_str()),
            Some(Node::Json(text)) => w.literal(text),
            None => w.literal("null"),
        }
    }

    fn set(&mut self, piece: &Piece<'_>) -> Result<Oddities, PieceError> {
        let steps = steps(&piece.path)?;
        // Goes as far as there are values; what is missing is made only when nothing stands against it.
        let mut node = self.root;
        let mut parent = None;
        let mut known = 0;
        for step in &steps {
            let Some(at) = node else {
                if matches!(step, Step::Index(1..)) {
                    return Err(PieceError::BeyondTheEnd);
                }
                continue;
            };
            node = self.child(at, step)?;
            parent = Some(at);
            known += usize::from(node.is_some());
        }
        let size = match piece.leaf {
            Leaf::Text(text) => text.raw().len(),
            Leaf::Json(text) => text.len(),
        };
        if let Some(at) = node {
            self.grow(0, size)?;
            let left = self.continuing.is_some_and(|before| before != at) && self.continues();
            let replaced = self.fill(at, piece);
            self.continuing = piece.more.then_some(at);
            return Ok(Oddities { left, replaced });
        }
        let missing = steps.get(known..).unwrap_or(&[]);
        let keys = missing.iter().map(|step| if let Step::Name(name) = step { name.len() } else { 0 });
        self.grow(missing.len() + 1, size + keys.sum::<usize>())?;
        let left = self.continues();
        let leaf = self.add(leaf(piece));
        // The new parents from the innermost out; the first missing step leads from the last known value.
        let (joint, made) = match (parent, missing.split_first()) {
            (Some(parent), Some((joint, made))) => (Some((parent, joint)), made),
            _ => (None, missing),
        };
        let top = made.iter().rev().fold(leaf, |value, step| self.add(holder(step, value)));
        match joint {
            Some((parent, step)) => self.attach(parent, step, top),
            None => self.root = Some(top),
        }
        self.continuing = piece.more.then_some(leaf);
        Ok(Oddities { left, replaced: false })
    }

    /// The value that a step leads to from `parent`; `None` if it can be put there.
    fn child(&self, parent: usize, step: &Step<'_>) -> Result<Option<usize>, PieceError> {
        match (self.nodes.get(parent), step) {
            (Some(Node::Object(members)), Step::Name(name)) => Ok(members.get(name)),
            (Some(Node::Array(items)), Step::Index(index)) if *index <= items.len() => Ok(items.get(*index).copied()),
            (Some(Node::Array(_)), Step::Index(_)) => Err(PieceError::BeyondTheEnd),
            _ => Err(PieceError::NoParent),
        }
    }

    fn attach(&mut self, parent: usize, step: &Step<'_>, node: usize) {
        match (self.nodes.get_mut(parent), step) {
            (Some(Node::Object(members)), Step::Name(name)) => members.set(name, node),
            (Some(Node::Array(items)), Step::Index(_)) => items.push(node),
            _ => {}
        }
    }

    /// Sets or continues a value that is there; true if it was an object or array.
    fn fill(&mut self, at: usize, piece: &Piece<'_>) -> bool {
        match (self.nodes.get_mut(at), piece.leaf) {
            (Some(Node::Text { text, more }), Leaf::Text(next)) if *more => {
                text.push(next);
                *more = piece.more;
                false
            }
            (Some(node), _) => {
                let before = std::mem::replace(node, leaf(piece));
                matches!(before, Node::Object(_) | Node::Array(_))
            }
            (None, _) => false,
        }
    }

    /// True if the string that was touched last still waits for more.
    fn continues(&self) -> bool {
        let node = self.continuing.and_then(|at| self.nodes.get(at));
        matches!(node, Some(Node::Text { more: true, .. }))
    }

    fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Makes sure that so many more values and bytes are allowed.
    fn grow(&mut self, values: usize, bytes: usize) -> Result<(), PieceError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MAX_ARGUMENTS {
            return Err(PieceError::TooLong);
        }
        if self.nodes.len() + values > MAX_VALUES {
            return Err(PieceError::TooMany);
        }
        Ok(())
    }

    /// Sets the members of `args`, a tree of any depth, without recursion.
    fn merge(&mut self, args: Value<'_>) -> Result<(), PieceError> {
        if args.has_lone_surrogate() {
            return Err(PieceError::HalfCharacter);
        }
        self.grow(1, args.raw().len())?;
        let top = match self.root {
            Some(root) if args.kind() == Kind::Object && matches!(self.nodes.get(root), Some(Node::Object(_))) => root,
            Some(_) => return Err(PieceError::ArgsNoObject),
            None => self.add(empty(args)),
        };
        self.root = Some(top);
        let mut todo = vec![(args, top)];
        while let Some((value, at)) = todo.pop() {
            for (key, member) in value.members() {
                self.grow(1, 0)?;
                let node = self.add(empty(member));
                self.attach(at, &Step::Name(key.decode()), node);
                todo.push((member, node));
            }
            for item in value.items() {
                self.grow(1, 0)?;
                let node = self.add(empty(item));
                self.attach(at, &Step::Index(0), node);
                todo.push((item, node));
            }
        }
        Ok(())
    }
}

fn note(odd: Oddities, cx: &mut Context<'_>) {
    if odd.left {
        cx.note("GGL-S-026", || "a string is left although more of it was announced".to_owned());
    }
    if odd.replaced {
        cx.note("GGL-S-025", || "a piece replaces an object or array".to_owned());
    }
}

fn leaf(piece: &Piece<'_>) -> Node {
    match piece.leaf {
        Leaf::Text(string) => {
            let mut text = TextBuffer::default();
            text.push(string);
            Node::Text { text, more: piece.more }
        }
        Leaf::Json(text) => Node::Json(text.into()),
    }
}

/// A new parent with its first value.
fn holder(step: &Step<'_>, value: usize) -> Node {
    match step {
        Step::Name(name) => Node::Object(Members::one(name, value)),
        Step::Index(_) => Node::Array(vec![value]),
    }
}

/// A value of `args` without what is inside it.
fn empty(value: Value<'_>) -> Node {
    match value.kind() {
        Kind::Object => Node::Object(Members::default()),
        Kind::Array => Node::Array(Vec::new()),
        _ => Node::Json(value.raw().into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::notes::Notes;
    use super::super::super::protocol::Context;
    use super::super::super::setup::DecodeSetup;
    use super::Partial;
    use crate::json::Doc;
    use crate::model::ProblemKind;

    /// The text that pieces build, or what is wrong with it, and the rules that were noted.
    fn build_on(args: Option<&str>, pieces: &str) -> (Result<String, String>, Vec<&'static str>) {
        let setup = DecodeSetup::default();
        let mut notes = Notes::new(&[]);
        let mut partial = Partial::default();
        if let Some(args) = args {
            partial.args(Doc::parse(args).unwrap().root());
        }
        let mut cx = Context { setup: &setup, notes: &mut notes, steps: &mut |_| {} };
        partial.pieces(Doc::parse(pieces).unwrap().root(), &mut cx);
        let built = partial.finish().resolve(false).map(|resolved| resolved.arguments.as_str().to_owned());
        let rules = notes.take().into_iter().map(|note| note.rule).collect();
        (built.map_err(|(unusable, raw)| format!("{} {raw}", unusable.kind.name())), rules)
    }

    fn build(pieces: &str) -> Result<String, String> {
        build_on(None, pieces).0
    }

    fn built(pieces: &str) -> String {
        build(pieces).unwrap()
    }

    #[test]
    fn parents_are_made_as_needed_and_keys_stand_in_order_of_first_mention() {
        assert_eq!(
            built(
                r#"[{"jsonPath":"$.ops[0].a","stringValue":"x"},{"jsonPath":"$.z","boolValue":false},
                {"jsonPath":"$.ops[0].b","numberValue":1.50},{"jsonPath":"$.ops[1]['a']","nullValue":"NULL_VALUE"},
                {"json_path":"$.z","null_value":null},{"jsonPath":"$.m[0][0]","numberValue":12345678901234567890}]"#
            ),
            r#"{"ops":[{"a":"x","b":1.50},{"a":null}],"z":null,"m":[[12345678901234567890]]}"#
        );
        assert_eq!(
            built(r#"[{"jsonPath":"$.__proto__.x","stringValue":"\"\u00e9\n"}]"#),
            r#"{"__proto__":{"x":"\"é\n"}}"#
        );
        let many: Vec<String> =
            (0..40).map(|i| format!(r#"{{"jsonPath":"$.k{}","numberValue":{i}}}"#, i % 30)).collect();
        let text = built(&format!("[{}]", many.join(",")));
        assert!(text.starts_with(r#"{"k0":30,"k1":31"#) && text.ends_with(r#""k29":29}"#), "{text}");
    }

    #[test]
    fn strings_are_continued_while_more_is_announced() {
        let pieces = r#"[{"jsonPath":"$.a","stringValue":"ab","willContinue":true},
            {"jsonPath":"$.b","stringValue":"x"},
            {"jsonPath":"$['a']","stringValue":"\ud83d","willContinue":true},
            {"jsonPath":"$.a","willContinue":false},
            {"jsonPath":"$.a","stringValue":"\ude00"},
            {"jsonPath":"$.b","stringValue":"y"}]"#;
        assert_eq!(build_on(None, pieces), (Ok(r#"{"a":"ab😀","b":"y"}"#.into()), vec!["GGL-S-026", "GGL-S-024"]));
    }

    #[test]
    fn args_come_first_and_pieces_change_them() {
        let args = r#"{"a":{"x":[1.0]},"b":"\u00e9","a":{"y":[[]]}}"#;
        let (text, rules) =
            build_on(Some(args), r#"[{"jsonPath":"$.a.y[1]","numberValue":2},{"jsonPath":"$.b","boolValue":true}]"#);
        assert_eq!(text.unwrap(), r#"{"a":{"y":[[],2]},"b":true}"#);
        assert_eq!(rules, [""; 0]);
        let (text, rules) = build_on(Some(args), r#"[{"jsonPath":"$.a","stringValue":"s"}]"#);
        assert_eq!((text.unwrap().as_str(), rules), (r#"{"a":"s","b":"\u00e9"}"#, vec!["GGL-S-025"]));
    }

    #[test]
    fn what_cannot_be_placed_spoils_the_arguments() {
        let first = r#"{"jsonPath":"$.a","stringValue":"x"}"#;
        for piece in [
            r#"{"jsonPath":"$.a.b","stringValue":"y"}"#,
            r#"{"jsonPath":"$.a[0]","stringValue":"y"}"#,
            r#"{"jsonPath":"$[0]","stringValue":"y"}"#,
            r#"{"jsonPath":"$.b[1]","stringValue":"y"}"#,
            r#"{"jsonPath":"$.b.c[0][2].d","stringValue":"y"}"#,
            r#"{"jsonPath":"a","stringValue":"y"}"#,
            r#"{"jsonPath":"$.\ud83d","stringValue":"y"}"#,
            r#"{"stringValue":"y"}"#,
            r#"{"jsonPath":"$.b","stringValue":"y","numberValue":1}"#,
            r#"{"jsonPath":"$.b","stringValue":"y","nullValue":"NULL_VALUE"}"#,
            r#"{"jsonPath":"$.b","stringValue":1}"#,
            r#"{"jsonPath":"$.b","numberValue":"NaN"}"#,
        ] {
            let later = r#"{"jsonPath":"$.c","stringValue":"z"}"#;
            let want = format!("{} {{\"a\":\"x\"}}", ProblemKind::InvalidArgumentsJson.name());
            assert_eq!(build(&format!("[{first},{piece},{later}]")), Err(want), "{piece}");
        }
        let half = build(r#"[{"jsonPath":"$.a","stringValue":"\ud83d","willContinue":true}]"#);
        assert_eq!(half.unwrap_err(), "invalid_arguments_json {\"a\":\"\u{fffd}\"}");
        assert_eq!(build(r#"{"jsonPath":"$.a"}"#).unwrap_err(), "invalid_arguments_json ");
    }

    #[test]
    fn the_root_is_what_the_first_path_makes_it() {
        assert_eq!(built("[]"), "{}");
        assert_eq!(build(r#"[{"jsonPath":"$[0]","numberValue":1}]"#).unwrap_err(), "arguments_not_object [1]");
        assert_eq!(build(r#"[{"jsonPath":"$","stringValue":"x"}]"#).unwrap_err(), "arguments_not_object \"x\"");
    }

    #[test]
    fn many_pieces_cost_no_more_than_few() {
        let mut pieces: Vec<String> =
            (0..100_000).map(|i| format!(r#"{{"jsonPath":"$.a[{i}]","numberValue":{i}}}"#)).collect();
        pieces.extend((0..100_000).map(|i| format!(r#"{{"jsonPath":"$.o.k{i}","numberValue":{i}}}"#)));
        let deep = format!("${}", ".d".repeat(512));
        pieces.extend((0..1000).map(|_| format!(r#"{{"jsonPath":"{deep}","stringValue":"x","willContinue":true}}"#)));
        let text = built(&format!("[{}]", pieces.join(",")));
        assert!(text.starts_with(r#"{"a":[0,1,2,"#) && text.ends_with("}}"), "{}", text.len());
    }

    #[test]
    fn there_are_no_more_values_than_allowed() {
        let path = |i: usize| format!("$.k{i}{}", "[0]".repeat(500));
        let pieces: Vec<String> =
            (0..2200).map(|i| format!(r#"{{"jsonPath":"{}","numberValue":1}}"#, path(i))).collect();
        assert!(build(&format!("[{}]", pieces.join(","))).unwrap_err().starts_with("invalid_arguments_json"));
    }
}
