//! The two real files, counted.

use annals_events::GameEvent;
use annals_ingest::flags::Flag;
use annals_ingest::row_events::{RowEvents, events};
use annals_ingest::server_log::LogKind;
use annals_rules::arimaa::Arimaa;
use annals_rules::game::{Applied, EndingCheck, Game, RejectionCheck, Strictness};

use crate::fixture::{archive, read};

/// What a file holds, counted by the events and their fold.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    games: usize,
    turns: usize,
    takebacks: usize,
    games_with_takebacks: usize,
    resign_tokens: usize,
    rejections: usize,
    rejected_here_too: usize,
    log_lines: usize,
    other_lines: usize,
    clock_lines: usize,
    clock_lines_of_turns: usize,
    clocks_that_match: usize,
    timed_turns: usize,
    late_moves: usize,
    surprises: Vec<String>,
    flags: Vec<(u64, String)>,
    endings: [usize; 3],
}

fn count(file: &str) -> Option<Counts> {
    let reading = read(&[&archive()?.join(file)]);
    let mut counts = Counts::default();
    let mut game = Game::<Arimaa>::new(Strictness::Archive);
    reading.for_each_row(|row| {
        let mut out = RowEvents::default();
        events(row, &mut out);
        counts.games += 1;
        let found = row.flags.union(out.flags);
        if !found.is_empty() {
            counts.flags.push((row.id, found.to_string()));
        }
        let list = row.text(annals_ingest::row::Column::Movelist);
        counts.resign_tokens += list.matches("resign").count();
        counts.log_lines += out.log.len();
        for line in &out.log {
            counts.other_lines += usize::from(line.kind == LogKind::Other);
            counts.clock_lines += usize::from(line.kind == LogKind::AfterMove);
            counts.clock_lines_of_turns +=
                usize::from(line.kind == LogKind::AfterMove && line.event.is_some());
            counts.late_moves += usize::from(line.kind == LogKind::MoveReceived && line.event.is_none());
        }
        game.clear();
        let takebacks_before = counts.takebacks;
        for (at, event) in &out.events {
            counts.takebacks += usize::from(matches!(event, GameEvent::TurnRetracted(_)));
            match game.apply(*at, event) {
                Ok(Applied::TurnTaken) => {
                    counts.turns += 1;
                    counts.timed_turns += usize::from(at.is_some());
                    let ply = game.plies().last().unwrap();
                    counts.clocks_that_match += usize::from(ply.clock_matches == Some(true));
                    if ply.clock_matches == Some(false) {
                        counts.surprises.push(format!("{}: clock at {}", row.id, ply.number));
                    }
                }
                Ok(Applied::TurnRejected(check)) => {
                    counts.rejections += 1;
                    counts.rejected_here_too += usize::from(matches!(check, RejectionCheck::Illegal(_)));
                }
                Ok(Applied::Ended(check)) => match check {
                    EndingCheck::Agrees => counts.endings[0] += 1,
                    EndingCheck::NotOnBoard => counts.endings[1] += 1,
                    EndingCheck::Disagrees { .. } => {
                        counts.endings[2] += 1;
                        counts.surprises.push(format!("{}: ending", row.id));
                    }
                },
                Ok(_) => {}
                Err(error) => {
                    counts.surprises.push(format!("{}: {}", row.id, error.code()));
                    break;
                }
            }
        }
        counts.games_with_takebacks += usize::from(counts.takebacks > takebacks_before);
    });
    Some(counts)
}

#[test]
fn the_file_of_february_2026_is_understood_to_the_last_line() {
    let Some(counts) = count("allgames202602.txt") else { return };
    let expected = Counts {
        games: 147,
        turns: 10_298,
        rejections: 16,
        rejected_here_too: 16,
        log_lines: 27_499,
        other_lines: 0,
        clock_lines: 10_315,
        // The other 17 are the clocks of 16 resignations and one illegal move.
        clock_lines_of_turns: 10_298,
        clocks_that_match: 10_298,
        timed_turns: 10_298,
        late_moves: 4,
        endings: [100, 47, 0],
        ..Counts::default()
    };
    assert_eq!(counts, expected);
}

#[test]
fn the_file_of_2002_is_understood_but_for_two_corrupt_games() {
    let Some(mut counts) = count("allgames2002.txt") else { return };
    counts.surprises.sort();
    counts.flags.sort();
    assert_eq!((counts.games, counts.takebacks, counts.games_with_takebacks), (64, 25, 14));
    assert_eq!((counts.resign_tokens, counts.log_lines, counts.rejections), (3, 0, 0));
    assert_eq!(counts.surprises, ["32: frozen", "55: frozen"]);
    let corrupt = Flag::Corrupt.word().to_owned();
    assert_eq!(counts.flags, [(32, corrupt.clone()), (46, corrupt.clone()), (55, corrupt)]);
    assert_eq!(counts.endings.iter().sum::<usize>(), 62);
}

#[test]
fn every_clock_line_follows_from_the_time_control_and_the_times_used_also_those_of_resignations() {
    let Some(archive) = archive() else { return };
    let reading = read(&[&archive.join("allgames202602.txt")]);
    let mut checked = 0;
    reading.for_each_row(|row| {
        let mut out = RowEvents::default();
        events(row, &mut out);
        let control =
            annals_rules::clock::TimeControl::parse(row.header.time_control.as_deref().unwrap()).unwrap();
        let mut clock = annals_rules::clock::Clock::new(control);
        for line in out.log.iter().filter(|line| line.kind == LogKind::AfterMove) {
            let setup = line.number == Some(1);
            let _ = clock.charge(line.side.unwrap(), line.used.unwrap(), setup);
            let figures = clock.figures();
            let shown = [line.gold_reserve, line.silver_reserve];
            for side in annals_events::Side::BOTH {
                assert_eq!(Some(figures.reserve(side)), shown[side.index()], "{} line {}", row.id, line.line);
            }
            checked += 1;
        }
    });
    assert_eq!(checked, 10_315);
}
