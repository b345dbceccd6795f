//! The 2006 Postal Tournament: humans and programs, all games at once, everyone up to eleven players and the ring of
//! ratings above, a pool of fees shared by points.

use annals_events::tournament::Stage;
use annals_events::{GameKind, PlayerKind};

use super::{Format, Prizes, Readings, Rule, RuleId, Rulebook, StageRules};

const fn rule(id: RuleId, paragraph: &'static str, says: &'static str) -> Rule {
    Rule { id, paragraph, says }
}

const RULES: &[Rule] = &[
    rule(
        RuleId::AnnouncementFirst,
        "2006 Postal, Tournament Rules",
        "A tournament is announced once, before anything else.",
    ),
    rule(
        RuleId::AnnouncementRulebook,
        "2006 Postal, Tournament Rules",
        "The announcement names this rulebook in this edition.",
    ),
    rule(
        RuleId::AnnouncementReadings,
        "2006 Postal, Tournament Rules",
        "The announcement records how every ambiguous text is read.",
    ),
    rule(
        RuleId::AnnouncementTerms,
        "2006 Postal, Tournament Rules 1",
        "The announced terms are those of the rulebook.",
    ),
    rule(
        RuleId::AnnouncementSchedule,
        "2006 Postal, Tournament Rules",
        "What opens opens before it closes, and no date moves once used.",
    ),
    rule(
        RuleId::RegistrationKnown,
        "2006 Postal, Who can participate",
        "Whatever concerns a player concerns one who entered.",
    ),
    rule(
        RuleId::RegistrationStanding,
        "2006 Postal, Who can participate",
        "Who is in can leave, and who is out can come back, once each.",
    ),
    rule(RuleId::EligibilityKind, "2006 Postal, Who can participate", "Humans and programs take part."),
    rule(
        RuleId::RegistrationWindow,
        "2006 Postal, Tournament Rules",
        "Entries are made before the games begin.",
    ),
    rule(RuleId::RegistrationOnce, "2006 Postal, Tournament Rules", "A player enters once."),
    rule(
        RuleId::RingPairing,
        "2006 Postal, Tournament Rules 3 and 4",
        "Up to eleven everyone meets; above, five neighbours on each side.",
    ),
    rule(RuleId::RingOrder, "2006 Postal, Tournament Rules 4", "The order is by rating, then by name."),
    rule(
        RuleId::RingColour,
        "2006 Postal, Tournament Rules 4",
        "Gold against the first on the right, then alternating; opposite, the lower rated.",
    ),
    rule(
        RuleId::RoundRevoked,
        "2006 Postal, Special Rules for Bots",
        "A pairing is revoked only before its round has begun.",
    ),
    rule(
        RuleId::RoundOrder,
        "2006 Postal, Tournament Rules 2",
        "All games are played simultaneously, in one round.",
    ),
    rule(
        RuleId::TimeControl,
        "2006 Postal, Tournament Rules 1",
        "Games are played with 1d/80d/100/0/300d/21d.",
    ),
    rule(RuleId::GameRules, "2006 Postal, Tournament Rules 5", "A game that is not over in time is scored."),
    rule(RuleId::GameClock, "2006 Postal, Tournament Rules 1", "Clocks follow the time control."),
    rule(
        RuleId::GamePlayers,
        "2006 Postal, Tournament Rules 4",
        "A game is played by its pair, with its colours.",
    ),
    rule(RuleId::GameRated, "2006 Postal, Special Rules for Bots", "Games are rated."),
    rule(RuleId::GameNoTakeBack, "2006 Postal, Special Rules for Bots", "No move is taken back."),
    rule(RuleId::GameNoAdjournment, "2006 Postal, Special Rules for Bots", "No game is adjourned."),
    rule(
        RuleId::HardwareLimit,
        "2006 Postal, Special Rules for Bots",
        "One computer that can be bought for 1,000 dollars.",
    ),
    rule(
        RuleId::HardwareDeclared,
        "2006 Postal, Special Rules for Bots",
        "Hardware is declared before the start.",
    ),
    rule(
        RuleId::HardwareUnchanged,
        "2006 Postal, Special Rules for Bots",
        "Hardware does not change after the start.",
    ),
    rule(
        RuleId::DisqualificationCause,
        "2006 Postal, Special Rules for Humans and for Bots",
        "A disqualification has a cause that the record bears out.",
    ),
    rule(
        RuleId::ProgramFrozen,
        "2006 Postal, Special Rules for Bots",
        "A program changes only in an automated manner.",
    ),
    rule(
        RuleId::ResultPaired,
        "2006 Postal, Tournament Rules 2",
        "A result belongs to a pairing that stands.",
    ),
    rule(RuleId::ResultOnce, "2006 Postal, Tournament Rules 2", "A pairing has one result."),
    rule(RuleId::ResultGame, "2006 Postal, Tournament Rules 5", "A result is that of its game."),
    rule(
        RuleId::DisputeEvidence,
        "2006 Postal, Special Rules for Bots",
        "The director reviews the evidence of a dispute.",
    ),
    rule(
        RuleId::RulingNumber,
        "2006 Postal, Special Rules for Bots",
        "Rulings, disputes and appeals are numbered in order, and speak of what the record knows.",
    ),
    rule(
        RuleId::RulingReading,
        "2006 Postal, Special Rules for Bots",
        "A reading that is ruled is one that the text allows.",
    ),
    rule(RuleId::RulingFinal, "2006 Postal, Special Rules for Bots", "The director's decision is final."),
    rule(
        RuleId::PrizeShare,
        "2006 Postal, Prize Distribution",
        "The fees are shared in proportion to points.",
    ),
    rule(
        RuleId::PrizeLeft,
        "2006 Postal, Prize Distribution",
        "What is left of the pool is what came in less what went out.",
    ),
    rule(RuleId::PlaceOrder, "2006 Postal, Prize Distribution", "Places go by points."),
    rule(RuleId::Closed, "2006 Postal, Prize Distribution", "After the close the record of play stands."),
];

/// The rulebook.
pub(super) fn rulebook() -> Rulebook {
    Rulebook {
        name: "postal-2006",
        edition: 1,
        title: "The 2006 Arimaa Postal Tournament",
        game: GameKind::Arimaa,
        players: &[PlayerKind::Human, PlayerKind::Bot],
        stages: vec![StageRules {
            stage: Stage::Ring,
            format: Format::Ring,
            time_control: Some("1d/80d/100/0/300d/21d"),
            places: None,
            if_needed: false,
        }],
        fees: None,
        currency: None,
        series: Some("arimaa-postal"),
        title_won: None,
        contenders: 0,
        prizes: Prizes::ByPoints,
        lateness: None,
        availability_within: None,
        invitation: None,
        program_run: None,
        hardware_price: Some(100_000),
        hardware_speed: None,
        ban_years: None,
        rules: RULES,
        ambiguous: &["T16", "T17", "T23"],
        readings: Readings::default(),
    }
}
