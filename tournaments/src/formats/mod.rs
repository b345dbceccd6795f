//! What the rulebook asks for next, and how everybody stands, worked out from the events so far: the bridge between what
//! was recorded and the parts that know no events (pairing, colours, ratings, order).
//!
//! [`next_round`] is the round that the rules make of the record, with its proof; [`ranking`] is the order of the
//! tournament as its rulebook ranks it; [`places`] are the places as far as they are decided.

pub(crate) mod began;
mod due;
pub mod elimination;
pub mod encounters;
pub mod qualifier;
pub mod ring;
pub mod swiss;

use annals_events::tournament::{Measure, Placing, RoundPaired, Stage};
use annals_events::{Pairing, PlayerId};

use crate::formats::elimination::RoundPairing;
use crate::formats::encounters::OlympiadPairing;
use crate::formats::ring::RingDraw;
use crate::formats::swiss::SwissPairing;
use crate::history::Player;
use crate::refusal::{Refusal, Remedy};
use crate::rulebook::{Format, Rule, Rulebook};
use crate::state::Tournament;

pub(crate) use elimination::propose::{colours, equals, measures, playoff_due};
pub use swiss::propose::qualified as qualified_of_swiss;

pub(crate) use elimination::course::{Course, Gaps, course};
pub(crate) use elimination::finalists::is_first_of_final;

/// Who is meant by the numbers of the parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roster {
    players: Vec<PlayerId>,
}

impl Roster {
    /// Players by seed, the best first: number 0 is the first seed.
    #[must_use]
    pub fn new(players: Vec<PlayerId>) -> Roster {
        Roster { players }
    }

    /// All of them, the best seed first.
    #[must_use]
    pub fn players(&self) -> &[PlayerId] {
        &self.players
    }

    /// The number of a player; none for a stranger.
    #[must_use]
    pub fn number(&self, player: &PlayerId) -> Option<Player> {
        let at = self.players.iter().position(|known| known == player)?;
        u32::try_from(at).ok().map(Player)
    }

    /// The player of a number.
    #[must_use]
    pub fn id(&self, player: Player) -> Option<&PlayerId> {
        self.players.get(usize::try_from(player.0).ok()?)
    }
}

impl Roster {
    /// The name of a player; the number where there is none.
    #[must_use]
    pub fn name(&self, player: Player) -> String {
        self.id(player).map_or_else(|| player.to_string(), ToString::to_string)
    }

    /// A text of the parts, which know numbers only, with the names in their place.
    #[must_use]
    pub fn named(&self, text: &str) -> String {
        let mut named = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("player ") {
            let (before, after) = rest.split_at(at);
            let digits = after["player ".len()..].bytes().take_while(u8::is_ascii_digit).count();
            let (token, tail) = after.split_at("player ".len() + digits);
            let number = token["player ".len()..].parse().ok().map(Player);
            named.push_str(before);
            match number.and_then(|number| self.id(number)) {
                Some(player) => named.push_str(player.as_str()),
                None => named.push_str(token),
            }
            rest = tail;
        }
        named + rest
    }
}

/// What a round rests on.
#[derive(Debug, Clone)]
pub enum Proof {
    /// The least vector of criteria, with everything that is needed to ask why not otherwise.
    Elimination {
        /// Ranking, ratings, criteria, the best pairing.
        round: Box<RoundPairing>,
        /// Who the numbers are.
        roster: Roster,
    },
    /// The walk down the list.
    Swiss(Box<SwissPairing<PlayerId>>),
    /// A single game that breaks a tie.
    Playoff,
    /// The ring of ratings, or everyone against everyone.
    Ring(Box<RingDraw<PlayerId>>),
    /// Everyone against everyone, in encounters.
    AllPlayAll,
    /// The least vector, or the walk, over encounters.
    Encounters(Box<OlympiadPairing<PlayerId>>),
}

/// The round that follows from the rules.
#[derive(Debug, Clone)]
pub struct NextRound {
    /// The round as it is to be recorded: pairs, byes, order, measures, grounds, equals.
    pub paired: RoundPaired,
    /// Boards whose colours a coin decides, with the rule that asks for it.
    pub coins: Vec<(Pairing, Rule)>,
    /// Boards whose colours a player chooses, with the rule that lets them.
    pub choices: Vec<(Pairing, PlayerId, Rule)>,
    /// What it rests on.
    pub proof: Proof,
}

/// A line of the standings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The player.
    pub player: PlayerId,
    /// The rank by the rulebook's order, from 1; players level on everything share one.
    pub rank: u32,
    /// What it rests on, most important first, in the words of the rulebook.
    pub measures: Vec<Measure>,
    /// Whether the player is still in.
    pub active: bool,
}

/// The places as far as the rules decide them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// Who has which place, best first.
    pub placings: Vec<Placing>,
    /// Whether all places that the rulebook names are decided.
    pub decided: bool,
    /// What a ruling has to decide, in words, where the rules do not.
    pub ruling_needed: Option<String>,
}

/// The round that the rules make of the record. Published pairings of that round are not looked at: the question is what
/// should follow the rounds before it. `round` is the number that it will bear.
///
/// # Errors
/// When the record does not go so far (a result is missing, lots are not drawn, nobody has qualified), or the tournament
/// is over.
pub fn next_round(tournament: &Tournament, rulebook: &Rulebook) -> Result<NextRound, Refusal> {
    let stage = next_stage(tournament, rulebook)?;
    let Some(rules) = rulebook.stage(stage) else {
        return Err(Refusal::lacking(format!("the rulebook {} has no stage {stage}", rulebook.name)));
    };
    match &rules.format {
        Format::Qualifier { .. } => {
            Err(Refusal::lacking("the qualifier is not paired").hint(Remedy::Qualify))
        }
        Format::Swiss => swiss::propose::next_round(tournament, rulebook),
        Format::Elimination(_) | Format::Continuation | Format::Playoff => {
            elimination::propose::next_round(tournament, rulebook, stage)
        }
        Format::Ring => ring::propose::next_round(tournament, rulebook),
        Format::Encounters => encounters::propose::next_round(tournament, rulebook, stage),
    }
}

/// The stage to which the next round belongs.
///
/// # Errors
/// When no further round can be paired: a stage has to be concluded first, or the tournament is over.
pub fn next_stage(tournament: &Tournament, rulebook: &Rulebook) -> Result<Stage, Refusal> {
    due::next_stage(tournament, rulebook)
}

/// Everybody in the order of the rulebook.
///
/// # Errors
/// When the record contradicts itself.
pub fn ranking(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<Standing>, Refusal> {
    match due::ranked_by(tournament, rulebook) {
        None | Some(Format::Qualifier { .. }) => Ok(Vec::new()),
        Some(Format::Swiss) => swiss::propose::ranking(tournament, rulebook),
        Some(Format::Elimination(_) | Format::Continuation | Format::Playoff) => {
            elimination::ranking::ranking(tournament, rulebook)
        }
        Some(Format::Ring) => ring::propose::ranking(tournament, rulebook),
        Some(Format::Encounters) => encounters::propose::ranking(tournament, rulebook),
    }
}

/// The places as far as they are decided.
///
/// # Errors
/// When the record contradicts itself.
pub fn places(tournament: &Tournament, rulebook: &Rulebook) -> Result<Places, Refusal> {
    if crate::fund::is_without_players(tournament) {
        // Nobody takes part: there is no place to decide, and the tournament can be closed.
        return Ok(Places { decided: true, ..Places::default() });
    }
    match due::ranked_by(tournament, rulebook) {
        None | Some(Format::Qualifier { .. }) => Ok(Places::default()),
        Some(Format::Swiss) => swiss::propose::places(tournament, rulebook),
        Some(Format::Elimination(_) | Format::Continuation | Format::Playoff) => {
            elimination::places::places(tournament, rulebook)
        }
        Some(Format::Ring) => ring::propose::places(tournament, rulebook),
        Some(Format::Encounters) => encounters::propose::places(tournament, rulebook),
    }
}
