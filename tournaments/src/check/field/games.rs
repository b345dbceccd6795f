//! Benchmarks and qualifying games. Whether a game counts is no matter of the record: unrated and surplus games are
//! recorded and ignored. What departs is a game that contradicts the record.

use crate::rulebook::RuleId;
use std::collections::BTreeSet;

use annals_events::tournament::{BenchmarksDeclared, Milestone, QualifyingGamePlayed};
use annals_rules::GameFacts;

use super::super::Bench;
use super::super::entries::taking_part;
use crate::state::Tournament;
use crate::state::calendar::{date, utc};

/// Judges the benchmark stable.
pub(super) fn benchmarks(bench: &mut Bench<'_>, declared: &BenchmarksDeclared) {
    let subject = "the benchmark stable";
    let mut seen = BTreeSet::new();
    let twice = declared.stable.iter().find(|benchmark| !seen.insert(&benchmark.player));
    bench.hold(RuleId::QualifierBenchmarks, subject, twice.is_none() && !seen.is_empty(), || {
        let found = match twice {
            Some(twice) => format!("`{}` is there twice", twice.player),
            None => "nobody is there".to_owned(),
        };
        ("at least one benchmark, each once".to_owned(), found)
    });
    let tournament = bench.case.tournament;
    let games = tournament.qualifying_games.len();
    let published = !tournament.qualified.is_empty();
    bench.hold(RuleId::QualifierBenchmarks, format!("{subject}, time"), games == 0 && !published, || {
        let expected = "declared before the first qualifying game".to_owned();
        (expected, format!("declared when {games} games had been recorded"))
    });
}

/// Judges a recorded game.
pub(super) fn played(bench: &mut Bench<'_>, game: &QualifyingGamePlayed) {
    let case = bench.case;
    let subject = match (&game.game, game.number) {
        (Some(id), _) => format!("the qualifying game {id}"),
        (None, Some(number)) => format!("the qualifying game {number} of {}", game.player),
        (None, None) => {
            format!("the qualifying game of {} that began at {}", game.player, utc(game.started_at))
        }
    };
    taking_part(bench, &subject, &game.player);
    let stable = case.tournament.benchmarks.as_ref();
    let there = stable
        .is_some_and(|declared| declared.stable.iter().any(|benchmark| benchmark.player == game.benchmark));
    bench.hold(RuleId::QualifierBenchmarks, &subject, there, || {
        let found = match stable {
            Some(_) => format!("`{}` is no benchmark", game.benchmark),
            None => "no benchmarks are declared".to_owned(),
        };
        ("a game against a declared benchmark".to_owned(), found)
    });
    bench.hold(RuleId::QualifierGame, &subject, game.started_at <= game.ended_at, || {
        let expected = "a game that ends after it starts".to_owned();
        (expected, format!("it starts at {} and ends at {}", utc(game.started_at), utc(game.ended_at)))
    });
    let before = recorded_before(case.tournament, game);
    bench.hold(RuleId::QualifierGame, format!("{subject}, once"), before.is_none(), || {
        let found = before.map_or(String::new(), |before| {
            format!(
                "it stands there as a game of {} against {} that began at {}",
                before.player,
                before.benchmark,
                utc(before.started_at)
            )
        });
        ("each game once".to_owned(), found)
    });
    if let Some(facts) = game.game.as_ref().and_then(|id| case.around.game(id)) {
        let differs = contradiction(case.tournament, game, facts);
        bench.hold(RuleId::QualifierGame, format!("{subject}, facts"), differs.is_none(), || {
            differs.unwrap_or_default()
        });
    }
    late(bench, &subject);
}

/// The same game in the record: by its identity, or by its number in the gameroom.
fn recorded_before<'a>(
    tournament: &'a Tournament,
    game: &QualifyingGamePlayed,
) -> Option<&'a QualifyingGamePlayed> {
    tournament.qualifying_games.iter().find(|before| {
        (game.game.is_some() && before.game == game.game)
            || (game.number.is_some() && before.number == game.number)
    })
}

/// Times of one second are one time: the archive keeps no finer ones.
const SECOND: i64 = 1_000_000;

/// Where a recorded game and the game in the log part ways: what the game says, and what is recorded.
fn contradiction(
    tournament: &Tournament,
    game: &QualifyingGamePlayed,
    facts: &GameFacts,
) -> Option<(String, String)> {
    let far = |one: i64, other: i64| one.abs_diff(other) >= SECOND.unsigned_abs();
    let entered = tournament.entrants.get(&game.player).map(|entrant| entrant.name.as_str());
    let of_the_stable = tournament
        .benchmarks
        .as_ref()
        .and_then(|declared| declared.stable.iter().find(|benchmark| benchmark.player == game.benchmark));
    let is = |name: &str, known: Option<&str>, id: &str| {
        name.eq_ignore_ascii_case(id) || known.is_some_and(|known| name.eq_ignore_ascii_case(known))
    };
    let (own, other) = match game.side {
        annals_events::Side::Gold => (&facts.gold, &facts.silver),
        annals_events::Side::Silver => (&facts.silver, &facts.gold),
    };
    let swapped = own.as_deref().is_some_and(|name| {
        is(name, of_the_stable.map(|benchmark| benchmark.name.as_str()), game.benchmark.as_str())
    }) || other.as_deref().is_some_and(|name| is(name, entered, game.player.as_str()));
    if swapped {
        let expected = format!("{} plays {}", game.player, game.side.other().word());
        return Some((expected, format!("{} plays {}", game.player, game.side.word())));
    }
    if let Some(started) = facts.started_at.filter(|started| far(*started, game.started_at)) {
        return Some((
            format!("it started at {}", utc(started)),
            format!("started at {}", utc(game.started_at)),
        ));
    }
    if let Some(rated) = facts.rated.filter(|rated| *rated != game.rated) {
        let word = |rated: bool| if rated { "rated" } else { "unrated" }.to_owned();
        return Some((word(rated), word(game.rated)));
    }
    let ended = facts.ended.as_ref()?;
    if far(ended.at, game.ended_at) {
        return Some((format!("it ended at {}", utc(ended.at)), format!("ended at {}", utc(game.ended_at))));
    }
    if ended.winner != game.winner {
        let word = |winner: Option<annals_events::Side>| {
            winner.map_or("nobody won".to_owned(), |side| format!("{} won", side.word()))
        };
        return Some((word(ended.winner), word(game.winner)));
    }
    let termination = game.termination.filter(|termination| *termination != ended.termination)?;
    Some((format!("ended by {:?}", ended.termination), format!("ended by {termination:?}")))
}

/// A game that comes in after the order is published changes nothing of it.
fn late(bench: &mut Bench<'_>, subject: &str) {
    let published = crate::formats::qualifier::propose::published(bench.case.tournament).is_some();
    if published {
        let closes = date(bench.case.tournament, Milestone::QualifyingCloses);
        let closes = closes.map_or(String::new(), |closes| format!("; the period ended at {}", utc(closes)));
        let why = format!("the order of the qualifier is published already, without this game{closes}");
        bench.open(RuleId::QualifierWindow, subject, why);
    }
}
