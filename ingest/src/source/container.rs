//! The kind of a file by its first bytes, and the texts in it, through layers of gzip and tar, and zip.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;

use super::discover::{SourceFile, is_clutter};
use super::end::SourceRejectReason;
use super::meter::{MAX_LAYERS, Metered, Progress, Stream, Unpacked};
use super::tar::{self, Tar};
use super::zip::Zip;

pub(super) enum Found {
    /// A text, or at least nothing known to be something else.
    Text {
        /// Inside the file (`!member.txt`); empty for the file itself.
        inside: String,
        stream: Stream,
    },
    /// Unreadable.
    Rejected {
        /// Inside the file; empty for the file itself.
        inside: String,
        reason: SourceRejectReason,
    },
}

pub(super) struct Walk<'f> {
    file: &'f SourceFile,
    progress: Progress,
    begun: bool,
    levels: Vec<Level>,
}

struct Level {
    /// Of the packed file inside the outermost one.
    inside: String,
    layers: usize,
    members: usize,
    kind: LevelKind,
}

enum LevelKind {
    Tar(Tar),
    Zip(Box<Zip>),
}

impl<'f> Walk<'f> {
    pub fn new(file: &'f SourceFile, progress: Progress) -> Walk<'f> {
        Walk { file, progress, begun: false, levels: Vec::new() }
    }

    /// The next text or rejection.
    pub fn next(&mut self) -> Option<Found> {
        if !self.begun {
            self.begun = true;
            let opened = match File::open(&self.file.path) {
                Ok(file) => Metered { inner: file, progress: self.progress.clone() },
                Err(error) => return Some(unreadable(String::new(), &error)),
            };
            if let Some(found) = self.look_into(String::new(), Box::new(opened), 0) {
                return Some(found);
            }
        }
        while let Some(level) = self.levels.last_mut() {
            let next = match &mut level.kind {
                LevelKind::Tar(tar) => tar.next_member().map(|member| {
                    member.map(|member| {
                        let content = if member.plain {
                            Ok(tar.content())
                        } else {
                            Err(io::Error::other("it is stored as a sparse file; unpack it by hand"))
                        };
                        (member.name, content)
                    })
                }),
                LevelKind::Zip(zip) => {
                    Ok(zip.next_member(&self.progress).map(|member| (member.name, member.content)))
                }
            };
            let (name, content) = match next {
                Ok(Some(member)) => member,
                Ok(None) => {
                    let empty = level.members == 0;
                    let inside = self.levels.pop().map(|level| level.inside).unwrap_or_default();
                    if empty {
                        let what = "a packed file with no file in it".to_owned();
                        return Some(Found::Rejected {
                            inside,
                            reason: SourceRejectReason::SomethingElse { what },
                        });
                    }
                    continue;
                }
                Err(error) => {
                    let inside = self.levels.pop().map(|level| level.inside).unwrap_or_default();
                    return Some(broken(inside, format!("{error}; members after this place are lost")));
                }
            };
            level.members += 1;
            if is_clutter(&name) {
                continue;
            }
            let inside = format!("{}!{}", level.inside, shown(&name));
            let layers = level.layers;
            let found = match content {
                Ok(content) => self.look_into(inside, content, layers),
                Err(error) => Some(broken(inside, error.to_string())),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Unpacks layers until a text; for a container pushes a level and returns none.
    fn look_into(&mut self, inside: String, mut stream: Stream, mut layers: usize) -> Option<Found> {
        loop {
            let start = match first_bytes(&mut stream) {
                Ok(start) => start,
                Err(error) if layers > 0 => return Some(broken(inside, error.to_string())),
                Err(error) => return Some(unreadable(inside, &error)),
            };
            let kind = Kind::of(&start);
            stream = Box::new(Cursor::new(start).chain(stream));
            if layers >= MAX_LAYERS && matches!(kind, Kind::Gzip | Kind::Tar | Kind::Zip) {
                return Some(broken(inside, format!("packed in more than {MAX_LAYERS} layers")));
            }
            layers += 1;
            match kind {
                Kind::Gzip => {
                    let buffered = BufReader::with_capacity(64 << 10, stream);
                    stream = Box::new(Unpacked::new(MultiGzDecoder::new(buffered), &self.progress));
                }
                Kind::Tar => {
                    let kind = LevelKind::Tar(Tar::new(stream));
                    self.levels.push(Level { inside, layers, members: 0, kind });
                    return None;
                }
                Kind::Zip if layers == 1 => match Zip::open(self.file.path.clone()) {
                    Ok(zip) => {
                        let kind = LevelKind::Zip(Box::new(zip));
                        self.levels.push(Level { inside, layers, members: 0, kind });
                        return None;
                    }
                    Err(error) => return Some(broken(inside, error.to_string())),
                },
                Kind::Zip => {
                    return Some(broken(
                        inside,
                        "a zip file inside another packed file; unpack the outer one first".to_owned(),
                    ));
                }
                Kind::Empty => return Some(Found::Rejected { inside, reason: SourceRejectReason::Empty }),
                Kind::Other(what) => {
                    let what = what.to_owned();
                    return Some(Found::Rejected {
                        inside,
                        reason: SourceRejectReason::SomethingElse { what },
                    });
                }
                Kind::Text => return Some(Found::Text { inside, stream }),
            }
        }
    }
}

fn unreadable(inside: String, error: &io::Error) -> Found {
    Found::Rejected { inside, reason: SourceRejectReason::Unreadable { why: error.to_string() } }
}

fn broken(inside: String, why: String) -> Found {
    Found::Rejected { inside, reason: SourceRejectReason::Packing { why } }
}

/// Without control characters, which could disturb a terminal.
fn shown(name: &str) -> String {
    let name = name.strip_prefix("./").unwrap_or(name);
    name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

const LOOKED_AT: usize = 512;

fn first_bytes(stream: &mut Stream) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(LOOKED_AT);
    stream.take(LOOKED_AT as u64).read_to_end(&mut start)?;
    Ok(start)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Empty,
    Text,
    Gzip,
    Tar,
    Zip,
    Other(&'static str),
}

impl Kind {
    fn of(start: &[u8]) -> Kind {
        const KNOWN: [(&[u8], Kind); 14] = [
            (b"\x1f\x8b", Kind::Gzip),
            (b"PK\x03\x04", Kind::Zip),
            (b"PK\x05\x06", Kind::Zip),
            (b"\xfd7zXZ\0", Kind::Other("packed by xz; unpack it first")),
            (b"\x28\xb5\x2f\xfd", Kind::Other("packed by zstd; unpack it first")),
            (b"BZh", Kind::Other("packed by bzip2; unpack it first")),
            (b"7z\xbc\xaf\x27\x1c", Kind::Other("a 7-Zip file; unpack it first")),
            (b"Rar!", Kind::Other("a RAR file; unpack it first")),
            (b"\x1f\x9d", Kind::Other("packed by compress; unpack it first")),
            (b"PAR1", Kind::Other("a Parquet file, which ingest writes and does not read")),
            (b"SQLite format 3\0", Kind::Other("an SQLite database")),
            (b"%PDF-", Kind::Other("a PDF document")),
            (b"\xff\xfe", Kind::Other("text in UTF-16; save it as UTF-8")),
            (b"\xfe\xff", Kind::Other("text in UTF-16; save it as UTF-8")),
        ];
        if start.is_empty() {
            return Kind::Empty;
        }
        if let Some((_, kind)) = KNOWN.iter().find(|(magic, _)| start.starts_with(magic)) {
            return *kind;
        }
        if tar::is_header(start) {
            return Kind::Tar;
        }
        // Zeros inside a text are damaged rows; at its beginning they indicate binary data.
        if memchr::memchr(0, &start[..start.len().min(64)]).is_some() {
            return Kind::Other("binary data");
        }
        Kind::Text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell_the_kind() {
        assert_eq!(Kind::of(b""), Kind::Empty);
        assert_eq!(Kind::of(b"id\twplayerid"), Kind::Text);
        assert_eq!(Kind::of(&[0; 512]), Kind::Other("binary data"));
        assert_eq!(Kind::of(b"\x1f\x8b\x08"), Kind::Gzip);
        assert_eq!(Kind::of(b"PK\x03\x04rest"), Kind::Zip);
        let mut header = ::tar::Header::new_gnu();
        header.set_path("a.txt").unwrap();
        header.set_size(3);
        header.set_cksum();
        assert_eq!(Kind::of(header.as_bytes()), Kind::Tar);
    }

    #[test]
    fn names_are_shown_without_control_characters() {
        assert_eq!(shown("./a\u{1b}[1m.txt"), "a\u{fffd}[1m.txt");
    }
}
