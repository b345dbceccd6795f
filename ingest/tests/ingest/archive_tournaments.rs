//! Tournaments out of archive rows: made-up rows of an event give its rounds back, rows that are no game are told, and the real
//! archive is read as one.

use std::collections::BTreeSet;

use annals_events::tournament::Outcome;
use annals_events::{Side, TimeNote, TournamentEvent};
use annals_ingest::archive_events::{
    EventGames, FromArchive, Head, HeadCounts, heads, qualifying, tournament,
};
use annals_ingest::imported::Recording;
use annals_ingest::row::Column;
use annals_ingest::source::discover;
use annals_tournaments::Tournament;
use annals_tournaments::qualifying::{KnownPlayer, Period};
use annals_tournaments::rulebook::Rulebook;

use crate::fixture::{archive, fields, header, write};

const SECOND: i64 = 1_000_000;
const START: i64 = 1_769_941_051;

/// A row of two players, begun so many hours after the first one, an hour long.
fn row(id: u64, gold: (&str, &str), silver: (&str, &str), hours: i64, set: &[(Column, &str)]) -> String {
    let mut fields = fields(id);
    let mut put = |column: Column, text: &str| text.clone_into(&mut fields[column as usize]);
    put(Column::GoldName, gold.0);
    put(Column::GoldId, gold.1);
    put(Column::SilverName, silver.0);
    put(Column::SilverId, silver.1);
    put(Column::Event, "Spring Cup");
    put(Column::StartTs, &(START + 3_600 * hours).to_string());
    put(Column::EndTs, &(START + 3_600 * (hours + 1)).to_string());
    for (column, text) in set {
        put(*column, text);
    }
    fields.join("\t")
}

const ANNA: (&str, &str) = ("Anna", "1");
const BELA: (&str, &str) = ("bela", "2");
const CARA: (&str, &str) = ("cara", "3");
const DORA: (&str, &str) = ("bot_dora", "4");

fn read(rows: &[String]) -> (Vec<Head>, HeadCounts) {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "games.txt", (header() + "\n" + &rows.join("\n") + "\n").as_bytes());
    let mut all = Vec::new();
    let counts = heads(&discover(&[&path]).unwrap(), |head| all.push(head));
    (all, counts)
}

fn recording() -> Recording {
    Recording::new("Spring Cup", Rulebook::named("wc-2009").unwrap())
}

fn fold(told: &FromArchive) -> Tournament {
    let mut tournament = Tournament::default();
    for (seq, told) in (1..).zip(&told.events) {
        tournament.evolve(seq, told.at, &told.event);
    }
    tournament
}

#[test]
fn an_event_becomes_a_tournament_whose_rounds_are_said_to_be_inferred() {
    let rows = [
        row(10, ANNA, BELA, 0, &[(Column::Result, "w"), (Column::GoldRating, "2000")]),
        row(11, CARA, DORA, 30, &[(Column::Result, "b")]),
        // The second round begins before the first is over.
        row(
            12,
            BELA,
            ANNA,
            24,
            &[(Column::Result, "d"), (Column::Termination, "s"), (Column::SilverRating, "2016")],
        ),
        row(13, DORA, CARA, 48, &[(Column::Result, "u"), (Column::Termination, "")]),
    ];
    let (all, counts) = read(&rows);
    assert_eq!((counts.rows, counts.unread.len()), (4, 0));
    let games = EventGames::new(all);
    let told = tournament(&games, &recording(), "Spring Cup", false);
    assert_eq!((told.players, told.rounds.len(), told.firm(), told.open.as_slice()), (4, 2, 4, &[13][..]));
    assert!(told.events.is_sorted_by_key(|told| told.at), "the record is in the order of time");
    let state = fold(&told);
    assert_eq!(state.findings, []);
    let anna = &state.entrants["anna"];
    assert_eq!((anna.rating, anna.entry.fact.account), (Some(2000), Some(1)));
    assert!(state.rounds.values().all(|round| round.inferred && round.byes.is_empty()));
    let outcome = |round, board| {
        let board = &state.rounds[&round].boards[&board];
        (board.gold().unwrap().as_str(), board.outcome())
    };
    assert_eq!(outcome(1, 1), ("anna", Some(Outcome::Gold)));
    assert_eq!(outcome(1, 2), ("cara", Some(Outcome::Silver)));
    assert_eq!(outcome(2, 1), ("bela", Some(Outcome::Draw)));
    assert_eq!(outcome(2, 2), ("bot_dora", None));
    let results: Vec<(i64, Option<TimeNote>, Option<String>)> = told
        .events
        .iter()
        .filter_map(|told| match &told.event {
            TournamentEvent::ResultRecorded(result) => Some((told.at, told.note, result.note.clone())),
            _ => None,
        })
        .collect();
    assert_eq!(results[0].0, (START + 3_600) * SECOND);
    assert_eq!(results[0].1, None, "the row states when the game was over");
    assert_eq!(results[0].2.as_deref(), Some("game 10 of the gameroom, 2/2/100/10/8, rated"));
    let with_games = tournament(&games, &recording(), "Spring Cup", true);
    let attached = fold(&with_games).rounds[&1].boards[&1].games.clone();
    assert_eq!(
        attached.into_iter().map(|(n, game)| (n, game.to_string())).collect::<Vec<_>>(),
        [(1, "arimaa-10".to_owned())]
    );
}

#[test]
fn rows_that_are_no_game_of_two_players_are_told_and_left_out() {
    let rows = [
        row(1, ANNA, BELA, 0, &[]),
        row(2, ANNA, ANNA, 1, &[]),
        row(3, ANNA, ("Anna", ""), 1, &[]),
        row(4, ANNA, ("", "7"), 1, &[]),
        row(1, CARA, DORA, 2, &[]),
        "five\tcolumns".to_owned(),
        row(6, CARA, DORA, 3, &[(Column::StartTs, ""), (Column::EndTs, "")]),
        row(7, CARA, DORA, 4, &[(Column::StartTs, "")]),
    ];
    let (all, counts) = read(&rows);
    let codes: Vec<(Option<u64>, &str)> = counts.unread.iter().map(|u| (u.line, u.code)).collect();
    assert_eq!(codes.len(), 5, "{codes:?}");
    assert_eq!(
        codes[..4],
        [(Some(3), "oneself"), (Some(4), "oneself"), (Some(5), "no_player"), (Some(6), "duplicate")]
    );
    let games = EventGames::new(all);
    assert_eq!(games.timeless, [6]);
    let told = tournament(&games, &recording(), "Spring Cup", false);
    assert_eq!(games.games().map(|head| head.id).collect::<Vec<_>>(), [1, 7]);
    let ended = told.events.iter().rfind(|t| matches!(t.event, TournamentEvent::ResultRecorded(_))).unwrap();
    assert_eq!((ended.at, ended.note), ((START + 5 * 3_600) * SECOND, None));
    let started: Vec<Option<TimeNote>> = told
        .events
        .iter()
        .filter(|t| matches!(t.event, TournamentEvent::RoundStarted(_)))
        .map(|t| t.note)
        .collect();
    assert_eq!(started, [None]);
}

#[test]
fn an_account_that_changed_its_name_is_one_player_and_a_name_of_two_accounts_two() {
    let rows = [
        row(1, ANNA, BELA, 0, &[]),
        row(2, ("annika", "1"), BELA, 24, &[]),
        row(3, ("bela", "9"), ANNA, 48, &[]),
    ];
    let told = tournament(&EventGames::new(read(&rows).0), &recording(), "x", false);
    assert_eq!(told.renamed, [["Anna".to_owned(), "annika".to_owned()]]);
    let entrants: Vec<String> = fold(&told).entrants.keys().map(ToString::to_string).collect();
    assert_eq!(entrants, ["anna", "bela", "bela-2"]);
}

#[test]
fn games_between_entrants_and_benchmarks_that_touch_the_window_are_selected() {
    let entrant = |id: &str, name: &str, account| KnownPlayer {
        player: id.parse().unwrap(),
        names: vec![name.to_owned()],
        accounts: Vec::from_iter(account),
    };
    let entrants = [entrant("dora-2015", "bot_Dora", None)];
    let benchmarks = [entrant("anna", "Anna", Some(1)), entrant("bela", "bela", None)];
    let hour = 3_600 * SECOND;
    let window = Period { opens: START * SECOND + 10 * hour, closes: START * SECOND + 20 * hour };
    let rows = [
        row(1, DORA, ANNA, 0, &[]),
        row(2, DORA, ANNA, 9, &[]),
        row(3, BELA, DORA, 12, &[(Column::Rated, "0"), (Column::Result, "w")]),
        row(4, DORA, ("Anna", "8"), 13, &[]),
        row(5, DORA, CARA, 14, &[]),
        row(6, DORA, ("renamed", "1"), 15, &[(Column::Result, "w")]),
        row(7, DORA, ANNA, 19, &[]),
        row(8, DORA, ANNA, 30, &[]),
        row(9, DORA, ANNA, 16, &[(Column::EndTs, "")]),
    ];
    let found =
        qualifying(&read(&rows).0, &entrants, &benchmarks, window, |game| game.as_str() == "arimaa-6");
    let said: Vec<_> = found
        .games
        .iter()
        .map(|s| {
            (s.number, s.game.benchmark.as_str(), s.game.side, s.game.rated, s.game.winner, s.over_the_edge)
        })
        .collect();
    assert_eq!(
        said,
        [
            (2, "anna", Side::Gold, true, Some(Side::Silver), true),
            (3, "bela", Side::Silver, false, Some(Side::Gold), false),
            (6, "anna", Side::Gold, true, Some(Side::Gold), false),
            (7, "anna", Side::Gold, true, Some(Side::Silver), true),
        ]
    );
    assert_eq!((found.outside, found.timeless.as_slice()), (2, &[9][..]));
    assert_eq!(found.games[2].game.game.as_ref().map(|game| game.as_str()), Some("arimaa-6"));
}

#[test]
fn every_casual_game_of_the_real_archive_finds_a_round() {
    let Some(folder) = archive() else { return };
    for (name, games, players) in [("allgames2002.txt", 64, 24), ("allgames202602.txt", 147, 0)] {
        let mut all = Vec::new();
        let counts = heads(&discover(&[&folder.join(name)]).unwrap(), |head| all.push(head));
        assert_eq!((counts.rows, counts.unread.len(), all.len()), (games, 0, games as usize), "{name}");
        assert!(all.iter().all(|head| head.event == "Casual game"));
        let names: BTreeSet<String> =
            all.iter().flat_map(|head| &head.seats).map(|seat| seat.name.clone()).collect();
        let event = EventGames::new(all);
        let told = tournament(&event, &recording(), "Casual game", true);
        assert_eq!(told.players, names.len(), "{name}");
        assert!(players == 0 || told.players >= players, "{name}: {}", told.players);
        assert!(told.events.is_sorted_by_key(|told| told.at), "{name}");
        let state = fold(&told);
        assert_eq!(state.findings, [], "{name}");
        let boards: usize = state.rounds.values().map(|round| round.boards.len()).sum();
        assert_eq!(boards, games as usize, "{name}");
        for (number, round) in &state.rounds {
            let seats: Vec<_> = round.boards.values().flat_map(|board| board.players()).collect();
            assert_eq!(seats.iter().collect::<BTreeSet<_>>().len(), seats.len(), "{name}, round {number}");
        }
        // As many rounds as somebody has games, at the least.
        let busiest = names
            .iter()
            .map(|name| event.games().filter(|head| head.seats.iter().any(|seat| seat.name == *name)).count())
            .max();
        assert!(Some(state.rounds.len()) >= busiest, "{name}: {} rounds", state.rounds.len());
    }
}
