//! A stored event as SQLite's record bytes (file format, section 2.1).

use annals_events::{EventId, Hash};

use crate::new_event::MAX_PAYLOAD;
use crate::row::EventRef;

/// An upper limit of an event's bytes besides its payload.
const REST_OF_RECORD: usize = 8192;

/// Fewest bytes of an event: hash, identity, column types.
const LEAST_RECORD: usize = 32 + 16 + 12;

/// A candidate event: its rowid, which is its `seq`, and its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub seq: u64,
    pub bytes: Vec<u8>,
}

/// As a length, if possible for an event.
pub(crate) fn possible_length(length: u64) -> Option<usize> {
    let possible = LEAST_RECORD..=MAX_PAYLOAD + REST_OF_RECORD;
    usize::try_from(length).ok().filter(|length| possible.contains(length))
}

/// The length of the record here, if its header has an event's column types.
pub(crate) fn event_length(bytes: &[u8]) -> Option<usize> {
    // An event's header has a byte for its length and each of eleven columns, and never 128.
    let header = usize::from(*bytes.first().filter(|header| (12..128).contains(*header))?);
    let mut columns = Values { types: bytes.get(1..header)?, body: &[] };
    columns.key()?;
    let is_text = |kind: u64| kind >= 13 && kind % 2 == 1;
    let is_number = |kind: u64| matches!(kind, 1..=6 | 8 | 9);
    let mut length = header as u64;
    for column in &COLUMNS {
        let kind = columns.kind()?;
        let fits = match column {
            Column::Text => is_text(kind),
            Column::Number => is_number(kind),
            Column::Blob(bytes) => kind == 12 + 2 * bytes,
        };
        if !fits {
            return None;
        }
        length = length.checked_add(length_of(kind))?;
    }
    possible_length(length).filter(|_| columns.types.is_empty())
}

enum Column {
    Text,
    Number,
    Blob(u64),
}

/// After `seq`.
static COLUMNS: [Column; 10] = {
    use Column::{Blob, Number, Text};
    [Text, Number, Blob(16), Text, Number, Number, Number, Text, Text, Blob(32)]
};

/// By type code.
fn length_of(kind: u64) -> u64 {
    match kind {
        0 | 8..=11 => 0,
        1..=4 => kind,
        5 => 6,
        6 | 7 => 8,
        _ => (kind - 12) / 2,
    }
}

/// Bytes of a record in its cell; the rest is on overflow pages.
pub(crate) fn local_length(length: usize, page_size: usize) -> usize {
    let most = page_size - 35;
    if length <= most {
        return length;
    }
    let least = (page_size - 12) * 32 / 255 - 23;
    let fitting = least + (length - least) % (page_size - 4);
    if fitting <= most { fitting } else { least }
}

pub(crate) fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0u64;
    for (i, byte) in bytes.iter().enumerate().take(9) {
        if i == 8 {
            return Some((value << 8 | u64::from(*byte), 9));
        }
        value = value << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, i + 1));
        }
    }
    None
}

struct Values<'a> {
    types: &'a [u8],
    body: &'a [u8],
}

impl<'a> Values<'a> {
    fn of(record: &'a [u8]) -> Option<Values<'a>> {
        let (header, n) = varint(record)?;
        let header = usize::try_from(header).ok().filter(|header| (n..=record.len()).contains(header))?;
        Some(Values { types: &record[n..header], body: &record[header..] })
    }

    fn kind(&mut self) -> Option<u64> {
        let (kind, n) = varint(self.types)?;
        self.types = &self.types[n..];
        Some(kind)
    }

    /// Column `seq`: its value is the rowid, and its place in the record is empty and ignored by SQLite.
    fn key(&mut self) -> Option<()> {
        self.kind().filter(|kind| matches!(kind, 0 | 8..=13)).map(|_| ())
    }

    fn take(&mut self, length: u64) -> Option<&'a [u8]> {
        let (value, rest) = self.body.split_at_checked(usize::try_from(length).ok()?)?;
        self.body = rest;
        Some(value)
    }

    fn text(&mut self) -> Option<&'a str> {
        let kind = self.kind().filter(|kind| *kind >= 13 && kind % 2 == 1)?;
        std::str::from_utf8(self.take((kind - 13) / 2)?).ok()
    }

    fn blob<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.kind().filter(|kind| *kind == 12 + 2 * N as u64)?;
        self.take(N as u64)?.try_into().ok()
    }

    fn number(&mut self) -> Option<i64> {
        let kind = self.kind()?;
        let length = match kind {
            8 | 9 => return Some(kind as i64 - 8),
            1..=6 => length_of(kind),
            _ => return None,
        };
        let bytes = self.take(length)?;
        let sign = if bytes[0] & 0x80 == 0 { 0 } else { -1 };
        Some(bytes.iter().fold(sign, |number, byte| number << 8 | i64::from(*byte)))
    }

    fn count(&mut self) -> Option<u64> {
        self.number().and_then(|number| u64::try_from(number).ok()).filter(|number| *number > 0)
    }
}

impl Record {
    /// The last column, readable even if others are not.
    pub fn stored_hash(&self) -> Option<Hash> {
        self.bytes.last_chunk().map(|hash| Hash(*hash))
    }

    /// Whatever its number.
    pub fn event_but_seq(&self) -> Option<EventRef<'_>> {
        let mut values = Values::of(&self.bytes)?;
        // SQLite ignores what follows the last column, so it is allowed here; the hash decides.
        values.key()?;
        Some(EventRef {
            seq: self.seq,
            stream: values.text()?,
            version: values.count()?,
            id: EventId(values.blob()?),
            event_type: values.text()?,
            schema: values.count().and_then(|schema| u32::try_from(schema).ok())?,
            effective_at: values.number()?,
            recorded_at: values.number()?,
            actor: values.text()?,
            payload: values.text()?,
            hash: Hash(values.blob()?),
        })
    }

    /// None if it is not an event.
    pub fn event(&self) -> Option<EventRef<'_>> {
        self.event_but_seq().filter(|event| (1..=i64::MAX as u64).contains(&event.seq))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_are_read_as_sqlite_writes_them() {
        for (bytes, value) in [
            (&[0u8][..], Some((0, 1))),
            (&[0x7f], Some((127, 1))),
            (&[0x81, 0x00], Some((128, 2))),
            (&[0xff; 9], Some((u64::MAX, 9))),
            (&[0x80, 0x80], None),
            (&[], None),
        ] {
            assert_eq!(varint(bytes), value, "{bytes:?}");
        }
    }

    /// The header of an event as SQLite writes it, with texts of 6, 9, 4 and 300 bytes.
    const HEADER: [u8; 13] = [13, 0, 25, 9, 44, 31, 1, 6, 6, 21, 0x84, 0x65, 76];

    #[test]
    fn the_header_of_an_event_tells_its_length_and_nothing_else_is_taken_for_one() {
        let length = 13 + 6 + 16 + 9 + 1 + 8 + 8 + 4 + 300 + 32;
        assert_eq!(event_length(&HEADER), Some(length));
        assert_eq!(event_length(&HEADER[..12]), None);
        let mut taken = 0;
        for bit in 0..HEADER.len() * 8 {
            let mut bytes = HEADER;
            bytes[bit / 8] ^= 1 << (bit % 8);
            // Only the length of a text, the width of a number and the empty place of `seq` can be another one.
            let other = event_length(&bytes);
            assert!(other.is_none() || [1, 2, 3, 5, 6, 7, 8, 9, 10, 11].contains(&(bit / 8)), "bit {bit}");
            taken += usize::from(other.is_some());
        }
        assert!((20..60).contains(&taken), "{taken}");
        // An entry of an index has fewer columns.
        assert_eq!(event_length(&[4, 25, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), None);
        assert_eq!(event_length(&[0; 13]), None);
    }

    #[test]
    fn a_long_record_is_cut_where_sqlite_cuts_it() {
        assert_eq!(local_length(4061, 4096), 4061);
        assert_eq!(local_length(4062, 4096), 489);
        assert_eq!(local_length(489 + 4092 + 100, 4096), 589);
    }
}
