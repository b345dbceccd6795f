//! Games of the championships of 2015 and 2009 that reach the limit of their time control, from the command line: they end by score,
//! and nothing is played after it.

use serde_json::json;

use crate::director::Director;
use crate::postal_games::{GOLD, SILVER};
use crate::program::{Place, Run};

/// An elephant that walks round: along one row to the east and along another to the west. The two go round in different times, so
/// that no position is repeated.
struct Walk {
    piece: char,
    /// To the east, and to the west.
    rows: [u8; 2],
    last_file: u8,
    at: (u8, u8),
}

impl Walk {
    fn step(&mut self) -> String {
        let (file, row) = self.at;
        let [out, back] = self.rows;
        let turned = |to: u8| if to > row { 'n' } else { 's' };
        let (to, direction) = match () {
            () if row == out && file < self.last_file => ((file + 1, row), 'e'),
            () if row == out => ((file, back), turned(back)),
            () if file > b'a' => ((file - 1, row), 'w'),
            () => ((file, out), turned(out)),
        };
        self.at = to;
        format!("{}{}{row}{direction}", self.piece, char::from(file))
    }
}

/// A game of a championship.
struct Limited<'p> {
    place: &'p Place,
    /// The game without its pairing, and the day on which it is played.
    of: &'static str,
    at: &'static str,
    /// Minutes that a side may take for a turn.
    most: u32,
    /// Such turns of both sides that the limit has room for.
    turns: u32,
}

impl Limited<'_> {
    fn enter(&self, lines: &[String]) -> Run {
        let game = format!("{}.r1.1", self.of);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let at = ["--at", self.at, "--tz", "EST", "--actor", "omar"];
        self.place.run(&[&["game", "enter", game.as_str()], &lines[..], &at].concat())
    }

    fn is_refused(&self, line: &str, says: &str) {
        let run = self.enter(&[line.to_owned()]);
        assert!(run.status == 2 && run.talk.contains(says), "{line}: {}", run.talk);
    }

    /// Plays the game to its limit, which is to be decided by the score.
    fn reaches_its_limit(&self, director: &Director<'_>) {
        let full = format!("in {}:00", self.most);
        let mut lines = vec![format!("{GOLD} in 3:00"), format!("{SILVER} in 4:00")];
        let gold = Walk { piece: 'E', rows: [4, 3], last_file: b'h', at: (b'e', 4) };
        let silver = Walk { piece: 'e', rows: [5, 6], last_file: b'g', at: (b'e', 5) };
        let mut walks = [gold, silver];
        for turn in 1..self.turns / 2 {
            // The reserves are filled again, since no side has so much.
            lines.push(format!("clock {0}:00 {0}:00 because of the test", self.most));
            let out = ["Ee2n Ee3n", "ee7s ee6s"].map(str::to_owned);
            let steps = if turn == 1 { out } else { walks.each_mut().map(Walk::step) };
            lines.extend(steps.map(|steps| format!("{steps} {full}")));
        }
        lines.push(format!("clock {0}:00 {0}:00 because of the test", self.most));
        let run = self.enter(&lines);
        assert!(run.status == 0 && !run.talk.contains("by score"), "{}", run.talk);
        let (last, left) = (walks[0].step(), 2 * self.most - 7);
        self.is_refused("score", "before_the_limit");
        self.is_refused(&format!("{last} in {left}:01"), "past_the_limit");
        let by_hand = format!("game move r1.1 \"{last}\" --used {}", left * 60 + 1);
        director.refuses(self.at, &by_hand, &["past_the_limit"]);
        let run = self.enter(&[format!("{last} in {left}:00")]);
        assert!(run.status == 0 && run.talk.contains("silver wins by score"), "{}", run.talk);
    }

    /// After it nothing is played, and the result is that of the score.
    fn is_over(&self, director: &Director<'_>) {
        self.is_refused("eb5e in 1", "game_ended");
        director.refuses(self.at, "game move r1.1 eb5e --used 1", &["game_ended"]);
        let turn = json!({
            "stream": format!("game/{}.r1.1", self.of), "type": "game.turn_taken",
            "payload": {"number": 100, "side": "silver", "steps": "eb5e", "used": 1},
        });
        self.place.write("turn.jsonl", turn.to_string());
        let at = format!("{}-05:00", self.at);
        let run = self.place.run(&["log", "append", "turn.jsonl", "--actor", "omar", "--at", &at]);
        assert!(run.status == 2 && run.talk.contains("game_ended"), "{}", run.talk);
        director.refuses(self.at, "game result r1.1 gold --termination score", &["result.game"]);
        director.does(self.at, "game result r1.1");
        let result = &director.events("result_recorded")[0];
        assert_eq!((&result["outcome"], &result["termination"]), (&json!("silver"), &json!("score")));
        director.is_in_order();
    }
}

#[test]
fn a_game_of_2015_ends_by_score_after_eight_hours() {
    let place = Place::new();
    let director = crate::championship_rules::announced(&place, &["ada", "bob"]);
    director.does("2015-02-01T20:00", "qualifier rank");
    director.does("2015-03-01T10:00", "round pair");
    director.does("2015-03-01T11:00", "game start r1.1");
    let game = Limited { place: &place, of: "cup", at: "2015-03-01T20:00:00", most: 6, turns: 80 };
    game.reaches_its_limit(&director);
    game.is_over(&director);
}

#[test]
fn a_game_of_the_final_of_2009_ends_by_score_after_six_hours() {
    let place = Place::new();
    let director = crate::week_2009::week(&place);
    director.does("2009-01-04T20:00", "round pair --seed x");
    director.does("2009-01-04T20:01", "schedule notify");
    director.does("2009-01-05T20:01", "schedule set r1.1");
    director.does("2009-01-06T00:00", "game start r1.1");
    let game = Limited { place: &place, of: "week-2009", at: "2009-01-06T07:00:00", most: 5, turns: 72 };
    game.reaches_its_limit(&director);
    game.is_over(&director);
}
