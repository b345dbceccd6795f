//! The 2015 Computer Championship: programs only, a qualifier against benchmarks, a floating quadruple elimination, played
//! on for second place.

use annals_events::tournament::{Fees, Stage};
use annals_events::{GameKind, PlayerKind};

use super::{DAY, Format, HOUR, Prizes, Readings, Rule, Rulebook, StageRules};
use crate::formats::elimination::Rules;

const fn rule(name: &'static str, paragraph: &'static str, says: &'static str) -> Rule {
    Rule { name, paragraph, says }
}

const RULES: &[Rule] = &[
    rule("announcement.first", "2015 WCC, Overview", "A tournament is announced once, before anything else."),
    rule(
        "announcement.rulebook",
        "2015 WCC, Overview",
        "The announcement names this rulebook in this edition.",
    ),
    rule(
        "announcement.readings",
        "2015 WCC, Overview",
        "The announcement records how every ambiguous text is read.",
    ),
    rule(
        "announcement.terms",
        "2015 WCC, Time Controls and Registration",
        "The announced terms are those of the rulebook.",
    ),
    rule(
        "announcement.schedule",
        "2015 WCC, Qualifying period",
        "What opens opens before it closes, and no date moves once used.",
    ),
    rule(
        "registration.known",
        "2015 WCC, Registration",
        "Whatever concerns a player concerns one who entered.",
    ),
    rule(
        "registration.standing",
        "2015 WCC, Registration",
        "Who is in can leave, and who is out can come back, once each.",
    ),
    rule("eligibility.kind", "2015 WCC, Overview", "Only programs take part."),
    rule(
        "registration.window",
        "2015 WCC, Registration",
        "Entries are made between the two announced dates.",
    ),
    rule("registration.once", "2015 WCC, Registration", "A program enters once."),
    rule(
        "registration.one_per_developer",
        "2015 WCC, Registration",
        "A developer or a team enters one program.",
    ),
    rule("registration.fee", "2015 WCC, Registration", "The fee of 10 dollars goes into the prize fund."),
    rule("registration.ban", "2015 WCC, Qualifying 3", "Nobody enters while a ban stands."),
    rule(
        "qualifier.benchmarks",
        "2015 WCC, Qualifying 1",
        "The qualifier is played against declared benchmarks.",
    ),
    rule("qualifier.conduct", "2015 WCC, Penalty", "Nobody breaks a rule of the qualifying phase."),
    rule("qualifier.game", "2015 WCC, Qualifying 4", "A qualifying game is recorded once, as it was played."),
    rule("qualifier.window", "2015 WCC, Qualifying period", "Games start and finish within the period."),
    rule(
        "qualifier.score",
        "2015 WCC, Qualifying 4",
        "Points, games that count, and the streaks make the score.",
    ),
    rule(
        "qualifier.order",
        "2015 WCC, Qualifying 5",
        "Points, losses before the streaks, and completion make the order.",
    ),
    rule("qualifier.unplayed", "2015 WCC, Qualifying 7", "Who has no counted game ranks below, by rating."),
    rule(
        "qualifier.hardware",
        "2015 WCC, Qualifying 3",
        "Qualifying hardware is at most about five times as fast.",
    ),
    rule("field.places", "2015 WCC, Overview", "The first eight of the qualifier play the final."),
    rule(
        "field.seeds",
        "2015 WCC, Tournament format 1",
        "Seeds are the places in the qualifier, without gaps.",
    ),
    rule(
        "invitation.next",
        "2015 WCC, Program Submission",
        "The next in the order of the qualifier is invited.",
    ),
    rule("invitation.days", "2015 WCC, Program Submission", "An invited program has six days."),
    rule("invitation.fee", "2015 WCC, Program Submission", "An invited developer risks no fee."),
    rule(
        "invitation.vacancy",
        "2015 WCC, Program Submission",
        "An invitation fills a place that fell vacant.",
    ),
    rule(
        "invitation.lapsed",
        "2015 WCC, Program Submission",
        "An invitation lapses for one who was invited and has no program in the final.",
    ),
    rule(
        "program.deadline",
        "2015 WCC, Program Submission",
        "A qualified program is uploaded by the deadline, or out.",
    ),
    rule("program.tested", "2015 WCC, Program Submission", "A program is tested, then access is closed."),
    rule(
        "program.stand_in",
        "2015 WCC, Program Submission",
        "A program of an earlier year stands in for an invited one.",
    ),
    rule("program.frozen", "2015 WCC, Program Submission", "A submitted program is not changed by hand."),
    rule(
        "program.run",
        "2015 WCC, Program Submission",
        "An automated change runs between rounds, four hours at most.",
    ),
    rule("program.unlimited", "2015 WCC, Publication", "A submitted program is not limited in any manner."),
    rule("hardware.limit", "2015 WCC, Hardware and OS", "The machine can be bought for 1,000 dollars."),
    rule(
        "disqualification.cause",
        "2015 WCC, Program Submission",
        "A disqualification has a cause that the record bears out.",
    ),
    rule(
        "round.order",
        "2015 WCC, Tournament format 2",
        "A round is paired when every result before it is known.",
    ),
    rule(
        "round.dates",
        "2015 WCC, Tournament begins",
        "The first round begins on the announced date or after it.",
    ),
    rule(
        "round.revoked",
        "2015 WCC, Technical Problems 1 and 3",
        "A pairing is revoked only before its round has begun.",
    ),
    rule("round.needed", "2015 WCC, Tournament format 2", "Rounds are played until one player is left."),
    rule("round.players", "2015 WCC, Tournament format 2", "Everyone plays until they have lost four times."),
    rule("bye.fewest", "2015 WCC, Tournament format 3", "The bye goes to somebody with the fewest byes."),
    rule(
        "bye.choice",
        "2015 WCC, Tournament format 5, 8 and 9",
        "The bye: fewest losses, highest rating, best seed.",
    ),
    rule(
        "pairing.best",
        "2015 WCC, Tournament format 3-10",
        "No pairing is better by the constraints in their order.",
    ),
    rule("pairing.order", "2015 WCC, Tournament format 10", "The ranking: losses, performance rating, seed."),
    rule("colour", "2015 WCC, Color Assignment", "Six rules in strict priority give the colours."),
    rule(
        "continuation",
        "2015 WCC, Tournament format, ties",
        "Those level for second get one more life and play on.",
    ),
    rule("time_control", "2015 WCC, Time Controls", "Games are played with 2m/6m/100/0/8h/6m."),
    rule("game.rules", "2015 WCC, Tournament format 12", "Games follow the Match Rules."),
    rule("game.clock", "2015 WCC, Time Controls", "Clocks follow the time control."),
    rule("game.players", "2015 WCC, Color Assignment", "A game is played by its pair, with its colours."),
    rule("result.paired", "2015 WCC, Tournament format", "A result belongs to a pairing that stands."),
    rule("result.once", "2015 WCC, Tournament format", "A pairing has one result."),
    rule("result.game", "2015 WCC, Tournament format 12", "A result is that of its game."),
    rule(
        "ruling.number",
        "2015 WCC, Technical Problems 5",
        "Rulings, disputes and appeals are numbered in order, and speak of what the record knows.",
    ),
    rule(
        "ruling.reading",
        "2015 WCC, Technical Problems 5",
        "A reading that is ruled is one that the text allows.",
    ),
    rule(
        "ruling.frozen",
        "2015 WCC, Technical Problems 1",
        "Nothing of an earlier round changes once a round has started.",
    ),
    rule(
        "ruling.halt",
        "2015 WCC, Technical Problems 2",
        "A game under way is halted, unrated, and resumed from a ply.",
    ),
    rule(
        "ruling.invalidate",
        "2015 WCC, Technical Problems 3",
        "A finished game is invalidated, unrated, and replayed.",
    ),
    rule(
        "ruling.cause",
        "2015 WCC, Technical Problems 4 and 5",
        "A listed failure, or one that the director weighs.",
    ),
    rule(
        "ruling.clocks",
        "2015 WCC, Technical Problems 6",
        "Clocks are restored as they were, as closely as possible.",
    ),
    rule(
        "ruling.resume",
        "2015 WCC, Technical Problems 2 and 3",
        "The next attempt goes on from that game and ply.",
    ),
    rule(
        "ruling.unrated",
        "2015 WCC, Technical Problems 2 and 3",
        "The halted or invalidated game is unrated.",
    ),
    rule(
        "penalty",
        "2015 WCC, Penalty",
        "The penalty is 20 dollars, for a rule of the qualifying phase or a late upload.",
    ),
    rule(
        "ban",
        "2015 WCC, Qualifying 3 and Publication",
        "Bans: two years for faster hardware; following years for limited programs.",
    ),
    rule("prize.share", "2015 WCC, Prizes", "The fund is divided by the games; each share goes to a winner."),
    rule(
        "prize.forfeited",
        "2015 WCC, Qualifying 3",
        "Who qualified on much faster hardware forfeits the prize.",
    ),
    rule("prize.returned", "2015 WCC, Publication", "Who submitted a limited program returns the prize."),
    rule("prize.left", "2015 WCC, Prizes", "What is left of the fund is what came in less what went out."),
    rule("place.champion", "2015 WCC, Tournament format 2", "The last one left is champion."),
    rule("place.second", "2015 WCC, Tournament format, ties", "Second place is played out."),
    rule("place.third", "2015 WCC, Tournament format, ties", "Third place goes by games won; ties stand."),
    rule("place.title", "2015 WCC, Prizes", "The first is Arimaa World Computer Champion."),
    rule("place.contenders", "2015 WCC, Overview", "The first two compete for the Challenge."),
    rule("closed", "2015 WCC, Tournament ends", "After the close the record of play stands."),
    rule("result.draw", "2015 WCC, Tournament format 12", "The Match Rules know no draws."),
];

/// The rulebook.
pub(super) fn rulebook() -> Rulebook {
    Rulebook {
        name: "wcc-2015",
        edition: 1,
        title: "The 2015 Arimaa World Computer Championship",
        game: GameKind::Arimaa,
        players: &[PlayerKind::Bot],
        stages: vec![
            StageRules {
                stage: Stage::Qualifier,
                format: Format::Qualifier { games_per_benchmark: 20, points_per_benchmark: 4 },
                time_control: None,
                places: Some(8),
                if_needed: false,
            },
            StageRules {
                stage: Stage::Final,
                format: Format::Elimination(Rules::championship_2015()),
                time_control: Some("2m/6m/100/0/8h/6m"),
                places: None,
                if_needed: false,
            },
            StageRules {
                stage: Stage::Continuation,
                format: Format::Continuation,
                time_control: Some("2m/6m/100/0/8h/6m"),
                places: None,
                if_needed: true,
            },
        ],
        fees: Some(Fees { registration: 1_000, refundable: 0, penalty: 2_000 }),
        currency: Some("USD"),
        series: Some("arimaa-wcc"),
        title_won: Some("Arimaa World Computer Champion"),
        contenders: 2,
        prizes: Prizes::PerGameWon,
        lateness: None,
        availability_within: None,
        invitation: Some(6 * DAY),
        program_run: Some(4 * HOUR),
        hardware_price: Some(100_000),
        hardware_speed: Some(5_000),
        ban_years: Some(2),
        rules: RULES,
        ambiguous: &[
            "T1",
            "T2",
            "T3",
            "T4",
            "T5",
            "T6",
            "T7",
            "T8",
            "T9",
            "T20",
            "T21",
            "T22",
            "T23",
            "T24",
            "T25",
            "T26",
            "T27",
            "T31",
            "arbitrary_colour",
        ],
        readings: Readings::default(),
    }
}
