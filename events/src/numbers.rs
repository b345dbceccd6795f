//! The numbers of an event with the names that lead to them: a serde format that ignores everything else, so that new
//! fields and types are covered.

use serde::ser::{
    Error as _, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, Serializer,
};

use crate::event::Event;
use crate::ids::{BoardId, PairingId};

/// The cause does not matter: what cannot be written has no numbers.
type Error = serde::de::value::Error;

/// Calls `visit` with each number. Names are those of the type without family, fields and variants: `round_paired`,
/// `byes`, `half_points`. A pairing, which is text, has numbers `round` and `board`. A correction's payload is skipped:
/// it is an event of its own.
pub(crate) fn each_number(event: &Event<'_>, visit: &mut dyn FnMut(&[&'static str], i128)) {
    let name = event.event_type().name();
    let mut path = Vec::with_capacity(6);
    path.push(name.split_once('.').map_or(name, |(_, word)| word));
    let numbers = &mut Numbers { path, visit };
    // Every value can be written.
    let _ = match event {
        Event::Log(event) => event.write_to(numbers),
        Event::Game(event) => event.write_to(numbers),
        Event::Tournament(event) => event.write_to(numbers),
        Event::People(event) => event.write_to(numbers),
    };
}

/// The current path, and the visitor.
pub(crate) struct Numbers<'v> {
    path: Vec<&'static str>,
    visit: &'v mut dyn FnMut(&[&'static str], i128),
}

impl Numbers<'_> {
    fn number(&mut self, number: i128) -> Result<(), Error> {
        (self.visit)(&self.path, number);
        Ok(())
    }

    fn under<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.path.push(name);
        let done = value.serialize(&mut *self);
        self.path.pop();
        done
    }
}

macro_rules! scalars {
    ($($method:ident $type:ty $(=> $number:ident)?;)*) => {
        $(fn $method(self, _value: $type) -> Result<(), Error> {
            scalars!(@ self _value $($number)?)
        })*
    };
    (@ $self:ident $value:ident) => { Ok(()) };
    (@ $self:ident $value:ident number) => { $self.number($value.into()) };
}

impl Serializer for &mut Numbers<'_> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    scalars! {
        serialize_bool bool;
        serialize_i8 i8 => number;
        serialize_i16 i16 => number;
        serialize_i32 i32 => number;
        serialize_i64 i64 => number;
        serialize_u8 u8 => number;
        serialize_u16 u16 => number;
        serialize_u32 u32 => number;
        serialize_u64 u64 => number;
        serialize_f32 f32;
        serialize_f64 f64;
        serialize_char char;
        serialize_bytes &[u8];
        serialize_unit_struct &'static str;
    }

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        if self.path.last() == Some(&"pairing") {
            let pairing = text.parse::<PairingId>().map(|of| of.pairing).ok().or_else(|| text.parse().ok());
            if let Some(BoardId { round, board }) = pairing {
                self.under("round", &round)?;
                self.under("board", &board)?;
            }
        }
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.under(variant, value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(Error::custom("no event has such a variant"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self, Error> {
        self.path.push(variant);
        Ok(self)
    }
}

macro_rules! lists {
    ($($trait:ident $method:ident;)*) => {
        $(impl $trait for &mut Numbers<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                value.serialize(&mut **self)
            }

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        })*
    };
}

lists! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
}

/// Options with text values, and payloads, which are events of their own.
impl SerializeMap for &mut Numbers<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, _: &T) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, _: &T) -> Result<(), Error> {
        Ok(())
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

impl SerializeStruct for &mut Numbers<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.under(name, value)
    }

    fn end(self) -> Result<(), Error> {
        Ok(())
    }
}

impl SerializeStructVariant for &mut Numbers<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.under(name, value)
    }

    fn end(self) -> Result<(), Error> {
        self.path.pop();
        Ok(())
    }
}
