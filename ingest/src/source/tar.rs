//! Members of a tar stream. The `tar` crate parses headers; the walk is implemented here, since the crate's entries
//! (0.4.46)
//!
//! * hold long names and extensions of any size in memory; here more than a megabyte is an error. Raw mode leaves that
//!   to the caller, but ignores an extension's size of the next member;
//! * read a truncated member as a shorter one, whose last row would seem complete;
//! * reject a file that lacks only the padding of the last block;
//! * borrow the archive and are not `Send`, while [`super::Blocks`] needs nested streams.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use tar::{EntryType, Header, PaxExtensions};

use super::meter::Stream;

const BLOCK: u64 = 512;

/// Largest long name or extension.
const MAX_EXTENSION: u64 = 1 << 20;

/// A tar stream. Clones share it.
#[derive(Clone)]
pub(super) struct Tar(Arc<Mutex<State>>);

struct State {
    input: Stream,
    /// Unread bytes of the present member.
    left: u64,
    /// Bytes to the end of its last block.
    padding: u64,
}

pub(super) struct TarMember {
    pub name: String,
    /// False for members that are not stored plainly (sparse files).
    pub plain: bool,
}

/// Whether 512 bytes are a tar header.
pub(super) fn is_header(block: &[u8]) -> bool {
    let Some(block) = block.get(..BLOCK as usize) else { return false };
    let mut header = Header::new_old();
    header.as_mut_bytes().copy_from_slice(block);
    block.iter().any(|byte| *byte != 0) && sum_is_right(&header)
}

/// The checksum, with its own field as spaces.
fn sum_is_right(header: &Header) -> bool {
    let bytes = header.as_bytes();
    let sum: u32 = bytes[..148].iter().chain(&bytes[156..]).map(|byte| u32::from(*byte)).sum();
    header.cksum().is_ok_and(|stated| stated == sum + 8 * u32::from(b' '))
}

impl Tar {
    pub fn new(input: Stream) -> Tar {
        Tar(Arc::new(Mutex::new(State { input, left: 0, padding: 0 })))
    }

    /// The next regular file.
    pub fn next_member(&self) -> io::Result<Option<TarMember>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next_member()
    }

    pub fn content(&self) -> Stream {
        Box::new(Content(self.clone()))
    }
}

struct Content(Tar);

impl Read for Content {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).read(buffer)
    }
}

impl State {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let want = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        if want == 0 {
            return Ok(0);
        }
        let read = self.input.read(&mut buffer[..want])?;
        if read == 0 {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                format!("the tar file ends {} bytes before the end of this member", self.left),
            ));
        }
        self.left -= read as u64;
        Ok(read)
    }

    fn next_member(&mut self) -> io::Result<Option<TarMember>> {
        let (mut long_name, mut pax_name, mut pax_size) = (None, None, None);
        loop {
            self.skip()?;
            let Some(header) = self.header()? else { return Ok(None) };
            let kind = header.entry_type();
            // An extension's size is that of the member, not of another extension: other readings would find other
            // members.
            let is_extension = kind.is_gnu_longname()
                || kind.is_gnu_longlink()
                || kind.is_pax_local_extensions()
                || kind.is_pax_global_extensions();
            let size = match pax_size.filter(|_| !is_extension) {
                Some(size) => size,
                None => header.entry_size()?,
            };
            if !is_extension {
                pax_size = None;
            }
            self.left = size;
            self.padding = size.wrapping_neg() % BLOCK;
            match kind {
                EntryType::GNULongName => {
                    let name = self.extension()?;
                    long_name = Some(
                        String::from_utf8_lossy(name.trim_ascii_end()).trim_end_matches('\0').to_owned(),
                    );
                }
                EntryType::XHeader => {
                    let extension = self.extension()?;
                    for field in PaxExtensions::new(&extension) {
                        let field = field?;
                        match field.key_bytes() {
                            b"path" => {
                                pax_name = Some(String::from_utf8_lossy(field.value_bytes()).into_owned())
                            }
                            b"size" => pax_size = field.value().ok().and_then(|size| size.parse().ok()),
                            _ => {}
                        }
                    }
                }
                kind @ (EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse) => {
                    let own = String::from_utf8_lossy(&header.path_bytes()).into_owned();
                    let name = pax_name.or(long_name).unwrap_or(own);
                    // In the oldest format a folder's name ends in a slash.
                    if name.ends_with('/') {
                        (long_name, pax_name) = (None, None);
                        continue;
                    }
                    return Ok(Some(TarMember { name, plain: kind != EntryType::GNUSparse }));
                }
                // No text in folders, links, devices and global extensions.
                EntryType::XGlobalHeader | EntryType::GNULongLink => {}
                _ => (long_name, pax_name) = (None, None),
            }
        }
    }

    /// Skips the rest of the present member.
    fn skip(&mut self) -> io::Result<()> {
        let mut rest = (&mut self.input).take(self.left.saturating_add(self.padding));
        let skipped = io::copy(&mut rest, &mut io::sink())?;
        // The last block's padding may be missing.
        if skipped < self.left {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the tar file ends inside a member"));
        }
        (self.left, self.padding) = (0, 0);
        Ok(())
    }

    fn header(&mut self) -> io::Result<Option<Header>> {
        let mut header = Header::new_old();
        let mut filled = 0;
        while filled < header.as_bytes().len() {
            let read = self.input.read(&mut header.as_mut_bytes()[filled..])?;
            if read == 0 {
                break;
            }
            filled += read;
        }
        if filled == 0
            || (filled == header.as_bytes().len() && header.as_bytes().iter().all(|byte| *byte == 0))
        {
            return Ok(None);
        }
        if filled < header.as_bytes().len() {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the tar file ends inside a header"));
        }
        if !sum_is_right(&header) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "a header of the tar file is broken (its checksum is wrong)",
            ));
        }
        Ok(Some(header))
    }

    fn extension(&mut self) -> io::Result<Vec<u8>> {
        if self.left > MAX_EXTENSION {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "a name in the tar file is over a megabyte long",
            ));
        }
        let mut extension = Vec::new();
        while self.left > 0 {
            let mut buffer = [0; 512];
            let read = self.read(&mut buffer)?;
            extension.extend_from_slice(&buffer[..read]);
        }
        Ok(extension)
    }
}
