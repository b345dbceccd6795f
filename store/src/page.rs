//! Pages of the database and write-ahead log as bytes, without SQLite, to find events that SQLite cannot reach. An
//! event proves itself by its hash, however it was found.
//!
//! Page types and cell pointers may be damaged, so each byte of each page is tried as the beginning of an event's record.
//! Pointers' targets are tried too, since damaged records are found only there. The layout is that of the SQLite file
//! format, sections 1.3 (header), 1.6 (b-tree pages), 2.1 (records).

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use annals_events::Hash;

use crate::fault::Fault;
use crate::names::wal_path;
use crate::record::{Record, event_length, local_length, possible_length, varint};
use crate::wal::Wal;

/// The position of an event's record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Frame of the write-ahead log, from 0; none for a database page.
    pub frame: Option<u32>,
    /// From 1.
    pub page: u32,
    /// The record's first byte in the page.
    pub at: u16,
    /// In bytes, overflow pages included.
    pub length: u32,
    /// An overflow pointer read with a flipped bit.
    pub turned: Option<Turned>,
}

/// One bit of an overflow pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Turned {
    /// The pointer of the record, from 0.
    pub pointer: u16,
    pub bit: u8,
}

/// A candidate event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    /// 0 if the bytes before the record contain none.
    pub seq: u64,
    pub place: Place,
    /// As stored; none if its overflow pages are damaged.
    pub hash: Option<Hash>,
}

pub(crate) struct Pages {
    database: Option<File>,
    wal: Option<Wal>,
    page_size: usize,
    /// Of the database file.
    count: u32,
    /// Repaired bits of the write-ahead log.
    pub mended_bits: u32,
    held: Option<(u32, Vec<u8>)>,
    /// Overflow pages that may still be read.
    overflow_left: u64,
}

/// Bytes before the first b-tree page.
const FILE_HEADER: usize = 100;
const LEAF_OF_TABLE: u8 = 0x0d;
const LEAF_HEADER: usize = 8;

/// Limit of overflow pages read, per page of the file: in a crafted file every byte can be taken for a cell that leads
/// over all pages.
const READINGS: u64 = 400;

impl Pages {
    /// Missing files have no pages.
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
            // A file shorter than its header has no pages.
            let _ = file.read_exact(&mut header);
        }
        let page_size = match (u16::from_be_bytes([header[16], header[17]]), &wal) {
            (1, _) => 65_536,
            (size, _) if size >= 512 && size.is_power_of_two() => usize::from(size),
            (_, Some(wal)) => wal.page_size,
            (_, None) => 4096,
        };
        let count = u32::try_from(length.div_ceil(page_size as u64)).unwrap_or(u32::MAX);
        Ok(Pages { database, wal, page_size, count, mended_bits, held: None, overflow_left: u64::MAX })
    }

    /// All candidates, page by page: database, then frames.
    pub fn each_found(&mut self, mut each: impl FnMut(Found)) -> io::Result<()> {
        let pages = u64::from(self.count) + self.wal.as_ref().map_or(0, |wal| wal.frames.len() as u64);
        self.overflow_left = pages.saturating_mul(READINGS);
        for page in 1..=self.count {
            let bytes = self.database_page(page)?;
            self.each_in(&bytes, None, page, &mut each);
        }
        let frames: Vec<u32> = self.wal.iter().flat_map(|wal| wal.frames.iter().map(|f| f.page)).collect();
        for (frame, page) in frames.into_iter().enumerate() {
            let frame = frame as u32;
            let bytes = self.frame_page(frame).unwrap_or_default().to_vec();
            self.each_in(&bytes, Some(frame), page, &mut each);
        }
        self.overflow_left = u64::MAX;
        Ok(())
    }

    fn each_in(&mut self, bytes: &[u8], frame: Option<u32>, page: u32, each: &mut impl FnMut(Found)) {
        let place = |at: usize, length: usize| Place {
            frame,
            page,
            at: at as u16,
            length: length as u32,
            turned: None,
        };
        let mut carved: Vec<(u64, Place)> = Vec::new();
        for at in 0..bytes.len() {
            if let Some(length) = event_length(&bytes[at..]) {
                carved.push((seq_in_front(bytes, at, length), place(at, length)));
            }
        }
        for &(seq, place) in &carved {
            let record = self.record_in(bytes, seq, place);
            if let Some(record) = record.filter(|record| seq > 0 || record.event_but_seq().is_some()) {
                each(Found { seq, place, hash: record.stored_hash() });
            } else if seq > 0 && self.pointers(place) > 0 && self.overflow_left > 0 {
                each(Found { seq, place, hash: None });
            }
        }
        for (seq, at, length) in cells(bytes, page, self.page_size) {
            let place = place(at, length);
            if !carved.contains(&(seq, place))
                && let Some(record) = self.record_in(bytes, seq, place)
            {
                each(Found { seq, place, hash: record.stored_hash() });
            }
        }
    }

    pub fn record(&mut self, seq: u64, place: Place) -> io::Result<Option<Record>> {
        let bytes = match place.frame {
            Some(frame) => self.frame_page(frame).unwrap_or_default().to_vec(),
            None => self.database_page(place.page)?,
        };
        let record = self.record_in(&bytes, seq, place);
        if place.frame.is_none() {
            self.held = Some((place.page, bytes));
        }
        Ok(record)
    }

    fn record_in(&mut self, page: &[u8], seq: u64, place: Place) -> Option<Record> {
        let (at, length) = (usize::from(place.at), place.length as usize);
        let local = local_length(length, self.page_size);
        let mut bytes = page.get(at..at + local)?.to_vec();
        if local < length {
            let next = u32::from_be_bytes(page.get(at + local..at + local + 4)?.try_into().ok()?);
            self.follow(next, place, &mut bytes, &mut Vec::new())?;
        }
        Some(Record { seq, bytes })
    }

    /// Overflow pages of a record.
    pub fn pointers(&self, place: Place) -> usize {
        let length = place.length as usize;
        (length - local_length(length, self.page_size)).div_ceil(self.page_size - 4)
    }

    /// Alternatives with one flipped pointer bit, the dangling pointer first.
    pub fn turned(&mut self, place: Place) -> io::Result<Vec<Place>> {
        let length = place.length as usize;
        let local = local_length(length, self.page_size);
        let page = match place.frame {
            Some(frame) => self.frame_page(frame).unwrap_or_default().to_vec(),
            None => self.database_page(place.page)?,
        };
        let after = usize::from(place.at) + local;
        let Some(next) = page.get(after..after + 4).and_then(|next| next.try_into().ok()) else {
            return Ok(Vec::new());
        };
        let mut way = Vec::new();
        let mut bytes = vec![0; local];
        let _ = self.follow(u32::from_be_bytes(next), place, &mut bytes, &mut way);
        let last = self.wal.iter().flat_map(|wal| &wal.frames).map(|frame| frame.page).max();
        let last = last.unwrap_or(0).max(self.count);
        let mut places = Vec::new();
        for (pointer, page) in way.iter().enumerate().rev() {
            let bits = (0..32).filter(|bit| (1..=last).contains(&(page ^ 1 << bit)));
            let turned = bits.map(|bit| Turned { pointer: pointer as u16, bit });
            places.extend(turned.map(|turned| Place { turned: Some(turned), ..place }));
        }
        Ok(places)
    }

    /// Appends the content of overflow pages, and the pages to the path. Events never change, so the newest frame of a
    /// page has it, or the database.
    fn follow(&mut self, first: u32, place: Place, bytes: &mut Vec<u8>, way: &mut Vec<u32>) -> Option<()> {
        let mut next = first;
        while bytes.len() < place.length as usize {
            if let Some(turned) = place.turned.filter(|turned| usize::from(turned.pointer) == way.len()) {
                next ^= 1 << turned.bit;
            }
            way.push(next);
            // A damaged page can lead back.
            self.overflow_left = self.overflow_left.checked_sub(1)?;
            let frames = self.wal.as_ref().map_or(&[][..], |wal| &wal.frames);
            let newest = frames.iter().rposition(|frame| frame.page == next && frame.current);
            let page = match newest {
                Some(frame) => self.frame_page(frame as u32)?.to_vec(),
                None if (1..=self.count).contains(&next) => self.database_page(next).ok()?,
                None => return None,
            };
            let take = (place.length as usize - bytes.len()).min(self.page_size - 4);
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
        // The last page of a truncated file is short.
        let mut bytes = Vec::with_capacity(self.page_size);
        file.take(self.page_size as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// The number before a record, if the cell has the record's length; else 0.
fn seq_in_front(page: &[u8], at: usize, length: usize) -> u64 {
    let ends = |start: usize, end: usize| varint(&page[start..end]).filter(|(_, n)| start + n == end);
    let numbers = (at.saturating_sub(9)..at).filter_map(|start| Some((start, ends(start, at)?.0)));
    let is_of_it = |start: usize| {
        let mut lengths = (start.saturating_sub(4)..start).filter_map(|from| ends(from, start));
        lengths.any(|(found, _)| found == length as u64)
    };
    let mut named = numbers.filter(|(start, _)| is_of_it(*start));
    named.next().map_or(0, |(_, seq)| seq)
}

/// A page's cells by its pointers: number, and the record's position and length; none if it is not a table leaf.
fn cells(page: &[u8], number: u32, page_size: usize) -> Vec<(u64, usize, usize)> {
    let start = if number == 1 { FILE_HEADER } else { 0 };
    let count = match page.get(start..start + LEAF_HEADER) {
        Some([LEAF_OF_TABLE, _, _, high, low, ..]) => u16::from_be_bytes([*high, *low]),
        _ => 0,
    };
    let cell = |pointer: usize| {
        // SQLite ignores upper bits that would lead out of the page.
        let at = usize::from(u16::from_be_bytes(page.get(pointer..pointer + 2)?.try_into().ok()?));
        let at = at & (page_size - 1);
        let (length, n) = varint(page.get(at..)?)?;
        let (seq, m) = varint(page.get(at + n..)?)?;
        Some((seq, at + n + m, possible_length(length)?)).filter(|(seq, at, _)| *seq > 0 && *at < page.len())
    };
    (0..usize::from(count)).filter_map(|i| cell(start + LEAF_HEADER + 2 * i)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_in_front_of_a_record_counts_where_the_cell_says_its_length() {
        // The length 300, the number 128, the record.
        let page = [7, 0x82, 0x2c, 0x81, 0x00, 13, 0];
        assert_eq!(seq_in_front(&page, 5, 300), 128);
        assert_eq!(seq_in_front(&page, 5, 301), 0);
        assert_eq!(seq_in_front(&page, 3, 300), 0);
        assert_eq!(seq_in_front(&page, 0, 300), 0);
        assert_eq!(seq_in_front(&[40, 5, 13], 2, 40), 5);
    }
}
