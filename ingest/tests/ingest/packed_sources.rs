//! Packed files: each member a source of its own, whatever the packing, and by content rather than by name.

use annals_ingest::source::{SourceEnd, SourceRejectReason};
use zip::CompressionMethod::{Deflated, Stored};

use crate::fixture::{self, archive, gzip, read, read_bytes, tar, text, write, zip};

fn three_members() -> [(&'static str, Vec<u8>); 3] {
    [
        ("x/allgames2002.txt", text(1..40).into_bytes()),
        ("allgames2003.txt", text(40..70).into_bytes()),
        ("allgames2004.txt.gz", gzip(text(70..90).as_bytes())),
    ]
}

#[test]
fn every_packing_with_many_members_gives_the_same_rows_under_the_name_of_each_member() {
    let members = three_members();
    let members: Vec<(&str, &[u8])> = members.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
    let packings = [
        ("a.tar", tar(&members)),
        ("a.tgz", gzip(&tar(&members))),
        ("a.tar.gz", gzip(&gzip(&tar(&members)))),
        ("a.zip", zip(&members, Deflated)),
        ("a.zip", zip(&members, Stored)),
        // The name is wrong, the content counts.
        ("a.txt", zip(&members, Deflated)),
        ("a.zip", gzip(&tar(&members))),
    ];
    for (name, bytes) in packings {
        let reading = read_bytes(name, &bytes);
        let names = members.iter().map(|(member, _)| format!("{name}!{member}"));
        assert_eq!(reading.names(), names.collect::<Vec<_>>());
        assert_eq!(reading.ids(), (1..90).collect::<Vec<_>>());
        assert_eq!(reading.ends[1].digest.to_string(), blake3::hash(text(40..70).as_bytes()).to_string());
        assert_eq!(reading.ends[2].digest.to_string(), blake3::hash(text(70..90).as_bytes()).to_string());
        assert!(reading.rejected.is_empty());
    }
}

#[test]
fn a_packed_file_in_a_packed_file_is_walked_through_up_to_a_depth() {
    let inner = gzip(&tar(&[("t.txt", text(1..5).as_bytes())]));
    let reading = read_bytes("o.zip", &zip(&[("i.tgz", &inner)], Deflated));
    assert_eq!(reading.names(), ["o.zip!i.tgz!t.txt"]);
    assert_eq!(reading.ids(), [1, 2, 3, 4]);

    let mut deep = text(1..5).into_bytes();
    for _ in 0..4 {
        deep = gzip(&deep);
    }
    assert_eq!(read_bytes("a.gz", &deep).ids().len(), 4);
    let reading = read_bytes("a.gz", &gzip(&deep));
    assert!(reading.rejected[0].reason.to_string().contains("more than 4 layers"));

    let reading = read_bytes("a.tar", &tar(&[("i.zip", &zip(&[("t.txt", b"x")], Stored))]));
    assert!(reading.rejected[0].reason.to_string().contains("unpack the outer one first"));
}

#[test]
fn long_names_folders_and_desktop_clutter_in_tar_files_do_no_harm() {
    let long = format!("{}/allgames.txt", "deep".repeat(60));
    let (a, b) = (text(1..3), text(3..5));
    let packed = tar(&[("._junk", b"\0\x05\x16\x07"), (&long, a.as_bytes()), ("b.txt", b.as_bytes())]);
    let reading = read_bytes("a.tar", &packed);
    assert_eq!(reading.names(), [format!("a.tar!{long}"), "a.tar!b.txt".to_owned()]);

    let mut builder = ::tar::Builder::new(Vec::new());
    let mut pax = ::tar::Header::new_ustar();
    pax.set_size(0);
    pax.set_entry_type(::tar::EntryType::Directory);
    builder.append_data(&mut pax, "folder/", std::io::empty()).unwrap();
    builder.append_pax_extensions([("path", "päx/named.txt".as_bytes())]).unwrap();
    let mut header = ::tar::Header::new_ustar();
    let content = text(1..3);
    header.set_size(content.len() as u64);
    builder.append_data(&mut header, "short.txt", content.as_bytes()).unwrap();
    let reading = read_bytes("a.tar", &builder.into_inner().unwrap());
    assert_eq!(reading.names(), ["a.tar!päx/named.txt"]);
    assert_eq!(reading.ids(), [1, 2]);
}

/// A header of some kind with its content, to the end of a block.
fn entry(kind: ::tar::EntryType, name: &str, size: u64, content: &[u8]) -> Vec<u8> {
    let mut header = ::tar::Header::new_ustar();
    header.set_path(name).unwrap();
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend_from_slice(content);
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

#[test]
fn the_size_that_an_extension_states_is_that_of_the_member_and_of_nothing_in_between() {
    use ::tar::EntryType::{GNULongName, Regular, XHeader};
    let content = text(1..30);
    let record = format!(" size={}\n", content.len());
    let record = format!("{}{record}", record.len() + 2);
    let mut bytes = entry(XHeader, "x", record.len() as u64, record.as_bytes());
    bytes.extend(entry(GNULongName, "L", 9, b"long.txt\0"));
    bytes.extend(entry(Regular, "short.txt", 0, content.as_bytes()));
    bytes.extend(entry(Regular, "b.txt", text(30..32).len() as u64, text(30..32).as_bytes()));
    bytes.extend([0; 1024]);
    let reading = read_bytes("a.tar", &bytes);
    assert_eq!(reading.names(), ["a.tar!long.txt", "a.tar!b.txt"]);
    assert_eq!(reading.ids(), (1..32).collect::<Vec<_>>());
    // What the crate makes of the same bytes.
    let mut archive = ::tar::Archive::new(bytes.as_slice());
    let sizes: Vec<u64> = archive.entries().unwrap().map(|entry| entry.unwrap().size()).collect();
    assert_eq!(sizes, [content.len() as u64, text(30..32).len() as u64]);
}

#[test]
fn a_name_of_megabytes_is_an_error_and_only_its_filling_may_be_missing_at_the_end() {
    let a = text(1..10);
    let first = entry(::tar::EntryType::Regular, "a.txt", a.len() as u64, a.as_bytes());
    let mut bytes = first.clone();
    bytes.extend(entry(::tar::EntryType::GNULongName, "L", 3 << 20, &vec![b'n'; 3 << 20]));
    bytes.extend(&first);
    let reading = read_bytes("a.tar", &bytes);
    assert_eq!(reading.ids(), (1..10).collect::<Vec<_>>());
    let told = reading.rejected[0].reason.to_string();
    assert!(told.contains("over a megabyte") && told.contains("members after this place are lost"), "{told}");

    let reading = read_bytes("a.tar", &first[..512 + a.len()]);
    assert_eq!(reading.ids(), (1..10).collect::<Vec<_>>());
    assert!(reading.rejected.is_empty() && reading.ends[0].incomplete.is_none());
}

#[test]
fn a_packed_file_without_members_and_one_with_a_strange_member_are_told() {
    let empty = read_bytes("a.zip", &zip(&[], Stored));
    assert!(matches!(empty.rejected[0].reason, SourceRejectReason::SomethingElse { .. }));
    let mixed = [("a.txt", text(1..3).into_bytes()), ("notes.md", b"# Notes".to_vec())];
    let mixed: Vec<(&str, &[u8])> = mixed.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
    let reading = read_bytes("a.zip", &zip(&mixed, Deflated));
    assert_eq!(reading.ids(), [1, 2]);
    assert_eq!(reading.rejected[0].source.name, "a.zip!notes.md");
}

#[test]
fn a_tar_file_cut_off_in_a_member_keeps_the_rows_before() {
    let (a, b) = (text(1..40), text(40..80));
    let whole = tar(&[("a.txt", a.as_bytes()), ("b.txt", b.as_bytes())]);
    let cut = 512 + text(1..40).len().next_multiple_of(512) + 512 + text(40..60).len() + 10;
    let reading = read_bytes("a.tar", &whole[..cut]);
    assert_eq!(reading.ids(), (1..60).collect::<Vec<_>>());
    assert_eq!(reading.ends[0].incomplete, None);
    assert!(reading.ends[1].incomplete.as_deref().unwrap().contains("before the end of this member"));
    assert_eq!(reading.rejects()[0].2.code(), "cut_off");
    assert!(reading.rejected[0].reason.to_string().contains("ends inside a member"));
}

#[test]
fn a_damaged_zip_member_is_noticed_by_its_checksum() {
    let mut bytes = zip(&[("a.txt", text(1..10).as_bytes())], Stored);
    let name = bytes.windows(5).position(|window| window == b"alice").unwrap();
    bytes[name] = b'A';
    let reading = read_bytes("a.zip", &bytes);
    assert_eq!(reading.ids().len(), 9);
    assert!(reading.ends[0].incomplete.as_deref().unwrap().contains("checksum"));
}

#[test]
fn members_of_a_zip_file_that_share_their_bytes_are_refused() {
    let content = text(1..30);
    let bytes = zip(&[("a.txt", content.as_bytes())], Stored);
    let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    let end = bytes.windows(4).position(|window| window == b"PK\x05\x06").unwrap();
    let mut shared = bytes[..directory].to_vec();
    for name in *b"abc" {
        let mut entry = bytes[directory..end].to_vec();
        entry[46] = name;
        shared.extend(entry);
    }
    let mut tail = bytes[end..].to_vec();
    let directory_size = 3 * (end - directory) as u32;
    tail[8..10].copy_from_slice(&3u16.to_le_bytes());
    tail[10..12].copy_from_slice(&3u16.to_le_bytes());
    tail[12..16].copy_from_slice(&directory_size.to_le_bytes());
    shared.extend(tail);
    let reading = read_bytes("a.zip", &shared);
    assert_eq!(reading.names(), ["a.zip!a.txt"]);
    assert_eq!(reading.rejected.len(), 2);
    let reasons = reading.rejected.iter().map(|rejected| rejected.reason.to_string());
    assert!(
        reasons.clone().all(|reason| reason.contains("share bytes")),
        "{:?}",
        reasons.collect::<Vec<_>>()
    );
}

#[test]
fn a_member_of_a_tar_file_of_the_largest_size_ends_where_the_file_does() {
    use ::tar::EntryType::{Symlink, XHeader};
    let record = b"29 size=18446744073709551615\n";
    let mut bytes = entry(XHeader, "x", record.len() as u64, record);
    bytes.extend(entry(Symlink, "a.txt", 0, b""));
    let reading = read_bytes("a.tar", &bytes);
    assert!(reading.rejected[0].reason.to_string().contains("ends inside a member"));
}

#[test]
fn the_real_files_give_the_same_rows_in_every_packing() {
    let Some(archive) = archive() else { return };
    let old = std::fs::read(archive.join("allgames2002.txt")).unwrap();
    let new = std::fs::read(archive.join("allgames202602.txt")).unwrap();
    let plain = read(&[&archive]);
    assert_eq!(plain.names(), ["allgames2002.txt", "allgames202602.txt"]);
    assert_eq!(plain.ends.iter().map(|end| end.rows).collect::<Vec<_>>(), [64, 147]);
    assert!(plain.rejects().is_empty() && plain.rejected.is_empty());
    let expected: Vec<u64> = (1..=64).chain(669_122..=669_268).collect();
    let mut sorted = plain.ids();
    sorted.sort_unstable();
    assert_eq!(sorted, expected);

    let members: [(&str, &[u8]); 2] = [("allgames2002.txt", &old), ("allgames202602.txt", &new)];
    let folder = tempfile::tempdir().unwrap();
    let mut packings = vec![
        write(folder.path(), "both.tgz", &gzip(&tar(&members))),
        write(folder.path(), "both.tar", &tar(&members)),
        write(folder.path(), "both.zip", &fixture::zip(&members, Deflated)),
    ];
    write(folder.path(), "single/1.gz", &gzip(&old));
    write(folder.path(), "single/2.gz", &gzip(&new));
    packings.push(folder.path().join("single"));
    for container in packings {
        let reading = read(&[&container]);
        assert_eq!(reading.ids(), plain.ids(), "{}", container.display());
        let digests = |ends: &[SourceEnd]| ends.iter().map(|end| end.digest).collect::<Vec<_>>();
        assert_eq!(digests(&reading.ends), digests(&plain.ends));
        for (a, b) in reading.blocks.iter().zip(&plain.blocks) {
            assert_eq!((&a.text, &a.rows), (&b.text, &b.rows));
        }
    }
}
