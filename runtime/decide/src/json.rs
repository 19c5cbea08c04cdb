//! The arguments of a tool call: JSON, read strictly and within bounds.
//!
//! What two readers may take differently is refused: a key given twice, a lone surrogate, anything behind the end.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The longest arguments that are read, in bytes: 1 MiB.
pub(crate) const LONGEST: usize = 1 << 20;

/// How deep lists and objects may stand in one another.
pub(crate) const DEEPEST: u32 = 64;

/// From so many keys on, one object's keys are sorted to find one that is there twice.
const MANY_KEYS: usize = 16;

/// Why a text is not taken for the arguments of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonProblem {
    /// It is longer than 1 MiB.
    TooLong,
    /// Lists and objects stand in one another more than 64 deep.
    TooDeep,
    /// It is not JSON, from this byte on.
    Syntax(usize),
    /// An object has a key twice, which begins at this byte.
    Duplicate(usize),
    /// It is JSON, but no object.
    NoObject,
}

impl core::fmt::Display for JsonProblem {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::TooLong => f.write_str("they are longer than 1 MiB"),
            Self::TooDeep => f.write_str("lists and objects stand in one another more than 64 deep"),
            Self::Syntax(byte) => write!(f, "they are no JSON from byte {byte} on"),
            Self::Duplicate(byte) => write!(f, "the key at byte {byte} is there twice"),
            Self::NoObject => f.write_str("they are no JSON object"),
        }
    }
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind<'j> {
    Null,
    Boolean(bool),
    /// As written.
    Number(&'j str),
    Text(Cow<'j, str>),
    List,
    Object,
}

/// A value, and where those in it end.
#[derive(Clone, Debug)]
struct Node<'j> {
    /// In an object, the key.
    key: Option<Cow<'j, str>>,
    kind: Kind<'j>,
    /// The place of the first value that is not in this one.
    end: usize,
}

/// The values of a text, each followed by those in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Json<'j>(Vec<Node<'j>>);

/// One value.
#[derive(Clone, Copy)]
pub(crate) struct Value<'a, 'j> {
    json: &'a Json<'j>,
    place: usize,
    node: &'a Node<'j>,
}

impl<'j> Json<'j> {
    /// Reads an object.
    pub(crate) fn object(text: &'j str) -> Result<Self, JsonProblem> {
        if text.len() > LONGEST {
            return Err(JsonProblem::TooLong);
        }
        let mut reader = Reader { text, at: 0, nodes: Vec::with_capacity(8) };
        reader.blank();
        reader.value(None, 0)?;
        reader.blank();
        if reader.at < text.len() {
            return Err(JsonProblem::Syntax(reader.at));
        }
        match reader.nodes.first() {
            Some(Node { kind: Kind::Object, .. }) => Ok(Self(reader.nodes)),
            _ => Err(JsonProblem::NoObject),
        }
    }

    /// The whole.
    pub(crate) fn root(&self) -> Option<Value<'_, 'j>> {
        self.at(0)
    }

    fn at(&self, place: usize) -> Option<Value<'_, 'j>> {
        Some(Value { json: self, place, node: self.0.get(place)? })
    }

    /// What a JSON pointer points at.
    pub(crate) fn pointed(&self, pointer: &str) -> Option<Value<'_, 'j>> {
        let mut steps = pointer.split('/');
        // What stands before the first slash is nothing.
        steps.next();
        steps.try_fold(self.root()?, |value, step| {
            let step = if step.contains('~') {
                Cow::Owned(step.replace("~1", "/").replace("~0", "~"))
            } else {
                Cow::Borrowed(step)
            };
            match value.node.kind {
                Kind::Object => value.get(&step),
                Kind::List => value.items().nth(index(&step)?),
                _ => None,
            }
        })
    }
}

/// An index as JSON pointers write it.
fn index(step: &str) -> Option<usize> {
    let digits = step.bytes().all(|byte| byte.is_ascii_digit());
    if digits && (step == "0" || !step.starts_with('0')) { step.parse().ok() } else { None }
}

impl<'a, 'j> Value<'a, 'j> {
    pub(crate) const fn kind(&self) -> &'a Kind<'j> {
        &self.node.kind
    }

    pub(crate) fn key(&self) -> Option<&'a str> {
        self.node.key.as_deref()
    }

    /// The values in it, in order.
    pub(crate) fn items(&self) -> impl Iterator<Item = Self> + use<'a, 'j> {
        let (json, end) = (self.json, self.node.end);
        let mut next = self.place + 1;
        core::iter::from_fn(move || {
            let item = if next < end { json.at(next)? } else { return None };
            next = item.node.end;
            Some(item)
        })
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<Self> {
        self.items().find(|item| item.key() == Some(key))
    }

    /// A value that is one word, as JSON writes it, a string without its quotes.
    pub(crate) fn word(&self) -> Option<&'a str> {
        match &self.node.kind {
            Kind::Null => Some("null"),
            Kind::Boolean(true) => Some("true"),
            Kind::Boolean(false) => Some("false"),
            Kind::Number(text) => Some(text),
            Kind::Text(text) => Some(text),
            Kind::List | Kind::Object => None,
        }
    }

    /// Writes it canonically: keys sorted, no blanks, strings escaped no more than they must.
    pub(crate) fn write(&self, into: &mut impl FnMut(&[u8])) {
        match &self.node.kind {
            Kind::Text(text) => write_text(text, into),
            Kind::List => {
                into(b"[");
                for (place, item) in self.items().enumerate() {
                    into(if place > 0 { b"," } else { b"" });
                    item.write(into);
                }
                into(b"]");
            }
            Kind::Object => {
                let mut items: Vec<Self> = self.items().collect();
                items.sort_by_key(Self::key);
                into(b"{");
                for (place, item) in items.into_iter().enumerate() {
                    into(if place > 0 { b"," } else { b"" });
                    write_text(item.key().unwrap_or_default(), into);
                    into(b":");
                    item.write(into);
                }
                into(b"}");
            }
            _ => into(self.word().unwrap_or_default().as_bytes()),
        }
    }
}

fn write_text(text: &str, into: &mut impl FnMut(&[u8])) {
    into(b"\"");
    for one in text.chars() {
        match one {
            '"' => into(b"\\\""),
            '\\' => into(b"\\\\"),
            '\0'..='\u{1f}' => {
                let digit = |value: u32| char::from_digit(value, 16).map_or(b'0', |digit| digit as u8);
                into(&[b'\\', b'u', b'0', b'0', digit(one as u32 >> 4), digit(one as u32 & 15)]);
            }
            one => into(one.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    into(b"\"");
}

/// Reads from the start of a text to its end.
struct Reader<'j> {
    text: &'j str,
    at: usize,
    nodes: Vec<Node<'j>>,
}

impl<'j> Reader<'j> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    const fn syntax<T>(&self) -> Result<T, JsonProblem> {
        Err(JsonProblem::Syntax(self.at))
    }

    fn takes(&mut self, word: &str) -> bool {
        let found = self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes()));
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn value(&mut self, key: Option<Cow<'j, str>>, depth: u32) -> Result<(), JsonProblem> {
        let place = self.nodes.len();
        let kind = match self.peek() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::List,
            Some(b'"') => Kind::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => Kind::Number(self.number()?),
            _ if self.takes("true") => Kind::Boolean(true),
            _ if self.takes("false") => Kind::Boolean(false),
            _ if self.takes("null") => Kind::Null,
            _ => return self.syntax(),
        };
        let nests = matches!(kind, Kind::Object | Kind::List);
        let keyed = kind == Kind::Object;
        self.nodes.push(Node { key, kind, end: place + 1 });
        if nests {
            if depth >= DEEPEST {
                return Err(JsonProblem::TooDeep);
            }
            self.at += 1;
            self.items(place, keyed, depth + 1)?;
            let end = self.nodes.len();
            if let Some(node) = self.nodes.get_mut(place) {
                node.end = end;
            }
        }
        Ok(())
    }

    fn items(&mut self, place: usize, keyed: bool, depth: u32) -> Result<(), JsonProblem> {
        let close = if keyed { "}" } else { "]" };
        self.blank();
        if self.takes(close) {
            return Ok(());
        }
        let mut many = Vec::new();
        let mut number = 0;
        loop {
            self.blank();
            let mut key = None;
            if keyed {
                let start = self.at;
                let read = self.string()?;
                if number < MANY_KEYS && self.has(place, &read) {
                    return Err(JsonProblem::Duplicate(start));
                }
                if number + 1 >= MANY_KEYS {
                    many.push((self.nodes.len(), start));
                }
                key = Some(read);
                self.blank();
                if !self.takes(":") {
                    return self.syntax();
                }
                self.blank();
            }
            self.value(key, depth)?;
            number += 1;
            self.blank();
            if self.takes(close) {
                break;
            }
            if !self.takes(",") {
                return self.syntax();
            }
        }
        if number > MANY_KEYS { self.distinct(place, many) } else { Ok(()) }
    }

    /// Whether the object at `place`, which is still being read, has the key.
    fn has(&self, place: usize, key: &str) -> bool {
        let mut next = place + 1;
        while let Some(node) = self.nodes.get(next) {
            if node.key.as_deref() == Some(key) {
                return true;
            }
            next = node.end;
        }
        false
    }

    /// Whether all keys of a large object differ. `late` are the last ones, by their places and where they are written.
    fn distinct(&self, place: usize, late: Vec<(usize, usize)>) -> Result<(), JsonProblem> {
        let mut keys = Vec::new();
        let mut next = place + 1;
        while let Some(node) = self.nodes.get(next) {
            keys.push((node.key.as_deref(), next));
            next = node.end;
        }
        keys.sort_unstable();
        for pair in keys.windows(2) {
            if let [(one, _), (other, at)] = pair
                && one == other
            {
                let written = late.iter().find(|(place, _)| place == at).map_or(self.at, |(_, start)| *start);
                return Err(JsonProblem::Duplicate(written));
            }
        }
        Ok(())
    }

    fn number(&mut self) -> Result<&'j str, JsonProblem> {
        let start = self.at;
        self.takes("-");
        if !self.takes("0") && self.digits() == 0 || matches!(self.peek(), Some(b'0'..=b'9')) {
            return self.syntax();
        }
        if self.takes(".") && self.digits() == 0 {
            return self.syntax();
        }
        if self.takes("e") || self.takes("E") {
            let _ = self.takes("+") || self.takes("-");
            if self.digits() == 0 {
                return self.syntax();
            }
        }
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }

    fn string(&mut self) -> Result<Cow<'j, str>, JsonProblem> {
        if !self.takes("\"") {
            return self.syntax();
        }
        let mut start = self.at;
        let mut written: Option<String> = None;
        loop {
            match self.peek() {
                None | Some(0..=0x1f) => return self.syntax(),
                Some(b'"') => {
                    let rest = self.text.get(start..self.at).unwrap_or_default();
                    self.at += 1;
                    return Ok(match written {
                        None => Cow::Borrowed(rest),
                        Some(mut text) => {
                            text.push_str(rest);
                            Cow::Owned(text)
                        }
                    });
                }
                Some(b'\\') => {
                    let text = written.get_or_insert_with(String::new);
                    text.push_str(self.text.get(start..self.at).unwrap_or_default());
                    self.at += 1;
                    let one = self.escape()?;
                    text.push(one);
                    start = self.at;
                }
                Some(_) => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonProblem> {
        let kind = self.peek();
        self.at += 1;
        Ok(match kind {
            Some(one @ (b'"' | b'\\' | b'/')) => char::from(one),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let high = self.hex()?;
                let code = if (0xd800..0xdc00).contains(&high) {
                    if !self.takes("\\u") {
                        return self.syntax();
                    }
                    let low = self.hex()?;
                    if !(0xdc00..0xe000).contains(&low) {
                        return self.syntax();
                    }
                    0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)
                } else {
                    high
                };
                match char::from_u32(code) {
                    Some(one) => one,
                    None => return self.syntax(),
                }
            }
            _ => return self.syntax(),
        })
    }

    fn hex(&mut self) -> Result<u32, JsonProblem> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|one| char::from(one).to_digit(16)) else { return self.syntax() };
            code = code << 4 | digit;
            self.at += 1;
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn canonical(text: &str) -> Result<String, JsonProblem> {
        let json = Json::object(text)?;
        let mut bytes = Vec::new();
        json.root().unwrap().write(&mut |more| bytes.extend_from_slice(more));
        Ok(String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn objects_are_written_canonically() {
        for (text, written) in [
            ("{}", "{}"),
            (
                " { \"b\" : [ 1 , -0.5e+3, {} ] ,\n\"a\":\"\\u00e9\\ud83d\\ude00\\n\\/\" } ",
                "{\"a\":\"é😀\\u000a/\",\"b\":[1,-0.5e+3,{}]}",
            ),
            ("{\"a\":{\"d\":null,\"c\":true}}", "{\"a\":{\"c\":true,\"d\":null}}"),
        ] {
            assert_eq!(canonical(text).as_deref(), Ok(written));
            assert_eq!(canonical(written).as_deref(), Ok(written));
        }
    }

    #[test]
    fn what_two_readers_may_take_differently_is_refused() {
        for (text, problem) in [
            ("", JsonProblem::Syntax(0)),
            ("[]", JsonProblem::NoObject),
            ("1", JsonProblem::NoObject),
            ("{}x", JsonProblem::Syntax(2)),
            ("{\"a\":1,\"a\":2}", JsonProblem::Duplicate(7)),
            ("{\"a\":1,\"\\u0061\":2}", JsonProblem::Duplicate(7)),
            ("{\"a\":[{\"b\":1,\"b\":1}]}", JsonProblem::Duplicate(13)),
            ("{\"a\":1,}", JsonProblem::Syntax(7)),
            ("{a:1}", JsonProblem::Syntax(1)),
            ("{\"a\":01}", JsonProblem::Syntax(6)),
            ("{\"a\":1.}", JsonProblem::Syntax(7)),
            ("{\"a\":NaN}", JsonProblem::Syntax(5)),
            ("{\"a\":\"\\ud800\"}", JsonProblem::Syntax(12)),
            ("{\"a\":\"\\x\"}", JsonProblem::Syntax(8)),
            ("{\"a\":\"\n\"}", JsonProblem::Syntax(6)),
            ("{\"a\":\"", JsonProblem::Syntax(6)),
        ] {
            assert_eq!(Json::object(text).err(), Some(problem), "{text}");
        }
    }

    #[test]
    fn size_and_depth_are_bounded() {
        let deep = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        assert!(Json::object(&deep(DEEPEST as usize - 1)).is_ok());
        assert_eq!(Json::object(&deep(DEEPEST as usize)).err(), Some(JsonProblem::TooDeep));
        assert_eq!(Json::object(&deep(10_000)).err(), Some(JsonProblem::TooDeep));
        let long = format!("{{\"a\":\"{}\"}}", "x".repeat(10 << 20));
        assert_eq!(Json::object(&long).err(), Some(JsonProblem::TooLong));
        let many: Vec<String> = (0..40).map(|number| format!("\"k{number}\":0")).collect();
        assert!(Json::object(&format!("{{{}}}", many.join(","))).is_ok());
        assert!(matches!(Json::object(&format!("{{{},\"k39\":1}}", many.join(","))), Err(JsonProblem::Duplicate(_))));
        assert!(matches!(Json::object(&format!("{{{},\"k2\":1}}", many.join(","))), Err(JsonProblem::Duplicate(_))));
    }

    #[test]
    fn pointers_lead_into_objects_and_lists() {
        let json = Json::object("{\"a\":[{\"b/~\":true}],\"\":2}").unwrap();
        let word = |pointer| json.pointed(pointer).and_then(|value| value.word());
        assert_eq!(word("/a/0/b~1~0"), Some("true"));
        assert_eq!(word("/"), Some("2"));
        assert!(word("/a/00").is_none() && word("/a/1").is_none() && word("/a/-").is_none() && word("").is_none());
        assert!(json.pointed("").is_some());
    }
}
