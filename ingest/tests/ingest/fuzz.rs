//! Bytes of all kinds: nothing panics, nothing is lost, and every row is accounted for.

use annals_ingest::row::{Column, Columns, Row};
use annals_ingest::row_events::{RowEvents, events};
use annals_ingest::server_log::LogLine;
use annals_ingest::source::RowStatus;
use annals_rules::arimaa::Arimaa;
use annals_rules::game::{Game, Strictness};
use proptest::prelude::*;

use crate::fixture::{archive, cases, fields, header, read_bytes, row};
use crate::given_back::given_back;

fn config(short: u32) -> ProptestConfig {
    ProptestConfig { cases: cases(short), failure_persistence: None, ..ProptestConfig::default() }
}

/// Reads a row's text through to the fold, and holds what must hold for any bytes.
fn through(columns: &Columns, text: &[u8]) {
    let row = Row::read(columns, text);
    let mut out = RowEvents::default();
    events(&row, &mut out);
    assert!(out.events.len() >= 2);
    let lines = annals_ingest::server_log::lines(row.log).count();
    assert_eq!(out.log.len(), lines);
    let mut game = Game::<Arimaa>::new(Strictness::Archive);
    for (at, event) in &out.events {
        let _ = game.apply(*at, event);
    }
    given_back(&row, &out);
}

/// Seeds to mutate: real rows where the archive is there, made-up ones else.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![row(1).into_bytes()];
    if let Some(archive) = archive() {
        for file in ["allgames2002.txt", "allgames202602.txt"] {
            let text = std::fs::read(archive.join(file)).unwrap();
            // Short rows, so that a change often hits something that matters.
            let rows =
                text.split(|byte| *byte == b'\n').skip(1).filter(|row| !row.is_empty() && row.len() < 9000);
            seeds.extend(rows.take(20).map(<[u8]>::to_vec));
        }
    }
    seeds
}

#[test]
fn the_time_of_reading_a_row_grows_with_its_length_and_no_faster() {
    let columns = Columns::from_header(header().as_bytes()).unwrap();
    let mut fields = fields(1);
    fields[Column::Movelist as usize] = "x\\n".repeat(400_000);
    let text = fields.join("\t");
    let begun = std::time::Instant::now();
    events(&Row::read(&columns, text.as_bytes()), &mut RowEvents::default());
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

/// One change: where (per mille of the length), how, and with what.
type Change = (u16, u8, Vec<u8>);

fn changed(seed: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut text = seed.to_vec();
    for (place, how, with) in changes {
        let at = text.len() * usize::from(*place) / 1000;
        let end = (at + with.len()).min(text.len());
        match how % 4 {
            0 => drop(text.splice(at..end, with.iter().copied())),
            1 => drop(text.splice(at..at, with.iter().copied())),
            2 => drop(text.drain(at..end)),
            _ => {
                let copy = text[at..(at + 40 * with.len()).min(text.len())].to_vec();
                let to = (at + 97).min(text.len());
                text.splice(to..to, copy);
            }
        }
    }
    text
}

fn snippet() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..8),
        prop::sample::select(vec![
            "\\n",
            "\t",
            "takeback",
            "resign",
            "1w",
            "12b ",
            "NULL",
            "-1",
            "99999999999999999999",
            "[",
            "]",
            " ",
            "after 2w, move used:1 wresv:2 bresv:3 game:4",
            "\\",
            "Ra1",
            "Ee2n",
            "\u{0}",
            "é",
            "r x",
            "2w\\n",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ]
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn a_log_line_of_any_bytes_is_read(bytes in prop::collection::vec(any::<u8>(), 0..120), part in 0usize..6) {
        let begin = ["", "1769941065 [x] ", "1769941065 [x] move 1w", "1 [x] after 1w, move used:",
            "1 [x] gameserver rejected move [", "1 [x] game finished with result "][part];
        let line = [begin.as_bytes(), &bytes].concat();
        let read = LogLine::read(1, &line);
        prop_assert!(read.kind != annals_ingest::server_log::LogKind::Other || read.text == line);
    }

    #[test]
    fn a_row_of_any_bytes_goes_through_to_the_fold(
        fields in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..30), 20..32),
        list in prop::collection::vec(snippet(), 0..20),
        log in prop::collection::vec(snippet(), 0..20),
    ) {
        let columns = Columns::from_header(header().as_bytes()).unwrap();
        let mut fields = fields;
        for (column, text) in [(Column::Movelist, list), (Column::Events, log)] {
            if let Some(field) = fields.get_mut(column as usize) {
                *field = text.concat();
            }
        }
        through(&columns, &fields.join(&b'\t'));
    }

    #[test]
    fn a_text_of_any_bytes_behind_a_header_is_accounted_for_to_the_byte(
        lines in prop::collection::vec((prop::collection::vec(any::<u8>(), 0..60), any::<bool>(), 0u64..9), 0..12),
    ) {
        let mut text = header().into_bytes();
        for (bytes, whole, id) in &lines {
            text.push(b'\n');
            if *whole {
                text.extend_from_slice(row(*id).as_bytes());
            } else {
                text.extend_from_slice(bytes);
            }
        }
        let reading = read_bytes("a.txt", &text);
        let expected: Vec<&[u8]> = text
            .split(|byte| *byte == b'\n')
            .skip(1)
            .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
            .filter(|line| !line.is_empty())
            .collect();
        let block = reading.blocks.first();
        let found: Vec<&[u8]> = block.iter().flat_map(|b| b.rows.iter().map(|row| b.row_text(row))).collect();
        prop_assert_eq!(found, expected);
        for row in block.iter().flat_map(|block| &block.rows) {
            let start = usize::try_from(row.byte_offset).unwrap();
            prop_assert_eq!(&text[start..start + row.len as usize], block.unwrap().row_text(row));
            let tabs = block.unwrap().row_text(row).iter().filter(|byte| **byte == b'\t').count();
            prop_assert!(tabs == 28 || matches!(row.status, RowStatus::Rejected(_)));
        }
    }

    #[test]
    fn a_header_of_any_bytes_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..600), cut in 0usize..260) {
        let _ = Columns::from_header(&bytes);
        let mut mixed = header().into_bytes();
        mixed.splice(cut.min(mixed.len())..mixed.len(), bytes.iter().copied());
        if let Ok(columns) = Columns::from_header(&mixed) {
            through(&columns, &bytes);
        }
    }

    #[test]
    fn a_packed_file_with_damage_is_read_as_far_as_it_goes(
        which in 0usize..4,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let text = crate::fixture::text(1..30);
        let members = [("a.txt", text.as_bytes()), ("b.txt", text.as_bytes())];
        let mut packed = match which {
            0 => crate::fixture::gzip(text.as_bytes()),
            1 => crate::fixture::tar(&members),
            2 => crate::fixture::gzip(&crate::fixture::tar(&members)),
            _ => crate::fixture::zip(&members, zip::CompressionMethod::Deflated),
        };
        for (place, byte) in &damage {
            let at = place.index(packed.len());
            packed[at] = *byte;
        }
        let reading = read_bytes("a.bin", &packed);
        prop_assert!(reading.ids().len() <= 60 && reading.ends.len() + reading.rejected.len() >= 1);
    }
}

#[test]
fn changed_real_rows_go_through_to_the_fold() {
    let columns = Columns::from_header(header().as_bytes()).unwrap();
    let seeds = seeds();
    let mut runner = proptest::test_runner::TestRunner::new(config(4000));
    let change = (0u16..1000, any::<u8>(), snippet());
    let strategy = (any::<prop::sample::Index>(), prop::collection::vec(change, 1..6));
    runner
        .run(&strategy, |(seed, changes)| {
            through(&columns, &changed(&seeds[seed.index(seeds.len())], &changes));
            Ok(())
        })
        .unwrap();
    println!("{} changed rows of {} seeds", cases(4000), seeds.len());
}
