//! Benchmarks and qualifying games. Unrated and surplus games are recorded and ignored; a violation is a game
//! that contradicts the record.

use crate::rulebook::RuleId;
use std::collections::BTreeSet;

use annals_events::PlayerId;
use annals_events::tournament::{BenchmarksDeclared, Milestone, QualifyingGamePlayed, Stage};
use annals_rules::GameFacts;

use super::super::Checker;
use super::super::entries::taking_part;
use crate::state::Tournament;
use crate::state::calendar::{date, utc};

/// A violation if the rulebook has no qualifier. Edition 1 has no such check.
fn in_a_qualifier(check: &mut Checker<'_>, subject: &str) {
    let stages = &check.case.rulebook.stages;
    let has_none = stages.iter().all(|rules| rules.stage != Stage::Qualifier);
    if has_none && check.case.rulebook.edition > 1 {
        let known: Vec<String> = stages.iter().map(|rules| rules.stage.to_string()).collect();
        check.hold(RuleId::RoundOrder, subject, false, || {
            (format!("a stage of the rulebook: {}", known.join(", ")), "it belongs to a qualifier")
        });
    }
}

pub(crate) fn benchmarks(check: &mut Checker<'_>, declared: &BenchmarksDeclared) {
    let subject = "the benchmark stable";
    in_a_qualifier(check, subject);
    let mut seen = BTreeSet::new();
    let twice = declared.stable.iter().find(|benchmark| !seen.insert(&benchmark.player));
    check.hold(RuleId::QualifierBenchmarks, subject, twice.is_none() && !seen.is_empty(), || {
        let found = match twice {
            Some(twice) => format!("`{}` is there twice", twice.player),
            None => "there is none".to_owned(),
        };
        ("at least one benchmark, each once".to_owned(), found)
    });
    let tournament = check.case.tournament;
    if check.case.rulebook.edition > 1 {
        let mut declared = declared.stable.iter().map(|benchmark| &benchmark.player);
        let entrant = declared.find(|player| tournament.entrants.contains_key(*player));
        if let Some(entrant) = entrant {
            check.hold(RuleId::QualifierBenchmarks, subject, false, || not_both(entrant));
        }
    }
    let games = tournament.qualifying_games.len();
    let published = !tournament.qualified.is_empty();
    check.hold(RuleId::QualifierBenchmarks, format!("{subject}, time"), games == 0 && !published, || {
        let expected = "declared before the first qualifying game";
        let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
        (expected, format!("declared when {games} had been recorded"))
    });
}

/// No player is both an entrant and a benchmark.
pub(crate) fn not_both(player: &PlayerId) -> (&'static str, String) {
    ("benchmarks that are no entrants", format!("`{player}` has entered and is a benchmark"))
}

pub(crate) fn played(check: &mut Checker<'_>, game: &QualifyingGamePlayed) {
    let case = check.case;
    let subject = match (&game.game, game.number) {
        (Some(id), _) => format!("the qualifying game {id}"),
        (None, Some(number)) => format!("the qualifying game {number} of {}", game.player),
        (None, None) => {
            format!("the qualifying game of {} that began at {}", game.player, utc(game.started_at))
        }
    };
    in_a_qualifier(check, &subject);
    taking_part(check, &subject, &game.player);
    let stable = case.tournament.benchmarks.as_ref();
    let there = stable
        .is_some_and(|declared| declared.stable.iter().any(|benchmark| benchmark.player == game.benchmark));
    check.hold(RuleId::QualifierBenchmarks, &subject, there, || {
        let found = match stable {
            Some(_) => format!("`{}` is no benchmark", game.benchmark),
            None => "no benchmarks are declared".to_owned(),
        };
        ("a game against a declared benchmark".to_owned(), found)
    });
    if game.player == game.benchmark && case.rulebook.edition > 1 {
        check.hold(RuleId::QualifierGame, &subject, false, || {
            ("a game of two players", format!("`{}` plays both sides", game.player))
        });
    }
    check.hold(RuleId::QualifierGame, &subject, game.started_at <= game.ended_at, || {
        let expected = "a game that ends after it starts";
        (expected, format!("it starts at {} and ends at {}", utc(game.started_at), utc(game.ended_at)))
    });
    let again = || repeated(case.tournament, game).filter(|_| case.rulebook.edition > 1);
    let before = recorded_before(case.tournament, game).or_else(again);
    check.none(RuleId::QualifierGame, format!("{subject}, once"), before, |before| {
        let (player, benchmark, began) = (&before.player, &before.benchmark, utc(before.started_at));
        (
            "each game once",
            format!("it is recorded as a game of {player} against {benchmark} that began at {began}"),
        )
    });
    if let Some(facts) = game.game.as_ref().and_then(|id| case.context.game(id)) {
        let differs = contradiction(case.tournament, game, facts);
        check.none(RuleId::QualifierGame, format!("{subject}, facts"), differs, |differs| differs);
    }
    late(check, &subject);
}

/// The same game in the record, by identity or gameroom number.
fn recorded_before<'a>(
    tournament: &'a Tournament,
    game: &QualifyingGamePlayed,
) -> Option<&'a QualifyingGamePlayed> {
    let by_game = game.game.as_ref().and_then(|id| tournament.index.qualifying_by_game.get(id));
    let by_number = game.number.and_then(|number| tournament.index.qualifying_by_number.get(&number));
    tournament.qualifying_games.get(*by_game.into_iter().chain(by_number).min()?)
}

/// A recorded game of the same players, side and times that nothing distinguishes from this one: not both have a
/// number, and not both are in the log.
fn repeated<'a>(tournament: &'a Tournament, game: &QualifyingGamePlayed) -> Option<&'a QualifyingGamePlayed> {
    let what = |game: &QualifyingGamePlayed| (game.side, game.started_at, game.ended_at);
    tournament.qualifying_games.iter().find(|old| {
        let distinct =
            old.number.is_some() && game.number.is_some() || old.game.is_some() && game.game.is_some();
        !distinct && what(old) == what(game) && old.player == game.player && old.benchmark == game.benchmark
    })
}

const SECOND: i64 = 1_000_000;

/// The first difference between a recorded game and the log: the game's value, the recorded value.
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
            winner.map_or("no player won".to_owned(), |side| format!("{} won", side.word()))
        };
        return Some((word(ended.winner), word(game.winner)));
    }
    let termination = game.termination.filter(|termination| *termination != ended.termination)?;
    Some((format!("ended by {}", ended.termination), format!("ended by {termination}")))
}

/// A game recorded after the order was published does not change it.
fn late(check: &mut Checker<'_>, subject: &str) {
    if check.case.tournament.order_to_final().is_some() {
        let closes = date(check.case.tournament, Milestone::QualifyingCloses);
        let closes = closes.map_or(String::new(), |closes| format!("; the period ended at {}", utc(closes)));
        let why = format!("the order of the qualifier is published already, without this game{closes}");
        check.open(RuleId::QualifierWindow, subject, why);
    }
}
