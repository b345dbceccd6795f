//! How fast a whole championship is directed and audited, through the events: every round of a final paired by the desk
//! from the record, judged, and explained with its criteria and the number of equal rounds; and how many championships
//! an audit recomputes a second on all cores. Beside it, as a floor, the fold of the same events without any judgement.
//!
//! `cargo bench -p annals-tournaments --bench championship -- 8 64`

use std::hint::black_box;
use std::time::{Duration, Instant};

use annals_events::tournament::{
    Outcome, PlayerRegistered, Qualified, QualifyingRank, ResultRecorded, RoundStarted, Stage,
};
use annals_events::{BoardId, PlayerId, PlayerKind, TournamentEvent as E};
use annals_tournaments::Tournament;
use annals_tournaments::check::{EventMeta, JudgingContext, check};
use annals_tournaments::commands::{AnnounceOrder, Command, announcement, handle};
use annals_tournaments::context::NoContext;
use annals_tournaments::formats::{next_round, why_not};
use annals_tournaments::rulebook::Rulebook;

/// A small generator, so that the championships are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// Times spent on a championship.
#[derive(Default)]
struct Spent {
    pairing: Duration,
    explaining: Duration,
    rounds: u32,
    games: u32,
}

struct Event {
    rulebook: Rulebook,
    tournament: Tournament,
    events: Vec<E>,
    at: i64,
}

impl Event {
    fn when(&self) -> EventMeta {
        let seq = self.events.len() as u64 + 1;
        EventMeta { seq, at: self.at, recorded_at: self.at, imported: false }
    }

    fn fold(&mut self, event: E) {
        self.tournament.evolve(self.events.len() as u64 + 1, self.at, &event);
        self.events.push(event);
    }
}

/// A field with its seeds, as if the qualifier had been played.
fn field(players: u32) -> Event {
    let mut rulebook = Rulebook::named("wcc-2015").expect("known");
    for stage in &mut rulebook.stages {
        stage.places = stage.places.map(|_| players);
    }
    let order = AnnounceOrder { schedule: rulebook.published_schedule(), ..AnnounceOrder::default() };
    let announced = announcement(&rulebook, order);
    let mut event = Event { rulebook, tournament: Tournament::default(), events: Vec::new(), at: 1 };
    event.fold(E::Announced(announced));
    let id = |number: u32| format!("p{number:04}").parse::<PlayerId>().expect("a name");
    for number in 1..=players {
        event.fold(E::PlayerRegistered(PlayerRegistered {
            player: id(number),
            name: format!("Player {number}"),
            kind: PlayerKind::Bot,
            developers: vec![format!("Developer {number}")],
            account: None,
            rating: None,
            number: None,
            country: None,
        }));
    }
    let rank = |number| QualifyingRank {
        player: id(number),
        rank: number,
        seed: Some(number),
        measures: Vec::new(),
    };
    event.fold(E::Qualified(Qualified {
        from: Stage::Qualifier,
        to: Stage::Final,
        order: (1..=players).map(rank).collect(),
        grounds: Vec::new(),
    }));
    event
}

/// Plays a final to its end through the desk; explains each round where that is asked for.
fn play(players: u32, seed: u64, explained: bool) -> (Event, Spent) {
    let mut event = field(players);
    let mut random = Random(seed);
    let mut spent = Spent::default();
    loop {
        let case = JudgingContext::new(&event.tournament, &event.rulebook, &NoContext);
        let started = Instant::now();
        let Ok(paired) = handle(&case, &event.when(), &Command::Pair { seed: None }) else { break };
        let case = JudgingContext { proposal: paired.proposal.as_ref(), ..case };
        let verdicts = check(&case, &event.when(), &paired.events[0]);
        spent.pairing += started.elapsed();
        assert!(!verdicts.iter().any(|verdict| verdict.is_violation()), "what was drafted follows");
        spent.rounds += 1;
        if explained {
            let started = Instant::now();
            let next = next_round(&event.tournament, &event.rulebook).expect("a round");
            black_box(&next.reasons);
            if let [one, .., other] = &next.paired.order[..] {
                let _ = black_box(why_not(&next, &event.rulebook, &one.player, Some(&other.player)));
            }
            spent.explaining += started.elapsed();
        }
        for paired in paired.events {
            event.fold(paired);
        }
        let Some((&round, _)) = event.tournament.rounds.iter().next_back() else { break };
        event.fold(E::RoundStarted(RoundStarted { round, pairing: None, game: None, programs: Vec::new() }));
        let boards: Vec<u32> = event.tournament.rounds[&round].boards.keys().copied().collect();
        for board in boards {
            let outcome = if random.below(2) == 0 { Outcome::Gold } else { Outcome::Silver };
            spent.games += 1;
            event.fold(E::ResultRecorded(ResultRecorded {
                pairing: BoardId { round, board },
                outcome,
                termination: None,
                attempt: None,
                game: None,
                territory: None,
                note: None,
            }));
        }
    }
    (event, spent)
}

/// Judges every event on what was before it; gives how many rounds depart.
fn audit(event: &Event) -> usize {
    let mut tournament = Tournament::default();
    let mut violations = 0;
    for (seq, said) in (1..).zip(&event.events) {
        let case = JudgingContext::new(&tournament, &event.rulebook, &NoContext);
        let when = EventMeta { seq, at: 1, recorded_at: 1, imported: true };
        let verdicts = check(&case, &when, said);
        let of_rounds = matches!(said, E::RoundPaired(_));
        violations += usize::from(of_rounds && verdicts.iter().any(|verdict| verdict.is_violation()));
        tournament.evolve(seq, 1, said);
    }
    violations
}

fn fold(event: &Event) -> usize {
    let mut tournament = Tournament::default();
    for (seq, said) in (1..).zip(&event.events) {
        tournament.evolve(seq, 1, said);
    }
    tournament.rounds.len()
}

fn main() {
    let sizes: Vec<u32> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![8, 64] } else { sizes };
    println!("a whole final through the desk: paired, judged, explained");
    println!(
        "{:>8} {:>7} {:>7} {:>12} {:>12} {:>12}",
        "players", "rounds", "games", "pair + judge", "explain", "together"
    );
    for players in sizes {
        let (_, spent) = play(players, 1, true);
        let Spent { pairing, explaining, rounds, games } = spent;
        println!(
            "{players:>8} {rounds:>7} {games:>7} {pairing:>12.1?} {explaining:>12.1?} {:>12.1?}",
            pairing + explaining
        );
    }
    let finals: Vec<Event> = (0..200).map(|seed| play(8, 100 + seed, false).0).collect();
    let events: usize = finals.iter().map(|event| event.events.len()).sum();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = finals.len().div_ceil(threads);
    let on_all_cores = |work: fn(&Event) -> usize| {
        let started = Instant::now();
        let sum: usize = std::thread::scope(|scope| {
            let parts: Vec<_> = finals
                .chunks(share)
                .map(|part| scope.spawn(move || part.iter().map(work).sum::<usize>()))
                .collect();
            parts.into_iter().map(|part| part.join().expect("it ends")).sum()
        });
        (sum, started.elapsed())
    };
    let (violations, audited) = on_all_cores(audit);
    let (_, folded) = on_all_cores(fold);
    assert_eq!(violations, 0, "what the desk paired follows");
    let per_second = |count: usize, took: Duration| count as f64 / took.as_secs_f64();
    println!("audit of {} finals of 8 on {threads} cores: {audited:.1?}", finals.len());
    println!(
        "  {:.0} finals/s, {:.0} events/s",
        per_second(finals.len(), audited),
        per_second(events, audited)
    );
    println!("  the fold alone, without judgement: {folded:.1?}, {:.0} events/s", per_second(events, folded));
}
