//! The qualifier: every entrant plays every benchmark with alternating colours until four wins in a row or a number of
//! attempts. Sequences run on all cores; times follow from the seed.

use annals_events::tournament::QualifyingGamePlayed;
use annals_events::{
    Ended, GameEvent, GameId, GameKind, Micros, PlayerAtStart, PlayerKind, Side, Started, TournamentEvent,
};
use annals_replay::handler::Step;
use annals_rules::seeded::Rng;
use rayon::prelude::*;

use super::administration::CUP;
use super::matches::{PlayMatch, Request};
use super::participants::{Bot, Participants};
use crate::director::{self, Director};
use crate::game_in_play::{Events, SECOND};
use crate::{DemoError, Progress};

/// The rulebook leaves it to the gameroom.
const TIME_CONTROL: &str = "15s/90s/100/0/1h/2m";

/// Most points per benchmark.
const STREAK: u32 = 4;
/// Attempts.
const TRIES: u32 = 5;
/// Counting games per benchmark; one more is surplus.
const LIMIT: u32 = 20;

/// An irregularity in a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    /// One unrated game.
    Unrated,
    /// One game with the colour of the one before.
    WrongColour,
    /// One game beyond the limit.
    Surplus,
}

/// By entrant and benchmark.
const TROUBLES: [((usize, usize), Trouble); 3] =
    [((11, 5), Trouble::Surplus), ((1, 2), Trouble::Unrated), ((4, 0), Trouble::WrongColour)];
/// The irregular game's index.
const TROUBLED_GAME: u32 = 2;

#[derive(Debug, Clone)]
pub struct Played {
    entrant: usize,
    benchmark: usize,
    side: Side,
    rated: bool,
    events: Events,
}

/// Games that do not count.
#[derive(Debug, Clone, Default)]
pub struct Ignored {
    pub unrated: Option<GameId>,
    pub wrong_colour: Option<GameId>,
    pub surplus: Option<GameId>,
}

/// Of one entrant against one benchmark.
struct Task {
    entrant: usize,
    benchmark: usize,
    trouble: Option<Trouble>,
}

/// In order.
pub fn play(
    participants: &Participants,
    seed: u64,
    play_match: PlayMatch,
    progress: &dyn Progress,
) -> Result<Vec<Vec<Played>>, DemoError> {
    let mut tasks = Vec::new();
    for entrant in 0..participants.entrants.len() {
        for benchmark in 0..participants.benchmarks.len() {
            let troubled = TROUBLES.iter().find(|(of, _)| *of == (entrant, benchmark));
            tasks.push(Task { entrant, benchmark, trouble: troubled.map(|(_, trouble)| *trouble) });
        }
    }
    tasks
        .par_iter()
        .with_max_len(1)
        .map(|task| sequence(participants, task, seed, play_match, progress))
        .collect()
}

fn sequence(
    participants: &Participants,
    task: &Task,
    seed: u64,
    play_match: PlayMatch,
    progress: &dyn Progress,
) -> Result<Vec<Played>, DemoError> {
    let (Some(entrant), Some(benchmark)) =
        (participants.entrants.get(task.entrant), participants.benchmarks.get(task.benchmark))
    else {
        return Ok(Vec::new());
    };
    let mut games = Vec::new();
    let (mut counted, mut streak) = (0, 0);
    // Half of the sequences begin with Gold.
    let mut due = if (task.entrant + task.benchmark).is_multiple_of(2) { Side::Gold } else { Side::Silver };
    loop {
        let nth = games.len() as u32;
        let troubled = nth == TROUBLED_GAME;
        let rated = !(troubled && task.trouble == Some(Trouble::Unrated));
        let wrong = troubled && task.trouble == Some(Trouble::WrongColour);
        let side = if wrong { due.other() } else { due };
        let seed = Rng::of(&[seed, 3, task.entrant as u64, task.benchmark as u64, u64::from(nth)]).any();
        let events = game(entrant, benchmark, (side, rated), seed, play_match)?;
        let won = winner(&events) == Some(side);
        games.push(Played { entrant: task.entrant, benchmark: task.benchmark, side, rated, events });
        progress.game();
        if rated && !wrong {
            counted += 1;
            streak = if won { streak + 1 } else { 0 };
            due = due.other();
        }
        let enough = match task.trouble {
            Some(Trouble::Surplus) => counted > LIMIT,
            _ => counted >= TRIES || streak >= STREAK,
        };
        if enough {
            return Ok(games);
        }
    }
}

/// As if it began at the era's epoch; its time is set later.
fn game(
    entrant: &Bot,
    benchmark: &Bot,
    (side, rated): (Side, bool),
    seed: u64,
    play_match: PlayMatch,
) -> Result<Events, DemoError> {
    let (gold, silver) = match side {
        Side::Gold => (entrant, benchmark),
        Side::Silver => (benchmark, entrant),
    };
    let started = Started {
        game: GameKind::Arimaa,
        gold: at_start(gold),
        silver: at_start(silver),
        time_control: Some(TIME_CONTROL.into()),
        rated,
        postal: false,
        event: Some("Qualifier".into()),
        site: None,
        position: None,
        pairing: None,
        attempt: None,
    };
    let opening = vec![(director::time("2015-01-02T00:00")?, GameEvent::Started(Box::new(started)))];
    let request =
        Request { opening: opening.clone(), first: 1, settings: [&gold.settings, &silver.settings], seed };
    let mut events = opening;
    events.extend(play_match(&request)?);
    Ok(events)
}

fn at_start(bot: &Bot) -> PlayerAtStart<'static> {
    PlayerAtStart {
        name: bot.id.as_str().to_owned().into(),
        kind: Some(PlayerKind::Bot),
        ..PlayerAtStart::default()
    }
}

fn ended(events: &Events) -> Option<(Micros, &Ended<'static>)> {
    events.iter().rev().find_map(|(at, event)| match event {
        GameEvent::Ended(ended) => Some((*at, ended)),
        _ => None,
    })
}

fn winner(events: &Events) -> Option<Side> {
    ended(events)?.1.winner
}

/// With its place in the period.
struct Scheduled<'p> {
    begins: Micros,
    ends: Micros,
    nth_of_sequence: usize,
    played: &'p Played,
}

/// Sets all times, and records each evening the games that ended.
pub fn record(
    director: &mut Director,
    participants: &Participants,
    sequences: &[Vec<Played>],
) -> Result<Ignored, DemoError> {
    let (opens, closes) = (director::time("2015-01-02T00:00")?, director::time("2015-02-02T00:00")?);
    let mut games = scheduled(participants, sequences, opens, closes);
    games.sort_by_key(|game| (game.ends, game.played.entrant));
    let mut ignored = Ignored::default();
    let day = 24 * 3_600 * SECOND;
    let mut steps: Vec<Step> = Vec::new();
    let mut evening = opens + day;
    for (nth, game) in (1..).zip(&games) {
        while game.ends >= evening {
            evening_of(director, evening, &mut steps)?;
            evening += day;
        }
        let Played { entrant, benchmark, side, rated, events } = game.played;
        let id: GameId = format!("{CUP}.q{nth:03}").parse()?;
        let trouble = TROUBLES.iter().find(|(of, _)| *of == (*entrant, *benchmark)).map(|(_, what)| *what);
        let third = game.nth_of_sequence == TROUBLED_GAME as usize;
        match trouble {
            Some(Trouble::Unrated) if third => ignored.unrated = Some(id.clone()),
            Some(Trouble::WrongColour) if third => ignored.wrong_colour = Some(id.clone()),
            Some(Trouble::Surplus) if game.nth_of_sequence == LIMIT as usize => {
                ignored.surplus = Some(id.clone())
            }
            _ => {}
        }
        let (Some(entrant), Some(benchmark), Some((_, end))) =
            (participants.entrants.get(*entrant), participants.benchmarks.get(*benchmark), ended(events))
        else {
            continue;
        };
        let begun = events.first().map_or(0, |(at, _)| *at);
        let moved = events.iter().map(|(at, event)| (at - begun + game.begins, event.clone())).collect();
        steps.extend(director::drafts(&id, moved)?);
        let played = QualifyingGamePlayed {
            player: entrant.id.clone(),
            benchmark: benchmark.id.clone(),
            side: *side,
            rated: *rated,
            started_at: game.begins,
            ended_at: game.ends,
            winner: end.winner,
            termination: end.termination,
            number: None,
            game: Some(id),
        };
        let played = annals_replay::handler::Draft::new(
            director.stream.clone(),
            game.ends,
            TournamentEvent::QualifyingGamePlayed(played),
        );
        steps.push(played?.into());
    }
    evening_of(director, evening, &mut steps)?;
    Ok(ignored)
}

fn evening_of(director: &mut Director, evening: Micros, steps: &mut Vec<Step>) -> Result<(), DemoError> {
    if !steps.is_empty() {
        director.carry_out(evening, steps)?;
        steps.clear();
    }
    Ok(())
}

/// Each entrant's games in order, benchmarks in turn, spread over the period.
fn scheduled<'p>(
    participants: &Participants,
    sequences: &'p [Vec<Played>],
    opens: Micros,
    closes: Micros,
) -> Vec<Scheduled<'p>> {
    let mut games = Vec::new();
    let minute = 60 * SECOND;
    for entrant in 0..participants.entrants.len() {
        let own: Vec<&Vec<Played>> = sequences
            .iter()
            .filter(|games| games.first().is_some_and(|game| game.entrant == entrant))
            .collect();
        let longest = own.iter().map(|games| games.len()).max().unwrap_or(0);
        let in_turn: Vec<(usize, &Played)> = (0..longest)
            .flat_map(|nth| own.iter().filter_map(move |games| Some((nth, games.get(nth)?))))
            .collect();
        // Games last at most an hour, and the last one ends a day before the period.
        let slot = (closes - opens - 24 * 60 * minute) / i64::try_from(in_turn.len().max(1)).unwrap_or(1);
        let first = opens + (30 + 13 * i64::try_from(entrant).unwrap_or(0)) * minute;
        for (place, (nth_of_sequence, played)) in (0..).zip(in_turn) {
            let whole_minutes = (slot * place) / minute * minute;
            let begins = first + whole_minutes;
            let begun = played.events.first().map_or(0, |(at, _)| *at);
            let ends = ended(&played.events).map_or(begun, |(at, _)| at) - begun + begins;
            games.push(Scheduled { begins, ends, nth_of_sequence, played });
        }
    }
    games
}
