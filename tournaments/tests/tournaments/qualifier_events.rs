//! The vectors of the qualifier driven through events: recorded, decided, judged, explained.

use annals_events::tournament::*;
use annals_events::{PlayerKind, Side};
use annals_tournaments::commands::Command;
use annals_tournaments::formats::qualifier::explain::{GameExplanation, qualifier};
use serde_json::Value;

use crate::qualifier_plain::{plain_ranking, random_field};
use crate::record::{E, Record, entry, id, left, stable};
use crate::vectors::{Numbers, cases, vectors};

/// A record whose qualifying period is as given; everything else as announced.
fn within(opens: i64, closes: i64, benchmarks: &[&str]) -> Record {
    let mut record = Record::announced("wcc-2015");
    let schedule = [(Milestone::QualifyingOpens, opens), (Milestone::QualifyingCloses, closes)]
        .map(|(milestone, at)| Deadline { milestone, at })
        .to_vec();
    record.tournament.announced.as_mut().unwrap().schedule = schedule;
    record.say(0, &stable(benchmarks));
    record
}

fn recorded(player: &str, game: &Value, numbers_from: u64) -> QualifyingGamePlayed {
    let side = if game["colour"] == "G" { Side::Gold } else { Side::Silver };
    let won = game["won"].as_bool().unwrap();
    QualifyingGamePlayed {
        player: id(player),
        benchmark: id(&game["bench"].as_str().unwrap().to_lowercase()),
        side,
        rated: game["rated"].as_bool().unwrap(),
        started_at: game["start"].as_i64().unwrap(),
        ended_at: game["end"].as_i64().unwrap(),
        winner: Some(if won { side } else { side.other() }),
        termination: None,
        number: game["id"].as_u64().map(|number| numbers_from + number),
        game: None,
    }
}

fn value(place: &QualifyingRank, name: &str) -> Option<i64> {
    place.measures.iter().find(|measure| measure.name == name).map(|measure| measure.values[0])
}

/// A record of the games of some programs, entered in their order, with the ratings to be recorded.
fn record_of(bots: &Value, opens: i64, closes: i64) -> (Record, Vec<PlayerRating>) {
    let mut record = within(opens, closes, &["a", "b", "c", "d", "e", "f"]);
    let mut bots: Vec<(&String, &Value)> = bots.as_object().unwrap().iter().collect();
    bots.sort_by_key(|(_, bot)| bot["order"].as_u64());
    let mut ratings = Vec::new();
    for (i, (name, bot)) in bots.iter().enumerate() {
        record.say(1, &entry(name, PlayerKind::Bot, &[name]));
        let rating = i32::try_from(bot["rating"].as_i64().unwrap()).unwrap();
        ratings.push(PlayerRating { player: id(name), rating });
        for game in bot["games"].as_array().unwrap() {
            record.say(closes, &E::QualifyingGamePlayed(recorded(name, game, i as u64 * 100_000)));
        }
    }
    (record, ratings)
}

#[test]
fn random_fields_are_published_by_the_desk_and_every_fault_is_found_on_its_rule() {
    let mut faults = 0;
    for seed in 0..cases(60, 1_000) {
        let mut numbers = Numbers::new(70_000 + seed);
        let (bots, opens, closes) = random_field(&mut numbers);
        if bots.as_object().unwrap().is_empty() {
            continue;
        }
        let (mut record, ratings) = record_of(&bots, opens, closes);
        record.rightly(closes, &E::RatingsRecorded(RatingsRecorded { ratings, source: None }));
        let decision = record.decide(closes, &Command::Qualify).unwrap();
        let Some(E::Qualified(right)) = decision.events.last() else { unreachable!() };
        let plain: Vec<String> = plain_ranking(&bots, opens, closes, None)
            .iter()
            .map(|row| row["bot"].as_str().unwrap().to_owned())
            .collect();
        let names: Vec<String> = right.order.iter().map(|place| place.player.to_string()).collect();
        assert_eq!(names, plain, "seed {seed}");
        assert_eq!(record.is_violation(closes, &E::Qualified(right.clone())), [""; 0], "seed {seed}");

        let mut wrong = right.clone();
        let at = numbers.below(wrong.order.len());
        let rule = match numbers.below(3) {
            0 => {
                let measures = &mut wrong.order[at].measures;
                let which = numbers.below(measures.len());
                measures[which].values[0] += 1;
                "qualifier.score"
            }
            1 => {
                let seed = wrong.order[at].seed;
                wrong.order[at].seed = if seed.is_some() { None } else { Some(9) };
                "field.places"
            }
            _ => {
                let other = numbers.below(wrong.order.len());
                if other == at {
                    continue;
                }
                wrong.order.swap(at, other);
                for (place, number) in wrong.order.iter_mut().zip(1..) {
                    place.rank = number;
                    place.seed = (number <= 8).then_some(number);
                }
                let unplayed = |at: usize| value(&right.order[at], "played") == Some(0);
                if unplayed(at.min(other)) { "qualifier.unplayed" } else { "qualifier.order" }
            }
        };
        let violations = record.is_violation(closes, &E::Qualified(wrong));
        assert!(violations.contains(&rule), "seed {seed}: {rule} is not among {violations:?}");
        faults += 1;
    }
    assert!(faults > 30, "{faults} faults only");
}

#[test]
fn stored_fields_are_qualified_by_the_desk_as_stored_and_found_to_follow() {
    let Some(file) = vectors("qualifier.json") else { return };
    for field in file["fields"].as_array().unwrap() {
        let (opens, closes) = (field["T0"].as_i64().unwrap(), field["T1"].as_i64().unwrap());
        let (mut record, ratings) = record_of(&field["bots"], opens, closes);
        record.rightly(closes, &E::RatingsRecorded(RatingsRecorded { ratings, source: None }));
        let command = Command::Qualify;
        if field["bots"].as_object().unwrap().is_empty() {
            assert!(record.decide(closes, &command).is_err());
            continue;
        }
        let decision = record.decide(closes, &command).unwrap();
        assert!(decision.verdicts.iter().all(|verdict| !verdict.is_violation()));
        let Some(E::Qualified(published)) = decision.events.last() else { unreachable!() };
        let stored = field["ranking"].as_array().unwrap();
        assert_eq!(published.order.len(), stored.len());
        for (place, row) in published.order.iter().zip(stored) {
            assert_eq!(place.player.as_str(), row["bot"].as_str().unwrap());
            assert_eq!(value(place, "played"), row["played"].as_i64());
            assert_eq!(value(place, "points"), row["score"].as_i64());
            assert_eq!(value(place, "losses_before"), row["tb1"].as_i64());
            assert_eq!(value(place, "completed_at"), row["tb2"].as_i64());
            assert_eq!(value(place, "rating"), row["rating"].as_i64().map(|rating| rating * 1_000_000));
        }
        for event in &decision.events {
            record.say(closes, event);
        }
        let seeds = |record: &Record| -> Vec<String> {
            let field =
                annals_tournaments::formats::qualifier::propose::field(&record.tournament, &record.rulebook)
                    .unwrap();
            field.iter().map(|finalist| finalist.player.to_string()).collect()
        };
        let names = |value: &Value| -> Vec<String> {
            value.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(seeds(&record), names(&field["seeds"]));
        for name in names(&field["disqualified"]) {
            record.rightly(closes + 1, &left(&name, Withdrawal::Removed));
        }
        assert_eq!(seeds(&record), names(&field["seeds_after_disqualification"]));
    }
}

/// The explained games of one stored case.
fn explained(case: &Value) -> (Vec<GameExplanation>, i64, i64) {
    let mut record = within(0, 1_000_000_000, &["b"]);
    record.say(1, &entry("bot", PlayerKind::Bot, &["D"]));
    let results = case["results"].as_str().unwrap();
    for (i, result) in results.chars().enumerate() {
        let colour = match case["colours"].as_str() {
            Some(colours) => colours.chars().nth(i).unwrap(),
            None => ['G', 'S'][i % 2],
        };
        let side = if colour == 'G' { Side::Gold } else { Side::Silver };
        let rated = case["rated"].as_str().is_none_or(|text| text.chars().nth(i) == Some('r'));
        let game = QualifyingGamePlayed {
            player: id("bot"),
            benchmark: id("b"),
            side,
            rated,
            started_at: 3600 * i as i64 + 10,
            ended_at: 3600 * i as i64 + 1800,
            winner: match result {
                'W' => Some(side),
                'L' => Some(side.other()),
                _ => None,
            },
            termination: None,
            number: Some(i as u64),
            game: None,
        };
        record.say(2, &E::QualifyingGamePlayed(game));
    }
    let mut scores = qualifier(&record.tournament, &record.rulebook).unwrap();
    let score = scores.remove(0);
    let games = score.benchmarks.into_iter().next().unwrap().games;
    (games, i64::try_from(score.points).unwrap(), score.losses_before)
}

#[test]
fn every_stored_case_is_explained_game_by_game() {
    let Some(file) = vectors("qualifier.json") else { return };
    for case in file["cases"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let (games, points, losses_before) = explained(case);
        assert_eq!(games.len(), case["results"].as_str().unwrap().len(), "{name}: no game is passed over");
        let of = |weight: &str| games.iter().filter(|game| game.weight == weight).count() as i64;
        assert_eq!(
            games.iter().filter(|game| game.counted.is_some()).count() as u64,
            case["counted"].as_u64().unwrap()
        );
        assert_eq!((of("point"), points), (points, case["points"].as_i64().unwrap()), "{name}");
        let losses = case["prior_losses"].as_i64().unwrap();
        assert_eq!((of("loss before the streak"), losses_before), (losses, -losses), "{name}");
        let completing: Vec<i64> = games
            .iter()
            .filter(|game| game.because.contains("completes the score"))
            .map(|game| (game.ended_at - 1800) / 3600)
            .collect();
        assert_eq!(completing.first().copied(), case["completed_index"].as_i64(), "{name}");
        assert!(completing.len() <= 1, "{name}");
        for game in &games {
            assert_eq!(game.counted.is_none(), game.because.starts_with("it is ignored: "), "{game:?}");
            assert!(game.paragraph.starts_with("2015 WCC, Qualifying"), "{game:?}");
        }
    }
}

#[test]
fn a_score_names_every_reason_for_which_a_game_is_ignored() {
    let mut record = Record::announced("wcc-2015").with_bots(1);
    let (opens, closes) = (record.date(Milestone::QualifyingOpens), record.date(Milestone::QualifyingCloses));
    let hour = annals_tournaments::rulebook::HOUR;
    let say =
        |record: &mut Record, number: u64, gold: bool, start: i64, change: fn(&mut QualifyingGamePlayed)| {
            let mut game = crate::record::game("bot01", "a", gold, true, start, number);
            change(&mut game);
            record.say(closes, &E::QualifyingGamePlayed(game));
        };
    say(&mut record, 1, true, opens, |_| {});
    say(&mut record, 2, true, opens + hour, |_| {});
    say(&mut record, 3, true, opens + 2 * hour, |_| {});
    say(&mut record, 4, false, opens + 3 * hour, |game| game.rated = false);
    say(&mut record, 2, true, opens + hour, |_| {});
    say(&mut record, 5, false, closes - hour / 4, |_| {});
    say(&mut record, 6, false, opens + 5 * hour, |game| game.benchmark = id("zed"));
    let scores = qualifier(&record.tournament, &record.rulebook).unwrap();
    let against_a = &scores[0].benchmarks[0];
    let reasons: Vec<(usize, &str)> =
        against_a.games.iter().map(|game| (game.listed, game.because.as_str())).collect();
    assert_eq!(
        reasons,
        [
            (1, "it is ignored: it did not start after the qualifying period began"),
            (
                2,
                "it counts as game 1: a win of the longest streak makes a point, and completes the score against \
                 this benchmark"
            ),
            (5, "it is ignored: it is listed before, as game 2"),
            (3, "it is ignored: colours must alternate, and silver was due"),
            (4, "it is ignored: it was unrated"),
            (6, "it is ignored: it did not finish before the qualifying period ended"),
        ]
    );
    assert_eq!(scores[0].others[0].because, "it is ignored: the opponent is not in the benchmark stable");
    assert_eq!((against_a.points, against_a.streak), (1, Some((1, 1))));
}

#[test]
fn every_place_says_what_puts_the_one_above_before_it() {
    let mut record = Record::qualified(5);
    let scores = qualifier(&record.tournament, &record.rulebook).unwrap();
    assert_eq!((scores.len(), scores[0].place, &scores[0].below), (5, 1, &None));
    let second = scores[1].below.as_ref().unwrap();
    assert_eq!(second.what, "bot02 has place 2, below bot01");
    assert_eq!(
        (second.paragraph.as_str(), second.because.as_str()),
        ("2015 WCC, Qualifying 4", "bot01 more points: 7 against 6")
    );
    for (above, score) in scores.iter().zip(&scores[1..]) {
        let what = format!("{} has place {}, below {}", score.player, score.place, above.player);
        assert_eq!(score.below.as_ref().unwrap().what, what);
    }
    record.tournament.benchmarks = None;
    let refused = qualifier(&record.tournament, &record.rulebook).unwrap_err();
    assert!(refused.what.contains("no benchmarks"));
}

#[test]
fn a_qualifying_game_has_two_players_and_is_recorded_once_without_a_number_too() {
    let mut record = within(0, 1_000, &["a"]);
    record.say(1, &entry("x", PlayerKind::Bot, &["x"]));
    let game = |player: &str, benchmark: &str, number: Option<u64>| {
        E::QualifyingGamePlayed(QualifyingGamePlayed {
            player: id(player),
            benchmark: id(benchmark),
            side: Side::Gold,
            rated: true,
            started_at: 10,
            ended_at: 20,
            winner: Some(Side::Gold),
            termination: None,
            number,
            game: None,
        })
    };
    assert!(record.is_violation(30, &game("x", "x", None)).contains(&"qualifier.game"));
    record.say(30, &game("x", "a", Some(1)));
    assert_eq!(record.is_violation(40, &game("x", "a", None)), ["qualifier.game"]);
    assert_eq!(record.is_violation(40, &game("x", "a", Some(2))), [""; 0], "another number is another game");
    assert_eq!(record.is_violation(40, &stable(&["a", "x"])), ["qualifier.benchmarks"; 2]);
    assert!(record.is_violation(0, &entry("a", PlayerKind::Bot, &["a"])).contains(&"qualifier.benchmarks"));
}
