//! The qualifier: the stored vectors, an independent scorer over all short result strings and random fields, wrong
//! scorers that the vectors must catch, and what happens to bad input.

use std::collections::BTreeMap;

use annals_events::tournament::QualifyingGamePlayed;
use annals_events::{PlayerId, Side};
use annals_tournaments::formats::qualifier::{
    ColourSetter, CompletionMoment, FieldChange, Finalist, GameCap, GameOrder, GameStatus, Ignored,
    QualifierEntrant, QualifierError, QualifierReadings, QualifierRules, QualifierScore, StandInSeed,
    StreakChoice, TieBreak, Weight, final_field, rank, score_benchmark,
};
use serde_json::{Value, json};

use crate::qualifier_plain::{Wrong, plain_ranking, random_field};
use crate::record::id;
use crate::vectors::{Numbers, ask_the_checkers, cases, vectors};

type Game = QualifyingGamePlayed;

pub const STABLE: [&str; 6] = ["A", "B", "C", "D", "E", "F"];

/// The figures of 2015: twenty games and four points against each benchmark.
fn rules(benchmarks: &[&str], opens: i64, closes: i64) -> QualifierRules {
    QualifierRules {
        benchmarks: benchmarks.iter().map(|name| id(&name.to_lowercase())).collect(),
        opens,
        closes,
        games_per_benchmark: 20,
        points_per_benchmark: 4,
        readings: QualifierReadings::default(),
    }
}

/// A rated game of `bot` against `benchmark`, which is over 1790 microseconds after its start.
fn game(benchmark: &str, side: Side, won: Option<bool>, started_at: i64, number: u64) -> Game {
    QualifyingGamePlayed {
        player: id("bot"),
        benchmark: id(benchmark),
        side,
        rated: true,
        started_at,
        ended_at: started_at + 1790,
        winner: won.map(|won| if won { side } else { side.other() }),
        termination: None,
        number: Some(number),
        game: None,
    }
}

/// Games an hour apart against `b`: results `W`, `L`, `D`, colours `G`, `S` (else alternating), rated `r`, `u`.
fn games(results: &str, colours: Option<&str>, rated: Option<&str>) -> Vec<Game> {
    results
        .chars()
        .enumerate()
        .map(|(i, result)| {
            let colour =
                colours.map_or(if i % 2 == 0 { 'G' } else { 'S' }, |text| text.chars().nth(i).unwrap());
            let side = if colour == 'G' { Side::Gold } else { Side::Silver };
            let won = (result != 'D').then_some(result == 'W');
            let rated = rated.is_none_or(|text| text.chars().nth(i) == Some('r'));
            Game { rated, ..game("b", side, won, 3600 * i as i64 + 10, i as u64) }
        })
        .collect()
}

fn one_stable() -> QualifierRules {
    rules(&["B"], 0, 1_000_000_000)
}

/// The list as an entrant has it.
fn list(games: &[Game]) -> Vec<&Game> {
    games.iter().collect()
}

/// Counted games, points, losses before, index of the completing game.
type Scored = (u32, u32, u32, Option<i64>);

fn scored(games: &[Game], rules: &QualifierRules) -> Scored {
    let score = score_benchmark(&list(games), &id("b"), rules);
    let completed = score.completed.map(|(_, end)| (end - 1800) / 3600);
    (score.counted, score.points, score.losses_before, completed)
}

fn vector_cases() -> Vec<(String, Vec<Game>, Scored)> {
    let Some(file) = vectors("qualifier.json") else { return Vec::new() };
    let small = |value: &Value| u32::try_from(value.as_u64().unwrap()).unwrap();
    file["cases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|case| {
            let games =
                games(case["results"].as_str().unwrap(), case["colours"].as_str(), case["rated"].as_str());
            let expected = (
                small(&case["counted"]),
                small(&case["points"]),
                small(&case["prior_losses"]),
                case["completed_index"].as_i64(),
            );
            (case["name"].as_str().unwrap().to_owned(), games, expected)
        })
        .collect()
}

#[test]
fn every_stored_case_is_counted_and_scored_as_stored() {
    let stored = vector_cases();
    for (name, games, expected) in &stored {
        assert_eq!(scored(games, &one_stable()), *expected, "{name}");
    }
    assert!(stored.is_empty() || stored.len() == 22);
}

#[test]
fn each_other_reading_gives_another_answer_where_the_texts_part_ways() {
    let read = |change: fn(&mut QualifierRules), games: &[Game]| {
        let mut rules = one_stable();
        change(&mut rules);
        scored(games, &rules)
    };
    let long = games("WWWWLWWWWW", None, None);
    assert_eq!(scored(&long, &one_stable()), (10, 4, 1, Some(8)));
    assert_eq!(read(|r| r.readings.streak = StreakChoice::FirstThatScoresAll, &long), (10, 4, 0, Some(3)));
    assert_eq!(read(|r| r.readings.completion = CompletionMoment::EndOfStreak, &long), (10, 4, 1, Some(9)));

    let unrated = format!("{}WWWW", "L".repeat(18));
    let flags = format!("u{}", "r".repeat(21));
    let late = games(&unrated, Some(&"GS".repeat(11)), Some(&flags));
    assert_eq!(scored(&late, &one_stable()), (20, 3, 17, Some(20)));
    assert_eq!(read(|r| r.readings.game_cap = GameCap::AllGames, &late), (19, 2, 17, Some(19)));

    let first_unrated = games("LWWWW", Some("GGSGS"), Some("urrrr"));
    assert_eq!(scored(&first_unrated, &one_stable()), (4, 4, 0, Some(4)));
    assert_eq!(
        read(|r| r.readings.colour_setter = ColourSetter::FirstPlayed, &first_unrated),
        (3, 3, 0, Some(4))
    );

    let mut overlapping = games("LW", None, None);
    overlapping[0].ended_at = 90_000;
    assert_eq!(scored(&overlapping, &one_stable()), (2, 1, 1, Some(1)));
    assert_eq!(read(|r| r.readings.game_order = GameOrder::ByEnd, &overlapping), (2, 1, 0, Some(1)));
}

/// The score of a string of counted results, from the words of the rule and nothing else.
fn by_the_words(text: &str) -> (u32, u32) {
    let longest = text.split(|result| result != 'W').map(str::len).max().unwrap_or(0);
    if longest == 0 {
        return (0, text.matches('L').count() as u32);
    }
    let at = text.find(&"W".repeat(longest)).unwrap();
    (longest.min(4) as u32, text[..at].matches('L').count() as u32)
}

#[test]
fn all_strings_of_twelve_results_are_scored_by_the_words_of_the_rule() {
    for length in 0..=12 {
        for bits in 0..1u32 << length {
            let text: String = (0..length).map(|i| if bits >> i & 1 == 1 { 'W' } else { 'L' }).collect();
            let (_, points, losses, _) = scored(&games(&text, None, None), &one_stable());
            assert_eq!((points, losses), by_the_words(&text), "{text}");
        }
    }
}

#[test]
fn a_game_without_a_winner_ends_a_streak_and_is_no_loss() {
    assert_eq!(scored(&games("DWWDWWW", None, None), &one_stable()), (7, 3, 0, Some(6)));
    assert_eq!(scored(&games("DLD", None, None), &one_stable()), (3, 0, 1, None));
}

#[test]
fn every_game_says_whether_it_counts_and_why_not() {
    let mut raw = games("WWWWWW", Some("GGSSGS"), Some("rrrurr"));
    raw[0].started_at = 0;
    raw[5].ended_at = 1_000_000_000;
    let mut foreign = raw[2].clone();
    (foreign.benchmark, foreign.number) = (id("x"), Some(77));
    raw.push(foreign);
    raw.push(raw[2].clone());
    let rules = one_stable();
    let score = QualifierScore::of(&list(&raw), &rules);
    let checked = || score.benchmarks.iter().flat_map(|one| &one.games).chain(&score.against_others);
    let verdict = |game: usize| checked().find(|(at, _)| *at == game).unwrap().1;
    let counted = |verdict| match verdict {
        GameStatus::Counted { number, .. } => number,
        GameStatus::Ignored(why) => panic!("{why}"),
    };
    assert_eq!(verdict(0), GameStatus::Ignored(Ignored::StartedTooEarly));
    assert_eq!(counted(verdict(1)), 1);
    assert_eq!(counted(verdict(2)), 2);
    assert_eq!(verdict(3), GameStatus::Ignored(Ignored::Unrated));
    assert_eq!(counted(verdict(4)), 3);
    assert_eq!(verdict(5), GameStatus::Ignored(Ignored::FinishedTooLate));
    assert_eq!(verdict(6), GameStatus::Ignored(Ignored::NoBenchmark));
    assert_eq!(verdict(7), GameStatus::Ignored(Ignored::ListedBefore { index: 2 }));
    assert_eq!(checked().count(), 8);
    assert_eq!(Ignored::WrongColour { due: Side::Silver }.paragraph(), "2015 WCC, Qualifying 4");
    let many = games(&"L".repeat(21), None, None);
    let limit = score_benchmark(&list(&many), &id("b"), &rules).games[20].1;
    assert_eq!(limit, GameStatus::Ignored(Ignored::OverTheLimit { limit: 20 }));

    let nine = games("LWLWWWWWL", None, None);
    let weights: Vec<Weight> = score_benchmark(&list(&nine), &id("b"), &rules)
        .games
        .into_iter()
        .filter_map(|(_, verdict)| match verdict {
            GameStatus::Counted { weight, .. } => Some(weight),
            GameStatus::Ignored(_) => None,
        })
        .collect();
    use Weight::{BeyondTheMaximum as Beyond, LossBefore as Before, Nothing, Point};
    assert_eq!(weights, [Before, Nothing, Before, Point, Point, Point, Point, Beyond, Nothing]);
}

#[test]
fn the_bounds_are_twenty_four_points_and_minus_one_hundred_and_twenty() {
    let rules = rules(&STABLE, 0, 1_000_000_000);
    let against_all = |results: &str, shift: i64| -> Vec<Game> {
        STABLE
            .iter()
            .flat_map(|benchmark| {
                games(results, None, None).into_iter().map(move |game| Game {
                    benchmark: id(&benchmark.to_lowercase()),
                    number: None,
                    started_at: game.started_at + shift,
                    ended_at: game.ended_at + shift,
                    ..game
                })
            })
            .collect()
    };
    let field: Vec<Listed> = vec![
        (id("worst"), Some(1000), against_all(&"L".repeat(25), 0)),
        (id("best"), Some(1000), against_all("WWWW", 0)),
        (id("idle1"), Some(1900), Vec::new()),
        (id("idle2"), Some(2000), Vec::new()),
        (id("late"), Some(2500), against_all("WWWW", 5)),
        (id("unknown"), None, Vec::new()),
    ];
    let entrants = entrants(&field);
    let order = rank(&entrants, &rules).unwrap();
    let names: Vec<&str> = order.iter().map(|place| place.player.as_str()).collect();
    assert_eq!(names, ["best", "late", "worst", "idle2", "idle1", "unknown"]);
    let by: Vec<Option<TieBreak>> = order.iter().map(|place| place.below_by).collect();
    use TieBreak::{Completion, Played, Points, Rating};
    assert_eq!(
        by,
        [None, Some(Completion), Some(Points), Some(Played), Some(Rating), Some(Rating)],
        "each place says what put the one above before it"
    );
    assert_eq!((order[0].score.points, order[0].score.tie_break), (24, 0));
    assert_eq!(order[2].score.tie_break, -120);
}

fn game_of(value: &Value) -> Game {
    let side = if value["colour"] == "G" { Side::Gold } else { Side::Silver };
    let benchmark = value["bench"].as_str().unwrap().to_lowercase();
    let won = value["won"].as_bool();
    Game {
        rated: value["rated"].as_bool().unwrap(),
        ended_at: value["end"].as_i64().unwrap(),
        ..game(&benchmark, side, won, value["start"].as_i64().unwrap(), value["id"].as_u64().unwrap())
    }
}

type Listed = (PlayerId, Option<i64>, Vec<Game>);

fn listed(bots: &Value) -> Vec<Listed> {
    let mut bots: Vec<(&String, &Value)> = bots.as_object().unwrap().iter().collect();
    bots.sort_by_key(|(_, bot)| bot["order"].as_u64());
    let games = |bot: &Value| bot["games"].as_array().unwrap().iter().map(game_of).collect();
    bots.into_iter().map(|(name, bot)| (id(name), bot["rating"].as_i64(), games(bot))).collect()
}

fn entrants(listed: &[Listed]) -> Vec<QualifierEntrant<'_>> {
    listed
        .iter()
        .map(|(player, rating, games)| QualifierEntrant { player, rating: *rating, games: list(games) })
        .collect()
}

#[test]
fn fields_of_none_to_eight_are_ranked_seeded_and_filled_up_as_stored() {
    let Some(file) = vectors("qualifier.json") else { return };
    let names = |value: &Value| -> Vec<String> {
        value.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    };
    for field in file["fields"].as_array().unwrap() {
        let rules = rules(&STABLE, field["T0"].as_i64().unwrap(), field["T1"].as_i64().unwrap());
        let listed = listed(&field["bots"]);
        let order = rank(&entrants(&listed), &rules).unwrap();
        let found: Vec<Value> = order
            .iter()
            .map(|place| {
                json!({"bot": place.player, "played": place.score.counted, "score": place.score.points,
                       "tb1": place.score.tie_break, "tb2": place.score.completed_at, "rating": place.rating})
            })
            .collect();
        assert_eq!(Value::from(found), field["ranking"], "field of {}", field["registered"]);
        let order: Vec<PlayerId> = order.into_iter().map(|place| place.player).collect();
        let seeds = |changes: &BTreeMap<PlayerId, FieldChange>| {
            final_field(&order, changes, 8, StandInSeed::default()).unwrap()
        };
        let of_all = seeds(&BTreeMap::new());
        let seeded = |field: &[Finalist]| -> Vec<String> {
            field.iter().map(|finalist| finalist.player.to_string()).collect()
        };
        assert_eq!(seeded(&of_all), names(&field["seeds"]));
        let out =
            names(&field["disqualified"]).into_iter().map(|name| (id(&name), FieldChange::Out)).collect();
        assert_eq!(seeded(&seeds(&out)), names(&field["seeds_after_disqualification"]));
        assert_eq!(of_all.len() > 1, field["final_needed"].as_bool().unwrap());
        let alone = Some(&of_all[..]).filter(|all| all.len() == 1).map(|all| all[0].player.clone());
        assert_eq!(json!(alone), field["champion_without_play"]);
    }
}

fn our_ranking(bots: &Value, opens: i64, closes: i64) -> Vec<Value> {
    rank(&entrants(&listed(bots)), &rules(&STABLE, opens, closes))
        .unwrap()
        .iter()
        .map(|place| {
            json!({"bot": place.player, "played": place.score.counted, "score": place.score.points,
                   "tb1": place.score.tie_break, "tb2": place.score.completed_at, "rating": place.rating})
        })
        .collect()
}

#[test]
fn random_fields_are_ranked_as_by_a_plain_comparison_of_each_with_each() {
    for seed in 0..cases(150, 5_000) {
        let (bots, opens, closes) = random_field(&mut Numbers::new(seed));
        assert_eq!(
            our_ranking(&bots, opens, closes),
            plain_ranking(&bots, opens, closes, None),
            "seed {seed}"
        );
    }
}

#[test]
fn every_wrong_scorer_is_caught_by_a_random_field() {
    use Wrong::*;
    let all = [
        WindowIncluded,
        UnratedCount,
        UnratedSetTheColour,
        ColoursNotChecked,
        NoLimit,
        LimitOfRawGames,
        LatestOfEqualStreaks,
        PointsNotCapped,
        FirstStreakOfFour,
        AllLossesCount,
        LossesOnlyWithoutWins,
        CompletedByTheStreaksEnd,
        CompletedByTheLastGame,
        IdleByScoreFirst,
        IdleNotSeparate,
    ];
    for wrong in all {
        let caught = (0..400).any(|seed| {
            let (mut bots, opens, mut closes) = random_field(&mut Numbers::new(seed));
            if wrong == WindowIncluded
                && let Some(bot) = bots.as_object_mut().unwrap().values_mut().next()
                && let Some(game) = bot["games"].as_array_mut().unwrap().first_mut()
            {
                (game["start"], game["end"], game["rated"]) = (json!(opens), json!(opens + 5), json!(true));
                closes += 1;
            }
            our_ranking(&bots, opens, closes) != plain_ranking(&bots, opens, closes, Some(wrong))
        });
        assert!(caught, "{wrong:?} is not caught");
    }
}

#[test]
fn the_checker_itself_ranks_random_fields_alike() {
    let fields: Vec<(Value, i64, i64)> =
        (0..500).map(|seed| random_field(&mut Numbers::new(90_000 + seed))).collect();
    let input = json!(fields.iter().map(|(bots, a, b)| json!([bots, a, b])).collect::<Vec<_>>());
    let text = "
import json, sys, qualifier
out = []
for bots, t0, t1 in json.load(sys.stdin):
    rows = qualifier.qualify(bots, 'ABCDEF', t0, t1)
    out.append([{k: r[k] for k in ('bot', 'played', 'score', 'tb1', 'tb2', 'rating')} for r in rows])
print(json.dumps(out))
";
    let Some(answer) = ask_the_checkers(text, &input) else { return };
    for (i, (bots, opens, closes)) in fields.iter().enumerate() {
        assert_eq!(json!(our_ranking(bots, *opens, *closes)), answer[i], "field {i}");
    }
}

#[test]
fn what_contradicts_itself_is_refused_by_name() {
    let of = |games: &[Game], rules: &QualifierRules| {
        let bot = id("bot");
        rank(&[QualifierEntrant { player: &bot, rating: None, games: list(games) }], rules)
    };
    let stable = one_stable();
    assert!(rank(&[], &stable).unwrap().is_empty());
    assert_eq!(of(&[], &rules(&[], 0, 9)).unwrap_err(), QualifierError::NoBenchmarks);
    assert_eq!(
        of(&[], &rules(&["B", "B"], 0, 9)).unwrap_err(),
        QualifierError::BenchmarkTwice { benchmark: id("b") }
    );
    assert_eq!(of(&[], &rules(&["B"], 9, 9)).unwrap_err(), QualifierError::NoPeriod { opens: 9, closes: 9 });
    let mut reversed = games("W", None, None);
    reversed[0].ended_at = 3;
    let error = of(&reversed, &stable).unwrap_err().to_string();
    assert!(error.starts_with("game 1 of bot against b starts at 10 and is over at 3"), "{error}");
    let mut same_number = games("WL", None, None);
    same_number[1].number = Some(0);
    assert_eq!(
        of(&same_number, &stable).unwrap_err(),
        QualifierError::NumberTwice { player: id("bot"), number: 0, first: 0, second: 1 }
    );
}
