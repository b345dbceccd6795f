//! The 2006 Postal Tournament: humans and programs, all games at once, everyone up to eleven players and the ring of
//! ratings above, a pool of fees shared by points.

use annals_events::tournament::Stage;
use annals_events::{GameKind, PlayerKind};

use super::{Format, Prizes, Readings, Rule, Rulebook, StageRules};

const RULES: &[Rule] = rules! {
    "2006 Postal, Tournament Rules" {
        AnnouncementFirst "A tournament is announced once, before anything else."
        AnnouncementRulebook "The announcement names this rulebook in this edition."
        AnnouncementReadings "The announcement records how every ambiguous text is read."
    }
    "2006 Postal, Tournament Rules 1" {
        AnnouncementTerms "The announced terms are those of the rulebook."
    }
    "2006 Postal, Tournament Rules" {
        AnnouncementSchedule "What opens opens before it closes, and no date moves once used."
    }
    "2006 Postal, Who can participate" {
        RegistrationKnown "Whatever concerns a player concerns one who entered."
        RegistrationStanding "Who is in can leave, and who is out can come back, once each."
        EligibilityKind "Humans and programs take part."
    }
    "2006 Postal, Tournament Rules" {
        RegistrationWindow "Entries are made before the games begin."
        RegistrationOnce "A player enters once."
    }
    "2006 Postal, Tournament Rules 3 and 4" {
        RingPairing "Up to eleven everyone meets; above, five neighbours on each side."
    }
    "2006 Postal, Tournament Rules 4" {
        RingOrder "The order is by rating, then by name."
        RingColour "Gold against the first on the right, then alternating; opposite, the lower rated."
    }
    "2006 Postal, Special Rules for Bots" {
        RoundRevoked "A pairing is revoked only before its round has begun."
    }
    "2006 Postal, Tournament Rules 2" {
        RoundOrder "All games are played simultaneously, in one round."
    }
    "2006 Postal, Tournament Rules 1" {
        TimeControl "Games are played with 1d/80d/100/0/300d/21d."
    }
    "2006 Postal, Tournament Rules 5" {
        GameRules "A game that is not over in time is scored."
    }
    "2006 Postal, Tournament Rules 1" {
        GameClock "Clocks follow the time control."
    }
    "2006 Postal, Tournament Rules 4" {
        GamePlayers "A game is played by its pair, with its colours."
    }
    "2006 Postal, Special Rules for Bots" {
        GameRated "Games are rated."
        GameNoTakeBack "No move is taken back."
        GameNoAdjournment "No game is adjourned."
        HardwareLimit "One computer that can be bought for 1,000 dollars."
        HardwareDeclared "Hardware is declared before the start."
        HardwareUnchanged "Hardware does not change after the start."
    }
    "2006 Postal, Special Rules for Humans and for Bots" {
        DisqualificationCause "A disqualification has a cause that the record bears out."
    }
    "2006 Postal, Special Rules for Bots" {
        ProgramFrozen "A program changes only in an automated manner."
    }
    "2006 Postal, Tournament Rules 2" {
        ResultPaired "A result belongs to a pairing that stands."
        ResultOnce "A pairing has one result."
    }
    "2006 Postal, Tournament Rules 5" {
        ResultGame "A result is that of its game."
    }
    "2006 Postal, Special Rules for Bots" {
        DisputeEvidence "The director reviews the evidence of a dispute."
        RulingNumber "Rulings, disputes and appeals are numbered in order, and speak of what the record knows."
        RulingReading "A reading that is ruled is one that the text allows."
        RulingFinal "The director's decision is final."
    }
    "2006 Postal, Prize Distribution" {
        PrizeShare "The fees are shared in proportion to points."
        PrizeLeft "What is left of the pool is what came in less what went out."
        PlaceOrder "Places go by points."
        Closed "After the close the record of play stands."
    }
};

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
