//! Files that are not what they should be: what is wrong is said, and the rest is read.

use annals_ingest::source::{RejectReason, SourceRejectReason};

use crate::fixture::{self, Reading, gzip, header, read, read_bytes, row, text, write};

fn reason(reading: &Reading) -> &SourceRejectReason {
    assert!(reading.blocks.is_empty() && reading.ends.is_empty());
    assert_eq!(reading.rejected.len(), 1);
    &reading.rejected[0].reason
}

#[test]
fn an_empty_file_is_rejected_and_a_header_alone_is_a_source_without_rows() {
    assert_eq!(*reason(&read_bytes("a.txt", b"")), SourceRejectReason::Empty);
    assert_eq!(*reason(&read_bytes("a.gz", &gzip(b""))), SourceRejectReason::Empty);
    for alone in [header(), header() + "\n", header() + "\r\n\n\n"] {
        let reading = read_bytes("a.txt", alone.as_bytes());
        assert_eq!((reading.ends.len(), reading.ends[0].rows), (1, 0));
        assert!(reading.blocks.is_empty() && reading.rejected.is_empty());
    }
}

#[test]
fn files_that_are_something_else_are_rejected_with_what_they_look_like() {
    let cases: [(&[u8], &str); 9] = [
        (b"# A readme\nnothing here\n", "names none of its 29 columns"),
        (&[0; 5000], "binary data"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary data"),
        (b"PAR1....", "Parquet"),
        (b"\xfd7zXZ\0rest", "xz"),
        (b"\xff\xfei\0d\0", "UTF-16"),
        (b"\x1f\x8bnot gzip at all", "cannot be unpacked"),
        (b"PK\x03\x04not zip at all", "cannot be unpacked"),
        (b"SQLite format 3\0", "SQLite"),
    ];
    for (bytes, words) in cases {
        let reading = read_bytes("a.txt", bytes);
        assert!(reason(&reading).to_string().contains(words), "{}", reason(&reading));
    }
    let endless = vec![b'a'; 1_000_000];
    assert!(reason(&read_bytes("a.txt", &endless)).to_string().contains("longer than 65536"));
}

#[test]
fn a_header_that_lacks_columns_is_rejected_naming_them() {
    let short = text(1..3).replace("\tplycount", "\tplies").replace("\trated", "\tunrated");
    let reading = read_bytes("a.txt", short.as_bytes());
    let missing = SourceRejectReason::MissingColumns { missing: vec!["plycount", "rated"] };
    assert_eq!(*reason(&reading), missing);
    assert!(missing.to_string().contains("`plycount`, `rated`"), "{missing}");
    let twice = text(1..3).replace("\tsite", "\tevent");
    let reading = read_bytes("a.txt", twice.as_bytes());
    assert_eq!(*reason(&reading), SourceRejectReason::RepeatedColumn { column: "event" });
}

#[test]
fn one_bad_file_among_many_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.txt", text(1..3).as_bytes());
    write(folder.path(), "b.txt", b"");
    write(folder.path(), "c.txt", &[7; 3000]);
    write(folder.path(), "notes.md", b"of another kind, and not looked at");
    write(folder.path(), "d.zip", b"PK\x03\x04");
    write(folder.path(), "e.txt", text(3..5).as_bytes());
    let reading = read(&[folder.path()]);
    assert_eq!(reading.ids(), [1, 2, 3, 4]);
    let rejected: Vec<_> = reading.rejected.iter().map(|rejected| rejected.source.name.as_str()).collect();
    assert_eq!(rejected, ["b.txt", "c.txt", "d.zip"]);
}

#[test]
fn rows_that_are_none_are_rejected_in_their_place() {
    let short = row(2).rsplit_once('\t').unwrap().0.to_owned();
    let text = format!(
        "{}\n{}\n{short}\n{}\textra\n{}\nx{}\n{}\n{}\n",
        header(),
        row(1),
        row(3),
        header(),
        row(4),
        row(u64::MAX).replacen("18446744073709551615", "18446744073709551616", 1),
        row(5),
    );
    let reading = read_bytes("a.txt", text.as_bytes());
    assert_eq!(reading.ids(), [1, 5]);
    let rejects = reading.rejects();
    let lines: Vec<_> = rejects.iter().map(|(line, _, _)| *line).collect();
    assert_eq!(lines, [3, 4, 5, 6, 7]);
    assert_eq!(rejects[0].2, RejectReason::ColumnCount { found: 28, expected: 29 });
    assert_eq!(rejects[1].2, RejectReason::ColumnCount { found: 30, expected: 29 });
    assert_eq!(rejects[2].2, RejectReason::RepeatedHeader);
    assert_eq!(rejects[3].2, RejectReason::UnreadableId { found: "x4".to_owned() });
    assert_eq!(rejects[4].2, RejectReason::UnreadableId { found: "18446744073709551616".to_owned() });
    for (_, offset, reason) in &rejects {
        let start = usize::try_from(*offset).unwrap();
        assert_eq!(text.as_bytes()[start - 1], b'\n', "{reason}");
    }
}

#[test]
fn zeros_and_bytes_that_are_no_text_stay_in_their_row() {
    let mut bytes = text(1..3).into_bytes();
    bytes.extend_from_slice(row(3).replace("alice", "a\0b").as_bytes());
    bytes.extend_from_slice(b"\n\0\0\0\0\n");
    let strange: Vec<u8> = row(4).bytes().map(|byte| if byte == b'U' { 0xff } else { byte }).collect();
    bytes.extend_from_slice(&strange);
    let reading = read_bytes("a.txt", &bytes);
    assert_eq!(reading.ids(), [1, 2, 3, 4]);
    assert_eq!(reading.rejects()[0].2, RejectReason::ColumnCount { found: 1, expected: 29 });
    let mut seen = Vec::new();
    reading.for_each_row(|row| seen.push((row.id, row.header.gold.name.to_string(), row.flags.to_string())));
    assert_eq!(seen[2], (3, "a\0b".to_owned(), String::new()));
    assert_eq!(seen[3].2, "not-utf8");
}

#[test]
fn a_source_that_breaks_off_keeps_its_rows_and_says_so() {
    // Random names, so that the packed text has some length to cut.
    let mut text = header() + "\n";
    for id in 0..2000u64 {
        let name = blake3::hash(&id.to_le_bytes()).to_string();
        text += &row(id).replace("alice", &name);
        text.push('\n');
    }
    let packed = gzip(text.as_bytes());
    let reading = read_bytes("a.gz", &packed[..packed.len() / 2]);
    let ids = reading.ids();
    assert!(ids.len() > 500 && ids.len() < 1500, "{} rows", ids.len());
    assert_eq!(ids, (0..ids.len() as u64).collect::<Vec<_>>());
    assert!(reading.ends[0].incomplete.is_some());
    if let Some((_, _, cut)) = reading.rejects().first() {
        assert_eq!(cut.code(), "cut_off");
    }
    assert!(reading.rejects().len() <= 1);
    assert_eq!(reading.ends[0].rows, (ids.len() + reading.rejects().len()) as u64);
}

#[test]
fn garbage_behind_a_packed_text_costs_no_row() {
    let mut packed = gzip(text(1..50).as_bytes());
    packed.extend_from_slice(b"and then something else");
    let reading = read_bytes("a.gz", &packed);
    assert_eq!(reading.ids(), (1..50).collect::<Vec<_>>());
    assert!(reading.ends[0].incomplete.is_some());
}

#[test]
fn a_zip_bomb_is_stopped_and_the_next_file_is_read() {
    let mut bomb = text(1..4).into_bytes();
    bomb.resize(200 << 20, b'0');
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.gz", &gzip(&bomb));
    write(folder.path(), "b.zip", &fixture::zip(&[("bomb.txt", &bomb)], zip::CompressionMethod::Deflated));
    drop(bomb);
    write(folder.path(), "c.txt", text(10..12).as_bytes());
    let reading = read(&[folder.path()]);
    assert_eq!(reading.ids(), [1, 2, 3, 10, 11]);
    assert_eq!(reading.ends.len(), 3);
    for end in &reading.ends[..2] {
        let why = end.incomplete.as_deref().unwrap();
        assert!(why.contains("200 times"), "{why}");
        assert!(end.bytes < 80 << 20, "{} bytes were unpacked", end.bytes);
    }
    assert_eq!(reading.ends[2].incomplete, None);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.txt", text(1..3).as_bytes());
    let files = annals_ingest::source::discover(&[&path]).unwrap();
    std::fs::remove_file(&path).unwrap();
    let mut pieces = annals_ingest::source::Blocks::new(&files, |_| false);
    let annals_ingest::source::Piece::Rejected(rejected) = pieces.next().unwrap() else {
        panic!("a rejection")
    };
    assert_eq!(rejected.reason.code(), "unreadable_source");
    assert!(pieces.next().is_none());
}
