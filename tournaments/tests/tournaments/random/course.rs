//! Whole tournaments of every rulebook, played at random to the end through the director's desk: with byes, forfeits,
//! double forfeits, withdrawals, halted and invalidated games, disqualifications, invitations, continuations, playoffs.

use std::collections::BTreeSet;

use annals_events::tournament::{
    Benchmark, BenchmarksDeclared, Deadline, Disqualification, Effect, Equals, Failure, FeeRecorded,
    HardwareDeclared, Milestone, Outcome, Pair, PlayerRating, PlayerRegistered, PlayerWithdrawn,
    ProgramSubmitted, ProgramTested, QualifyingGamePlayed, RatingsRecorded, Withdrawal,
};
use annals_events::{GameId, Micros, Pairing, PlayerId, PlayerKind, Side, Termination, TournamentEvent as E};
use annals_tournaments::check::{Case, When, check};
use annals_tournaments::commands::{AnnounceOrder, Command, announcement};
use annals_tournaments::formats::next_round;
use annals_tournaments::rulebook::{DAY, Format, HOUR, MINUTE, RuleId, Rulebook};

use super::world::{Entry, World};
use crate::vectors::Numbers;

/// 1 December 2014, 12:00 UTC.
const BEGINNING: Micros = 1_417_435_200_000_000;

/// All rulebooks.
pub const RULEBOOKS: [&str; 4] = ["wcc-2015", "wc-2009", "postal-2006", "olympiad-amazons-2000"];

fn id(name: &str) -> PlayerId {
    name.parse().expect("a name")
}

/// How wild it gets.
#[derive(Debug, Clone, Copy)]
pub struct Wildness {
    /// In a hundred boards: one does not come.
    pub forfeit: usize,
    /// In a hundred boards: neither comes.
    pub double_forfeit: usize,
    /// In a hundred games: halted or invalidated.
    pub trouble: usize,
    /// In a hundred rounds: somebody withdraws.
    pub withdrawal: usize,
}

impl Default for Wildness {
    fn default() -> Wildness {
        Wildness { forfeit: 6, double_forfeit: 2, trouble: 8, withdrawal: 10 }
    }
}

/// A tournament by a rulebook, from the announcement to the close.
pub fn play(name: &str, numbers: &mut Numbers, wild: Wildness) -> World {
    let most = match name {
        "wcc-2015" => 12,
        "wc-2009" => 14,
        "postal-2006" => 15,
        _ => 11,
    };
    let players = numbers.below(most + 1);
    let mut world = announced(name);
    enter(&mut world, players, numbers);
    if name == "wcc-2015" {
        qualifier(&mut world, players, numbers);
    } else {
        world.wait_until(BEGINNING + 40 * DAY);
    }
    rounds(&mut world, numbers, wild);
    conclude(&mut world, numbers, wild);
    world
}

fn announced(name: &str) -> World {
    let rulebook = Rulebook::named(name).expect("known");
    let milestone = |milestone, at| Deadline { milestone, at };
    let mut schedule = vec![
        milestone(Milestone::RegistrationOpens, BEGINNING + HOUR),
        milestone(Milestone::RegistrationCloses, BEGINNING + 20 * DAY),
    ];
    if name == "wcc-2015" {
        schedule.extend([
            milestone(Milestone::QualifyingOpens, BEGINNING + 21 * DAY),
            milestone(Milestone::QualifyingCloses, BEGINNING + 50 * DAY),
            milestone(Milestone::ProgramsDue, BEGINNING + 60 * DAY),
            milestone(Milestone::TestsDue, BEGINNING + 66 * DAY),
            milestone(Milestone::PlayBegins, BEGINNING + 75 * DAY),
        ]);
    } else {
        schedule.push(milestone(Milestone::PlayBegins, BEGINNING + 45 * DAY));
    }
    let order = AnnounceOrder {
        name: Some("A random event".to_owned()),
        schedule,
        directors: vec!["Omar".to_owned()],
        fund: 12_345,
        ..AnnounceOrder::default()
    };
    World::announced(announcement(&rulebook, order), BEGINNING)
}

fn enter(world: &mut World, players: usize, numbers: &mut Numbers) {
    world.wait_until(BEGINNING + 2 * HOUR);
    let kinds = world.rulebook.players;
    for number in 1..=players {
        let player = id(&format!("p{number:02}"));
        let kind = kinds[numbers.below(kinds.len())];
        let entry = PlayerRegistered {
            player: player.clone(),
            name: format!("Player {number}"),
            kind,
            developers: if kind == PlayerKind::Bot {
                vec![format!("Developer {number}")]
            } else {
                Vec::new()
            },
            account: None,
            rating: Some(1400 + 50 * i32::try_from(numbers.below(16)).expect("small")),
            number: (world.rulebook.name == "olympiad-amazons-2000")
                .then(|| u32::try_from(number).expect("small")),
            country: None,
        };
        world.record(E::PlayerRegistered(entry));
        if kind == PlayerKind::Bot
            && world.rulebook.rule(annals_tournaments::rulebook::RuleId::HardwareDeclared).is_some()
        {
            world.record(E::HardwareDeclared(HardwareDeclared {
                player: player.clone(),
                hardware: "one computer".to_owned(),
                system: None,
                price: Some(99_000),
                speed: None,
                computers: Vec::new(),
            }));
        }
        if let Some(fees) = world.rulebook.fees.clone() {
            world.record(E::FeeRecorded(FeeRecorded { player, amount: fees.registration, note: None }));
        }
    }
}

fn qualifier(world: &mut World, players: usize, numbers: &mut Numbers) {
    let stable: Vec<PlayerId> = (1..=3).map(|n| id(&format!("bench{n}"))).collect();
    let benchmark =
        |player: &PlayerId| Benchmark { player: player.clone(), name: player.to_string(), account: None };
    world
        .record(E::BenchmarksDeclared(BenchmarksDeclared { stable: stable.iter().map(benchmark).collect() }));
    let opens = BEGINNING + 21 * DAY;
    world.wait_until(opens);
    let mut played = Vec::new();
    for number in 1..=players {
        for bench in &stable {
            let mut at = opens + HOUR * numbers.below(300) as Micros;
            for game in 0..numbers.below(9) {
                let side = if game % 2 == 0 || numbers.chance(20) { Side::Gold } else { Side::Silver };
                let ended_at = at + HOUR;
                let winner = if numbers.chance(60) { side } else { other(side) };
                played.push((ended_at, number, bench.clone(), side, at, winner, !numbers.chance(10)));
                at += 2 * HOUR;
            }
        }
    }
    played.sort();
    for (number, (ended_at, player, benchmark, side, started_at, winner, rated)) in (1..).zip(played) {
        world.wait_until(ended_at);
        world.record(E::QualifyingGamePlayed(QualifyingGamePlayed {
            player: id(&format!("p{player:02}")),
            benchmark,
            side,
            rated,
            started_at,
            ended_at,
            winner: Some(winner),
            termination: Some(Termination::Goal),
            number: Some(number),
            game: None,
        }));
    }
    world.wait_until(BEGINNING + 50 * DAY + HOUR);
    let ratings: Vec<PlayerRating> = (1..=players)
        .map(|number| PlayerRating {
            player: id(&format!("p{number:02}")),
            rating: 1400 + i32::try_from(numbers.below(600)).expect("small"),
        })
        .collect();
    if players == 0 {
        return;
    }
    world.record(E::RatingsRecorded(RatingsRecorded { ratings, source: None }));
    world.must(Command::Qualify);
    programs(world, numbers);
}

fn programs(world: &mut World, numbers: &mut Numbers) {
    let order: Vec<PlayerId> =
        world.tournament.qualified[0].order.iter().map(|rank| rank.player.clone()).collect();
    let first = order.len().min(8);
    let mut missing = Vec::new();
    for player in &order[..first] {
        if numbers.chance(12) {
            missing.push(player.clone());
        } else {
            upload(world, player);
        }
    }
    world.wait_until(BEGINNING + 60 * DAY + HOUR);
    let mut waiting = order[first..].iter();
    for player in missing {
        world.must(Command::Disqualify {
            player: player.clone(),
            cause: Disqualification::NotUploaded,
            reason: None,
            rules: Vec::new(),
        });
        if let Some(next) = waiting.next() {
            world.must(Command::Invite { replaces: Some(player) });
            world.wait(HOUR);
            upload(world, next);
        }
    }
    world.wait_until(BEGINNING + 75 * DAY + HOUR);
}

fn upload(world: &mut World, player: &PlayerId) {
    let digest =
        format!("sha256:{}", player.as_str().bytes().map(|b| format!("{b:02x}")).collect::<String>());
    world.record(E::ProgramSubmitted(ProgramSubmitted {
        player: player.clone(),
        program: format!("{player} 1.0"),
        digest: digest.clone(),
        note: None,
    }));
    world.record(E::ProgramTested(ProgramTested {
        player: player.clone(),
        digest,
        passed: true,
        access_closed: true,
        note: None,
    }));
}

fn other(side: Side) -> Side {
    if side == Side::Gold { Side::Silver } else { Side::Gold }
}

fn rounds(world: &mut World, numbers: &mut Numbers, wild: Wildness) {
    for round in 0.. {
        assert!(round < 200, "a tournament that does not end");
        if !pair(world, round) {
            return;
        }
        // The replayed game may have decided everything: then no round is paired anew.
        if numbers.chance(2 * wild.trouble) && second_thoughts(world, numbers) && !pair(world, round) {
            return;
        }
        play_round(world, numbers, wild);
        if numbers.chance(2 * wild.trouble) {
            overruled(world, numbers);
        }
        if numbers.chance(3 * wild.trouble) {
            corrected(world, numbers);
        }
        world.wait(DAY);
        if numbers.chance(wild.withdrawal)
            && let Some(player) = somebody_in(world, numbers)
        {
            let withdrawn = PlayerWithdrawn { player, how: Withdrawal::Own, reason: None };
            // Between rounds everyone may leave.
            let _ = world.ask(&Command::Record(Box::new(E::PlayerWithdrawn(withdrawn))));
        }
    }
}

/// Pairs the next round, with whatever has to come before it; false when there is none.
fn pair(world: &mut World, round: u32) -> bool {
    if world.rulebook.stages.iter().any(|stage| stage.format == Format::Swiss) {
        let _ = world.ask(&Command::DeclareRounds);
        let _ = world.ask(&Command::DrawLots { seed: format!("lots {round}"), commitment: None });
    }
    let seed = Some(format!("coins {round}"));
    reasons_are_complete(world);
    match world.ask(&Command::Pair { seed: seed.clone() }) {
        Ok(_) => true,
        Err(_) if world.ask(&Command::Qualify).is_ok() => world.ask(&Command::Pair { seed }).is_ok(),
        Err(_) => false,
    }
}

/// A proposal gives a reason for every pair, bye and colour, and another optimal round wherever there is one.
fn reasons_are_complete(world: &World) {
    let Ok(next) = next_round(&world.tournament, &world.rulebook) else { return };
    let (paired, reasons) = (&next.paired, &next.reasons);
    let meetings = |pairs: &[Pair]| {
        let two = |pair: &Pair| {
            [pair.upper.clone().min(pair.lower.clone()), pair.upper.clone().max(pair.lower.clone())]
        };
        pairs.iter().map(two).collect::<BTreeSet<_>>()
    };
    let found = meetings(&paired.pairs);
    assert_eq!((reasons.pairs.len(), reasons.colours.len()), (found.len(), found.len()), "{paired:#?}");
    assert_eq!(reasons.byes.len(), paired.byes.len());
    let explained =
        reasons.pairs.iter().chain(&reasons.byes).chain(reasons.colours.iter().map(|one| &one.reason));
    assert!(explained.into_iter().all(|one| !one.because.is_empty() && !one.paragraph.is_empty()));
    let several = match reasons.equals {
        Some(Equals::Exactly(rounds)) => rounds > 1,
        Some(Equals::AtLeast(rounds)) => rounds > 1,
        None => false,
    };
    assert_eq!(reasons.another.is_some(), several, "{:?}", reasons.equals);
    let Some(another) = &reasons.another else { return };
    let mut other = paired.clone();
    other.pairs = (0..)
        .zip(another)
        .flat_map(|(at, (upper, lower))| {
            let games = if paired.pairs[0].encounter.is_some() { 2 } else { 1 };
            (0..games).map(move |game| Pair {
                board: at * games + game + 1,
                upper: upper.clone(),
                lower: lower.clone(),
                upper_side: Some(if game == 0 { Side::Gold } else { Side::Silver }),
                colour: None,
                encounter: (games == 2).then_some(at + 1),
            })
        })
        .collect();
    assert_ne!(meetings(&other.pairs), found, "another round is another one");
    let players: BTreeSet<_> = meetings(&other.pairs).into_iter().flatten().collect();
    if players != found.into_iter().flatten().collect() {
        // The bye is another one as well, which is not told.
        return;
    }
    let case = Case::new(&world.tournament, &world.rulebook, &world.around);
    let when = When { seq: world.seq(), at: world.now, recorded_at: world.now, imported: false };
    for verdict in check(&case, &when, &E::RoundPaired(other)) {
        let pairing = matches!(verdict.rule.id, RuleId::PairingBest | RuleId::EncounterPairing);
        assert!(!pairing || !verdict.departs(), "{verdict:#?}");
    }
}

fn somebody_in(world: &World, numbers: &mut Numbers) -> Option<PlayerId> {
    let players: Vec<&PlayerId> = world
        .tournament
        .entrants
        .iter()
        .filter(|(_, entrant)| entrant.left.is_none())
        .map(|(player, _)| player)
        .collect();
    (players.len() > 2).then(|| players[numbers.below(players.len())].clone())
}

fn play_round(world: &mut World, numbers: &mut Numbers, wild: Wildness) {
    let boards = world.open();
    for pairing in boards {
        choose(world, pairing, numbers);
        let (one, two) = world.pair(pairing);
        let gone = |player: &PlayerId| world.tournament.entrants[player].left.is_some();
        let mut absent: Vec<PlayerId> =
            [&one, &two].into_iter().filter(|player| gone(player)).cloned().collect();
        if absent.is_empty() && numbers.chance(wild.forfeit) {
            absent.push(if numbers.chance(50) { one.clone() } else { two.clone() });
        } else if absent.is_empty() && numbers.chance(wild.double_forfeit) {
            absent = vec![one.clone(), two.clone()];
        }
        world.wait(HOUR);
        if !absent.is_empty() {
            forfeit(world, pairing, absent);
            continue;
        }
        game(world, pairing, numbers, wild, None);
    }
}

fn choose(world: &mut World, pairing: Pairing, numbers: &mut Numbers) {
    let board = &world.tournament.rounds[&pairing.round].boards[&pairing.board];
    if board.gold().is_some() {
        return;
    }
    let side = if numbers.chance(50) { Side::Gold } else { Side::Silver };
    let (one, two) = world.pair(pairing);
    if world.ask(&Command::ChooseColour { pairing, player: one, side }).is_err() {
        world.must(Command::ChooseColour { pairing, player: two, side });
    }
}

fn forfeit(world: &mut World, pairing: Pairing, absent: Vec<PlayerId>) {
    let schedules = world.rulebook.lateness.is_some();
    if schedules {
        let at = world.now + MINUTE;
        let _ = world.ask(&Command::Schedule { pairing, at: Some(at), reason: None });
        world.wait_until(at + 20 * MINUTE);
    }
    let waited_until = schedules.then_some(world.now);
    let _ = world.ask(&Command::Start { pairing, game: None });
    world.must(Command::Forfeit { pairing, absent, waited_until });
}

/// A game of the round before is invalidated when the next one is paired already and has not begun: that pairing is
/// revoked, and the game replayed.
fn second_thoughts(world: &mut World, numbers: &mut Numbers) -> bool {
    if world.rulebook.rule(annals_tournaments::rulebook::RuleId::RulingInvalidate).is_none() {
        return false;
    }
    let Some((&last, _)) = world.tournament.rounds.iter().next_back() else { return false };
    let Some(before) = world.tournament.rounds.get(&(last - 1)) else { return false };
    let played: Vec<(u32, GameId)> = before
        .boards
        .iter()
        .filter_map(|(number, board)| Some((*number, board.result()?.fact.game.clone()?)))
        .collect();
    if played.is_empty() {
        return false;
    }
    let (board, game) = played[numbers.below(played.len())].clone();
    let pairing = Pairing { round: last - 1, board };
    let ply = u32::try_from(numbers.below(world.around.games[&game].plies as usize + 1)).expect("small");
    rule(
        world,
        Effect::Invalidate {
            pairing,
            game: Some(game.clone()),
            ply,
            failure: Failure::MoveLostToPlayer,
            clocks: None,
        },
    );
    world.game_set_aside(&game);
    self::game(world, pairing, numbers, Wildness { trouble: 0, ..Wildness::default() }, Some((game, ply)));
    true
}

/// A result is ruled to be another, as far as the rules let it; another ruling may take the place of that one.
fn overruled(world: &mut World, numbers: &mut Numbers) {
    let Some((&round, last)) = world.tournament.rounds.iter().next_back() else { return };
    let decided = last.boards.iter().filter(|(_, board)| !board.is_forfeit());
    let decided: Vec<(u32, Outcome)> =
        decided.filter_map(|(board, known)| Some((*board, known.outcome()?))).collect();
    if decided.is_empty() {
        return;
    }
    let (board, before) = decided[numbers.below(decided.len())];
    let outcome = if before == Outcome::Gold { Outcome::Silver } else { Outcome::Gold };
    let pairing = Pairing { round, board };
    let ruling = |effect, supersedes| Command::Rule {
        effect,
        reason: "seen by the director".to_owned(),
        evidence: Vec::new(),
        dispute: None,
        supersedes,
    };
    let set = |outcome| Effect::SetResult { pairing, outcome, termination: None };
    if world.ask(&ruling(set(outcome), None)).is_ok() {
        let number = u32::try_from(world.tournament.rulings.len()).expect("small");
        let effect = [Effect::Nothing, set(before), set(outcome)][numbers.below(3)].clone();
        world.must(ruling(effect, Some(number)));
    }
}

/// An event of any time before is corrected in something on which no rule rests.
fn corrected(world: &mut World, numbers: &mut Numbers) {
    let at = numbers.below(world.entries.len());
    let Entry::Event(_, _, event) = &world.entries[at] else { return };
    let mut event = (**event).clone();
    match &mut event {
        E::RulingGiven(ruling) => ruling.reason = "seen by the director and two others".to_owned(),
        E::ResultRecorded(result) => result.note = Some("a long game".to_owned()),
        E::PlayerRegistered(entry) => entry.country = Some("NL".to_owned()),
        E::FeeRecorded(fee) => fee.note = Some("in cash".to_owned()),
        E::RoundPaired(paired) => (paired.measures, paired.equals) = (Vec::new(), None),
        E::PlayerWithdrawn(left) => left.reason = Some("ill".to_owned()),
        E::QualifyingGamePlayed(game) => game.termination = Some(Termination::Resignation),
        _ => return,
    }
    world.correct(at as u64 + 1, event);
}

/// A game is halted or invalidated; another ruling may take the place of that one, from another ply. The ply that holds.
fn set_aside(world: &mut World, numbers: &mut Numbers, plies: u32, effect: impl Fn(u32) -> Effect) -> u32 {
    let mut some = || u32::try_from(numbers.below(plies as usize + 1)).expect("small");
    let (first, second) = (some(), some());
    rule(world, effect(first));
    if !numbers.chance(30) {
        return first;
    }
    world.must(Command::Rule {
        effect: effect(second),
        reason: "looked at again".to_owned(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: Some(u32::try_from(world.tournament.rulings.len()).expect("small")),
    });
    second
}

fn game(
    world: &mut World,
    pairing: Pairing,
    numbers: &mut Numbers,
    wild: Wildness,
    from: Option<(GameId, u32)>,
) {
    let stage = world.tournament.rounds[&pairing.round].stage;
    let control = world.rulebook.stage(stage).and_then(|rules| rules.time_control);
    let mut resumes = from;
    for attempt in 0..4 {
        let (_, game) = world.attempt(pairing);
        world.game_starts(pairing, &game, resumes.clone(), control);
        world.must(Command::Start { pairing, game: Some(game.clone()) });
        world.game_goes_on(&game, 4 + u32::try_from(numbers.below(60)).expect("small"));
        let plies = world.around.games[&game].plies;
        let technical = world.rulebook.rule(annals_tournaments::rulebook::RuleId::RulingHalt).is_some();
        let trouble = technical && attempt < 3 && numbers.chance(wild.trouble);
        if trouble && numbers.chance(50) {
            let from = set_aside(world, numbers, plies, |ply| Effect::Halt {
                pairing,
                game: Some(game.clone()),
                ply,
                failure: Failure::ExtraneousProcess,
                clocks: None,
            });
            world.game_set_aside(&game);
            resumes = Some((game, from));
            continue;
        }
        let winner = if numbers.chance(50) { Side::Gold } else { Side::Silver };
        let amazons = world.rulebook.name == "olympiad-amazons-2000";
        let termination = if amazons { Termination::Immobilization } else { Termination::Goal };
        world.game_ends(&game, Some(winner), termination);
        world.must(Command::Result {
            pairing,
            outcome: None,
            termination: None,
            game: Some(game.clone()),
            territory: amazons.then(|| u32::try_from(numbers.below(30)).expect("small")),
        });
        if !trouble {
            return;
        }
        let from = set_aside(world, numbers, plies, |ply| Effect::Invalidate {
            pairing,
            game: Some(game.clone()),
            ply,
            failure: Failure::Misconfigured,
            clocks: None,
        });
        world.game_set_aside(&game);
        resumes = Some((game, from));
    }
}

fn rule(world: &mut World, effect: Effect) {
    world.must(Command::Rule {
        effect,
        reason: "seen by the director".to_owned(),
        evidence: Vec::new(),
        dispute: None,
        supersedes: None,
    });
}

fn conclude(world: &mut World, numbers: &mut Numbers, wild: Wildness) {
    for _ in 0..6 {
        let places = annals_tournaments::formats::places(&world.tournament, &world.rulebook).expect("places");
        let Some(_) = places.ruling_needed else { break };
        let taken: Vec<u32> = places.placings.iter().map(|placing| placing.place).collect();
        let place = (1..=3).find(|place| !taken.contains(place)).expect("a place is open");
        let placed: Vec<&PlayerId> = places.placings.iter().map(|placing| &placing.player).collect();
        let free: Vec<PlayerId> = world
            .tournament
            .entrants
            .iter()
            .filter(|(player, entrant)| entrant.left.is_none() && !placed.contains(player))
            .map(|(player, _)| player.clone())
            .collect();
        let players =
            if free.is_empty() { Vec::new() } else { vec![free[numbers.below(free.len())].clone()] };
        rule(world, Effect::Place { players, place });
        // With that place given, others may be played for.
        rounds(world, numbers, wild);
    }
    let _ = world.ask(&Command::Award);
    let _ = world.ask(&Command::Refund);
    if let Err(refusal) = world.ask(&Command::Close { note: None }) {
        let pair = world.ask(&Command::Pair { seed: Some("again".to_owned()) }).map(|_| ());
        let places = annals_tournaments::formats::places(&world.tournament, &world.rulebook);
        panic!(
            "{} is not closed: {refusal}\nanother round: {pair:?}\n{places:?}\n{:?}",
            world.rulebook.name,
            world
                .tournament
                .entrants
                .iter()
                .map(|(id, e)| (id.as_str(), e.seed, e.left.as_ref()))
                .collect::<Vec<_>>()
        );
    }
    assert!(world.tournament.closed.is_some());
    assert!(world.tournament.rounds.values().all(|round| {
        round
            .boards
            .values()
            .all(|board| board.outcome().is_some_and(|outcome| outcome != Outcome::NoDecision))
    }));
}
