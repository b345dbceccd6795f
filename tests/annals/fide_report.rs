//! A tournament as FIDE's report, read column by column; and the total of two players in a list of games.

use std::collections::BTreeMap;

use crate::demonstrating::DEMONSTRATION;
use crate::program::Place;

/// A line of a player, by the columns of TRF16, which count from 1.
struct PlayerLine {
    name: String,
    half_points: u32,
    rank: u64,
    /// Opponent, colour and result by round; none for a round without the player.
    rounds: Vec<Option<(u32, char, char)>>,
}

fn columns(line: &str, from: usize, to: usize) -> String {
    line.chars().skip(from - 1).take(to + 1 - from).collect::<String>().trim().to_owned()
}

/// Reads the lines of players, and checks that everything between the columns is blank.
fn players(text: &str, rounds: usize) -> BTreeMap<u32, PlayerLine> {
    let mut all = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("001")) {
        assert!(line.is_ascii(), "{line}");
        for blank in [4, 9, 14, 48, 53, 57, 69, 80, 85, 90, 91] {
            assert_eq!(columns(line, blank, blank), "", "column {blank} of {line}");
        }
        let (points, half) =
            columns(line, 81, 84).split_once('.').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        let half_points = points.parse::<u32>().unwrap() * 2 + u32::from(half == "5");
        let round = |round: usize| {
            let start = 92 + 10 * round;
            let opponent = columns(line, start, start + 3).parse().ok()?;
            let one = |column: usize| columns(line, column, column).chars().next().unwrap_or(' ');
            Some((opponent, one(start + 5), one(start + 7)))
        };
        let player = PlayerLine {
            name: columns(line, 15, 47),
            half_points,
            rank: columns(line, 86, 89).parse().unwrap(),
            rounds: (0..rounds).map(round).collect(),
        };
        assert!(all.insert(columns(line, 5, 8).parse().unwrap(), player).is_none(), "{line}");
    }
    all
}

#[test]
fn the_report_of_a_championship_agrees_with_itself_and_with_the_standings() {
    let place = Place::new();
    place.copy_folder(&DEMONSTRATION.0.path("annals-demo"), "home");
    let run = place.run(&["tournament", "export", "cup", "-o", "cup.trf"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.talk.contains(": the file has the last game alone, others were set aside"), "{run:?}");
    let text = std::fs::read_to_string(place.path("cup.trf")).unwrap();
    assert_eq!(text, place.ask(&["tournament", "export", "cup", "--format", "trf"]));
    for header in ["012 Computer Championship of the settings", "062 8", "XXR 12", "052 2015/03/08"] {
        assert!(text.lines().any(|line| line == header), "{header}: {text}");
    }

    let players = players(&text, 12);
    assert_eq!(players.len(), 8);
    for (number, player) in &players {
        let mut half_points = 0;
        for (round, cell) in player.rounds.iter().enumerate() {
            let Some((opponent, colour, result)) = *cell else { continue };
            half_points += if "1+UFW".contains(result) { 2 } else { u32::from("=HD".contains(result)) };
            if opponent == 0 {
                assert_eq!((colour, result), ('-', 'U'), "{}", player.name);
                continue;
            }
            let mirrored = match (colour, result) {
                ('w', '1') => ('b', '0'),
                ('w', '0') => ('b', '1'),
                ('b', '1') => ('w', '0'),
                ('b', '0') => ('w', '1'),
                other => panic!("{}: {other:?}", player.name),
            };
            let other = &players[&opponent];
            assert_eq!(other.rounds[round], Some((*number, mirrored.0, mirrored.1)), "round {}", round + 1);
        }
        assert_eq!(half_points, player.half_points, "{}", player.name);
    }

    let standings = place.ask_json(&["tournament", "standings", "cup", "--json"]);
    for row in standings["rows"].as_array().unwrap() {
        let player = players.values().find(|player| row["name"] == player.name.as_str()).unwrap();
        assert_eq!((&row["rank"], &row["half_points"]), (&player.rank.into(), &player.half_points.into()));
    }
}

/// Every game of a report is on the lines of both players, and each opponent has a line.
pub fn games_are_on_two_lines(text: &str, rounds: usize) {
    let players = players(text, rounds);
    for (number, player) in &players {
        for (round, cell) in player.rounds.iter().enumerate() {
            let Some((opponent, colour, result)) = *cell else { continue };
            let what = format!("{} in round {}: {opponent} {colour} {result}", player.name, round + 1);
            if opponent == 0 {
                assert!(colour == '-' && "HZU".contains(result), "{what}");
                continue;
            }
            let other = players.get(&opponent).unwrap_or_else(|| panic!("{what}")).rounds[round];
            let (back, theirs, _) = other.unwrap_or_else(|| panic!("{what}"));
            let colours = [('w', 'b'), ('b', 'w'), ('-', '-')];
            assert!(back == *number && colours.contains(&(colour, theirs)), "{what}");
        }
    }
}

#[test]
fn what_the_report_cannot_hold_is_noted() {
    let place = Place::new();
    place.ask(&["tournament", "import", "history", "--actor", "omar"]);
    let run = place.run(&["tournament", "export", "london-2000", "--format", "trf"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.talk.contains("note: the rounds of a published table are not recorded"), "{run:?}");
    let players = players(&run.out, 0);
    assert_eq!(players[&1].half_points, 20, "{}", run.out);
    assert_eq!(players[&1].name, "8QP");
}

#[cfg(feature = "sql")]
#[test]
fn a_list_of_the_games_of_two_players_has_their_total() {
    let place = Place::new();
    place.copy_tree(&DEMONSTRATION.0.path("annals-demo"), "home");
    let list = ["game", "list", "--player", "annals-n8000", "--vs", "annals-n3000"];
    let games: serde_json::Value = place.ask_json(&[&list[..], &["--json"]].concat());
    let games = games.as_array().unwrap();
    let won = games.iter().filter(|game| game[game["result"].as_str().unwrap()] == "annals-n8000").count();
    let (all, lost) = (games.len(), games.len() - won);
    assert!(won > 0 && lost > 0, "{games:?}");
    let total = format!(
        "note: annals-n8000 against annals-n3000: {won} won, {lost} lost, 0 drawn, {all} games in all\n"
    );
    // The total does not depend on the length of the list.
    let run = place.run(&[&list[..], &["--limit", "1"]].concat());
    assert_eq!((run.status, run.out.lines().count(), run.talk.as_str()), (0, 2, total.as_str()));
    assert_eq!(place.run(&[&list[..], &["--json"]].concat()).talk, "");
    let reversed = place.run(&["game", "list", "--player", "annals-n3000", "--vs", "annals-n8000"]);
    assert!(reversed.talk.contains(&format!("{lost} won, {won} lost")), "{reversed:?}");

    let run = place.run(&["game", "list", "--side", "gold"]);
    assert_eq!(run.status, 2);
    assert!(run.talk.contains("`--side` needs `--position` or `--pattern`"), "{run:?}");
}
