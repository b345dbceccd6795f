//! The Amazons event of the 2000 Computer Olympiad: programs, encounters of two games, everyone against everyone up to six,
//! five rounds of Swiss above.

use annals_events::tournament::Stage;
use annals_events::{GameKind, PlayerKind};

use super::{Format, Prizes, Readings, Rule, Rulebook, StageRules};

const fn rule(name: &'static str, paragraph: &'static str, says: &'static str) -> Rule {
    Rule { name, paragraph, says }
}

const RULES: &[Rule] = &[
    rule(
        "announcement.first",
        "Olympiad 2000, Tournament Rules",
        "A tournament is announced once, before anything else.",
    ),
    rule(
        "announcement.rulebook",
        "Olympiad 2000, Tournament Rules",
        "The announcement names this rulebook in this edition.",
    ),
    rule(
        "announcement.readings",
        "Olympiad 2000, Tournament Rules",
        "The announcement records how every ambiguous text is read.",
    ),
    rule(
        "announcement.terms",
        "Olympiad 2000, Tournament Rules",
        "The announced terms are those of the rulebook.",
    ),
    rule(
        "announcement.schedule",
        "Olympiad 2000, Tournament Rules",
        "What opens opens before it closes, and no date moves once used.",
    ),
    rule(
        "registration.known",
        "Olympiad 2000, Tournament Rules",
        "Whatever concerns a player concerns one who entered.",
    ),
    rule(
        "registration.standing",
        "Olympiad 2000, Tournament Rules",
        "Who is in can leave, and who is out can come back, once each.",
    ),
    rule("eligibility.kind", "Olympiad 2000, Operational Rules", "Only programs take part."),
    rule(
        "registration.window",
        "Olympiad 2000, Tournament Rules",
        "Entries are made before the first round is paired.",
    ),
    rule("registration.once", "Olympiad 2000, Tournament Rules", "A program enters once."),
    rule(
        "encounter.format",
        "Olympiad 2000, Tournament Rules 2",
        "Up to six everyone meets; above, five rounds of Swiss.",
    ),
    rule(
        "encounter.games",
        "Olympiad 2000, Tournament Rules 1",
        "An encounter is two games, one with each colour.",
    ),
    rule(
        "encounter.pairing",
        "Olympiad 2000, Tournament Rules 2",
        "No rematch, nearest scores, fold within score groups.",
    ),
    rule(
        "encounter.bye",
        "Olympiad 2000, Tournament Rules 2",
        "The bye: fewest byes, lowest score, lowest rank.",
    ),
    rule("encounter.colour", "Olympiad 2000, Tournament Rules 1", "The higher ranked has White first."),
    rule(
        "round.revoked",
        "Olympiad 2000, Tournament Rules 2",
        "A pairing is revoked only before its round has begun.",
    ),
    rule(
        "round.order",
        "Olympiad 2000, Tournament Rules 2",
        "A round is paired when every result before it is known.",
    ),
    rule("result.paired", "Olympiad 2000, Tournament Rules 3", "A result belongs to a pairing that stands."),
    rule("result.once", "Olympiad 2000, Tournament Rules 3", "A pairing has one result."),
    rule("result.game", "Olympiad 2000, Tournament Rules 3", "A result is that of its game."),
    rule(
        "ruling.number",
        "Olympiad 2000, Operational Rules",
        "Rulings, disputes and appeals are numbered in order, and speak of what the record knows.",
    ),
    rule(
        "ruling.reading",
        "Olympiad 2000, Tournament Rules",
        "A reading that is ruled is one that the text allows.",
    ),
    rule(
        "territory",
        "Olympiad 2000, Tournament Rules 4",
        "Territory is that of the winner at the end of a won game.",
    ),
    rule(
        "game.players",
        "Olympiad 2000, Tournament Rules 1",
        "A game is played by its pair, with its colours.",
    ),
    rule(
        "game.retraction",
        "Olympiad 2000, Operational Rules 1",
        "A move is taken back under the instruction of the director.",
    ),
    rule(
        "time_control",
        "Olympiad 2000, Operational Rules 2",
        "A program makes all its moves of a game in one fixed time.",
    ),
    rule(
        "game.clock",
        "Olympiad 2000, Operational Rules 2",
        "Who has used up that time has lost the game with it.",
    ),
    rule("game.rules", "Olympiad 2000, Game Rules", "Every move of a game follows the rules of the game."),
    rule(
        "place.order",
        "Olympiad 2000, Tournament Rules 4",
        "Points, opponents' points, territory; equals share a place.",
    ),
    rule("closed", "Olympiad 2000, Tournament Rules 4", "After the close the record of play stands."),
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
