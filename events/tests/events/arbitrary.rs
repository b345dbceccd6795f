//! An event of any type out of a run of bytes: a serde format that asks the type for its shape and fills it. A new field
//! or a new type is covered from the moment that it exists. All bytes zero gives the least event: first
//! variants, nothing optional, nothing in lists.

use std::fmt;

use annals_events::{Event, EventType, canonical::MAX_INTEGER};
use serde::de::value::StringDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};

/// An event of that type, filled from the bytes.
pub fn event(event_type: EventType, bytes: &[u8]) -> Event<'static> {
    event_type
        .deserialize(Filler { bytes: &mut bytes.iter().copied(), named: None })
        .unwrap_or_else(|error| panic!("{event_type} cannot be filled: {error}"))
}

/// The names of the fields of a type, as its reader knows them.
pub fn fields(event_type: EventType) -> &'static [&'static str] {
    event_type.deserialize(Spy).err().map(|Shape(fields)| fields).unwrap_or_default()
}

/// What kind of text is wanted, by the name of the type that asks for it.
#[derive(Clone, Copy)]
enum Named {
    Key,
    Name,
    Pairing,
    PairingId,
    Hex(usize),
}

type Bytes<'b> = &'b mut dyn Iterator<Item = u8>;

struct Filler<'b> {
    bytes: Bytes<'b>,
    named: Option<Named>,
}

impl Filler<'_> {
    fn byte(&mut self) -> u8 {
        self.bytes.next().unwrap_or(0)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit
    }

    fn wide(&mut self) -> u64 {
        (0..8).fold(0, |value, _| value << 8 | u64::from(self.byte()))
    }

    /// A number from `low` to `high`, the ends and zero often among them.
    fn number(&mut self, low: i64, high: i64) -> i64 {
        match self.below(5) {
            0 => 0,
            1 => low,
            2 => high,
            _ => {
                let span = (i128::from(high) - i128::from(low)) + 1;
                (i128::from(low) + i128::from(self.wide()) % span) as i64
            }
        }
    }

    fn text(&mut self) -> String {
        const PIECES: [&str; 12] =
            ["", "a", "Zug 2", "\"", "\\", "\n", "\u{1}", "é", "🐘", "null", "\"_time\":", "\u{7f}\u{2028}"];
        (0..self.below(4)).map(|_| PIECES[self.below(PIECES.len())]).collect()
    }

    fn name(&mut self) -> String {
        const LETTERS: &[u8] = b"abz019._-r";
        let length = 1 + self.below(6);
        (0..length).map(|_| char::from(LETTERS[self.below(LETTERS.len())])).collect()
    }

    fn string(&mut self) -> String {
        match self.named.take() {
            None => self.text(),
            Some(Named::Key) => (0..=self.below(3)).map(|_| ["a", "z", "_", "7"][self.below(4)]).collect(),
            Some(Named::Name) => self.name(),
            Some(Named::Pairing) => format!("r{}.{}", 1 + self.below(99), 1 + self.below(99)),
            Some(Named::PairingId) => format!("{}.r{}.{}", self.name(), 1 + self.below(9), 1 + self.below(9)),
            Some(Named::Hex(bytes)) => (0..bytes).map(|_| format!("{:02x}", self.byte())).collect(),
        }
    }

    fn inner(&mut self) -> Filler<'_> {
        Filler { bytes: &mut *self.bytes, named: None }
    }
}

macro_rules! numbers {
    ($($method:ident $visit:ident $type:ty: $low:expr, $high:expr;)*) => {
        $(fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit(self.number($low, $high) as $type)
        })*
    };
}

impl<'de> Deserializer<'de> for Filler<'_> {
    type Error = Error;

    numbers! {
        deserialize_i8 visit_i8 i8: i8::MIN.into(), i8::MAX.into();
        deserialize_i16 visit_i16 i16: i16::MIN.into(), i16::MAX.into();
        deserialize_i32 visit_i32 i32: i32::MIN.into(), i32::MAX.into();
        deserialize_i64 visit_i64 i64: -MAX_INTEGER, MAX_INTEGER;
        deserialize_u8 visit_u8 u8: 0, u8::MAX.into();
        deserialize_u16 visit_u16 u16: 0, u16::MAX.into();
        deserialize_u32 visit_u32 u32: 0, u32::MAX.into();
        deserialize_u64 visit_u64 u64: 0, MAX_INTEGER;
    }

    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(self.below(2) == 1)
    }

    fn deserialize_str<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(&self.string())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        if self.below(2) == 1 { visitor.visit_some(self) } else { visitor.visit_none() }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let named = match name {
            "PlayerId" | "GameId" | "TournamentId" => Some(Named::Name),
            "BoardId" => Some(Named::Pairing),
            "PairingId" => Some(Named::PairingId),
            "Hash" => Some(Named::Hex(32)),
            "EventId" | "LogId" => Some(Named::Hex(16)),
            _ => None,
        };
        visitor.visit_newtype_struct(Filler { named, ..self })
    }

    fn deserialize_seq<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let left = self.below(4);
        visitor.visit_seq(Members { fields: &[], left, filler: self })
    }

    fn deserialize_map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let left = self.below(4);
        visitor.visit_map(Members { fields: &[], left, filler: self })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_map(Members { fields, left: fields.len(), filler: self })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let variant = variants[self.below(variants.len())];
        visitor.visit_enum(Variant { variant, filler: self })
    }

    /// A payload inside a payload: any JSON without `null`.
    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        match self.below(5) {
            0 => self.deserialize_bool(visitor),
            1 => self.deserialize_i64(visitor),
            2 => self.deserialize_str(visitor),
            3 => self.deserialize_seq(visitor),
            _ => self.deserialize_map(visitor),
        }
    }

    serde::forward_to_deserialize_any! {
        i128 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct identifier ignored_any
    }
}

/// The members of a list or of an object: with the given fields, or with keys of their own.
struct Members<'b> {
    fields: &'static [&'static str],
    left: usize,
    filler: Filler<'b>,
}

impl<'de> SeqAccess<'de> for Members<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(self.filler.inner()).map(Some)
    }
}

impl<'de> MapAccess<'de> for Members<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let key = match self.fields.len().checked_sub(self.left + 1) {
            Some(at) if !self.fields.is_empty() => self.fields[at].to_owned(),
            _ => Filler { named: Some(Named::Key), ..self.filler.inner() }.string(),
        };
        let key: StringDeserializer<Error> = key.into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(self.filler.inner())
    }
}

struct Variant<'b> {
    variant: &'static str,
    filler: Filler<'b>,
}

impl<'de, 'b> EnumAccess<'de> for Variant<'b> {
    type Error = Error;
    type Variant = Filler<'b>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Filler<'b>), Error> {
        let name: de::value::StrDeserializer<'_, Error> = self.variant.into_deserializer();
        Ok((seed.deserialize(name)?, self.filler))
    }
}

impl<'de> VariantAccess<'de> for Filler<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, left: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Members { fields: &[], left, filler: self })
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_struct("", fields, visitor)
    }
}

#[derive(Debug)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Error {
        Error(message.to_string())
    }
}

/// Reads nothing; hands back the fields that it is asked for.
struct Spy;

#[derive(Debug)]
struct Shape(&'static [&'static str]);

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl std::error::Error for Shape {}

impl de::Error for Shape {
    fn custom<T: fmt::Display>(_: T) -> Shape {
        Shape(&[])
    }
}

impl<'de> Deserializer<'de> for Spy {
    type Error = Shape;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Shape> {
        Err(Shape(&[]))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Shape> {
        Err(Shape(fields))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
