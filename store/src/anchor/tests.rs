use super::*;
use crate::chain;

fn line(epoch: u64, events: u64) -> AnchorLine {
    let log = LogId([7; 16]);
    let mut frontier = Frontier::new();
    let mut hash = chain::genesis(log);
    for seq in 1..=events {
        hash = Hash(Sha256::digest(seq.to_be_bytes()).into());
        frontier.push(&hash);
    }
    AnchorLine { epoch, log, hash, frontier }
}

#[test]
fn a_line_survives_its_block_and_every_flipped_bit_spoils_it() {
    for events in [0, 1, 2, 100, 255] {
        let line = line(3, events);
        let block = line.block(LINE);
        assert_eq!(AnchorLine::from_block(LINE, &block), Some(line.clone()));
        assert_eq!(AnchorLine::from_block(LOST, &block), None);
        for bit in 0..BLOCK * 8 {
            let mut bad = block.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(AnchorLine::from_block(LINE, &bad), None, "bit {bit} of {events} events");
        }
    }
}

#[test]
fn the_longest_line_fits_its_block() {
    let size = (1u64 << 53) - 1;
    let frontier = Frontier::from_parts(size, vec![Hash([0xff; 32]); 53]).unwrap();
    let line = AnchorLine { epoch: u64::MAX, log: LogId([9; 16]), hash: Hash([1; 32]), frontier };
    let block = line.block(LINE);
    assert_eq!(block.len(), BLOCK);
    assert_eq!(AnchorLine::from_block(LINE, &block), Some(line));
}

#[test]
fn the_lines_are_written_in_turn_and_never_move_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.anchor");
    let (mut anchor, in_the_way) = Anchor::create(&path, &line(0, 0)).unwrap();
    assert_eq!(in_the_way, None);
    anchor.release().unwrap();
    for n in [1, 2, 5, 4, 5, 9] {
        anchor.advance(&line(0, n)).unwrap();
    }
    let file = AnchorFile::read(&path).unwrap().unwrap();
    let seqs: Vec<u64> = file.lines.iter().flatten().map(AnchorLine::seq).collect();
    assert_eq!((seqs.iter().max(), seqs.iter().min()), (Some(&9), Some(&5)));
    assert_eq!(anchor.content(), &file);
}

#[test]
fn what_another_handle_wrote_is_seen_before_writing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.anchor");
    let (mut one, _) = Anchor::create(&path, &line(0, 0)).unwrap();
    one.release().unwrap();
    let mut two = Anchor::open(&path).unwrap().unwrap();
    two.advance(&line(0, 10)).unwrap();
    one.advance(&line(0, 7)).unwrap();
    assert_eq!(AnchorFile::read(&path).unwrap().unwrap().newest(), Some(&line(0, 10)));
    one.advance(&line(0, 12)).unwrap();
    two.advance(&line(0, 11)).unwrap();
    let file = AnchorFile::read(&path).unwrap().unwrap();
    assert_eq!(file.lines, [Some(line(0, 10)), Some(line(0, 12))]);
}

#[test]
fn a_line_of_another_process_is_synced_before_it_counts_and_before_the_other_place_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.anchor");
    let (mut one, _) = Anchor::create(&path, &line(0, 0)).unwrap();
    one.release().unwrap();
    one.advance(&line(0, 5)).unwrap();
    assert_eq!((one.content.newest_slot(), one.synced), (Some(0), [true, true]));
    let mut two = Anchor::open(&path).unwrap().unwrap();
    assert_eq!(two.synced, [false, false], "that it can be read shows nothing");
    two.advance(&line(0, 5)).unwrap();
    assert_eq!((two.synced, &two.content), ([true, false], &one.content));
    two.advance(&line(0, 6)).unwrap();
    assert_eq!(two.synced, [true, true]);
    // What is seen of it afterwards by the first one is not known to be safe, and the other line still is.
    one.advance(&line(0, 4)).unwrap();
    assert_eq!(one.synced, [true, true]);
    two.advance(&line(0, 7)).unwrap();
    one.locked(|one| {
        assert_eq!(one.synced, [false, true]);
        Ok(())
    })
    .unwrap();
    // A block of a loss that is kept already is written where it is.
    one.keep_lost(&line(0, 3)).unwrap();
    two.keep_lost(&line(0, 3)).unwrap();
    assert_eq!(AnchorFile::read(&path).unwrap().unwrap().lost, [Some(line(0, 3))]);
}

#[test]
fn an_accepted_loss_keeps_the_line_that_can_no_longer_be_met() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.anchor");
    let (mut anchor, _) = Anchor::create(&path, &line(0, 0)).unwrap();
    anchor.release().unwrap();
    anchor.advance(&line(0, 100)).unwrap();
    anchor.keep_lost(&line(0, 100)).unwrap();
    anchor.keep_lost(&line(0, 100)).unwrap();
    anchor.advance(&line(1, 91)).unwrap();
    anchor.fill().unwrap();
    assert_eq!(anchor.content().lines, [Some(line(1, 91)), Some(line(1, 91))]);
    anchor.advance(&line(1, 92)).unwrap();
    let file = AnchorFile::read(&path).unwrap().unwrap();
    assert_eq!(file.newest(), Some(&line(1, 92)));
    assert_eq!(file.lost, [Some(line(0, 100))]);
    assert_eq!(file.stray_bytes, 0);
}

#[test]
fn what_is_no_missing_file_is_an_error_and_not_a_missing_anchor() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("log.anchor");
    assert_eq!(AnchorFile::read(&missing).unwrap(), None);
    assert!(Anchor::open(&missing).unwrap().is_none());
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let below_a_file = file.join("log.anchor");
    assert!(AnchorFile::read(&below_a_file).is_err());
    assert!(Anchor::open(&below_a_file).is_err());
}

#[test]
fn only_what_an_interrupted_creation_leaves_is_written_over() {
    let (first, zeros) = (line(0, 0).block(LINE), vec![0; BLOCK]);
    let with =
        |from: &str, to: &str| String::from_utf8(first.clone()).unwrap().replace(from, to).into_bytes();
    let torn = [&first[..SECTOR], &[b'x'; 100]].concat();
    for (left, what) in [
        (Vec::new(), "nothing"),
        (zeros.clone(), "a block of zeros"),
        ([zeros.clone(), zeros.clone()].concat(), "two of them"),
        (first.clone(), "a line"),
        ([zeros.clone(), first.clone()].concat(), "the second line"),
        ([first.clone(), first.clone()].concat(), "both lines"),
        (torn, "a line without the rest of its block"),
    ] {
        assert!(is_cut_off_creation(&left), "{what}");
    }
    for (other, what) in [
        (b"notes of a person".to_vec(), "another file"),
        ([zeros.clone(), zeros.clone(), vec![0]].concat(), "more than two blocks"),
        ([first.clone(), b"notes".to_vec()].concat(), "a line and something else"),
        ([b"notes".to_vec(), vec![0; BLOCK]].concat(), "something else and zeros"),
        (line(1, 0).block(LINE), "an accepted loss"),
        (line(0, 5).block(LINE), "events"),
        (with(" seq=0 ", " seq=4 "), "the number of an event"),
        (with(" peaks= ", " peaks=1 "), "a peak"),
        (line(0, 0).block(LOST), "a lost line"),
    ] {
        assert!(!is_cut_off_creation(&other), "{what}");
    }
}

#[test]
fn each_lost_line_is_kept_once_behind_the_two_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.anchor");
    let (mut anchor, _) = Anchor::create(&path, &line(0, 0)).unwrap();
    anchor.release().unwrap();
    let lost = [line(0, 30), line(1, 20), line(2, 10)];
    for (kept, (epoch, lost_line)) in (1..).zip(lost.iter().enumerate()) {
        anchor.advance(lost_line).unwrap();
        anchor.keep_lost(lost_line).unwrap();
        anchor.keep_lost(&lost[0]).unwrap();
        anchor.advance(&line(epoch as u64 + 1, 5)).unwrap();
        let expected: Vec<_> = lost[..kept].iter().cloned().map(Some).collect();
        assert_eq!(anchor.content().lost, expected);
        let file = AnchorFile::read(&path).unwrap().unwrap();
        assert_eq!((&file, file.newest()), (anchor.content(), Some(&line(epoch as u64 + 1, 5))));
    }
}

#[test]
fn an_anchor_that_is_held_takes_changes_and_lets_nobody_open_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.anchor");
    let (mut one, _) = Anchor::create(&path, &line(0, 0)).unwrap();
    one.release().unwrap();
    one.advance(&line(0, 3)).unwrap();
    let mut two = Anchor::open(&path).unwrap().unwrap();
    assert_eq!(two.hold(&line(0, 2)).unwrap_err().kind, FaultKind::Replaced, "another line is the newest");
    two.release().unwrap();

    one.hold(&line(0, 3)).unwrap();
    std::thread::scope(|scope| {
        let opened = scope.spawn(|| Anchor::open(&path).unwrap().unwrap().content().newest().cloned());
        one.keep_lost(&line(0, 3)).unwrap();
        one.advance(&line(1, 2)).unwrap();
        std::thread::sleep(Duration::from_millis(100));
        assert!(!opened.is_finished(), "it is opened between two changes");
        one.fill().unwrap();
        one.release().unwrap();
        assert_eq!(opened.join().unwrap(), Some(line(1, 2)));
    });
    assert_eq!(two.advance(&line(0, 4)).unwrap_err().kind, FaultKind::Replaced, "of the epoch before");
}
