//! A director's director in few words: lines as a director types them, at times that a simulated log is set to, carried out
//! or refused.

use serde_json::Value;

use crate::program::Place;

/// The director of one tournament.
pub struct Director<'p> {
    pub place: &'p Place,
    name: &'static str,
}

/// Where the tournament's name stands among the words of a command: after its group, if it is in one, and its own word.
pub fn place_of_name(words: &[impl AsRef<str>]) -> usize {
    let groups = ["entry", "qualifier", "round", "schedule", "game", "ruling", "fund"];
    if groups.contains(&words[1].as_ref()) { 3 } else { 2 }
}

/// A pair, Gold first.
pub type Game = (String, String);

impl<'p> Director<'p> {
    /// A log that begins on a day, and the director of a tournament that is still to be announced.
    pub fn opened(place: &'p Place, name: &'static str, day: &str) -> Director<'p> {
        place.ask(&["log", "init", "--simulated", "--at", day, "--actor", "omar"]);
        Director { place, name }
    }

    /// The director of a tournament in a log that is there.
    pub fn of(place: &'p Place, name: &'static str) -> Director<'p> {
        Director { place, name }
    }

    /// The words of a line; what stands in double quotes is one word. The tournament's name follows the command.
    fn words(&self, at: &str, line: &str) -> Vec<String> {
        let mut words = vec!["tournament".to_owned()];
        for (i, part) in line.split('"').enumerate() {
            match i % 2 {
                0 => words.extend(part.split_whitespace().map(str::to_owned)),
                _ => words.push(part.to_owned()),
            }
        }
        words.insert(place_of_name(&words), self.name.to_owned());
        words.extend(["--at", at, "--tz", "EST", "--actor", "omar"].map(str::to_owned));
        words
    }

    fn run(&self, words: &[String]) -> crate::program::Run {
        self.place.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// A line that has to be carried out; what the program says.
    pub fn does(&self, at: &str, line: &str) -> String {
        let run = self.run(&self.words(at, line));
        assert_eq!(run.status, 0, "{line}\n{}{}", run.out, run.talk);
        run.out
    }

    /// A line that has to be refused, in words among which are these; nothing may come into the log. The words.
    pub fn refuses(&self, at: &str, line: &str, says: &[&str]) -> String {
        let before = self.place.ask(&["log", "head"]);
        let run = self.run(&self.words(at, line));
        assert_eq!(run.status, 2, "{line}\n{}{}", run.out, run.talk);
        for word in says {
            assert!(run.talk.contains(word), "`{line}` is refused without `{word}`:\n{}", run.talk);
        }
        assert_eq!(self.place.ask(&["log", "head"]), before, "{line}");
        run.talk
    }

    /// A line tried with `--dry-run`: it has to show something, and nothing may come into the log.
    pub fn only_tries(&self, at: &str, line: &str) {
        let before = self.place.ask(&["log", "head"]);
        let mut words = self.words(at, line);
        words.push("--dry-run".to_owned());
        let run = self.run(&words);
        assert_eq!(run.status, 0, "{line}\n{}{}", run.out, run.talk);
        assert!(!run.out.is_empty() && run.talk.contains("nothing was appended"), "{line}\n{run:?}");
        assert_eq!(self.place.ask(&["log", "head"]), before, "{line}");
    }

    /// The payloads of the events of a type, in their order.
    pub fn events(&self, of: &str) -> Vec<Value> {
        let lines = self.place.ask(&["log", "export", &format!("tournament/{}", self.name)]);
        let all = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        all.filter(|event| event["type"] == format!("tournament.{of}"))
            .map(|event| event["payload"].clone())
            .collect()
    }

    /// The games of a round in the order of its boards, Gold first, as they were published and as coins fell; the colours
    /// that are still to be chosen leave the better ranked first.
    pub fn games(&self, round: u64) -> Vec<Game> {
        let paired = self.events("round_paired");
        let paired = paired.iter().rev().find(|paired| paired["round"] == round);
        let paired = paired.unwrap_or_else(|| panic!("round {round} is not paired"));
        let coins = self.events("colour_drawn");
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let game = |pair: &Value| {
            let (upper, lower) = (text(&pair["upper"]), text(&pair["lower"]));
            let at = format!("r{round}.{}", pair["board"]);
            let drawn = coins.iter().rev().find(|coin| coin["pairing"] == at.as_str());
            let upper_is_gold = match drawn {
                Some(coin) => coin["gold"] == upper.as_str(),
                None => pair["upper_side"] != "silver",
            };
            if upper_is_gold { (upper, lower) } else { (lower, upper) }
        };
        paired["pairs"].as_array().unwrap().iter().map(game).collect()
    }

    /// Who has the bye in a round.
    pub fn bye(&self, round: u64) -> Option<String> {
        let paired = self.events("round_paired");
        let paired = paired.iter().rev().find(|paired| paired["round"] == round).unwrap();
        paired["byes"][0]["player"].as_str().map(str::to_owned)
    }

    /// The final places: `1 anna`, in their order.
    pub fn places(&self) -> Vec<String> {
        let closed = self.events("closed");
        let places = closed[0]["places"].as_array().unwrap();
        places.iter().map(|row| format!("{} {}", row["place"], row["player"].as_str().unwrap())).collect()
    }

    /// The audit, which has to find that nothing departs.
    pub fn is_in_order(&self) {
        let run = self.place.run(&["tournament", "audit", self.name]);
        assert_eq!(run.status, 0, "{}{}", run.out, run.talk);
    }
}
