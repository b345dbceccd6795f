//! The Olympiad of the demonstration: seven programs in a Swiss of five rounds, played from the command line, the same for the
//! same seed, clean, its game files written; every pairing, bye, colour and line of the final table as a program of another
//! language works them out from the moves. And six entrants who all meet.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::checkers::ask_the_checkers;
use crate::demonstrating::DEMONSTRATION;
use crate::director::Director;
use crate::program::{Place, Run};

/// So few positions a move that an Olympiad is played in seconds.
const NODES: &str = "24";

fn demo(place: &Place, folder: &str, seed: &str) -> Run {
    let run = place.run(&["demo", "olympiad", "-o", folder, "--seed", seed, "--nodes", NODES]);
    assert_eq!(run.status, 0, "{}\n{}", run.out, run.talk);
    run
}

fn last_line(run: &Run) -> String {
    run.out.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn an_olympiad_is_played_from_scratch_is_clean_and_comes_out_as_the_checkers_say() {
    let place = Place::new();
    let run = demo(&place, "oly", "1");
    tells_the_story(&run.out);
    assert_eq!(last_line(&demo(&place, "again", "1")), last_line(&run), "the same seed gives the same log");
    let audit = place.ask_json(&["--home", "oly", "tournament", "audit", "olympiad", "--json"]);
    assert_eq!((&audit["counts"]["violations"], &audit["counts"]["undetermined"]), (&0.into(), &0.into()));
    place.ask(&["--home", "oly", "log", "verify"]);
    // Another demonstration is another log, with the same seed too: its receipt is foreign, and no sign of damage.
    let foreign = DEMONSTRATION.1.out.lines().last().unwrap_or_default();
    let compared = place.run(&["--home", "oly", "log", "verify", "--receipt", foreign]);
    assert!(compared.out.contains("it is of another log than this one"), "{compared:?}");
    assert!(!compared.out.contains("has another hash now"), "{compared:?}");

    let record = Record::of(&place);
    record.has_met_every_trouble();
    record.has_its_game_files(&place);
    let Some(worked_out) = ask_the_checkers(SWISS, &record.as_the_checkers_know_it()) else { return };
    record.is_as(&worked_out);
}

/// What it has to tell, in this order.
fn tells_the_story(told: &str) {
    let mut rest = told;
    for words in [
        "7 programs, five rounds of Swiss",
        "registration.window",
        "by mistake; the director has it retracted",
        "Round 1 (swiss), bye",
        "a connection was lost. It goes on from ply",
        "does not come to r4.",
        "Place 1: ",
        "game files are in",
        "log verify",
        "WHOLE",
        "audit olympiad",
        "--as-of",
        "tournament standings olympiad --as-of",
        "Opponents' points",
        "w with White, b with Black",
        "ingest --log",
        "Go on with:",
    ] {
        let at =
            rest.find(words).unwrap_or_else(|| panic!("`{words}` is not told after the others:\n{told}"));
        rest = &rest[at + words.len()..];
    }
    assert!(!told.contains("Gold") && !told.contains("Silver"), "the sides are White and Black:\n{told}");
}

/// The events of a log, by stream.
struct Record {
    streams: BTreeMap<String, Vec<Value>>,
}

impl Record {
    fn of(place: &Place) -> Record {
        let mut streams: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for line in place.ask(&["--home", "oly", "log", "export"]).lines() {
            let event: Value = serde_json::from_str(line).unwrap();
            streams.entry(event["stream"].as_str().unwrap().to_owned()).or_default().push(event);
        }
        Record { streams }
    }

    /// The payloads of the events of a type in a stream.
    fn of_type(&self, stream: &str, of: &str) -> Vec<&Value> {
        let events = self.streams.get(stream).into_iter().flatten();
        events.filter(|event| event["type"] == of).map(|event| &event["payload"]).collect()
    }

    fn said(&self, of: &str) -> Vec<&Value> {
        self.of_type("tournament/olympiad", &format!("tournament.{of}"))
    }

    fn games(&self) -> impl Iterator<Item = &String> {
        self.streams.keys().filter(|name| name.starts_with("game/"))
    }

    fn has_met_every_trouble(&self) {
        let retracted: Vec<&Value> =
            self.games().flat_map(|game| self.of_type(game, "game.turn_retracted")).collect();
        assert_eq!(retracted.len(), 1);
        assert!(retracted[0]["reason"].as_str().unwrap().contains("director"), "{retracted:?}");
        let effects: Vec<String> = self
            .said("ruling_given")
            .iter()
            .map(|ruling| ruling["effect"].as_object().unwrap().keys().next().unwrap().clone())
            .collect();
        assert!(effects.contains(&"halt".to_owned()), "{effects:?}");
        assert_eq!(self.of_type("game/olympiad.r2.3", "game.halted").len(), 1);
        assert!(self.streams.contains_key("game/olympiad.r2.3.2"), "it goes on as a further attempt");
        let forfeits =
            self.said("result_recorded").iter().filter(|result| result["termination"] == "forfeit").count();
        assert_eq!(forfeits, 1);
        // Thirty games, of which one was not played and one went on as another.
        assert_eq!((self.said("result_recorded").len(), self.games().count()), (30, 30));
        assert_eq!(self.said("closed").len(), 1);
    }

    fn has_its_game_files(&self, place: &Place) {
        for game in self.games() {
            let name = game.strip_prefix("game/").unwrap();
            for ending in ["sgf", "moves"] {
                let path = place.path(&format!("oly/games/{name}.{ending}"));
                let text =
                    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                assert!(!text.is_empty(), "{}", path.display());
            }
        }
    }

    /// The moves that stand in a game, those that it goes on from in front.
    fn moves(&self, game: &str) -> Vec<String> {
        let mut moves = Vec::new();
        // The second attempt bears the name of the first, and its number.
        let halts = self.said("ruling_given");
        let mut halts = halts.iter().map(|ruling| &ruling["effect"]["halt"]);
        let before = halts.rfind(|halt| halt["game"].as_str().is_some_and(|of| format!("{of}.2") == game));
        if let Some(halt) = before {
            moves = self.moves(halt["game"].as_str().unwrap());
            moves.truncate(usize::try_from(halt["ply"].as_u64().unwrap()).unwrap());
        }
        for event in self.streams.get(&format!("game/{game}")).into_iter().flatten() {
            if event["type"] == "game.turn_taken" {
                moves.push(event["payload"]["steps"].as_str().unwrap().to_owned());
            } else if event["type"] == "game.turn_retracted" {
                moves.pop();
            }
        }
        moves
    }

    /// The list of entrants, and for each round its encounters with their games: players, result, ending, what a ruling
    /// gives, and the moves.
    fn as_the_checkers_know_it(&self) -> Value {
        let mut entrants: Vec<(u64, &str)> = self
            .said("player_registered")
            .iter()
            .map(|entry| (entry["number"].as_u64().unwrap(), entry["player"].as_str().unwrap()))
            .collect();
        entrants.sort_unstable();
        let entrants: Vec<&str> = entrants.into_iter().map(|(_, player)| player).collect();
        let rounds: Vec<Value> =
            self.said("round_paired").into_iter().map(|paired| self.round(paired)).collect();
        json!({ "entrants": entrants, "rounds": rounds })
    }

    fn round(&self, paired: &Value) -> Value {
        let round = paired["round"].as_u64().unwrap();
        let mut encounters: BTreeMap<u64, Value> = BTreeMap::new();
        for pair in paired["pairs"].as_array().unwrap() {
            let (upper, lower) = (&pair["upper"], &pair["lower"]);
            let (white, black) = if pair["upper_side"] == "gold" { (upper, lower) } else { (lower, upper) };
            let pairing = format!("r{round}.{}", pair["board"]);
            let results = self.said("result_recorded");
            let result = results.iter().find(|result| result["pairing"] == pairing.as_str()).unwrap();
            let rulings = self.said("ruling_given");
            let mut ruled = rulings.iter().map(|ruling| &ruling["effect"]["set_territory"]);
            let ruled = ruled.rfind(|set| set["pairing"] == pairing.as_str());
            let moves = result["game"].as_str().map(|game| self.moves(game));
            let game = json!({
                "white": white, "black": black, "outcome": result["outcome"], "ending": result["termination"],
                "recorded": result["territory"], "ruled": ruled.map(|set| &set["squares"]), "moves": moves,
            });
            let encounter = encounters
                .entry(pair["encounter"].as_u64().unwrap())
                .or_insert_with(|| json!({ "pair": [upper, lower], "games": [] }));
            encounter["games"].as_array_mut().unwrap().push(game);
        }
        let encounters: Vec<Value> = encounters.into_values().collect();
        json!({ "bye": paired["byes"][0]["player"], "encounters": encounters })
    }

    /// Holds the record against what was worked out.
    fn is_as(&self, worked_out: &Value) {
        for (paired, due) in self.said("round_paired").iter().zip(worked_out["rounds"].as_array().unwrap()) {
            let round = paired["round"].as_u64().unwrap();
            assert_eq!(paired["byes"][0]["player"], due["bye"], "round {round}");
            let colours: Vec<Value> = paired["pairs"]
                .as_array()
                .unwrap()
                .iter()
                .map(|pair| {
                    let (upper, lower) = (&pair["upper"], &pair["lower"]);
                    if pair["upper_side"] == "gold" { json!([upper, lower]) } else { json!([lower, upper]) }
                })
                .collect();
            assert_eq!(Value::from(colours), due["games"], "the games of round {round}, White first");
            let order: Vec<Value> = paired["order"]
                .as_array()
                .unwrap()
                .iter()
                .map(|line| {
                    json!([
                        line["player"],
                        line["measures"][0]["values"][0],
                        line["measures"][1]["values"][0],
                        line["measures"][2]["values"][0]
                    ])
                })
                .collect();
            assert_eq!(Value::from(order), due["order"], "the order before round {round}");
        }
        assert_eq!(worked_out["rounds"].as_array().unwrap().len(), 5);
        assert_eq!(table_of(self.said("closed")[0]), worked_out["table"]);
    }
}

/// Place, player, half points, opponents' half points, territory; in the order of the places and then of the names.
fn table_of(closed: &Value) -> Value {
    let mut rows: Vec<(u64, String, Vec<i64>)> = closed["places"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let value = |at: usize| row["measures"][at]["values"][0].as_i64().unwrap();
            let player = row["player"].as_str().unwrap().to_owned();
            (row["place"].as_u64().unwrap(), player, vec![value(0), value(1), value(2)])
        })
        .collect();
    rows.sort();
    rows.into_iter()
        .map(|(place, player, values)| json!([place, player, values[0], values[1], values[2]]))
        .collect()
}

/// Works the Swiss out: each board is played through for its territory, each round paired from those before it.
const SWISS: &str = r#"
import json, re, sys
import olympiad as checker

given = json.load(sys.stdin)

def played(moves):
    queens = [{checker.sq(s) for s in squares.split()} for squares in ("a4 d1 g1 j4", "a7 d10 g10 j7")]
    blocks, side = set(), 0
    for text in moves:
        origin, to, block = (checker.sq(s) for s in re.findall(r"[a-j]\d+", text))
        queens[side].remove(origin)
        queens[side].add(to)
        blocks.add(block)
        side = 1 - side
    stuck = not checker.mobile(queens[side], queens[0] | queens[1] | blocks)
    return 1 - side, stuck, checker.territory(queens[1 - side], queens[side], blocks)

ENDINGS = {"immobilization": "moves", "time": "time", "resignation": "resign", "forfeit": "forfeit"}

def game(g):
    result = {"gold": "w", "silver": "b", "draw": "d", "double_loss": "-"}[g["outcome"]]
    ending, squares = ENDINGS[g["ending"]], 0
    if g["moves"] is not None:
        winner, stuck, squares = played(g["moves"])
        assert stuck == (ending == "moves"), g
        if stuck:
            assert "wb"[winner] == result, g
            assert g["recorded"] == squares, (g["recorded"], squares)
        else:
            assert not g["recorded"], g
    if g["ruled"] is not None:
        squares = g["ruled"]
    return [g["white"], g["black"], result, ending, squares, g["ruled"] is not None]

state = checker.swiss_state

def owner_only(entrants, rounds):
    """The checker counts an opponent's bye in the sum of the opponents' points; the default reading does not (T47)."""
    half, _, territory, byes, met = state(entrants, rounds)
    games = {p: half[p] - 4 * byes[p] for p in entrants}
    return half, {p: sum(games[q] for q in entrants if met[frozenset((p, q))]) for p in entrants}, territory, byes, met

checker.swiss_state = owner_only
rounds = [dict(bye=r["bye"], encounters=[dict(pair=e["pair"], games=[game(g) for g in e["games"]])
          for e in r["encounters"]]) for r in given["rounds"]]
entrants, out = given["entrants"], []
for n in range(len(rounds)):
    half, opponents, territory = checker.swiss_state(entrants, rounds[:n])[:3]
    pairs, bye, _ = checker.swiss_pairing(entrants, rounds[:n])
    order = [[p, half[p], opponents[p], territory[p]] for p in checker.swiss_order(entrants, rounds[:n])]
    out.append(dict(bye=bye, games=[list(g) for p, q in pairs for g in ((p, q), (q, p))], order=order))
measures = dict(zip(entrants, zip(*([of[p] for p in entrants] for of in checker.swiss_state(entrants, rounds)[:3]))))
table = sorted([1 + sum(other > own for other in measures.values()), p, *own] for p, own in measures.items())
print(json.dumps(dict(rounds=out, table=table)))
"#;

/// Ranks games of an all-play-all.
const TABLE: &str = r#"
import json, sys
import olympiad as checker

given = json.load(sys.stdin)
games = [(w, b, r, checker.counted_territory([w, b, r, end, squares, ruled])) for w, b, r, end, squares, ruled in given["games"]]
table = sorted([place, p, round(2 * points), round(2 * opponents), squares]
               for place, p, points, opponents, squares in checker.table(given["entrants"], games))
print(json.dumps(table))
"#;

#[test]
fn six_entrants_all_meet_and_their_table_is_the_checkers() {
    let place = Place::new();
    let director = Director::opened(&place, "oly-6", "2000-06-01");
    director.does("2000-07-01", "announce --rulebook olympiad-amazons-2000 --director Jonathan --year 2000");
    let names: Vec<String> = (1..=6).map(|number| format!("e{number:02}")).collect();
    for (number, name) in (1..).zip(&names) {
        let entry = format!("entry add {name} --bot --number {number} --developer \"team {number}\"");
        director.does("2000-07-10", &entry);
    }
    let told = director.does("2000-08-20T08:00", "round declare");
    assert!(told.contains("5 rounds"), "{told}");
    let mut games: Vec<Value> = Vec::new();
    for round in 1..=5 {
        let day = format!("2000-08-{}", 20 + round);
        director.does(&format!("{day}T09:00"), "round pair");
        director.does(&format!("{day}T10:00"), &format!("game start r{round}.1 --no-game"));
        for (board, (white, black)) in (1..).zip(director.games(round)) {
            let nth = games.len();
            // The first two win everything but against each other; below, the colours decide, and all squares are equal.
            let top = |name: &String| names[..2].contains(name);
            let white_wins = top(&white) || !top(&black);
            let (winner, letter) = if white_wins { ("white", "w") } else { ("black", "b") };
            let squares = if top(&white) || top(&black) { 7 + nth } else { 5 };
            let (end, word, ruled) = match (nth % 9, top(&white) || top(&black)) {
                (3, true) => ("resignation", "resign", true),
                (5, true) => ("time", "time", false),
                _ => ("immobilization", "moves", false),
            };
            let when = format!("{day}T12:00");
            let territory = if word == "moves" { format!("--territory {squares}") } else { String::new() };
            director.does(
                &when,
                &format!("game result r{round}.{board} {winner} --termination {end} {territory}"),
            );
            if ruled {
                let words =
                    format!("ruling give set-territory r{round}.{board} {squares} --reason \"counted\"");
                director.does(&when, &words);
            }
            games.push(json!([white, black, letter, word, squares, ruled]));
        }
    }
    director.refuses("2000-08-28", "round pair", &["encounter.format", "close oly-6"]);
    director.does("2000-08-29", "close");
    director.is_in_order();
    assert_eq!(games.len(), 30, "everyone meets everyone, with both colours");
    let closed = table_of(&director.events("closed")[0]);
    let places: Vec<u64> = closed.as_array().unwrap().iter().map(|row| row[0].as_u64().unwrap()).collect();
    assert_eq!(places[2..], [3, 3, 3, 3], "who is level on everything shares a place: {closed}");
    let Some(table) = ask_the_checkers(TABLE, &json!({ "entrants": names, "games": games })) else { return };
    assert_eq!(closed, table);
}
