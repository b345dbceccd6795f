//! The 2006 Postal Tournament: humans and programs, all games at once, everyone up to eleven players and the ring of
//! ratings above, a pool of fees shared by points.

use annals_events::tournament::Stage;
use annals_events::{GameKind, PlayerKind};

use super::{Format, Prizes, Readings, Rule, Rulebook, StageRules};

const fn rule(name: &'static str, paragraph: &'static str, says: &'static str) -> Rule {
    Rule { name, paragraph, says }
}

const RULES: &[Rule] = &[
    rule(
        "announcement.first",
        "2006 Postal, Tournament Rules",
        "A tournament is announced once, before anything else.",
    ),
    rule(
        "announcement.rulebook",
        "2006 Postal, Tournament Rules",
        "The announcement names this rulebook in this edition.",
    ),
    rule(
        "announcement.readings",
        "2006 Postal, Tournament Rules",
        "The announcement records how every ambiguous text is read.",
    ),
    rule(
        "announcement.terms",
        "2006 Postal, Tournament Rules 1",
        "The announced terms are those of the rulebook.",
    ),
    rule(
        "announcement.schedule",
        "2006 Postal, Tournament Rules",
        "What opens opens before it closes, and no date moves once used.",
    ),
    rule(
        "registration.known",
        "2006 Postal, Who can participate",
        "Whatever concerns a player concerns one who entered.",
    ),
    rule(
        "registration.standing",
        "2006 Postal, Who can participate",
        "Who is in can leave, and who is out can come back, once each.",
    ),
    rule("eligibility.kind", "2006 Postal, Who can participate", "Humans and programs take part."),
    rule("registration.window", "2006 Postal, Tournament Rules", "Entries are made before the games begin."),
    rule("registration.once", "2006 Postal, Tournament Rules", "A player enters once."),
    rule(
        "ring.pairing",
        "2006 Postal, Tournament Rules 3 and 4",
        "Up to eleven everyone meets; above, five neighbours on each side.",
    ),
    rule("ring.order", "2006 Postal, Tournament Rules 4", "The order is by rating, then by name."),
    rule(
        "ring.colour",
        "2006 Postal, Tournament Rules 4",
        "Gold against the first on the right, then alternating; opposite, the lower rated.",
    ),
    rule(
        "round.revoked",
        "2006 Postal, Special Rules for Bots",
        "A pairing is revoked only before its round has begun.",
    ),
    rule(
        "round.order",
        "2006 Postal, Tournament Rules 2",
        "All games are played simultaneously, in one round.",
    ),
    rule("time_control", "2006 Postal, Tournament Rules 1", "Games are played with 1d/80d/100/0/300d/21d."),
    rule("game.rules", "2006 Postal, Tournament Rules 5", "A game that is not over in time is scored."),
    rule("game.clock", "2006 Postal, Tournament Rules 1", "Clocks follow the time control."),
    rule(
        "game.players",
        "2006 Postal, Tournament Rules 4",
        "A game is played by its pair, with its colours.",
    ),
    rule("game.rated", "2006 Postal, Special Rules for Bots", "Games are rated."),
    rule("game.no_take_back", "2006 Postal, Special Rules for Bots", "No move is taken back."),
    rule("game.no_adjournment", "2006 Postal, Special Rules for Bots", "No game is adjourned."),
    rule(
        "hardware.limit",
        "2006 Postal, Special Rules for Bots",
        "One computer that can be bought for 1,000 dollars.",
    ),
    rule(
        "hardware.declared",
        "2006 Postal, Special Rules for Bots",
        "Hardware is declared before the start.",
    ),
    rule(
        "hardware.unchanged",
        "2006 Postal, Special Rules for Bots",
        "Hardware does not change after the start.",
    ),
    rule(
        "disqualification.cause",
        "2006 Postal, Special Rules for Humans and for Bots",
        "A disqualification has a cause that the record bears out.",
    ),
    rule(
        "program.frozen",
        "2006 Postal, Special Rules for Bots",
        "A program changes only in an automated manner.",
    ),
    rule("result.paired", "2006 Postal, Tournament Rules 2", "A result belongs to a pairing that stands."),
    rule("result.once", "2006 Postal, Tournament Rules 2", "A pairing has one result."),
    rule("result.game", "2006 Postal, Tournament Rules 5", "A result is that of its game."),
    rule(
        "dispute.evidence",
        "2006 Postal, Special Rules for Bots",
        "The director reviews the evidence of a dispute.",
    ),
    rule(
        "ruling.number",
        "2006 Postal, Special Rules for Bots",
        "Rulings, disputes and appeals are numbered in order, and speak of what the record knows.",
    ),
    rule(
        "ruling.reading",
        "2006 Postal, Special Rules for Bots",
        "A reading that is ruled is one that the text allows.",
    ),
    rule("ruling.final", "2006 Postal, Special Rules for Bots", "The director's decision is final."),
    rule("prize.share", "2006 Postal, Prize Distribution", "The fees are shared in proportion to points."),
    rule(
        "prize.left",
        "2006 Postal, Prize Distribution",
        "What is left of the pool is what came in less what went out.",
    ),
    rule("place.order", "2006 Postal, Prize Distribution", "Places go by points."),
    rule("closed", "2006 Postal, Prize Distribution", "After the close the record of play stands."),
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
