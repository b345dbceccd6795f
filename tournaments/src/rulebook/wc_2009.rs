//! The 2009 Open Classic and World Championship: humans, a Swiss preliminary, a floating double elimination
//! of eight, playoffs for second and third place.

use annals_events::tournament::{Fees, Milestone, Stage};
use annals_events::{GameKind, Micros, PlayerKind};

use super::value::{Format, Rule, Rulebook, StageRules, eastern};
use crate::formats::elimination::Rules;
use crate::state::calendar::{DAY, MINUTE};

const RULES: &[Rule] = rules! {
    "2009 WC":
    AnnouncementFirst "Overview" "A tournament is announced once, before anything else."
    AnnouncementRulebook "Overview" "The announcement names this rulebook in this edition."
    AnnouncementReadings "Overview" "The announcement records how every ambiguous text is read."
    AnnouncementTerms "Time controls and Registration" "The announced terms are those of the rulebook."
    AnnouncementSchedule "Registration" "What opens opens before it closes, and no date moves once used."
    RegistrationKnown "Registration" "Whatever concerns a player concerns one who entered."
    RegistrationStanding "Registration" "Who is in can leave, and who is out can come back, once each."
    EligibilityKind "Overview" "Only humans take part."
    RegistrationWindow "Registration" "Entries are made before the deadline."
    RegistrationOnce "Registration" "A player enters once."
    RegistrationFee "Registration" "The fee is 20 dollars."
    RefundDue "Registration"
        "10 dollars go back to those who do not forfeit, resign or drop out of the tournament."
    SwissRounds "Preliminary 1" "The number of players gives the number of rounds."
    SwissDeclared "Preliminary 1" "The number of rounds is declared before the start."
    SwissOrder "Preliminary 2 and 6" "Points, opponents' scores, rating, lot make the order."
    SwissLots "Preliminary 6" "Lots are drawn at the start of each round, one for each player."
    SwissPairing "Preliminary 3, 4, 7 and 8" "The walk down the list makes the pairs."
    SwissBye "Preliminary 10" "The player at the bottom of the list has the bye."
    SwissColour "Preliminary 5 and 9" "Who has had a colour less often has it; else a coin decides."
    FieldPlaces "Tournament format" "The first eight of the Swiss play the final."
    FieldSeeds "Floating Double Elimination 1" "Seeds follow the performance in the Open Classic."
    RoundRevoked "Location of games" "A pairing is revoked only before its round has begun."
    RoundOrder "Floating Double Elimination 2" "A round is paired when every result before it is known."
    RoundNeeded "Floating Double Elimination 2" "Rounds are played until one player is left."
    RoundPlayers "Floating Double Elimination 2" "Everyone plays until they have lost twice."
    ByeFewest "Floating Double Elimination 3" "The bye goes to a player with the fewest byes."
    ByeChoice "Floating Double Elimination 8 and 9" "The bye: fewest losses, best seed."
    PairingBest "Floating Double Elimination 3-11" "No pairing is better by the constraints in their order."
    PairingOrder "Floating Double Elimination 1" "The ranking is that of the preliminary."
    Colour "Floating Double Elimination 12"
        "Fewer Golds against this opponent, then a smaller share, then a coin."
    PlayoffPair "Tournament format, ties" "Playoffs break a tie of two, and of three for second."
    PlayoffColour "Tournament format, ties" "The colour played less often; else the lower ranked chooses."
    AvailabilityWindow "Time of games" "Players say within 24 hours when they can play."
    ScheduleWindow "Time of games" "Games begin between Tuesday and Sunday."
    ScheduleSlot "Time of games" "The time rests on what both players asked for."
    NoticePairing "Time of games" "Players are told of their opponents."
    NoticeGameTime "Time of games" "Players are told when they play."
    ForfeitClaim "Time of games" "Who is 15 minutes late loses by forfeit."
    ForfeitRemoved "Time of games" "Who forfeits plays no further rounds, unless an appeal is accepted."
    ForfeitNoRematch "Time of games" "Being late gives no rematch, whatever the reason."
    RulingRematch "Location of games" "A rematch only for a fault of the game server."
    RulingNumber "Time of games"
        "Rulings, disputes and appeals are numbered in order, and speak of what the record knows."
    RulingReading "Tournament format" "A reading that is ruled is one that the text allows."
    RulingFrozen "no paragraph (T50)"
        "The text is silent; by analogy with 2015, what later rounds rest on is not changed."
    TimeControl "Time controls" "60s/5m/75/0/4h/4m in the Swiss, 90s/5m/75/0/6h/5m in the final."
    GameRules "Preliminary 11 and Floating Double Elimination 13" "Games follow the Match Rules."
    GameClock "Time controls" "Clocks follow the time control."
    GamePlayers "Preliminary 9" "A game is played by its pair, with its colours."
    ResultPaired "Preliminary 6" "A result belongs to a pairing in force."
    ResultOnce "Preliminary 6" "A pairing has one result."
    ResultGame "Preliminary 11" "A result is that of its game."
    ResultDraw "Preliminary 6" "Draws are not possible."
    PrizeLeft "Registration" "What is left of the fund is what came in less what went out."
    PlaceChampion "Floating Double Elimination 2" "The last one left is champion."
    PlaceSecond "Tournament format, ties" "Second place goes by games won, then playoffs."
    PlaceThird "Tournament format, ties" "Third place goes by games won, then a playoff."
    PlaceTitle "Overview" "The first is the World Champion."
    Closed "Tournament format" "After the close the record of play is final."
};

const PUBLISHED: &[(Milestone, Micros)] = &[
    (Milestone::RegistrationCloses, eastern(2009, 1, 2, 18)),
    (Milestone::PairingPublished, eastern(2009, 1, 4, 20)),
    (Milestone::PlayBegins, eastern(2009, 1, 6, 0)),
];

const SINCE_EDITION_2: &[Rule] = rules! {
    "2009 WC":
    RoundWeekly "Time of games" "One game a week: pairings are published on Sunday from 8pm EST."
    ScheduleFixed "Time of games" "Times are fixed on Monday from 8pm EST, from Tuesday, January 6th, on."
    ScheduleBegin "Time of games" "A game begins in its week, at the time that was fixed."
    PrizeGift "Notes 1" "A gift certificate is for one player, and is not transferable."
    GameLimit "Time controls" "A game that reaches its limit ends by score at that instant."
};

pub(super) fn rulebook(edition: u32) -> Rulebook {
    let title = "The 2009 Arimaa Open Classic and World Championship";
    let time_control = Some("90s/5m/75/0/6h/5m");
    let playoff =
        |stage| StageRules { time_control, if_needed: true, ..StageRules::of(stage, Format::Playoff) };
    let elimination = Format::Elimination(Rules::world_championship_2009());
    Rulebook {
        stages: vec![
            StageRules {
                time_control: Some("60s/5m/75/0/4h/4m"),
                places: Some(8),
                if_needed: true,
                ..StageRules::of(Stage::Swiss, Format::Swiss)
            },
            StageRules { time_control, ..StageRules::of(Stage::Final, elimination) },
            playoff(Stage::SecondPlayoff),
            playoff(Stage::ThirdPlayoff),
        ],
        fees: Some(Fees { registration: 2_000, refundable: 1_000, penalty: 0 }),
        currency: Some("USD"),
        series: Some("arimaa-wc"),
        title_won: Some("Arimaa World Champion"),
        lateness: Some(15 * MINUTE),
        availability_within: Some(DAY),
        published: PUBLISHED,
        ambiguous: &[
            "T1", "T10", "T11", "T12", "T12_halves", "T13", "T14", "T15", "T23", "T28", "T29", "T30", "T34",
            "T35", "T42", "T43", "T45", "T48", "T50",
        ],
        ..Rulebook::plain(
            "wc-2009",
            edition,
            title,
            GameKind::Arimaa,
            &[PlayerKind::Human],
            &[RULES, SINCE_EDITION_2],
        )
    }
}
