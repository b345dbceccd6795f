//! Splits a text into blocks: reads it once, digests it, finds lines, and checks each row's structure. Holds at most a
//! block and a row.

use std::io::{self, Read};
use std::sync::Arc;

use super::block::{
    BLOCK_BYTES, Block, EVIDENCE_BYTES, MAX_FIELD_BYTES, MAX_ROW_BYTES, Pool, RejectReason, RowRef,
    RowStatus, SourceDigest, SourceInfo,
};
use super::end::{SourceEnd, SourceRejectReason};
use super::meter::Stream;
use crate::row::{Column, Columns};

/// Bytes per read: digested while in the nearest cache.
const READ_BYTES: usize = 256 << 10;

/// Longest header line.
const MAX_HEADER_BYTES: usize = 64 << 10;

pub(super) struct Cutter {
    source: Arc<SourceInfo>,
    input: Input,
    columns: Arc<Columns>,
    header: Vec<u8>,
    pool: Arc<Pool>,
    /// Read beyond the last block.
    carry: Vec<u8>,
    /// Of `carry` in the source.
    offset: u64,
    /// Of the first line in `carry`.
    line: u64,
    index: u32,
    rows: u64,
}

struct Input {
    stream: Stream,
    hasher: blake3::Hasher,
    bytes: u64,
    done: bool,
    broken: Option<String>,
}

impl Input {
    /// Appends up to `most` bytes to `buffer`; false at the end.
    fn fill(&mut self, buffer: &mut Vec<u8>, most: usize) -> bool {
        if self.done {
            return false;
        }
        let before = buffer.len();
        buffer.resize(before + most, 0);
        let mut end = before;
        while end < buffer.len() && !self.done {
            match self.stream.read(&mut buffer[end..]) {
                Ok(0) => self.done = true,
                Ok(read) => end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.broken = Some(error.to_string());
                    self.done = true;
                }
            }
        }
        buffer.truncate(end);
        let new = &buffer[before..];
        self.bytes += new.len() as u64;
        self.hasher.update(new);
        !new.is_empty()
    }
}

/// The end of a block's last row.
enum Tail {
    /// At a line end, from the start of the block (or at the end of the source).
    Cut(usize),
    /// The row begins here and exceeds the limit.
    TooLong(usize),
}

impl Cutter {
    /// Reads the header.
    ///
    /// # Errors
    /// If the text does not begin with an archive header.
    pub fn begin(
        source: Arc<SourceInfo>,
        stream: Stream,
        pool: Arc<Pool>,
    ) -> Result<Cutter, SourceRejectReason> {
        let mut input = Input { stream, hasher: blake3::Hasher::new(), bytes: 0, done: false, broken: None };
        let mut carry = Vec::new();
        let mut end = None;
        while end.is_none() && carry.len() <= MAX_HEADER_BYTES && input.fill(&mut carry, READ_BYTES) {
            end = memchr::memchr(b'\n', &carry);
        }
        let whole = end.is_some() || input.done;
        if let (Some(why), None) = (&input.broken, end) {
            return Err(SourceRejectReason::Unreadable { why: why.clone() });
        }
        if carry.is_empty() {
            return Err(SourceRejectReason::Empty);
        }
        let header = &carry[..end.unwrap_or(carry.len())];
        if !whole || header.len() > MAX_HEADER_BYTES {
            let what = format!("no header line: the first line is longer than {MAX_HEADER_BYTES} bytes");
            return Err(SourceRejectReason::SomethingElse { what });
        }
        let header = header.strip_suffix(b"\r").unwrap_or(header).to_vec();
        let columns = Arc::new(Columns::from_header(&header)?);
        Ok(Cutter { source, input, columns, header, pool, carry, offset: 0, line: 1, index: 0, rows: 0 })
    }

    /// None at the end. `seen` returns whether an id came before, and records it.
    pub fn next_block(&mut self, seen: &mut impl FnMut(u64) -> bool) -> Option<Block> {
        loop {
            let mut text = self.pool.take();
            text.reserve(BLOCK_BYTES + 2 * READ_BYTES);
            text.append(&mut self.carry);
            while text.len() < BLOCK_BYTES && self.input.fill(&mut text, READ_BYTES) {}
            if text.is_empty() {
                return None;
            }
            let tail = self.find_tail(&mut text);
            let (first_offset, index) = (self.offset, self.index);
            let mut block = Block {
                source: Arc::clone(&self.source),
                columns: Arc::clone(&self.columns),
                index,
                first_offset,
                text,
                rows: Vec::new(),
                pool: Some(Arc::clone(&self.pool)),
            };
            match tail {
                Tail::Cut(end) => {
                    self.carry.extend_from_slice(&block.text[end..]);
                    block.text.truncate(end);
                    self.rows_of(&block.text, &mut block.rows, seen);
                    self.offset += end as u64;
                }
                Tail::TooLong(start) => {
                    self.rows_of(&block.text[..start], &mut block.rows, seen);
                    self.pass_over(&mut block, start);
                }
            }
            self.rows += block.rows.len() as u64;
            if !block.rows.is_empty() {
                self.index += 1;
                return Some(block);
            }
        }
    }

    /// Finds the block's end, reading to the end of its last line.
    fn find_tail(&mut self, text: &mut Vec<u8>) -> Tail {
        if text.len() < BLOCK_BYTES {
            return Tail::Cut(text.len());
        }
        let mut from = BLOCK_BYTES - 1;
        let row = memchr::memrchr(b'\n', &text[..from]).map_or(0, |at| at + 1);
        loop {
            if let Some(at) = memchr::memchr(b'\n', &text[from..]) {
                let end = from + at;
                return if end - row > MAX_ROW_BYTES { Tail::TooLong(row) } else { Tail::Cut(end + 1) };
            }
            from = text.len();
            if from - row > MAX_ROW_BYTES {
                return Tail::TooLong(row);
            }
            if !self.input.fill(text, READ_BYTES) {
                return Tail::Cut(from);
            }
        }
    }

    /// Checks the rows of whole lines.
    fn rows_of(&mut self, text: &[u8], rows: &mut Vec<RowRef>, seen: &mut impl FnMut(u64) -> bool) {
        let expected = self.columns.count();
        let id_place = self.columns.place(Column::Id);
        let mut start = 0;
        let (mut tabs, mut id_start, mut id_end) = (0, 0, None);
        let ends = memchr::memchr2_iter(b'\t', b'\n', text);
        // The last line may lack a line end.
        let unfinished = (!text.is_empty() && text.last() != Some(&b'\n')).then_some(text.len());
        for at in ends.chain(unfinished) {
            if text.get(at) == Some(&b'\t') {
                if tabs == id_place {
                    id_end = Some(at);
                }
                tabs += 1;
                if tabs == id_place {
                    id_start = at + 1;
                }
                continue;
            }
            let mut end = at;
            if end > start && text[end - 1] == b'\r' {
                end -= 1;
            }
            // Line 1 is the header; blank lines are not rows.
            if self.line > 1 && end > start {
                let line = &text[start..end];
                let broken = at == text.len() && self.input.done;
                let status = match &self.input.broken {
                    Some(why) if broken => {
                        RowStatus::Rejected(Box::new(RejectReason::CutOff { why: why.clone() }))
                    }
                    _ if line == self.header => RowStatus::Rejected(Box::new(RejectReason::RepeatedHeader)),
                    _ if tabs + 1 != expected => RowStatus::Rejected(Box::new(RejectReason::ColumnCount {
                        found: u32::try_from(tabs + 1).unwrap_or(u32::MAX),
                        expected: u32::try_from(expected).unwrap_or(u32::MAX),
                    })),
                    _ => match too_long(&self.columns, line) {
                        Some(reason) => RowStatus::Rejected(Box::new(reason)),
                        None => {
                            let id = text.get(id_start..id_end.unwrap_or(end)).unwrap_or_default();
                            identified(id, seen)
                        }
                    },
                };
                rows.push(RowRef {
                    start: to_u32(start),
                    len: to_u32(end - start),
                    byte_offset: self.offset + start as u64,
                    line: self.line,
                    status,
                });
            }
            self.line += 1;
            start = at + 1;
            (tabs, id_start, id_end) = (0, start, None);
        }
    }

    /// Skips an overlong row except its beginning; the next block follows it.
    fn pass_over(&mut self, block: &mut Block, start: usize) {
        let mut bytes = (block.text.len() - start) as u64;
        let mut chunk = block.text.split_off(start);
        let mut end = memchr::memchr(b'\n', &chunk);
        if let Some(end) = end {
            bytes = end as u64;
        }
        block.text.extend_from_slice(&chunk[..chunk.len().min(EVIDENCE_BYTES)]);
        if end.is_none() {
            chunk = self.pool.take();
            while end.is_none() {
                chunk.clear();
                if !self.input.fill(&mut chunk, READ_BYTES) {
                    break;
                }
                end = memchr::memchr(b'\n', &chunk);
                bytes += end.unwrap_or(chunk.len()) as u64;
            }
        }
        let byte_offset = self.offset + start as u64;
        block.rows.push(RowRef {
            start: to_u32(start),
            len: to_u32(block.text.len() - start),
            byte_offset,
            line: self.line,
            status: RowStatus::Rejected(Box::new(RejectReason::TooLong { bytes })),
        });
        self.line += 1;
        self.offset = byte_offset + bytes + u64::from(end.is_some());
        self.carry = end.map_or_else(Vec::new, |end| chunk.split_off(end + 1));
    }

    pub fn finish(self) -> SourceEnd {
        SourceEnd {
            source: self.source,
            digest: SourceDigest(*self.input.hasher.finalize().as_bytes()),
            bytes: self.input.bytes,
            lines: self.line - 1,
            rows: self.rows,
            incomplete: self.input.broken,
            other_columns: self.columns.others().to_vec(),
            missing_columns: self.columns.missing().map(Column::name).collect(),
        }
    }
}

/// The first overlong field; moves and server log are limited by the row only.
fn too_long(columns: &Columns, row: &[u8]) -> Option<RejectReason> {
    // A shorter row has no such field.
    if row.len() <= MAX_FIELD_BYTES {
        return None;
    }
    let fields = Column::ALL.into_iter().zip(columns.fields(row));
    let mut short = fields.filter(|(column, _)| !matches!(column, Column::Movelist | Column::Events));
    let (column, field) = short.find(|(_, field)| field.len() > MAX_FIELD_BYTES)?;
    Some(RejectReason::FieldTooLong { column: column.name(), bytes: field.len() as u64 })
}

/// Of a row with the right number of columns.
fn identified(id: &[u8], seen: &mut impl FnMut(u64) -> bool) -> RowStatus {
    match std::str::from_utf8(id).ok().and_then(|id| id.parse().ok()) {
        Some(id) if seen(id) => RowStatus::Duplicate { id },
        Some(id) => RowStatus::New { id },
        None => {
            let found = String::from_utf8_lossy(&id[..id.len().min(40)]).into_owned();
            RowStatus::Rejected(Box::new(RejectReason::UnreadableId { found }))
        }
    }
}

/// Offsets in a block: a little over 24 MiB.
fn to_u32(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// The digest of a text; with the error if it is truncated.
pub(super) fn digest(stream: Stream, buffer: &mut Vec<u8>) -> (SourceDigest, u64, Option<io::Error>) {
    let mut hasher = blake3::Hasher::new();
    let mut bytes = 0;
    let mut stream = stream;
    buffer.resize(READ_BYTES, 0);
    loop {
        match stream.read(buffer) {
            Ok(0) => return (SourceDigest(*hasher.finalize().as_bytes()), bytes, None),
            Ok(read) => {
                bytes += read as u64;
                hasher.update(&buffer[..read]);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (SourceDigest(*hasher.finalize().as_bytes()), bytes, Some(error)),
        }
    }
}
