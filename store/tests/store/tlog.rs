//! The formats of C2SP: written here, read by programs that are not ours, for every size up to 10,000; and texts that are
//! not of a format.

use std::io::Write as _;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};

use annals_events::{Hash, LogId};
use annals_store::merkle::{
    self, check_consistency, check_inclusion, consistency_ranges, inclusion_ranges, leaf, node,
};
use annals_store::tlog::checkpoint::{Checkpoint, Origin, SignedCheckpoint, log_of};
use annals_store::tlog::key::PrivateKey;
use annals_store::tlog::note::{KeyKind, Note, Signed, VerifierKey};
use annals_store::tlog::proof::TlogProof;
use annals_store::tlog::request::Request;
use proptest::prelude::*;
use sha2::{Digest, Sha256};

const SIZES: u64 = 10_000;

/// The example of `tlog-cosignature`.
const COSIGNED: &str = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\
    — example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n\
    — witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n";

/// The beginning of the example of `tlog-witness`.
const OLD: &str = "old 20852014\nPlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\n\
    jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=\n5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=\n\
    /6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=\n\n";

fn record(index: u64) -> Hash {
    Hash(Sha256::digest(index.to_be_bytes()).into())
}

/// All perfect subtrees over the records.
struct Tree(Vec<Vec<Hash>>);

impl Tree {
    fn of(size: u64) -> Tree {
        let mut levels = vec![(0..size).map(|index| leaf(&record(index))).collect::<Vec<Hash>>()];
        while let Some(below) = levels.last().filter(|below| below.len() > 1) {
            let above = below.chunks_exact(2).map(|pair| node(&pair[0], &pair[1])).collect();
            levels.push(above);
        }
        Tree(levels)
    }

    fn root(&self, range: Range<u64>) -> Hash {
        let length = range.end - range.start;
        if length == 0 {
            return merkle::empty_root();
        }
        if length.is_power_of_two() && range.start.is_multiple_of(length) {
            return self.0[length.trailing_zeros() as usize][(range.start / length) as usize];
        }
        let middle = range.start + (1 << (63 - (length - 1).leading_zeros()));
        node(&self.root(range.start..middle), &self.root(middle..range.end))
    }

    fn roots(&self, ranges: Option<Vec<Range<u64>>>) -> Vec<Hash> {
        ranges.unwrap_or_default().into_iter().map(|range| self.root(range)).collect()
    }

    fn checkpoint(&self, size: u64, key: &PrivateKey) -> SignedCheckpoint {
        let origin = key.verifier().name().to_owned();
        let text = Checkpoint { origin, size, root: self.root(0..size) }.text();
        format!("{text}\n{}\n", key.sign(&text, 0)).parse().unwrap()
    }
}

/// The hashes as `tlog_tiles` stores them.
struct Stored(Vec<tlog_tiles::Hash>);

impl tlog_tiles::HashReader for Stored {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<tlog_tiles::Hash>, tlog_tiles::tlog::Error> {
        Ok(indexes.iter().map(|index| self.0[*index as usize]).collect())
    }
}

fn theirs(hashes: &[Hash]) -> Vec<tlog_tiles::Hash> {
    hashes.iter().map(|hash| tlog_tiles::Hash(hash.0)).collect()
}

fn ours(hashes: &[tlog_tiles::Hash]) -> Vec<Hash> {
    hashes.iter().map(|hash| Hash(hash.0)).collect()
}

fn key() -> PrivateKey {
    let origin = Origin { log: LogId([7; 16]), losses: 0, last_loss: None };
    PrivateKey::from_seed(&origin.to_string(), KeyKind::Log, &[5; 32])
}

/// For each size an index and an earlier size.
fn chosen(size: u64) -> (u64, u64) {
    let random = u64::from_be_bytes(record(size).0[..8].try_into().unwrap());
    (random % size, random / size % size + 1)
}

#[test]
fn tlog_tiles_and_signed_note_verify_what_is_written_and_write_what_is_verified_for_every_size() {
    let (tree, key) = (Tree::of(SIZES), key());
    let verifier = signed_note::StandardVerifier::new(&key.verifier().to_string()).unwrap();
    let known = signed_note::VerifierList::new(vec![Box::new(verifier)]);
    let mut stored = Stored(Vec::new());
    for size in 1..=SIZES {
        let new = tlog_tiles::tlog::stored_hashes(size - 1, record(size - 1).as_bytes(), &stored).unwrap();
        stored.0.extend(new);
        let root = tlog_tiles::tlog::tree_hash(size, &stored).unwrap();
        let signed = tree.checkpoint(size, &key);
        assert_eq!(signed.checkpoint.root.0, root.0);

        let note = signed_note::Note::from_bytes(signed.to_string().as_bytes()).unwrap();
        assert_eq!(note.verify(&known).unwrap().0.len(), 1);
        let read = tlog_tiles::Checkpoint::from_bytes(note.text()).unwrap();
        assert_eq!((read.origin(), read.size(), read.hash().0), (key.verifier().name(), size, root.0));
        assert_eq!(read.to_bytes(), signed.checkpoint.text().as_bytes());

        let (index, old) = chosen(size);
        let path = tree.roots(inclusion_ranges(index, size));
        let leaf = tlog_tiles::tlog::record_hash(record(index).as_bytes());
        tlog_tiles::tlog::check_record(&theirs(&path), size, root, index, leaf).unwrap();
        let proof = tlog_tiles::tlog::prove_record(size, index, &stored).unwrap();
        assert!(check_inclusion(&record(index), index, size, &ours(&proof), &Hash(root.0)));

        let old_root = tree.root(0..old);
        let path = tree.roots(consistency_ranges(old, size));
        tlog_tiles::tlog::check_tree(&theirs(&path), size, root, old, tlog_tiles::Hash(old_root.0)).unwrap();
        let proof = tlog_tiles::tlog::prove_tree(size, old, &stored).unwrap();
        assert!(check_consistency(old, &old_root, size, &Hash(root.0), &ours(&proof)));
    }
    println!("{SIZES} checkpoints, {} proofs in each direction", 2 * SIZES);
}

#[test]
fn gos_checksum_database_verifies_what_is_written_for_every_size() {
    let Ok(found) = Command::new("go").args(["env", "GOROOT"]).output() else {
        println!("skipped: there is no `go`");
        return;
    };
    let root = String::from_utf8(found.stdout).unwrap();
    let packages = Path::new(root.trim()).join("src/cmd/vendor/golang.org/x/mod/sumdb");
    let folder = tempfile::tempdir().unwrap();
    for package in ["note", "tlog"] {
        let Ok(files) = std::fs::read_dir(packages.join(package)) else {
            println!("skipped: this `go` has no package sumdb/{package}");
            return;
        };
        std::fs::create_dir(folder.path().join(package)).unwrap();
        for file in files.map(|file| file.unwrap().path()) {
            let name = file.file_name().unwrap().to_owned();
            if !name.to_string_lossy().ends_with("_test.go") {
                // Older ones import the package by its name outside the distribution.
                let text = std::fs::read_to_string(&file).unwrap();
                let text = text.replace("golang.org/x/crypto/ed25519", "crypto/ed25519");
                std::fs::write(folder.path().join(package).join(name), text).unwrap();
            }
        }
    }
    std::fs::write(folder.path().join("go.mod"), "module tlogcheck\n\ngo 1.16\n").unwrap();
    std::fs::write(folder.path().join("main.go"), include_str!("go/main.go")).unwrap();
    let built = Command::new("go")
        .args(["build", "-o", "check", "."])
        .current_dir(folder.path())
        .envs([("GOFLAGS", "-mod=mod"), ("GOPROXY", "off"), ("GO111MODULE", "on")])
        .env("GOCACHE", folder.path().join("cache"))
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));

    let (tree, key) = (Tree::of(SIZES), key());
    let mut texts = format!("{}\n", key.verifier());
    for size in 1..=SIZES {
        let (index, old) = chosen(size);
        let checkpoint = tree.checkpoint(size, &key);
        let path = tree.roots(inclusion_ranges(index, size));
        let proof = TlogProof { extra: None, index, path, checkpoint: checkpoint.clone() }.to_string();
        let path = tree.roots(consistency_ranges(old, size));
        let request = Request { old, path, checkpoint }.to_string();
        assert_eq!(proof.parse::<TlogProof>().unwrap().to_string(), proof);
        assert_eq!(request.parse::<Request>().unwrap().to_string(), request);
        let in_base64 = tlog_tiles::Hash(record(index).0);
        texts += &format!("proof {in_base64} {}\n{proof}request - {}\n{request}", proof.len(), request.len());
    }
    let check = |texts: &str| {
        let mut child = Command::new(folder.path().join("check"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        // A refusal ends the program before it has read everything.
        let _ = input.write_all(texts.as_bytes());
        drop(input);
        let output = child.wait_with_output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(check(&texts), (true, format!("{SIZES} {SIZES}\n")));
    let forged = texts.replacen("\nindex 1\n", "\nindex 0\n", 1);
    assert!(forged != texts && !check(&forged).0, "a wrong index was accepted");
    println!("{SIZES} proofs of inclusion and {SIZES} requests hold in the packages of Go");
}

#[test]
fn the_examples_of_the_specifications_are_read_and_written_to_the_byte() {
    let note: SignedCheckpoint = COSIGNED.parse().unwrap();
    assert_eq!((note.checkpoint.size, note.to_string().as_str()), (20_852_163, COSIGNED));
    assert_eq!(note.note.signatures()[1].id, [0x8d, 0x66, 0xcf, 0x3f]);
    let text = format!("{OLD}{COSIGNED}");
    let request: Request = text.parse().unwrap();
    assert_eq!((request.old, request.path.len(), request.to_string()), (20_852_014, 4, text));
}

#[test]
fn a_cosignature_is_of_one_text_at_one_time_by_one_witness() {
    let log = key();
    let witness = PrivateKey::from_seed("club.example/w", KeyKind::Witness, &[9; 32]);
    let mut signed = Tree::of(3).checkpoint(3, &log);
    assert_eq!(signed.note.signed_by(&witness.verifier()), Signed::No);
    let line = witness.sign(signed.note.text(), 1_679_315_147);
    signed.note.add_lines(&format!("{line}\n")).unwrap();
    assert_eq!(signed.note.signed_by(&witness.verifier()), Signed::Yes(1_679_315_147));
    assert_eq!(signed.note.signed_by(&log.verifier()), Signed::Yes(0));
    let mut later = line.clone();
    later.signature[7] ^= 1;
    let forged: Note = signed.to_string().replace(&line.to_string(), &later.to_string()).parse().unwrap();
    assert_eq!(forged.signed_by(&witness.verifier()), Signed::Wrong);
    // The same key signs checkpoints of its own log under another ID.
    let as_log = PrivateKey::from_seed("club.example/w", KeyKind::Log, &[9; 32]);
    assert_eq!(signed.note.signed_by(&as_log.verifier()), Signed::No);
    let read: VerifierKey = witness.verifier().to_string().parse().unwrap();
    assert_eq!(read, witness.verifier());
}

#[test]
fn texts_of_no_format_are_refused() {
    let notes = [
        "",
        "\n\n",
        "a\n\n— a\n",
        "a\n\n— a b+c=\n",
        "a\n\n— a+b AAAAAAAA\n",
        "a\n\n— a AAAA\n",
        "a\r\n\n— a AAAAAAAA\n",
        "a\n— a AAAAAAAA\n",
        "a\n\n— a AAAAAAAA",
        "a\n\n- a AAAAAAAA\n",
    ];
    for bad in notes {
        assert!(bad.parse::<Note>().is_err(), "{bad:?}");
    }
    assert!("a\n\n— a AAAAAAAA\n".parse::<Note>().is_ok());
    for (from, to) in [
        ("20852163", "020852163"),
        ("20852163", "-1"),
        ("q2I=", "q2J="),
        ("q2I=", "q2I"),
        ("example.com/behind-the-sofa\n", "\n"),
    ] {
        assert!(COSIGNED.replacen(from, to, 1).parse::<SignedCheckpoint>().is_err(), "{to}");
    }
    for (from, to) in [("old 2", "old 02"), ("old 2", "Old 2"), ("kaw=\n", "kaw=\n\n"), ("kaw=", "kax=")] {
        assert!(format!("{OLD}{COSIGNED}").replacen(from, to, 1).parse::<Request>().is_err(), "{to}");
    }
    let long = "PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\n".repeat(64);
    assert!(format!("old 0\n{long}\n{COSIGNED}").parse::<Request>().is_err());
    let many = "— a AAAAAAAA\n".repeat(65);
    assert!(format!("a\n\n{many}").parse::<Note>().is_err());
    let key = key().verifier().to_string();
    for bad in [&key[1..], &key[..key.len() - 4], "a", "a+b", "a+00000000+AA==", "+00000000+"] {
        assert!(bad.parse::<VerifierKey>().is_err(), "{bad}");
    }
    for (origin, is_one) in [
        ("annals/07070707070707070707070707070707/1-0a", true),
        ("annals/07/0", false),
        ("annals//", false),
        ("example.com/a", false),
    ] {
        assert_eq!(log_of(origin).is_some(), is_one, "{origin}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_a_reader_panic_and_what_is_read_is_written_again(
        text in "(old 0|index 1|c2sp.org/tlog-proof@v1|extra AA==|AAAA|\n|\n\n|— a AAAAAAAA|a|0|é){0,12}"
    ) {
        if let Ok(read) = text.parse::<Note>() {
            prop_assert_eq!(read.to_string(), text.as_str());
        }
        if let Ok(read) = text.parse::<Request>() {
            prop_assert_eq!(read.to_string(), text.as_str());
        }
        if let Ok(read) = text.parse::<TlogProof>() {
            prop_assert_eq!(read.to_string(), text.as_str());
        }
        let _ = (text.parse::<SignedCheckpoint>(), text.parse::<VerifierKey>());
    }
}

#[test]
fn a_changed_bit_of_a_signed_checkpoint_is_never_accepted() {
    let key = key();
    let signed = Tree::of(5).checkpoint(5, &key).to_string();
    for bit in 0..8 * signed.len() {
        let mut bytes = signed.clone().into_bytes();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let read = String::from_utf8(bytes).ok().and_then(|text| text.parse::<SignedCheckpoint>().ok());
        let accepted =
            read.is_some_and(|read| matches!(read.note.signed_by(&key.verifier()), Signed::Yes(_)));
        assert!(!accepted, "bit {bit}");
    }
    println!("{} changed bits of a signed checkpoint: none accepted", 8 * signed.len());
}

#[test]
fn equal_trees_and_the_empty_tree_need_no_path_and_accept_none() {
    let (root, other) = (Hash([1; 32]), Hash([2; 32]));
    let empty = merkle::empty_root();
    assert!(check_consistency(0, &empty, 3, &root, &[]));
    assert!(!check_consistency(0, &other, 3, &root, &[]));
    assert!(!check_consistency(0, &empty, 3, &root, &[other]));
    assert!(!check_consistency(0, &other, 3, &root, &[other]));
    assert!(check_consistency(3, &root, 3, &root, &[]));
    assert!(!check_consistency(3, &root, 3, &other, &[]));
    assert!(!check_consistency(3, &root, 3, &root, &[other]));
    assert!(!check_consistency(4, &root, 3, &root, &[]));
}
