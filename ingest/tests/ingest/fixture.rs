//! What the tests share: the real files where they are, small made-up archives, and reading all of a source.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use annals_ingest::row::{Column, Row};
use annals_ingest::source::{
    Block, Blocks, Piece, RejectReason, RowStatus, SourceEnd, SourceRejected, discover,
};

/// The folder of the real files: `ANNALS_ARCHIVE`, or `../shared/data/archive` beside the workspace. None (and a word
/// about it) where there is none; under `CI=true` that is a failure.
pub fn archive() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = match std::env::var_os("ANNALS_ARCHIVE") {
        Some(path) => workspace.join(path),
        None => workspace.join("../shared/data/archive"),
    };
    if path.is_dir() {
        return Some(path);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "no real archive at {}", path.display());
    println!("skipped: no real archive at {} (name it in ANNALS_ARCHIVE)", path.display());
    None
}

/// How many cases a fuzzing test tries: some for every run, many with `ANNALS_LONG=1`.
pub fn cases(short: u32) -> u32 {
    if std::env::var("ANNALS_LONG").as_deref() == Ok("1") { short * 100 } else { short }
}

/// The header line, without line end.
pub fn header() -> String {
    Column::ALL.map(Column::name).join("\t")
}

/// A made-up row: a short game that Gold resigned.
pub fn row(id: u64) -> String {
    fields(id).join("\t")
}

/// The 29 fields of [`row`].
pub fn fields(id: u64) -> Vec<String> {
    let setups = "1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2\\n\
                  1b ha7 db7 cc7 ed7 me7 cf7 dg7 hh7 ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8\\n2w Ee2n\\n2b ed7s\\n3w";
    let game = format!(
        "{id}\t11\t12\talice\tbot_b\t\t\tUS\tDE\t1500\t1600\t30\t120\th\tb\tCasual game\tOver the Net\t2/2/100/10/8\t0\t\
         1769941051\t1769942363\tb\tr\t3\tIGS\t1\t0\t{setups}\t"
    );
    game.split('\t').map(str::to_owned).collect()
}

/// A text of a header and rows with these ids.
pub fn text(ids: std::ops::Range<u64>) -> String {
    let mut text = header() + "\n";
    for id in ids {
        text += &row(id);
        text.push('\n');
    }
    text
}

/// All that a reading gave.
#[derive(Default)]
pub struct Reading {
    pub blocks: Vec<Block>,
    pub ends: Vec<SourceEnd>,
    pub rejected: Vec<SourceRejected>,
}

impl Reading {
    /// Ids of the rows that are to be stored, in order.
    pub fn ids(&self) -> Vec<u64> {
        let new = |status: &RowStatus| match status {
            RowStatus::New { id } => Some(*id),
            _ => None,
        };
        self.blocks.iter().flat_map(|block| &block.rows).filter_map(|row| new(&row.status)).collect()
    }

    /// Line, byte offset and reason of the rejected rows, in order.
    pub fn rejects(&self) -> Vec<(u64, u64, RejectReason)> {
        let mut rejects = Vec::new();
        for row in self.blocks.iter().flat_map(|block| &block.rows) {
            if let RowStatus::Rejected(reason) = &row.status {
                rejects.push((row.line, row.byte_offset, (**reason).clone()));
            }
        }
        rejects
    }

    /// Every stored row, read.
    pub fn for_each_row(&self, mut look: impl FnMut(&Row<'_>)) {
        for block in &self.blocks {
            for row in &block.rows {
                if matches!(row.status, RowStatus::New { .. }) {
                    look(&Row::read(&block.columns, block.row_text(row)));
                }
            }
        }
    }

    /// The names of the sources that were read, in order.
    pub fn names(&self) -> Vec<&str> {
        self.ends.iter().map(|end| end.source.name.as_str()).collect()
    }
}

/// Reads everything that is named.
pub fn read(given: &[&Path]) -> Reading {
    let files = discover(given).expect("what is named is there");
    let mut reading = Reading::default();
    let mut ids = HashSet::new();
    for piece in Blocks::new(&files, |id| !ids.insert(id)) {
        match piece {
            Piece::Block(block) => reading.blocks.push(block),
            Piece::Games(_) => unreachable!("game files are read only where they are asked for"),
            Piece::End(end) => reading.ends.push(end),
            Piece::Rejected(rejected) => reading.rejected.push(rejected),
        }
    }
    let rows: u64 = reading.ends.iter().map(|end| end.rows).sum();
    assert_eq!(rows, reading.blocks.iter().map(|block| block.rows.len() as u64).sum::<u64>());
    reading
}

/// Writes one file in a fresh folder, and reads it.
pub fn read_bytes(name: &str, bytes: &[u8]) -> Reading {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = write(folder.path(), name, bytes);
    read(&[&path])
}

/// Writes a file.
pub fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
    std::fs::write(&path, bytes).expect("writable");
    path
}

/// Packs with gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// Packs some members with tar.
pub fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, *bytes).expect("memory");
    }
    builder.into_inner().expect("memory")
}

/// Packs some members with zip.
pub fn zip(members: &[(&str, &[u8])], method: zip::CompressionMethod) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in members {
        writer.start_file(*name, options).expect("memory");
        writer.write_all(bytes).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}
