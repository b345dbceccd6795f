//! The pages of the database and of its write-ahead log as bytes, without SQLite: which events stand in which cell. For
//! saving what SQLite no longer finds its way to. An event proves itself by its hash, so it does not matter how
//! damaged the way is on which it was found.
//!
//! The layout is that of the SQLite file format, sections 1.3 (header), 1.6 (b-tree pages), 2.1 (records).

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use annals_events::{EventId, Hash};

use crate::fault::Fault;
use crate::names::wal_path;
use crate::new_event::MAX_PAYLOAD;
use crate::row::EventRef;
use crate::wal::Wal;

/// Where an event stands: which page, of the database or in a frame of the write-ahead log, and which of its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The frame, from 0; none for a page of the database.
    pub frame: Option<u32>,
    /// The page, from 1.
    pub page: u32,
    /// The cell, from 0.
    pub cell: u16,
}

/// A log as pages.
pub(crate) struct Pages {
    database: Option<File>,
    wal: Option<Wal>,
    page_size: usize,
    /// Pages of the database file.
    count: u32,
    /// Bits of the write-ahead log that were put right.
    pub mended_bits: u32,
    held: Option<(u32, Vec<u8>)>,
}

/// What precedes the first b-tree page in the file.
const FILE_HEADER: usize = 100;
const LEAF_OF_TABLE: u8 = 0x0d;
const LEAF_HEADER: usize = 8;

/// Bytes of an event besides its payload; far more than there are.
const REST_OF_RECORD: usize = 8192;

/// The fewest bytes of an event: its hash, its identity, and what says where which column is.
const LEAST_RECORD: usize = 32 + 16 + 12;

/// The stored form of what may be an event: its rowid, which is its `seq`, and the bytes of its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub seq: u64,
    pub bytes: Vec<u8>,
}

impl Pages {
    /// Opens the files; what is missing has no pages.
    pub fn open(path: &Path) -> Result<Pages, Fault> {
        let doing = "looking for intact events";
        let fault = |path: &Path, error: &io::Error| Fault::io(path, doing, error);
        let mut wal = Wal::read(&wal_path(path)).map_err(|e| fault(&wal_path(path), &e))?;
        let mended_bits = wal.as_mut().map_or(0, Wal::mend);
        let mut database = match File::open(path) {
            Ok(file) => Some(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(fault(path, &error)),
        };
        let mut header = [0; FILE_HEADER];
        let mut length = 0;
        if let Some(file) = &mut database {
            length = file.metadata().map_err(|e| fault(path, &e))?.len();
            // A file that is shorter than its header has no page either.
            let _ = file.read_exact(&mut header);
        }
        let page_size = match (u16::from_be_bytes([header[16], header[17]]), &wal) {
            (1, _) => 65_536,
            (size, _) if size >= 512 && size.is_power_of_two() => usize::from(size),
            (_, Some(wal)) => wal.page_size,
            (_, None) => 4096,
        };
        let count = u32::try_from(length.div_ceil(page_size as u64)).unwrap_or(u32::MAX);
        Ok(Pages { database, wal, page_size, count, mended_bits, held: None })
    }

    /// Every cell that may hold an event, with its record, page by page: the database, then the frames.
    pub fn each_record(&mut self, mut each: impl FnMut(Place, &Record)) -> io::Result<()> {
        for page in 1..=self.count {
            let bytes = self.database_page(page)?;
            self.each_cell(&bytes, None, page, &mut each);
            self.held = None;
        }
        let frames: Vec<u32> = self.wal.iter().flat_map(|wal| wal.frames.iter().map(|f| f.page)).collect();
        for (frame, page) in frames.into_iter().enumerate() {
            let frame = frame as u32;
            let bytes = self.frame_page(frame).unwrap_or_default().to_vec();
            self.each_cell(&bytes, Some(frame), page, &mut each);
        }
        Ok(())
    }

    fn each_cell(
        &mut self,
        bytes: &[u8],
        frame: Option<u32>,
        page: u32,
        each: &mut impl FnMut(Place, &Record),
    ) {
        for cell in 0..cells(bytes, page) {
            if let Some(record) = self.record_in(bytes, Place { frame, page, cell }) {
                each(Place { frame, page, cell }, &record);
            }
        }
    }

    /// The record in a place.
    pub fn record(&mut self, place: Place) -> io::Result<Option<Record>> {
        let bytes = match place.frame {
            Some(frame) => self.frame_page(frame).unwrap_or_default().to_vec(),
            None => self.database_page(place.page)?,
        };
        let record = self.record_in(&bytes, place);
        if place.frame.is_none() {
            self.held = Some((place.page, bytes));
        }
        Ok(record)
    }

    fn record_in(&mut self, page: &[u8], place: Place) -> Option<Record> {
        let start = if place.page == 1 { FILE_HEADER } else { 0 };
        let pointer = start + LEAF_HEADER + 2 * usize::from(place.cell);
        // SQLite does not look at the upper bits of a pointer, which would lead out of the page.
        let at = usize::from(u16::from_be_bytes(page.get(pointer..pointer + 2)?.try_into().ok()?));
        let at = at & (self.page_size - 1);
        let (length, n) = varint(page.get(at..)?)?;
        let (seq, m) = varint(page.get(at + n..)?)?;
        let possible = LEAST_RECORD..=MAX_PAYLOAD + REST_OF_RECORD;
        let length = usize::try_from(length).ok().filter(|length| possible.contains(length))?;
        let local = local_length(length, self.page_size);
        let body = at + n + m;
        let mut bytes = page.get(body..body + local)?.to_vec();
        if local < length {
            let next = u32::from_be_bytes(page.get(body + local..body + local + 4)?.try_into().ok()?);
            self.follow(next, length, &mut bytes)?;
        }
        Some(Record { seq, bytes }).filter(|record| record.seq > 0)
    }

    /// Appends what stands on overflow pages. An event is never changed, so the newest frame of such a page has it, or
    /// the database does.
    fn follow(&mut self, first: u32, length: usize, bytes: &mut Vec<u8>) -> Option<()> {
        let mut next = first;
        // A damaged page can lead back to one that was there.
        let mut left = u64::from(self.count) + self.wal.as_ref().map_or(0, |wal| wal.frames.len() as u64);
        while bytes.len() < length {
            left = left.checked_sub(1)?;
            let frames = self.wal.as_ref().map_or(&[][..], |wal| &wal.frames);
            let newest = frames.iter().rposition(|frame| frame.page == next && frame.current);
            let page = match newest {
                Some(frame) => self.frame_page(frame as u32)?.to_vec(),
                None if (1..=self.count).contains(&next) => self.database_page(next).ok()?,
                None => return None,
            };
            let take = (length - bytes.len()).min(self.page_size - 4);
            bytes.extend_from_slice(page.get(4..4 + take)?);
            next = u32::from_be_bytes(page.get(..4)?.try_into().ok()?);
        }
        Some(())
    }

    fn frame_page(&self, frame: u32) -> Option<&[u8]> {
        let wal = self.wal.as_ref()?;
        let at = wal.frames.get(frame as usize)?.at;
        wal.bytes.get(at..at + wal.page_size)
    }

    fn database_page(&mut self, page: u32) -> io::Result<Vec<u8>> {
        if let Some((_, bytes)) = self.held.take_if(|(held, _)| *held == page) {
            return Ok(bytes);
        }
        let Some(file) = &mut self.database else { return Ok(Vec::new()) };
        let at = u64::from(page - 1) * self.page_size as u64;
        file.seek(SeekFrom::Start(at))?;
        // The last page of a file that was cut is short.
        let mut bytes = Vec::with_capacity(self.page_size);
        file.take(self.page_size as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// How many cells a page says it has; 0 where it is no leaf of a table.
fn cells(page: &[u8], number: u32) -> u16 {
    let start = if number == 1 { FILE_HEADER } else { 0 };
    match page.get(start..start + LEAF_HEADER) {
        Some([LEAF_OF_TABLE, _, _, high, low, ..]) => u16::from_be_bytes([*high, *low]),
        _ => 0,
    }
}

/// How many bytes of a record stand in its cell; the rest is on overflow pages.
fn local_length(length: usize, page_size: usize) -> usize {
    let most = page_size - 35;
    if length <= most {
        return length;
    }
    let least = (page_size - 12) * 32 / 255 - 23;
    let fitting = least + (length - least) % (page_size - 4);
    if fitting <= most { fitting } else { least }
}

fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
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

/// Walks over the values of a record.
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
        let length = match self.kind()? {
            8 => return Some(0),
            9 => return Some(1),
            kind @ 1..=4 => kind,
            5 => 6,
            6 => 8,
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
    /// The hash that is stored with it: the last column, which can be read even where another one cannot.
    pub fn stored_hash(&self) -> Option<Hash> {
        self.bytes.last_chunk().map(|hash| Hash(*hash))
    }

    /// The event that the record holds; none when it is no event.
    pub fn event(&self) -> Option<EventRef<'_>> {
        let mut values = Values::of(&self.bytes)?;
        // The column `seq` is the rowid, and its place in the record is empty. SQLite does not look at what stands there, nor
        // at what stands behind the last column, and what it reads must be found here too: the hash decides.
        values.kind().filter(|kind| matches!(kind, 0 | 8..=13))?;
        Some(EventRef {
            seq: i64::try_from(self.seq).ok().filter(|seq| *seq > 0)?.unsigned_abs(),
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

    #[test]
    fn a_long_record_is_cut_where_sqlite_cuts_it() {
        assert_eq!(local_length(4061, 4096), 4061);
        assert_eq!(local_length(4062, 4096), 489);
        assert_eq!(local_length(489 + 4092 + 100, 4096), 589);
    }
}
