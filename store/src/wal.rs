//! The write-ahead log as bytes. SQLite reads to the first frame with a wrong checksum and silently stops there: right
//! after a loss of power, wrong after damage. This module reads on. The layout is that of the SQLite file format,
//! section 4.1: a header of 32 bytes, then frames of a 24-byte header and a page. A frame's checksum covers all frames
//! before it.

use std::fmt;
use std::io;
use std::path::Path;

/// A premature end of a write-ahead log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WalCut {
    /// By SQLite.
    pub readable: u64,
    /// Frames of the same generation after it.
    pub behind: u64,
    /// Whole transactions among them.
    pub commits_behind: u64,
}

impl fmt::Display for WalCut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the write-ahead log is cut short: after {} readable frames one is damaged, and {} more with {} whole \
             transactions lie behind it, which SQLite passes over in silence",
            self.readable, self.behind, self.commits_behind
        )
    }
}

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    /// From 1.
    pub page: u32,
    /// The database's size in pages if the frame ends a transaction, else 0.
    pub commit: u32,
    /// Offset of its page in the file.
    pub at: usize,
    /// Of the generation in the header.
    pub current: bool,
    /// Its checksum and all before are right.
    pub sound: bool,
}

#[derive(Debug)]
pub(crate) struct Wal {
    pub bytes: Vec<u8>,
    pub page_size: usize,
    pub frames: Vec<Frame>,
}

fn word(bytes: &[u8], at: usize) -> u32 {
    let mut word = [0; 4];
    if let Some(found) = bytes.get(at..at + 4) {
        word.copy_from_slice(found);
    }
    u32::from_be_bytes(word)
}

/// SQLite's checksum over 8-byte pieces.
fn checksum(bytes: &[u8], big_end_first: bool, from: (u32, u32)) -> (u32, u32) {
    let read = |piece: &[u8]| {
        let word = [piece[0], piece[1], piece[2], piece[3]];
        if big_end_first { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) }
    };
    bytes.chunks_exact(8).fold(from, |(a, b), piece| {
        let a = a.wrapping_add(read(piece)).wrapping_add(b);
        let b = b.wrapping_add(read(&piece[4..])).wrapping_add(a);
        (a, b)
    })
}

impl Wal {
    /// None if missing or empty.
    pub fn read(path: &Path) -> io::Result<Option<Wal>> {
        match std::fs::read(path) {
            Ok(bytes) if bytes.len() < HEADER => Ok(None),
            Ok(bytes) => Ok(Some(Wal::from_bytes(bytes))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn from_bytes(bytes: Vec<u8>) -> Wal {
        // A damaged header is used anyway; the page size defaults to a log's.
        let big_end_first = word(&bytes, 0) & 1 == 1;
        let page_size = match word(&bytes, 8) as usize {
            size if (512..=65_536).contains(&size) && size.is_power_of_two() => size,
            _ => 4096,
        };
        let mut sums = checksum(&bytes[..24], big_end_first, (0, 0));
        let mut sound = matches!(word(&bytes, 0), 0x377f_0682 | 0x377f_0683)
            && word(&bytes, 4) == 3_007_000
            && word(&bytes, 8) as usize == page_size
            && sums == (word(&bytes, 24), word(&bytes, 28));
        let salts = salts(&bytes, page_size, sound);
        let mut frames = Vec::new();
        let mut at = HEADER;
        while at + FRAME_HEADER + page_size <= bytes.len() {
            let current = (word(&bytes, at + 8), word(&bytes, at + 12)) == salts;
            if sound {
                sums = checksum(&bytes[at..at + 8], big_end_first, sums);
                sums = checksum(&bytes[at + FRAME_HEADER..][..page_size], big_end_first, sums);
                sound =
                    current && word(&bytes, at) > 0 && sums == (word(&bytes, at + 16), word(&bytes, at + 20));
            }
            let (page, commit) = (word(&bytes, at), word(&bytes, at + 4));
            frames.push(Frame { page, commit, at: at + FRAME_HEADER, current, sound });
            at += FRAME_HEADER + page_size;
        }
        Wal { bytes, page_size, frames }
    }

    /// Repairs single flipped bits: a frame of the present generation whose checksum, continued from the frame before,
    /// is right with one bit of its page flipped. Returns their number. The checksum is a sum and may allow several
    /// bits; then the page is added as one more frame per candidate, to be distinguished by other means.
    pub fn mend(&mut self) -> u32 {
        let mut mended = 0;
        for i in 0..self.frames.len() {
            let frame = self.frames[i];
            if frame.sound || !frame.current {
                continue;
            }
            match self.possible_flips(i).as_slice() {
                [(byte, mask)] => {
                    self.bytes[frame.at + byte] ^= mask;
                    mended += 1;
                }
                several => {
                    for (byte, mask) in several {
                        let at = self.bytes.len();
                        self.bytes.extend_from_within(frame.at..frame.at + self.page_size);
                        self.bytes[at + byte] ^= mask;
                        self.frames.push(Frame { commit: 0, at, ..frame });
                    }
                }
            }
        }
        mended
    }

    /// The bits of a page (byte and mask) whose flip makes its checksum right; none if it is right.
    fn possible_flips(&self, frame: usize) -> Vec<(usize, u8)> {
        let big_end_first = word(&self.bytes, 0) & 1 == 1;
        let at = self.frames[frame].at;
        // The checksum before a frame: of the previous frame, or of the header.
        let stored = if frame == 0 { 24 } else { self.frames[frame - 1].at - FRAME_HEADER + 16 };
        let before = (word(&self.bytes, stored), word(&self.bytes, stored + 4));
        let head = at - FRAME_HEADER;
        let wanted = (word(&self.bytes, head + 16), word(&self.bytes, head + 20));
        let mut sums = checksum(&self.bytes[head..head + 8], big_end_first, before);
        let mut page = self.bytes[at..at + self.page_size].to_vec();
        let mut flips = Vec::new();
        if checksum(&page, big_end_first, sums) == wanted {
            return flips;
        }
        for piece in (0..self.page_size).step_by(8) {
            for bit in 0..64 {
                let (byte, mask) = (piece + bit / 8, 1 << (bit % 8));
                page[byte] ^= mask;
                if checksum(&page[piece..], big_end_first, sums) == wanted {
                    flips.push((byte, mask));
                }
                page[byte] ^= mask;
            }
            // The part before the tried bit need not be summed again.
            sums = checksum(&page[piece..piece + 8], big_end_first, sums);
        }
        flips
    }

    /// Whether unread frames follow the end.
    pub fn cut(&self) -> Option<WalCut> {
        let readable = self.frames.iter().take_while(|frame| frame.sound).count();
        let behind = self.frames.get(readable + 1..).unwrap_or_default();
        // Frames of earlier generations after the end are normal; only present ones count.
        let behind: Vec<&Frame> = behind.iter().filter(|frame| frame.current).collect();
        (!behind.is_empty()).then(|| WalCut {
            readable: readable as u64,
            behind: behind.len() as u64,
            commits_behind: behind.iter().filter(|frame| frame.commit > 0).count() as u64,
        })
    }
}

/// The two numbers of the present generation: from the header or, if damaged, from the first frame.
fn salts(bytes: &[u8], page_size: usize, header_is_sound: bool) -> (u32, u32) {
    let first_frame = (word(bytes, HEADER + 8), word(bytes, HEADER + 12));
    if header_is_sound || bytes.len() < HEADER + FRAME_HEADER + page_size {
        (word(bytes, 16), word(bytes, 20))
    } else {
        first_frame
    }
}
