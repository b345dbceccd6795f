//! The Amazons event of the 2000 Computer Olympiad: programs, encounters of two games, everyone against everyone up to six,
//! five rounds of Swiss above.

use annals_events::tournament::Stage;
use annals_events::{GameKind, PlayerKind};

use super::{Format, Prizes, Readings, Rule, RuleId, Rulebook, StageRules};

const fn rule(id: RuleId, paragraph: &'static str, says: &'static str) -> Rule {
    Rule { id, paragraph, says }
}

const RULES: &[Rule] = &[
    rule(
        RuleId::AnnouncementFirst,
        "Olympiad 2000, Tournament Rules",
        "A tournament is announced once, before anything else.",
    ),
    rule(
        RuleId::AnnouncementRulebook,
        "Olympiad 2000, Tournament Rules",
        "The announcement names this rulebook in this edition.",
    ),
    rule(
        RuleId::AnnouncementReadings,
        "Olympiad 2000, Tournament Rules",
        "The announcement records how every ambiguous text is read.",
    ),
    rule(
        RuleId::AnnouncementTerms,
        "Olympiad 2000, Tournament Rules",
        "The announced terms are those of the rulebook.",
    ),
    rule(
        RuleId::AnnouncementSchedule,
        "Olympiad 2000, Tournament Rules",
        "What opens opens before it closes, and no date moves once used.",
    ),
    rule(
        RuleId::RegistrationKnown,
        "Olympiad 2000, Tournament Rules",
        "Whatever concerns a player concerns one who entered.",
    ),
    rule(
        RuleId::RegistrationStanding,
        "Olympiad 2000, Tournament Rules",
        "Who is in can leave, and who is out can come back, once each.",
    ),
    rule(RuleId::EligibilityKind, "Olympiad 2000, Operational Rules", "Only programs take part."),
    rule(
        RuleId::RegistrationWindow,
        "Olympiad 2000, Tournament Rules",
        "Entries are made before the first round is paired.",
    ),
    rule(RuleId::RegistrationOnce, "Olympiad 2000, Tournament Rules", "A program enters once."),
    rule(
        RuleId::EncounterFormat,
        "Olympiad 2000, Tournament Rules 2",
        "Up to six everyone meets; above, five rounds of Swiss.",
    ),
    rule(
        RuleId::EncounterGames,
        "Olympiad 2000, Tournament Rules 1",
        "An encounter is two games, one with each colour.",
    ),
    rule(
        RuleId::EncounterPairing,
        "Olympiad 2000, Tournament Rules 2",
        "No rematch, nearest scores, fold within score groups.",
    ),
    rule(
        RuleId::EncounterBye,
        "Olympiad 2000, Tournament Rules 2",
        "The bye: fewest byes, lowest score, lowest rank.",
    ),
    rule(RuleId::EncounterColour, "Olympiad 2000, Tournament Rules 1", "The higher ranked has White first."),
    rule(
        RuleId::RoundRevoked,
        "Olympiad 2000, Tournament Rules 2",
        "A pairing is revoked only before its round has begun.",
    ),
    rule(
        RuleId::RoundOrder,
        "Olympiad 2000, Tournament Rules 2",
        "A round is paired when every result before it is known.",
    ),
    rule(
        RuleId::ResultPaired,
        "Olympiad 2000, Tournament Rules 3",
        "A result belongs to a pairing that stands.",
    ),
    rule(RuleId::ResultOnce, "Olympiad 2000, Tournament Rules 3", "A pairing has one result."),
    rule(RuleId::ResultGame, "Olympiad 2000, Tournament Rules 3", "A result is that of its game."),
    rule(
        RuleId::RulingNumber,
        "Olympiad 2000, Operational Rules",
        "Rulings, disputes and appeals are numbered in order, and speak of what the record knows.",
    ),
    rule(
        RuleId::RulingReading,
        "Olympiad 2000, Tournament Rules",
        "A reading that is ruled is one that the text allows.",
    ),
    rule(
        RuleId::Territory,
        "Olympiad 2000, Tournament Rules 4",
        "Territory is that of the winner at the end of a won game.",
    ),
    rule(
        RuleId::GamePlayers,
        "Olympiad 2000, Tournament Rules 1",
        "A game is played by its pair, with its colours.",
    ),
    rule(
        RuleId::GameRetraction,
        "Olympiad 2000, Operational Rules 1",
        "A move is taken back under the instruction of the director.",
    ),
    rule(
        RuleId::TimeControl,
        "Olympiad 2000, Operational Rules 2",
        "A program makes all its moves of a game in one fixed time.",
    ),
    rule(
        RuleId::GameClock,
        "Olympiad 2000, Operational Rules 2",
        "Who has used up that time has lost the game with it.",
    ),
    rule(
        RuleId::GameRules,
        "Olympiad 2000, Game Rules",
        "Every move of a game follows the rules of the game.",
    ),
    rule(
        RuleId::PlaceOrder,
        "Olympiad 2000, Tournament Rules 4",
        "Points, opponents' points, territory; equals share a place.",
    ),
    rule(RuleId::Closed, "Olympiad 2000, Tournament Rules 4", "After the close the record of play stands."),
];

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
