//! The 2009 Open Classic and World Championship: humans only, a Swiss preliminary, a floating double elimination of the
//! first eight, playoffs for second and third place.

use annals_events::tournament::{Fees, Stage};
use annals_events::{GameKind, PlayerKind};

use super::{DAY, Format, MINUTE, Prizes, Readings, Rule, RuleId, Rulebook, StageRules};
use crate::formats::elimination::Rules;

const fn rule(id: RuleId, paragraph: &'static str, says: &'static str) -> Rule {
    Rule { id, paragraph, says }
}

const RULES: &[Rule] = &[
    rule(
        RuleId::AnnouncementFirst,
        "2009 WC, Overview",
        "A tournament is announced once, before anything else.",
    ),
    rule(
        RuleId::AnnouncementRulebook,
        "2009 WC, Overview",
        "The announcement names this rulebook in this edition.",
    ),
    rule(
        RuleId::AnnouncementReadings,
        "2009 WC, Overview",
        "The announcement records how every ambiguous text is read.",
    ),
    rule(
        RuleId::AnnouncementTerms,
        "2009 WC, Time controls and Registration",
        "The announced terms are those of the rulebook.",
    ),
    rule(
        RuleId::AnnouncementSchedule,
        "2009 WC, Registration",
        "What opens opens before it closes, and no date moves once used.",
    ),
    rule(
        RuleId::RegistrationKnown,
        "2009 WC, Registration",
        "Whatever concerns a player concerns one who entered.",
    ),
    rule(
        RuleId::RegistrationStanding,
        "2009 WC, Registration",
        "Who is in can leave, and who is out can come back, once each.",
    ),
    rule(RuleId::EligibilityKind, "2009 WC, Overview", "Only humans take part."),
    rule(RuleId::RegistrationWindow, "2009 WC, Registration", "Entries are made before the deadline."),
    rule(RuleId::RegistrationOnce, "2009 WC, Registration", "A player enters once."),
    rule(RuleId::RegistrationFee, "2009 WC, Registration", "The fee is 20 dollars."),
    rule(
        RuleId::RefundDue,
        "2009 WC, Registration",
        "10 dollars go back to those who neither forfeit, resign nor drop out.",
    ),
    rule(RuleId::SwissRounds, "2009 WC, Preliminary 1", "The number of players gives the number of rounds."),
    rule(
        RuleId::SwissDeclared,
        "2009 WC, Preliminary 1",
        "The number of rounds is declared before the start.",
    ),
    rule(
        RuleId::SwissOrder,
        "2009 WC, Preliminary 2 and 6",
        "Points, opponents' scores, rating, lot make the order.",
    ),
    rule(
        RuleId::SwissLots,
        "2009 WC, Preliminary 6",
        "Lots are drawn at the start of each round, one for each player.",
    ),
    rule(
        RuleId::SwissPairing,
        "2009 WC, Preliminary 3, 4, 7 and 8",
        "The walk down the list makes the pairs.",
    ),
    rule(RuleId::SwissBye, "2009 WC, Preliminary 10", "The player at the bottom of the list has the bye."),
    rule(
        RuleId::SwissColour,
        "2009 WC, Preliminary 5 and 9",
        "Who has had a colour less often has it; else a coin decides.",
    ),
    rule(RuleId::FieldPlaces, "2009 WC, Tournament format", "The first eight of the Swiss play the final."),
    rule(
        RuleId::FieldSeeds,
        "2009 WC, Floating Double Elimination 1",
        "Seeds are the places in the Open Classic.",
    ),
    rule(
        RuleId::RoundRevoked,
        "2009 WC, Location of games",
        "A pairing is revoked only before its round has begun.",
    ),
    rule(
        RuleId::RoundOrder,
        "2009 WC, Floating Double Elimination 2",
        "A round is paired when every result before it is known.",
    ),
    rule(
        RuleId::RoundNeeded,
        "2009 WC, Floating Double Elimination 2",
        "Rounds are played until one player is left.",
    ),
    rule(
        RuleId::RoundPlayers,
        "2009 WC, Floating Double Elimination 2",
        "Everyone plays until they have lost twice.",
    ),
    rule(
        RuleId::ByeFewest,
        "2009 WC, Floating Double Elimination 3",
        "The bye goes to somebody with the fewest byes.",
    ),
    rule(
        RuleId::ByeChoice,
        "2009 WC, Floating Double Elimination 8 and 9",
        "The bye: fewest losses, best seed.",
    ),
    rule(
        RuleId::PairingBest,
        "2009 WC, Floating Double Elimination 3-11",
        "No pairing is better by the constraints in their order.",
    ),
    rule(
        RuleId::PairingOrder,
        "2009 WC, Floating Double Elimination 1",
        "The ranking is that of the preliminary.",
    ),
    rule(
        RuleId::Colour,
        "2009 WC, Floating Double Elimination 12",
        "Fewer Golds against this opponent, then a smaller share, then a coin.",
    ),
    rule(
        RuleId::PlayoffPair,
        "2009 WC, Tournament format, ties",
        "Playoffs break a tie of two, and of three for second.",
    ),
    rule(
        RuleId::PlayoffColour,
        "2009 WC, Tournament format, ties",
        "The colour played less often; else the lower ranked chooses.",
    ),
    rule(
        RuleId::AvailabilityWindow,
        "2009 WC, Time of games",
        "Players say within 24 hours when they can play.",
    ),
    rule(RuleId::ScheduleWindow, "2009 WC, Time of games", "Games begin between Tuesday and Sunday."),
    rule(RuleId::ScheduleSlot, "2009 WC, Time of games", "The time rests on what both players asked for."),
    rule(RuleId::NoticePairing, "2009 WC, Time of games", "Players are told of their opponents."),
    rule(RuleId::NoticeGameTime, "2009 WC, Time of games", "Players are told when they play."),
    rule(RuleId::ForfeitClaim, "2009 WC, Time of games", "Who is 15 minutes late loses by forfeit."),
    rule(
        RuleId::ForfeitRemoved,
        "2009 WC, Time of games",
        "Who forfeits plays no further rounds, unless an appeal is accepted.",
    ),
    rule(
        RuleId::ForfeitNoRematch,
        "2009 WC, Time of games",
        "Being late gives no rematch, whatever the reason.",
    ),
    rule(
        RuleId::RulingRematch,
        "2009 WC, Location of games",
        "A rematch only for a fault of the game server.",
    ),
    rule(
        RuleId::RulingNumber,
        "2009 WC, Time of games",
        "Rulings, disputes and appeals are numbered in order, and speak of what the record knows.",
    ),
    rule(
        RuleId::RulingReading,
        "2009 WC, Tournament format",
        "A reading that is ruled is one that the text allows.",
    ),
    rule(RuleId::RulingFrozen, "2009 WC, Location of games", "What later rounds rest on is not changed."),
    rule(
        RuleId::TimeControl,
        "2009 WC, Time controls",
        "60s/5m/75/0/4h/4m in the Swiss, 90s/5m/75/0/6h/5m in the final.",
    ),
    rule(
        RuleId::GameRules,
        "2009 WC, Preliminary 11 and Floating Double Elimination 13",
        "Games follow the Match Rules.",
    ),
    rule(RuleId::GameClock, "2009 WC, Time controls", "Clocks follow the time control."),
    rule(RuleId::GamePlayers, "2009 WC, Preliminary 9", "A game is played by its pair, with its colours."),
    rule(RuleId::ResultPaired, "2009 WC, Preliminary 6", "A result belongs to a pairing that stands."),
    rule(RuleId::ResultOnce, "2009 WC, Preliminary 6", "A pairing has one result."),
    rule(RuleId::ResultGame, "2009 WC, Preliminary 11", "A result is that of its game."),
    rule(RuleId::ResultDraw, "2009 WC, Preliminary 6", "Draws are not possible."),
    rule(
        RuleId::PrizeLeft,
        "2009 WC, Registration",
        "What is left of the fund is what came in less what went out.",
    ),
    rule(RuleId::PlaceChampion, "2009 WC, Floating Double Elimination 2", "The last one left is champion."),
    rule(
        RuleId::PlaceSecond,
        "2009 WC, Tournament format, ties",
        "Second place goes by games won, then playoffs.",
    ),
    rule(
        RuleId::PlaceThird,
        "2009 WC, Tournament format, ties",
        "Third place goes by games won, then a playoff.",
    ),
    rule(RuleId::PlaceTitle, "2009 WC, Overview", "The first is the World Champion."),
    rule(RuleId::Closed, "2009 WC, Tournament format", "After the close the record of play stands."),
];

/// The rulebook.
pub(super) fn rulebook() -> Rulebook {
    let swiss = "60s/5m/75/0/4h/4m";
    let last = "90s/5m/75/0/6h/5m";
    let playoff = |stage| StageRules {
        stage,
        format: Format::Playoff,
        time_control: Some(last),
        places: None,
        if_needed: true,
    };
    Rulebook {
        name: "wc-2009",
        edition: 1,
        title: "The 2009 Arimaa Open Classic and World Championship",
        game: GameKind::Arimaa,
        players: &[PlayerKind::Human],
        stages: vec![
            StageRules {
                stage: Stage::Swiss,
                format: Format::Swiss,
                time_control: Some(swiss),
                places: Some(8),
                if_needed: true,
            },
            StageRules {
                stage: Stage::Final,
                format: Format::Elimination(Rules::world_championship_2009()),
                time_control: Some(last),
                places: None,
                if_needed: false,
            },
            playoff(Stage::SecondPlayoff),
            playoff(Stage::ThirdPlayoff),
        ],
        fees: Some(Fees { registration: 2_000, refundable: 1_000, penalty: 0 }),
        currency: Some("USD"),
        series: Some("arimaa-wc"),
        title_won: Some("Arimaa World Champion"),
        contenders: 0,
        prizes: Prizes::None,
        lateness: Some(15 * MINUTE),
        availability_within: Some(DAY),
        invitation: None,
        program_run: None,
        hardware_price: None,
        hardware_speed: None,
        ban_years: None,
        rules: RULES,
        ambiguous: &[
            "T1",
            "T10",
            "T11",
            "T12",
            "T12_halves",
            "T13",
            "T14",
            "T15",
            "T23",
            "T28",
            "T29",
            "T30",
        ],
        readings: Readings::default(),
    }
}
