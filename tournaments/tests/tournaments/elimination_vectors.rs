//! Whole tournaments, recorded with their pairings, byes, colours, ranks, ratings and places by an independent program:
//! every round is paired again from what came before it, and must be the same.

use std::collections::BTreeMap;

use annals_events::PlayerId;
use annals_events::tournament::{Outcome, Stage};
use annals_tournaments::colours::PlayoffColour;
use annals_tournaments::field::Field;
use annals_tournaments::formats::elimination::{
    ColourSelector, Conclusion, Elimination, EliminationReadings, FinalsHistory, ForfeiterPlace, GamesWon,
    Phase, RoundPairing, Rules, RulingNeeded,
};
use annals_tournaments::pairing::{COUNTED_PLAYERS, Optima};
use annals_tournaments::record::PlayedRound;
use serde_json::Value;

use super::numbered::{self, Player, p};
use super::swiss::{game, round};
use super::vectors::vectors;

pub fn player(value: &Value) -> Player {
    let number = value.as_u64().or_else(|| value.as_str().and_then(|text| text.parse().ok()));
    p(u32::try_from(number.expect("a seed")).expect("a small seed"))
}

pub fn players(value: &Value) -> Vec<Player> {
    value.as_array().expect("a list of seeds").iter().map(player).collect()
}

pub fn result(value: &Value) -> Outcome {
    match value.as_str().expect("a result") {
        "g" => Outcome::Gold,
        "s" => Outcome::Silver,
        "d" => Outcome::Draw,
        "x" => Outcome::DoubleLoss,
        other => panic!("unknown result {other}"),
    }
}

/// A round as recorded, with a way to read its players.
pub fn past_round(recorded: &Value, player: &impl Fn(&Value) -> Player) -> PlayedRound {
    let games = recorded["games"].as_array().expect("games").iter();
    let games = games.map(|one| game(player(&one[0]), player(&one[1]), result(&one[2]), false)).collect();
    round(games, Some(&recorded["bye"]).filter(|bye| !bye.is_null()).map(player).cloned())
}

/// The pairs of a recorded round, whoever has Gold, sorted.
fn pairs_of(round: &PlayedRound) -> Vec<(&PlayerId, &PlayerId)> {
    let mut pairs: Vec<_> = round
        .games
        .iter()
        .map(|game| ((&game.gold).min(&game.silver), (&game.gold).max(&game.silver)))
        .collect();
    pairs.sort_unstable();
    pairs
}

fn assert_same_round(found: &RoundPairing, recorded: &PlayedRound, place: &str) {
    let mut pairs: Vec<(&PlayerId, &PlayerId)> = found.pairs().map(|(a, b)| (a.min(b), a.max(b))).collect();
    pairs.sort_unstable();
    assert_eq!(pairs, pairs_of(recorded), "{place}: pairs");
    assert_eq!(found.bye(), recorded.byes.first(), "{place}: bye");
    if found.ranking.len() <= COUNTED_PLAYERS {
        // The count over subsets is a second opinion on the value.
        assert!(matches!(found.optima(), Ok(Optima::Exactly(1..))), "{place}: optima");
    }
}

fn number_map(value: &Value) -> BTreeMap<Player, u32> {
    let entries = value.as_object().expect("numbers by seed").iter();
    let number = |value: &Value| u32::try_from(value.as_u64().expect("a number")).expect("a small number");
    entries.map(|(key, value)| (player(&Value::from(key.as_str())), number(value))).collect()
}

fn lives(tournament: &Value) -> u32 {
    u32::try_from(tournament["lives"].as_u64().expect("lives")).expect("few lives")
}

fn field(tournament: &Value) -> Field {
    numbered::field(u32::try_from(tournament["n"].as_u64().expect("a number")).expect("few"))
}

/// Replays a tournament of the 2015 kind; the number of rounds.
fn replay_2015(tournament: &Value, name: &str) -> usize {
    let rules = Rules { lives: lives(tournament), ..Rules::championship_2015() };
    let mut elimination =
        Elimination::new(rules, field(tournament), &[], EliminationReadings::default()).expect("a field");
    let rounds = tournament["rounds"].as_array().expect("rounds");
    let mut main = None;
    for round in rounds {
        let place = format!("{name}, round {}", round["round"]);
        let recorded = past_round(round, &player);
        assert_eq!(elimination.active(), players(&round["active"]), "{place}: active");
        let next = elimination.next_round().expect("a round");
        let ratings = elimination.ratings().expect("ratings");
        assert_eq!(next.ranking.iter().collect::<Vec<_>>(), players(&round["rank"]), "{place}: ranking");
        for (seed, elo) in round["elo"].as_object().expect("ratings") {
            let found = ratings.as_ref().and_then(|all| all.elo(player(&Value::from(seed.as_str()))));
            let apart = (found.expect("rated") - elo.as_f64().expect("a rating")).abs();
            assert!(apart < 1e-6, "{place}: rating of {seed} is {apart} away");
        }
        for (seed, losses) in number_map(&round["losses"]) {
            assert_eq!(elimination.tally().record(seed).losses, losses, "{place}: losses of {seed}");
        }
        assert_same_round(&next, &recorded, &place);
        for (meeting, game) in recorded.games.iter().zip(round["games"].as_array().expect("games")) {
            let colours = elimination.colours(&meeting.gold, &meeting.silver);
            assert_eq!((colours.gold, colours.silver), (&meeting.gold, &meeting.silver), "{place}: colours");
            assert_eq!(u64::from(colours.rule), game[3].as_u64().expect("a rule"), "{place}: rule");
        }
        elimination.record(recorded).expect("players of the field");
        if *elimination.phase() != Phase::Main {
            main.get_or_insert(elimination.rounds().len() as u64);
        }
    }
    let places = elimination.conclusion();
    assert_eq!(
        places.champion,
        tournament.get("champion").filter(|seed| !seed.is_null()).map(player),
        "{name}"
    );
    assert_eq!(places.ruling.is_some(), places.champion.is_none(), "{name}");
    assert_eq!(main, tournament["main_rounds"].as_u64(), "{name}");
    if places.champion.is_some() {
        assert_eq!(
            places.level_for_second,
            players(&tournament["second_contenders"]),
            "{name}: level for second"
        );
        assert_eq!(places.second, Some(player(&tournament["second"])), "{name}: second");
        assert_eq!(places.third, players(&tournament["third"]), "{name}: third");
    }
    let record = |seed: &Player| elimination.tally().record(seed);
    assert!(number_map(&tournament["wins"]).iter().all(|(seed, wins)| record(seed).wins == *wins), "{name}");
    assert!(
        number_map(&tournament["losses"]).iter().all(|(seed, losses)| record(seed).losses == *losses),
        "{name}"
    );
    assert!(number_map(&tournament["byes"]).iter().all(|(seed, byes)| record(seed).byes == *byes), "{name}");
    rounds.len()
}

/// Replays a tournament of the 2009 kind without a preliminary; the number of rounds.
fn replay_2009(tournament: &Value, name: &str) -> usize {
    let rules = Rules { lives: lives(tournament), ..Rules::world_championship_2009() };
    let mut elimination =
        Elimination::new(rules, field(tournament), &[], EliminationReadings::default()).expect("a field");
    let rounds = tournament["rounds"].as_array().expect("rounds");
    for round in rounds {
        let place = format!("{name}, round {}", round["round"]);
        replay_final_round(&mut elimination, round, &player, &[], &place);
    }
    let champion = elimination.conclusion().champion;
    assert_eq!(champion, tournament.get("champion").filter(|seed| !seed.is_null()).map(player), "{name}");
    rounds.len()
}

fn replay_final_round(
    elimination: &mut Elimination,
    round: &Value,
    player: &impl Fn(&Value) -> Player,
    removed: &[Player],
    place: &str,
) {
    let recorded = past_round(round, player);
    let active: Vec<Player> = round["active"].as_array().expect("active").iter().map(player).collect();
    assert_eq!(elimination.active(), active, "{place}: active");
    let next = elimination.next_round().expect("a round");
    assert_same_round(&next, &recorded, place);
    let order: Vec<&PlayerId> = recorded
        .games
        .iter()
        .map(|m| next.ranking.iter().find(|p| [&m.gold, &m.silver].contains(p)).expect("in"))
        .collect();
    assert_eq!(
        order,
        next.pairs().map(|(better, _)| better).collect::<Vec<_>>(),
        "{place}: order of the pairs"
    );
    for (meeting, game) in recorded.games.iter().zip(round["games"].as_array().expect("games")) {
        let colours = elimination.colours(&meeting.gold, &meeting.silver);
        assert_eq!((colours.gold, colours.silver), (&meeting.gold, &meeting.silver), "{place}: colours");
        assert_eq!(u64::from(colours.rule), game[3].as_u64().expect("a rule"), "{place}: rule");
    }
    elimination.record(recorded).expect("players of the field");
    for player in removed {
        elimination.remove(player).expect("in the field");
    }
}

#[test]
fn the_worked_tournaments_are_paired_round_by_round() {
    let Some(file) = vectors("fqe_tournaments.json") else { return };
    let mut rounds = 0;
    for (name, tournament) in file.as_object().expect("tournaments by name") {
        rounds += match tournament["rules"].as_str() {
            Some("FQE2015") => replay_2015(tournament, name),
            _ => replay_2009(tournament, name),
        };
    }
    assert!(rounds > 70, "only {rounds} rounds");
}

#[test]
fn every_round_of_a_hundred_and_sixty_tournaments_is_paired_ranked_rated_and_coloured_the_same() {
    let Some(file) = vectors("fqe_corpus.json") else { return };
    let tournaments = file.as_array().expect("tournaments");
    let mut rounds = 0;
    for (number, tournament) in tournaments.iter().enumerate() {
        let name = format!("tournament {number}");
        rounds += match tournament["rules"].as_str() {
            Some("FQE2015") => replay_2015(tournament, &name),
            _ => replay_2009(tournament, &name),
        };
    }
    assert_eq!((tournaments.len(), rounds), (160, 1505));
}

/// The names of an event of 2009 as players: finalists and all others.
fn names(event: &Value) -> BTreeMap<String, Player> {
    let names = event["players"].as_object().expect("players").keys();
    names.zip(1..).map(|(name, number)| (name.clone(), p(number))).collect()
}

#[test]
fn the_finals_of_2009_are_paired_coloured_and_placed_under_both_readings() {
    let Some(file) = vectors("wc2009_events.json") else { return };
    let (mut rounds, mut playoffs, mut rulings) = (0, 0, 0);
    for event in file.as_array().expect("events") {
        let names = names(event);
        let player = |value: &Value| names[value.as_str().expect("a name")];
        let list = |value: &Value| value.as_array().expect("names").iter().map(player).collect::<Vec<_>>();
        let swiss: Vec<PlayedRound> = event["swiss"]
            .as_array()
            .expect("rounds")
            .iter()
            .map(|round| past_round(round, &player))
            .collect();
        let field = Field::new(list(&event["finalists"]).into_iter().cloned().collect()).expect("finalists");
        let readings = [("carry", FinalsHistory::WholeTournament), ("stage_local", FinalsHistory::FinalOnly)];
        for (key, history) in readings {
            let recorded = &event["final"][key];
            let name = format!("event {}, {key}", event["id"]);
            let rules = Rules::world_championship_2009();
            // The vectors were made under T29 C, T35 B and T43 B; their seeds are given.
            let readings = EliminationReadings {
                history,
                games_won: GamesWon::WithPlayoffs,
                colour_selector: ColourSelector::SeedOfFinal,
                forfeiter_place: ForfeiterPlace::NoPlace,
                ..EliminationReadings::default()
            };
            let mut elimination = Elimination::new(rules, field.clone(), &swiss, readings).expect("a field");
            for round in recorded["rounds"].as_array().expect("rounds") {
                let place = format!("{name}, round {}", round["round"]);
                let before = elimination.active();
                for (member, byes) in before.iter().zip(round["byes"].as_array().expect("byes")) {
                    let found = u64::from(elimination.tally().record(member).byes);
                    assert_eq!(Some(found), byes.as_u64(), "{place}: byes");
                }
                replay_final_round(&mut elimination, round, &player, &list(&round["withdrawn"]), &place);
                rounds += 1;
            }
            for game in recorded["playoffs"].as_array().expect("playoffs") {
                let next = elimination.conclusion().next.expect("a playoff");
                let (gold, silver) = (player(&game[1]), player(&game[2]));
                let stage = if game[0] == "second" { Stage::SecondPlayoff } else { Stage::ThirdPlayoff };
                let colour = match game[4].as_str() {
                    Some("fewer") => PlayoffColour::Gold(gold),
                    // Whoever chooses took Gold in all of them.
                    _ => PlayoffColour::Chooses(gold),
                };
                assert_eq!((next.stage, next.colour), (stage, colour), "{name}: playoff");
                let result = if game[3] == "g" { Outcome::Gold } else { Outcome::Silver };
                elimination
                    .record_playoff(self::game(gold, silver, result, false))
                    .expect("the next playoff");
                playoffs += 1;
            }
            let found: Conclusion<'_> = elimination.conclusion();
            let one = |value: &Value| if value.is_null() { None } else { Some(player(value)) };
            assert_eq!(found.next, None, "{name}");
            assert_eq!(found.champion, one(&recorded["champion"]), "{name}: champion");
            assert_eq!(found.second, one(&recorded["second"]), "{name}: second");
            assert_eq!(found.third, Vec::from_iter(one(&recorded["third"])), "{name}: third");
            assert_eq!(found.level_for_second, list(&recorded["level_for_second"]), "{name}");
            assert_eq!(found.level_for_third, list(&recorded["level_for_third"]), "{name}");
            let ruling = match recorded["ruling"].as_str() {
                Some("no champion") => Some(RulingNeeded::Champion),
                Some("second") => Some(RulingNeeded::Second),
                Some(_) => Some(RulingNeeded::Third),
                None => None,
            };
            assert_eq!(found.ruling, ruling, "{name}: ruling");
            rulings += usize::from(ruling.is_some());
            let order: Vec<Vec<Player>> =
                recorded["order"].as_array().expect("groups").iter().map(list).collect();
            assert_eq!(found.order, order, "{name}: order");
            for (member, round) in recorded["gone_in_round"].as_object().expect("rounds") {
                let out = !elimination.active().contains(&names[member]);
                let out = out.then(|| elimination.last_round(names[member]) as u64);
                assert_eq!(out, round.as_u64(), "{name}: {member} is out");
            }
        }
    }
    assert!(
        rounds > 200 && playoffs > 10 && rulings > 0,
        "{rounds} rounds, {playoffs} playoffs, {rulings} rulings"
    );
}
