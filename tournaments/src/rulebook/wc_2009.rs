//! The 2009 Open Classic and World Championship: humans only, a Swiss preliminary, a floating double elimination of the
//! first eight, playoffs for second and third place.

use annals_events::tournament::{Fees, Stage};
use annals_events::{GameKind, PlayerKind};

use super::{DAY, Format, MINUTE, Prizes, Readings, Rule, Rulebook, StageRules};
use crate::formats::elimination::Rules;

const RULES: &[Rule] = rules! {
    "2009 WC, Overview" {
        AnnouncementFirst "A tournament is announced once, before anything else."
        AnnouncementRulebook "The announcement names this rulebook in this edition."
        AnnouncementReadings "The announcement records how every ambiguous text is read."
    }
    "2009 WC, Time controls and Registration" {
        AnnouncementTerms "The announced terms are those of the rulebook."
    }
    "2009 WC, Registration" {
        AnnouncementSchedule "What opens opens before it closes, and no date moves once used."
        RegistrationKnown "Whatever concerns a player concerns one who entered."
        RegistrationStanding "Who is in can leave, and who is out can come back, once each."
    }
    "2009 WC, Overview" {
        EligibilityKind "Only humans take part."
    }
    "2009 WC, Registration" {
        RegistrationWindow "Entries are made before the deadline."
        RegistrationOnce "A player enters once."
        RegistrationFee "The fee is 20 dollars."
        RefundDue "10 dollars go back to those who neither forfeit, resign nor drop out."
    }
    "2009 WC, Preliminary 1" {
        SwissRounds "The number of players gives the number of rounds."
        SwissDeclared "The number of rounds is declared before the start."
    }
    "2009 WC, Preliminary 2 and 6" {
        SwissOrder "Points, opponents' scores, rating, lot make the order."
    }
    "2009 WC, Preliminary 6" {
        SwissLots "Lots are drawn at the start of each round, one for each player."
    }
    "2009 WC, Preliminary 3, 4, 7 and 8" {
        SwissPairing "The walk down the list makes the pairs."
    }
    "2009 WC, Preliminary 10" {
        SwissBye "The player at the bottom of the list has the bye."
    }
    "2009 WC, Preliminary 5 and 9" {
        SwissColour "Who has had a colour less often has it; else a coin decides."
    }
    "2009 WC, Tournament format" {
        FieldPlaces "The first eight of the Swiss play the final."
    }
    "2009 WC, Floating Double Elimination 1" {
        FieldSeeds "Seeds are the places in the Open Classic."
    }
    "2009 WC, Location of games" {
        RoundRevoked "A pairing is revoked only before its round has begun."
    }
    "2009 WC, Floating Double Elimination 2" {
        RoundOrder "A round is paired when every result before it is known."
        RoundNeeded "Rounds are played until one player is left."
        RoundPlayers "Everyone plays until they have lost twice."
    }
    "2009 WC, Floating Double Elimination 3" {
        ByeFewest "The bye goes to somebody with the fewest byes."
    }
    "2009 WC, Floating Double Elimination 8 and 9" {
        ByeChoice "The bye: fewest losses, best seed."
    }
    "2009 WC, Floating Double Elimination 3-11" {
        PairingBest "No pairing is better by the constraints in their order."
    }
    "2009 WC, Floating Double Elimination 1" {
        PairingOrder "The ranking is that of the preliminary."
    }
    "2009 WC, Floating Double Elimination 12" {
        Colour "Fewer Golds against this opponent, then a smaller share, then a coin."
    }
    "2009 WC, Tournament format, ties" {
        PlayoffPair "Playoffs break a tie of two, and of three for second."
        PlayoffColour "The colour played less often; else the lower ranked chooses."
    }
    "2009 WC, Time of games" {
        AvailabilityWindow "Players say within 24 hours when they can play."
        ScheduleWindow "Games begin between Tuesday and Sunday."
        ScheduleSlot "The time rests on what both players asked for."
        NoticePairing "Players are told of their opponents."
        NoticeGameTime "Players are told when they play."
        ForfeitClaim "Who is 15 minutes late loses by forfeit."
        ForfeitRemoved "Who forfeits plays no further rounds, unless an appeal is accepted."
        ForfeitNoRematch "Being late gives no rematch, whatever the reason."
    }
    "2009 WC, Location of games" {
        RulingRematch "A rematch only for a fault of the game server."
    }
    "2009 WC, Time of games" {
        RulingNumber "Rulings, disputes and appeals are numbered in order, and speak of what the record knows."
    }
    "2009 WC, Tournament format" {
        RulingReading "A reading that is ruled is one that the text allows."
    }
    "2009 WC, Location of games" {
        RulingFrozen "What later rounds rest on is not changed."
    }
    "2009 WC, Time controls" {
        TimeControl "60s/5m/75/0/4h/4m in the Swiss, 90s/5m/75/0/6h/5m in the final."
    }
    "2009 WC, Preliminary 11 and Floating Double Elimination 13" {
        GameRules "Games follow the Match Rules."
    }
    "2009 WC, Time controls" {
        GameClock "Clocks follow the time control."
    }
    "2009 WC, Preliminary 9" {
        GamePlayers "A game is played by its pair, with its colours."
    }
    "2009 WC, Preliminary 6" {
        ResultPaired "A result belongs to a pairing that stands."
        ResultOnce "A pairing has one result."
    }
    "2009 WC, Preliminary 11" {
        ResultGame "A result is that of its game."
    }
    "2009 WC, Preliminary 6" {
        ResultDraw "Draws are not possible."
    }
    "2009 WC, Registration" {
        PrizeLeft "What is left of the fund is what came in less what went out."
    }
    "2009 WC, Floating Double Elimination 2" {
        PlaceChampion "The last one left is champion."
    }
    "2009 WC, Tournament format, ties" {
        PlaceSecond "Second place goes by games won, then playoffs."
        PlaceThird "Third place goes by games won, then a playoff."
    }
    "2009 WC, Overview" {
        PlaceTitle "The first is the World Champion."
    }
    "2009 WC, Tournament format" {
        Closed "After the close the record of play stands."
    }
};

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
