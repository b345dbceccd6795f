//! The announcement of a tournament, its entries, and the qualifier with what follows it until the first round.

use annals_events::tournament::{
    Announced, Benchmark, BenchmarksDeclared, Deadline, Disqualification, FeeRecorded, HardwareDeclared,
    Milestone, PlayerRating, PlayerRegistered, ProgramSubmitted, ProgramTested, QualifyingGamePlayed,
    RatingsRecorded,
};
use annals_events::{Micros, PlayerId, PlayerKind, Side, Termination, TournamentEvent as E};
use annals_tournaments::commands::{AnnounceOrder, Command, announcement};
use annals_tournaments::rulebook::{DAY, HOUR, PIECE_POINTS, RuleId, Rulebook};

use super::desk::Desk;
use super::id;
use super::numbers::Numbers;

/// 1 December 2014, 12:00 UTC.
const BEGINNING: Micros = 1_417_435_200_000_000;
/// 1 January 2006, when other rules decided what a game is scored.
const EARLY: Micros = 1_136_073_600_000_000;

/// The announcement, and when it is made. The piece points of 2006 are stated in some of them.
pub fn announced(name: &str, numbers: &mut Numbers) -> (Announced, Micros) {
    let mut rulebook = Rulebook::named(name).expect("known");
    let mut beginning = BEGINNING;
    if name == "postal-2006" {
        beginning = [BEGINNING, EARLY, EARLY][numbers.below(3)];
        if numbers.chance(50) {
            rulebook.choose(PIECE_POINTS, "2/3/5/9/14").expect("they are points");
            rulebook.read("T44", "piece_points").expect("it is a reading");
        }
    }
    let milestone = |milestone, at| Deadline { milestone, at };
    let mut schedule = vec![
        milestone(Milestone::RegistrationOpens, beginning + HOUR),
        milestone(Milestone::RegistrationCloses, beginning + 20 * DAY),
    ];
    if name == "wcc-2015" {
        schedule.extend([
            milestone(Milestone::QualifyingOpens, beginning + 21 * DAY),
            milestone(Milestone::QualifyingCloses, beginning + 50 * DAY),
            milestone(Milestone::ProgramsDue, beginning + 60 * DAY),
            milestone(Milestone::TestsDue, beginning + 66 * DAY),
            milestone(Milestone::PlayBegins, beginning + 75 * DAY),
        ]);
    } else {
        schedule.push(milestone(Milestone::PlayBegins, beginning + 45 * DAY));
    }
    let order = AnnounceOrder {
        name: Some("A random event".to_owned()),
        schedule,
        directors: vec!["Omar".to_owned()],
        fund: 12_345,
        ..AnnounceOrder::default()
    };
    (announcement(&rulebook, order), beginning)
}

pub fn enter(desk: &mut dyn Desk, players: usize, numbers: &mut Numbers) {
    desk.wait(2 * HOUR);
    let kinds = desk.rulebook().players;
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
            number: (desk.rulebook().name == "olympiad-amazons-2000")
                .then(|| u32::try_from(number).expect("small")),
            country: None,
        };
        desk.record(E::PlayerRegistered(entry));
        if kind == PlayerKind::Bot && desk.rulebook().rule(RuleId::HardwareDeclared).is_some() {
            desk.record(E::HardwareDeclared(HardwareDeclared {
                player: player.clone(),
                hardware: "one computer".to_owned(),
                system: None,
                price: Some(99_000),
                speed: None,
                computers: Vec::new(),
            }));
        }
        if let Some(fees) = desk.rulebook().fees.clone() {
            desk.record(E::FeeRecorded(FeeRecorded { player, amount: fees.registration, note: None }));
        }
    }
}

pub fn qualifier(desk: &mut dyn Desk, players: usize, numbers: &mut Numbers) {
    let stable: Vec<PlayerId> = (1..=3).map(|n| id(&format!("bench{n}"))).collect();
    let benchmark =
        |player: &PlayerId| Benchmark { player: player.clone(), name: player.to_string(), account: None };
    desk.record(E::BenchmarksDeclared(BenchmarksDeclared { stable: stable.iter().map(benchmark).collect() }));
    let opens = BEGINNING + 21 * DAY;
    desk.wait_until(opens);
    let mut played = Vec::new();
    for number in 1..=players {
        for bench in &stable {
            let mut at = opens + HOUR * numbers.below(300) as Micros;
            for game in 0..numbers.below(9) {
                let side = if game % 2 == 0 || numbers.chance(20) { Side::Gold } else { Side::Silver };
                let ended_at = at + HOUR;
                let winner = if numbers.chance(60) { side } else { side.other() };
                played.push((ended_at, number, bench.clone(), side, at, winner, !numbers.chance(10)));
                at += 2 * HOUR;
            }
        }
    }
    played.sort();
    for (number, (ended_at, player, benchmark, side, started_at, winner, rated)) in (1..).zip(played) {
        desk.wait_until(ended_at);
        desk.record(E::QualifyingGamePlayed(QualifyingGamePlayed {
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
    desk.wait_until(BEGINNING + 50 * DAY + HOUR);
    let ratings: Vec<PlayerRating> = (1..=players)
        .map(|number| PlayerRating {
            player: id(&format!("p{number:02}")),
            rating: 1400 + i32::try_from(numbers.below(600)).expect("small"),
        })
        .collect();
    if players == 0 {
        return;
    }
    desk.record(E::RatingsRecorded(RatingsRecorded { ratings, source: None }));
    desk.must(Command::Qualify);
    programs(desk, numbers);
}

fn programs(desk: &mut dyn Desk, numbers: &mut Numbers) {
    let order: Vec<PlayerId> =
        desk.tournament().qualified[0].order.iter().map(|rank| rank.player.clone()).collect();
    let first = order.len().min(8);
    let mut missing = Vec::new();
    for player in &order[..first] {
        if numbers.chance(12) {
            missing.push(player.clone());
        } else {
            upload(desk, player);
        }
    }
    desk.wait_until(BEGINNING + 60 * DAY + HOUR);
    let mut waiting = order[first..].iter();
    for player in missing {
        desk.must(Command::Disqualify {
            player: player.clone(),
            cause: Disqualification::NotUploaded,
            reason: None,
            rules: Vec::new(),
        });
        if let Some(next) = waiting.next() {
            desk.must(Command::Invite { replaces: Some(player) });
            desk.wait(HOUR);
            upload(desk, next);
        }
    }
    desk.wait_until(BEGINNING + 75 * DAY + HOUR);
}

fn upload(desk: &mut dyn Desk, player: &PlayerId) {
    let digest =
        format!("sha256:{}", player.as_str().bytes().map(|b| format!("{b:02x}")).collect::<String>());
    desk.record(E::ProgramSubmitted(ProgramSubmitted {
        player: player.clone(),
        program: format!("{player} 1.0"),
        digest: digest.clone(),
        note: None,
    }));
    desk.record(E::ProgramTested(ProgramTested {
        player: player.clone(),
        digest,
        passed: true,
        access_closed: true,
        note: None,
    }));
}
