//! The Amazons event of the 2000 Computer Olympiad: programs, encounters of two games, everyone against everyone up to six,
//! five rounds of Swiss above.

use annals_events::tournament::Stage;
use annals_events::{GameKind, PlayerKind};

use super::{Format, Prizes, Readings, Rule, Rulebook, StageRules};

const RULES: &[Rule] = rules! {
    "Olympiad 2000, Tournament Rules" {
        AnnouncementFirst "A tournament is announced once, before anything else."
        AnnouncementRulebook "The announcement names this rulebook in this edition."
        AnnouncementReadings "The announcement records how every ambiguous text is read."
        AnnouncementTerms "The announced terms are those of the rulebook."
        AnnouncementSchedule "What opens opens before it closes, and no date moves once used."
        RegistrationKnown "Whatever concerns a player concerns one who entered."
        RegistrationStanding "Who is in can leave, and who is out can come back, once each."
    }
    "Olympiad 2000, Operational Rules" {
        EligibilityKind "Only programs take part."
    }
    "Olympiad 2000, Tournament Rules" {
        RegistrationWindow "Entries are made before the first round is paired."
        RegistrationOnce "A program enters once."
    }
    "Olympiad 2000, Tournament Rules 2" {
        EncounterFormat "Up to six everyone meets; above, five rounds of Swiss."
    }
    "Olympiad 2000, Tournament Rules 1" {
        EncounterGames "An encounter is two games, one with each colour."
    }
    "Olympiad 2000, Tournament Rules 2" {
        EncounterPairing "No rematch, nearest scores, fold within score groups."
        EncounterBye "The bye: fewest byes, lowest score, lowest rank."
    }
    "Olympiad 2000, Tournament Rules 1" {
        EncounterColour "The higher ranked has White first."
    }
    "Olympiad 2000, Tournament Rules 2" {
        RoundRevoked "A pairing is revoked only before its round has begun."
        RoundOrder "A round is paired when every result before it is known."
    }
    "Olympiad 2000, Tournament Rules 3" {
        ResultPaired "A result belongs to a pairing that stands."
        ResultOnce "A pairing has one result."
        ResultGame "A result is that of its game."
    }
    "Olympiad 2000, Operational Rules" {
        RulingNumber "Rulings, disputes and appeals are numbered in order, and speak of what the record knows."
    }
    "Olympiad 2000, Tournament Rules" {
        RulingReading "A reading that is ruled is one that the text allows."
    }
    "Olympiad 2000, Tournament Rules 4" {
        Territory "Territory is that of the winner at the end of a won game."
    }
    "Olympiad 2000, Tournament Rules 1" {
        GamePlayers "A game is played by its pair, with its colours."
    }
    "Olympiad 2000, Operational Rules 1" {
        GameRetraction "A move is taken back under the instruction of the director."
    }
    "Olympiad 2000, Operational Rules 2" {
        TimeControl "A program makes all its moves of a game in one fixed time."
        GameClock "Who has used up that time has lost the game with it."
    }
    "Olympiad 2000, Game Rules" {
        GameRules "Every move of a game follows the rules of the game."
    }
    "Olympiad 2000, Tournament Rules 4" {
        PlaceOrder "Points, opponents' points, territory; equals share a place."
        Closed "After the close the record of play stands."
    }
};

/// The rulebook.
pub(super) fn rulebook() -> Rulebook {
    let encounters = |stage| StageRules {
        stage,
        format: Format::Encounters,
        // The text leaves the minutes open, and says that the organisers prefer 30.
        time_control: Some("game 30m"),
        places: None,
        if_needed: true,
    };
    Rulebook {
        name: "olympiad-amazons-2000",
        edition: 1,
        title: "The Amazons event of the 2000 Computer Olympiad",
        game: GameKind::Amazons,
        players: &[PlayerKind::Bot],
        stages: vec![encounters(Stage::RoundRobin), encounters(Stage::Swiss)],
        fees: None,
        currency: None,
        series: Some("olympiad-amazons"),
        title_won: None,
        contenders: 0,
        prizes: Prizes::None,
        lateness: None,
        availability_within: None,
        invitation: None,
        program_run: None,
        hardware_price: None,
        hardware_speed: None,
        ban_years: None,
        rules: RULES,
        ambiguous: &["T18", "T19", "T32", "T33"],
        readings: Readings::default(),
    }
}
