//! Finding files, lines and rows.

use std::collections::HashSet;

use annals_ingest::row::{Column, Row};
use annals_ingest::source::{BLOCK_BYTES, Blocks, DiscoverError, Piece, RejectReason, RowStatus, discover};

use crate::fixture::{self, fields, header, read, read_bytes, row, text, write};

#[test]
fn files_folders_and_patterns_give_each_file_once_in_one_order() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b.txt", "a.txt", "deep/er/c.txt", ".hidden.txt", "deep/.git/x.txt"] {
        write(folder.path(), name, text(0..1).as_bytes());
    }
    let names = |given: &[&str]| {
        let paths: Vec<_> = given.iter().map(|given| folder.path().join(given)).collect();
        discover(&paths).unwrap().into_iter().map(|file| file.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&[""]), ["a.txt", "b.txt", "deep/er/c.txt"]);
    assert_eq!(names(&["b.txt", "*.txt", "a.txt"]), ["a.txt", "b.txt"]);
    assert_eq!(names(&["deep", "*.txt"]), ["a.txt", "b.txt", "er/c.txt"]);
    assert_eq!(names(&["**/c.txt"]), ["c.txt"]);

    let nothing = discover(&[folder.path().join("*.zip")]).unwrap_err();
    assert!(matches!(nothing, DiscoverError::Nothing { .. }), "{nothing}");
    let absent = discover(&[folder.path().join("absent.txt")]).unwrap_err();
    assert!(absent.to_string().contains("absent.txt"), "{absent}");
    let pattern = discover(&["a[.txt"]).unwrap_err();
    assert!(matches!(pattern, DiscoverError::Pattern { .. }), "{pattern}");
}

#[test]
fn rows_know_their_line_and_their_byte_offset() {
    let text = format!("{}\n{}\n\n{}\n", header(), row(1), row(2));
    let reading = read_bytes("a.txt", text.as_bytes());
    let rows = &reading.blocks[0].rows;
    assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 4]);
    for (found, id) in rows.iter().zip([1, 2]) {
        let start = usize::try_from(found.byte_offset).unwrap();
        assert!(text[start..].starts_with(&row(id)));
        assert_eq!(reading.blocks[0].row_text(found), row(id).as_bytes());
        assert_eq!(found.status, RowStatus::New { id });
    }
    let end = &reading.ends[0];
    assert_eq!((end.lines, end.rows, end.bytes), (4, 2, text.len() as u64));
    assert_eq!(end.digest.to_string(), blake3::hash(text.as_bytes()).to_string());
}

#[test]
fn line_ends_of_both_kinds_and_a_last_line_without_one_give_the_same_rows() {
    let plain = text(1..4);
    for variant in
        [plain.replace('\n', "\r\n"), plain[..plain.len() - 1].to_owned(), format!("\u{feff}{plain}")]
    {
        let reading = read_bytes("a.txt", variant.as_bytes());
        assert_eq!(reading.ids(), [1, 2, 3]);
        assert!(reading.rejects().is_empty());
        reading.for_each_row(|row| {
            assert_eq!(row.bytes(Column::Events), b"");
            assert_eq!(row.header.rated, Some(true));
        });
    }
}

#[test]
fn columns_in_another_order_with_others_between_give_the_same_rows_and_digests() {
    let usual = read_bytes("a.txt", text(1..4).as_bytes());
    let shuffle = |fields: Vec<String>, extra: &str| {
        let mut fields: Vec<String> = fields.into_iter().rev().collect();
        fields.insert(3, extra.to_owned());
        fields.push(extra.to_owned());
        fields.join("\t")
    };
    let mut other = shuffle(Column::ALL.map(|column| column.name().to_owned()).to_vec(), "remark") + "\n";
    for id in 1..4 {
        other += &shuffle(fields(id), "x");
        other.push('\n');
    }
    let other = read_bytes("a.txt", other.as_bytes());
    assert_eq!(other.ids(), [1, 2, 3]);
    for (a, b) in usual.blocks[0].rows.iter().zip(&other.blocks[0].rows) {
        assert_eq!(usual.blocks[0].row_digest(a), other.blocks[0].row_digest(b));
        let (a, b) = (usual.blocks[0].row_text(a), other.blocks[0].row_text(b));
        let (a, b) = (Row::read(&usual.blocks[0].columns, a), Row::read(&other.blocks[0].columns, b));
        for column in Column::ALL {
            assert_eq!(a.bytes(column), b.bytes(column), "{}", column.name());
        }
    }
}

#[test]
fn an_id_that_came_before_is_a_duplicate_also_across_files() {
    let folder = tempfile::tempdir().unwrap();
    let a = write(folder.path(), "a.txt", text(1..4).as_bytes());
    let changed = row(5).replace("alice", "bob");
    let b = write(folder.path(), "b.txt", format!("{}{}\n{changed}\n", text(3..5), row(5)).as_bytes());
    let reading = read(&[&b, &a]);
    assert_eq!(reading.ids(), [1, 2, 3, 4, 5]);
    let last = &reading.blocks[1];
    let statuses: Vec<_> = last.rows.iter().map(|row| row.status.clone()).collect();
    assert_eq!(statuses[0], RowStatus::Duplicate { id: 3 });
    assert_eq!(statuses[3], RowStatus::Duplicate { id: 5 });
    assert_eq!(last.row_digest(&last.rows[0]), reading.blocks[0].row_digest(&reading.blocks[0].rows[2]));
    assert_ne!(last.row_digest(&last.rows[2]), last.row_digest(&last.rows[3]));
}

#[test]
fn blocks_end_with_the_line_after_eight_megabytes_and_cover_the_text() {
    let mut text = header() + "\n";
    for id in 0..60_000 {
        text += &row(id);
        text.push('\n');
    }
    assert!(text.len() > 2 * BLOCK_BYTES);
    let reading = read_bytes("a.txt", text.as_bytes());
    assert_eq!(reading.ids(), (0..60_000).collect::<Vec<_>>());
    let mut offset = 0;
    for (i, block) in reading.blocks.iter().enumerate() {
        assert_eq!(block.index as usize, i);
        assert_eq!(block.text, &text.as_bytes()[offset..offset + block.text.len()]);
        let last = i + 1 == reading.blocks.len();
        let next_line =
            text.as_bytes()[offset..].iter().skip(BLOCK_BYTES - 1).position(|byte| *byte == b'\n');
        assert_eq!(block.text.len(), next_line.map_or(text.len() - offset, |at| BLOCK_BYTES + at));
        assert_eq!(last, offset + block.text.len() == text.len());
        offset += block.text.len();
    }
    assert_eq!(reading.ends[0].digest.to_string(), blake3::hash(text.as_bytes()).to_string());
}

#[test]
fn a_row_of_a_hundred_megabytes_is_passed_over_in_bounded_memory() {
    let mut text = text(1..3).into_bytes();
    let long_start = text.len();
    text.extend_from_slice(b"3\t");
    text.resize(text.len() + 100_000_000, b'y');
    text.push(b'\n');
    text.extend_from_slice(format!("{}\n", row(4)).as_bytes());
    let reading = read_bytes("a.txt", &text);
    assert_eq!(reading.ids(), [1, 2, 4]);
    assert_eq!(reading.rejects(), [(4, long_start as u64, RejectReason::TooLong { bytes: 100_000_002 })]);
    let held: usize = reading.blocks.iter().map(|block| block.text.len()).sum();
    assert!(held < 10_000, "{held} bytes of text are held");
    let most = reading.blocks.iter().map(|block| block.text.capacity()).max().unwrap();
    assert!(most <= 2 * (BLOCK_BYTES + annals_ingest::source::MAX_ROW_BYTES), "a buffer of {most} bytes");
    assert_eq!(reading.ends[0].lines, 5);
    assert_eq!(reading.ends[0].digest.to_string(), blake3::hash(&text).to_string());
    let last = reading.blocks.last().unwrap().rows.last().unwrap().clone();
    assert!(text[usize::try_from(last.byte_offset).unwrap()..].starts_with(row(4).as_bytes()));
}

#[test]
fn a_row_of_just_the_longest_length_is_a_row() {
    let longest = annals_ingest::source::MAX_ROW_BYTES;
    for (length, stored) in [(longest, true), (longest + 1, false)] {
        let short = row(7);
        let mut text = header().into_bytes();
        text.push(b'\n');
        text.extend_from_slice(short.as_bytes());
        text.resize(text.len() + length - short.len(), b'z');
        text.extend_from_slice(format!("\n{}", row(8)).as_bytes());
        let reading = read_bytes("a.txt", &text);
        assert_eq!(reading.ids(), if stored { vec![7, 8] } else { vec![8] });
        assert_eq!(reading.rejects().len(), usize::from(!stored));
    }
}

#[test]
fn sources_are_passed_over_by_their_ordinals() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.txt", text(1..4).as_bytes());
    let (x, y) = (text(4..6), text(6..8));
    let packed = fixture::gzip(&fixture::tar(&[("x.txt", x.as_bytes()), ("y.txt", y.as_bytes())]));
    write(folder.path(), "b.tgz", &packed);
    let files = discover(&[folder.path()]).unwrap();
    let progress = annals_ingest::source::Progress::default();
    let ends = |over: HashSet<u32>| -> Vec<(String, u32)> {
        let pieces = Blocks::new(&files, |_| false).passing_over(over).with_progress(progress.clone());
        let end = |piece| match piece {
            Piece::End(end) => Some((end.source.name.clone(), end.source.ordinal)),
            _ => None,
        };
        pieces.filter_map(end).collect()
    };
    let all = ends(HashSet::new());
    assert_eq!(all, [("a.txt".to_owned(), 0), ("b.tgz!x.txt".to_owned(), 1), ("b.tgz!y.txt".to_owned(), 2)]);
    assert_eq!(progress.bytes(), files.iter().map(|file| file.bytes).sum::<u64>());
    assert_eq!(ends(HashSet::from([1])), [all[0].clone(), all[2].clone()]);
}
