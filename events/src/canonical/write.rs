//! The canonical serializer, which writes text directly. Members are written as they come, and sorted when their object
//! closes.

use serde::Serialize;
use serde::ser::{self, Serializer};

use super::error::{CanonicalError, MAX_INTEGER};

/// `null` members of objects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Nulls {
    Kept,
    LeftOut,
}

/// A member of an open object: start, end of its key, end.
#[derive(Clone, Copy)]
struct Member {
    start: usize,
    key_end: usize,
    end: usize,
}

impl Member {
    /// With quotes. The closing one sorts before every key character, so that keys sort correctly.
    fn key<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start..self.key_end]
    }
}

/// The ASCII digits of a number, at the buffer's end; faster than formatting.
pub fn decimal(value: i64, digits: &mut [u8; 20]) -> &[u8] {
    let mut at = digits.len();
    let mut rest = value.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        at -= 1;
        digits[at] = b'-';
    }
    &digits[at..]
}

/// The text, members of all open objects, and a buffer for sorting.
pub(super) struct Writer {
    out: String,
    members: Vec<Member>,
    scratch: String,
    nulls: Nulls,
}

impl Writer {
    pub(super) fn new(nulls: Nulls) -> Writer {
        Writer {
            out: String::with_capacity(160),
            members: Vec::with_capacity(16),
            scratch: String::new(),
            nulls,
        }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    fn integer(&mut self, value: i128) -> Result<(), CanonicalError> {
        match i64::try_from(value) {
            Ok(small) if (-MAX_INTEGER..=MAX_INTEGER).contains(&small) => {
                let mut digits = [0; 20];
                let digits = decimal(small, &mut digits);
                self.out.push_str(std::str::from_utf8(digits).unwrap_or_default());
                Ok(())
            }
            _ => Err(CanonicalError::TooLarge(value.to_string())),
        }
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        let mut rest = text;
        // RFC 8785, section 3.2.2.2: two-character escapes where JSON has them, `\u00xx` for other control characters,
        // everything else unchanged.
        while let Some(at) = rest.bytes().position(|byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
            self.out.push_str(&rest[..at]);
            match rest.as_bytes()[at] {
                b'"' => self.out.push_str("\\\""),
                b'\\' => self.out.push_str("\\\\"),
                0x8 => self.out.push_str("\\b"),
                0xc => self.out.push_str("\\f"),
                b'\n' => self.out.push_str("\\n"),
                b'\r' => self.out.push_str("\\r"),
                b'\t' => self.out.push_str("\\t"),
                control => {
                    self.out.push_str("\\u00");
                    for nibble in [control >> 4, control & 15] {
                        self.out.push(char::from(b"0123456789abcdef"[usize::from(nibble)]));
                    }
                }
            }
            rest = &rest[at + 1..];
        }
        self.out.push_str(rest);
        self.out.push('"');
    }

    /// Ends and checks the key written from `start`.
    fn key(&mut self, start: usize) -> Result<(), CanonicalError> {
        let key = &self.out[start..];
        let name = key.strip_prefix('"').and_then(|key| key.strip_suffix('"')).unwrap_or("");
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        {
            return Err(CanonicalError::Key(key.trim_matches('"').to_owned()));
        }
        self.members.push(Member { start, key_end: self.out.len(), end: 0 });
        self.out.push(':');
        Ok(())
    }

    /// Ends the value of the last key.
    fn value(&mut self) {
        let nulls = self.nulls;
        if let Some(member) = self.members.last_mut() {
            if nulls == Nulls::LeftOut && &self.out[member.key_end..] == ":null" {
                self.out.truncate(member.start);
                self.members.pop();
            } else {
                member.end = self.out.len();
                self.out.push(',');
            }
        }
    }

    /// Closes an object opened at `start` with `base` open members before it.
    fn close(&mut self, start: usize, base: usize) -> Result<(), CanonicalError> {
        let Writer { out, members, scratch, .. } = self;
        let own = &mut members[base..];
        if own.is_empty() {
            out.push('}');
            return Ok(());
        }
        if own.windows(2).all(|pair| pair[0].key(out) < pair[1].key(out)) {
            out.pop();
        } else {
            own.sort_unstable_by(|a, b| a.key(out).cmp(b.key(out)));
            if let Some(twice) = own.windows(2).find(|pair| pair[0].key(out) == pair[1].key(out)) {
                return Err(CanonicalError::Key(twice[0].key(out).trim_matches('"').to_owned()));
            }
            scratch.clear();
            for member in own.iter() {
                if !scratch.is_empty() {
                    scratch.push(',');
                }
                scratch.push_str(&out[member.start..member.end]);
            }
            out.truncate(start + 1);
            out.push_str(scratch);
        }
        out.push('}');
        members.truncate(base);
        Ok(())
    }
}

impl ser::Error for CanonicalError {
    fn custom<T: std::fmt::Display>(message: T) -> CanonicalError {
        CanonicalError::Json(<serde_json::Error as ser::Error>::custom(message))
    }
}

pub(super) struct Open<'w> {
    writer: &'w mut Writer,
    start: usize,
    base: usize,
    /// The value of a variant's name, inside an object of its own.
    variant: bool,
}

impl Writer {
    fn open(&mut self, bracket: char) -> Open<'_> {
        let (start, base) = (self.out.len(), self.members.len());
        self.out.push(bracket);
        Open { writer: self, start, base, variant: false }
    }

    /// Begins `{"variant":` and its content.
    fn open_variant(&mut self, variant: &str, bracket: char) -> Result<Open<'_>, CanonicalError> {
        self.out.push('{');
        let start = self.out.len();
        self.string(variant);
        self.key(start)?;
        self.members.pop();
        Ok(Open { variant: true, ..self.open(bracket) })
    }
}

impl Open<'_> {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        if self.writer.out.len() > self.start + 1 {
            self.writer.out.push(',');
        }
        value.serialize(&mut *self.writer)
    }

    fn member<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), CanonicalError> {
        let start = self.writer.out.len();
        self.writer.string(key);
        self.writer.key(start)?;
        value.serialize(&mut *self.writer)?;
        self.writer.value();
        Ok(())
    }

    fn close(self, bracket: char) -> Result<(), CanonicalError> {
        match bracket {
            '}' => self.writer.close(self.start, self.base)?,
            _ => self.writer.out.push(bracket),
        }
        if self.variant {
            self.writer.out.push('}');
        }
        Ok(())
    }
}

macro_rules! integers {
    ($($name:ident: $type:ty),*) => {
        $(fn $name(self, value: $type) -> Result<(), CanonicalError> {
            self.integer(i128::from(value))
        })*
    };
}

impl<'w> Serializer for &'w mut Writer {
    type Ok = ();
    type Error = CanonicalError;
    type SerializeSeq = Open<'w>;
    type SerializeTuple = Open<'w>;
    type SerializeTupleStruct = Open<'w>;
    type SerializeTupleVariant = Open<'w>;
    type SerializeMap = Open<'w>;
    type SerializeStruct = Open<'w>;
    type SerializeStructVariant = Open<'w>;

    integers! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64
    }

    fn serialize_bool(self, value: bool) -> Result<(), CanonicalError> {
        self.out.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_u128(self, value: u128) -> Result<(), CanonicalError> {
        i128::try_from(value)
            .map_err(|_| CanonicalError::TooLarge(value.to_string()))
            .and_then(|value| self.integer(value))
    }

    fn serialize_f32(self, value: f32) -> Result<(), CanonicalError> {
        Err(CanonicalError::Float(value.to_string()))
    }

    fn serialize_f64(self, value: f64) -> Result<(), CanonicalError> {
        Err(CanonicalError::Float(value.to_string()))
    }

    fn serialize_char(self, value: char) -> Result<(), CanonicalError> {
        self.string(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), CanonicalError> {
        self.string(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), CanonicalError> {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Result<(), CanonicalError> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), CanonicalError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), CanonicalError> {
        self.out.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), CanonicalError> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), CanonicalError> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), CanonicalError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), CanonicalError> {
        let mut object = self.open('{');
        object.member(variant, value)?;
        object.close('}')
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Open<'w>, CanonicalError> {
        Ok(self.open('['))
    }

    fn serialize_tuple(self, _: usize) -> Result<Open<'w>, CanonicalError> {
        Ok(self.open('['))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Open<'w>, CanonicalError> {
        Ok(self.open('['))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Open<'w>, CanonicalError> {
        self.open_variant(variant, '[')
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Open<'w>, CanonicalError> {
        Ok(self.open('{'))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Open<'w>, CanonicalError> {
        Ok(self.open('{'))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Open<'w>, CanonicalError> {
        self.open_variant(variant, '{')
    }
}

macro_rules! arrays {
    ($($kind:ident :: $method:ident),*) => {
        $(impl ser::$kind for Open<'_> {
            type Ok = ();
            type Error = CanonicalError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
                self.element(value)
            }

            fn end(self) -> Result<(), CanonicalError> {
                self.close(']')
            }
        })*
    };
}

arrays! {
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
}

macro_rules! objects {
    ($($kind:ident),*) => {
        $(impl ser::$kind for Open<'_> {
            type Ok = ();
            type Error = CanonicalError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), CanonicalError> {
                self.member(key, value)
            }

            fn end(self) -> Result<(), CanonicalError> {
                self.close('}')
            }
        })*
    };
}

objects! { SerializeStruct, SerializeStructVariant }

impl ser::SerializeMap for Open<'_> {
    type Ok = ();
    type Error = CanonicalError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), CanonicalError> {
        let start = self.writer.out.len();
        key.serialize(&mut *self.writer)?;
        self.writer.key(start)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        value.serialize(&mut *self.writer)?;
        self.writer.value();
        Ok(())
    }

    fn end(self) -> Result<(), CanonicalError> {
        self.close('}')
    }
}
