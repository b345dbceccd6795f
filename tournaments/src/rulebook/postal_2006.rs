//! The 2006 Postal Tournament: humans and programs, all games at once, all-play-all up to eleven players,
//! else the ring of ratings; fees shared by points.

use annals_events::tournament::Stage;
use annals_events::{GameKind, PlayerKind};

use super::value::{Format, Prizes, Rule, Rulebook, StageRules};

const RULES: &[Rule] = rules! {
    "2006 Postal":
    AnnouncementFirst "Tournament Rules" "A tournament is announced once, before anything else."
    AnnouncementRulebook "Tournament Rules" "The announcement names this rulebook in this edition."
    AnnouncementReadings "Tournament Rules" "The announcement records how every ambiguous text is read."
    AnnouncementTerms "Tournament Rules 1" "The announced terms are those of the rulebook."
    AnnouncementSchedule "Tournament Rules" "What opens opens before it closes, and no date moves once used."
    RegistrationKnown "Who can participate" "Whatever concerns a player concerns one who entered."
    RegistrationStanding "Who can participate" "Who is in can leave, and who is out can come back, once each."
    EligibilityKind "Who can participate" "Humans and programs take part."
    RegistrationWindow "Tournament Rules" "Entries are made before the games begin."
    RegistrationOnce "Tournament Rules" "A player enters once."
    RingPairing "Tournament Rules 3 and 4" "Up to eleven everyone meets; above, five neighbours on each side."
    RingOrder "Tournament Rules 4" "The order is by rating, then by name."
    RingColour "Tournament Rules 4"
        "Gold against the first on the right, then alternating; opposite, the lower rated."
    RoundRevoked "Special Rules for Bots" "A pairing is revoked only before its round has begun."
    RoundOrder "Tournament Rules 2" "All games are played simultaneously, in one round."
    TimeControl "Tournament Rules 1" "Games are played with 1d/80d/100/0/300d/21d."
    GameRules "Tournament Rules 5" "A game that is not over in time is scored."
    GameClock "Tournament Rules 1" "Clocks follow the time control."
    GamePlayers "Tournament Rules 4" "A game is played by its pair, with its colours."
    GameRated "Special Rules for Bots" "Games are rated."
    GameNoTakeBack "Special Rules for Bots" "No move is taken back."
    GameNoAdjournment "Special Rules for Bots" "No game is adjourned."
    HardwareLimit "Special Rules for Bots" "One computer that can be bought for 1,000 dollars."
    HardwareDeclared "Special Rules for Bots" "Hardware is declared before the start."
    HardwareUnchanged "Special Rules for Bots" "Hardware does not change after the start."
    DisqualificationCause "Special Rules for Humans and for Bots"
        "A disqualification has a cause that the record supports."
    ProgramFrozen "Special Rules for Bots" "A program changes only in an automated manner."
    ResultPaired "Tournament Rules 2" "A result belongs to a pairing in force."
    ResultOnce "Tournament Rules 2" "A pairing has one result."
    ResultGame "Tournament Rules 5" "A result is that of its game."
    DisputeEvidence "Special Rules for Bots" "The director reviews the evidence of a dispute."
    RulingNumber "Special Rules for Bots"
        "Rulings, disputes and appeals are numbered in order, and speak of what the record knows."
    RulingReading "Special Rules for Bots" "A reading that is ruled is one that the text allows."
    RulingFinal "Special Rules for Bots" "The director's decision is final."
    PrizeShare "Prize Distribution" "The fees are shared in proportion to points."
    PrizeLeft "Prize Distribution" "What is left of the pool is what came in less what went out."
    PlaceOrder "Prize Distribution" "Places go by points."
    Closed "Prize Distribution" "After the close the record of play is final."
};

const SINCE_EDITION_2: &[Rule] = rules! {
    "2006 Postal":
    HardwareSingle "Special Rules for Bots" "A program runs on one computer only."
    HumanDiscussion "Special Rules for Humans" "A player discusses neither the game nor a move with anyone else."
    HumanImitation "Special Rules for Humans"
        "A player does not imitate the moves from one game over to another game."
    HumanProgram "Special Rules for Humans" "A player has no computer program suggest or evaluate moves."
    GroundCited "Special Rules for Humans and for Bots"
        "A dispute and a disqualification cite rules of this rulebook that bind the player."
    GameLimit "Tournament Rules 1 and 5" "A game that reaches its limit ends by score at that instant."
    GameScore "Tournament Rules 5" "A game that is not over in time is scored by the Arimaa scoring method."
    GamePostal "Special Rules for Humans" "Games are postal games."
    GameUninterrupted "Special Rules for Bots" "A game is completed once it is started, and is not halted."
};

pub(super) fn rulebook(edition: u32) -> Rulebook {
    let title = "The 2006 Arimaa Postal Tournament";
    let players = &[PlayerKind::Human, PlayerKind::Bot];
    Rulebook {
        stages: vec![StageRules {
            time_control: Some("1d/80d/100/0/300d/21d"),
            ..StageRules::of(Stage::Ring, Format::Ring)
        }],
        series: Some("arimaa-postal"),
        prizes: Prizes::ByPoints,
        hardware_price: Some(100_000),
        ambiguous: &["T16", "T17", "T23", "T44", "T45"],
        ..Rulebook::plain("postal-2006", edition, title, GameKind::Arimaa, players, &[RULES, SINCE_EDITION_2])
    }
}
