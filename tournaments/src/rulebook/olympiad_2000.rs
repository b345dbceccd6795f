//! The Amazons event of the Computer Olympiad 2000: programs, encounters of two games, all-play-all up to
//! six, else a Swiss of five rounds.

use annals_events::tournament::Stage;
use annals_events::{GameKind, PlayerKind};

use super::value::{Format, Rule, Rulebook, StageRules};

const RULES: &[Rule] = rules! {
    "Olympiad 2000":
    AnnouncementFirst "Tournament Rules" "A tournament is announced once, before anything else."
    AnnouncementRulebook "Tournament Rules" "The announcement names this rulebook in this edition."
    AnnouncementReadings "Tournament Rules" "The announcement records how every ambiguous text is read."
    AnnouncementTerms "Tournament Rules" "The announced terms are those of the rulebook."
    AnnouncementSchedule "Tournament Rules" "What opens opens before it closes, and no date moves once used."
    RegistrationKnown "Tournament Rules" "Whatever concerns a player concerns one who entered."
    RegistrationStanding "Tournament Rules" "Who is in can leave, and who is out can come back, once each."
    EligibilityKind "Operational Rules" "Only programs take part."
    RegistrationWindow "Tournament Rules" "Entries are made before the first round is paired."
    RegistrationOnce "Tournament Rules" "A program enters once."
    EncounterFormat "Tournament Rules 2" "Up to six everyone meets; above, five rounds of Swiss."
    EncounterGames "Tournament Rules 1" "An encounter is two games, one with each colour."
    EncounterPairing "Tournament Rules 2" "No rematch, nearest scores, fold within score groups."
    EncounterBye "Tournament Rules 2" "The bye: fewest byes, lowest score, lowest rank."
    EncounterColour "Tournament Rules 1" "The higher ranked has White first."
    RoundRevoked "Tournament Rules 2" "A pairing is revoked only before its round has begun."
    RoundOrder "Tournament Rules 2" "A round is paired when every result before it is known."
    ResultPaired "Tournament Rules 3" "A result belongs to a pairing in force."
    ResultOnce "Tournament Rules 3" "A pairing has one result."
    ResultGame "Tournament Rules 3" "A result is that of its game."
    RulingNumber "Operational Rules"
        "Rulings, disputes and appeals are numbered in order, and speak of what the record knows."
    RulingReading "Tournament Rules" "A reading that is ruled is one that the text allows."
    Territory "Tournament Rules 4" "Territory is that of the winner at the end of a won game."
    GamePlayers "Tournament Rules 1" "A game is played by its pair, with its colours."
    GameRetraction "Operational Rules 1" "A move is taken back under the instruction of the director."
    TimeControl "Operational Rules 2" "A program makes all its moves of a game in one fixed time."
    GameClock "Operational Rules 2" "Who has used up that time has lost the game with it."
    GameRules "Game Rules" "Every move of a game follows the rules of the game."
    PlaceOrder "Tournament Rules 4" "Points, opponents' points, territory; equals share a place."
    Closed "Tournament Rules 4" "After the close the record of play is final."
};

const SINCE_EDITION_2: &[Rule] = rules! {
    "Olympiad 2000":
    TablePublished "Tournament Rules 3" "A published table shares one point for each game that was played."
};

pub(super) fn rulebook(edition: u32) -> Rulebook {
    let title = "The Amazons event of the 2000 Computer Olympiad";
    let encounters = |stage| StageRules {
        // The text leaves the minutes open; the organisers prefer 30.
        time_control: Some("game 30m"),
        if_needed: true,
        ..StageRules::of(stage, Format::Encounters)
    };
    Rulebook {
        stages: vec![encounters(Stage::RoundRobin), encounters(Stage::Swiss)],
        series: Some("olympiad-amazons"),
        ambiguous: &["T18", "T19", "T32", "T33", "T47", "T49"],
        ..Rulebook::plain(
            "olympiad-amazons-2000",
            edition,
            title,
            GameKind::Amazons,
            &[PlayerKind::Bot],
            &[RULES, SINCE_EDITION_2],
        )
    }
}
