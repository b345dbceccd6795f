//! Encounters and their games, as plain values.

use annals_events::Side;
use annals_events::tournament::Outcome;

use super::reading::UnfinishedTerritory;
use crate::standings::half_points;

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The loser could not move: the game was played out.
    NoMoves,
    /// The loser's time was up.
    Time,
    /// The loser resigned.
    Resignation,
    /// Somebody was absent.
    Forfeit,
    /// By a ruling.
    Ruling,
    /// Nobody says how.
    Unsaid,
}

/// A game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OlympiadGame<P> {
    /// Who has White.
    pub white: P,
    /// Who has Black.
    pub black: P,
    /// How it came out, White in Gold's place; none while it is open.
    pub outcome: Option<Outcome>,
    /// How it ended.
    pub ending: Ending,
    /// The winner's territory in the position in which it ended, in squares; none where it is not known.
    pub territory: Option<u32>,
    /// Whether a ruling gave that territory.
    pub territory_ruled: bool,
}

impl<P: PartialEq> OlympiadGame<P> {
    /// The half points of one of the two; none while the game is open, nothing was decided, or for any other player.
    #[must_use]
    pub fn half_points(&self, player: &P) -> Option<u32> {
        let side = if self.white == *player {
            Side::Gold
        } else if self.black == *player {
            Side::Silver
        } else {
            return None;
        };
        half_points(self.outcome?, side)
    }

    /// Whether the territory counts: the game was played out, or its territory ruled, or the reading takes any position in which
    /// a game ended. One of which nobody says how it ended may have been played out.
    #[must_use]
    pub fn territory_counts(&self, reading: UnfinishedTerritory) -> bool {
        self.territory_ruled
            || match self.ending {
                Ending::NoMoves | Ending::Unsaid => true,
                Ending::Time | Ending::Resignation => reading == UnfinishedTerritory::AsItStands,
                Ending::Forfeit | Ending::Ruling => false,
            }
    }

    /// The territory as far as it is known. Squares without a word of how the game ended say nothing, unless every position
    /// counts in which one ends.
    #[must_use]
    pub fn known_territory(&self, reading: UnfinishedTerritory) -> Option<u32> {
        let told = self.territory_ruled
            || self.ending != Ending::Unsaid
            || reading == UnfinishedTerritory::AsItStands;
        self.territory.filter(|_| told)
    }
}

/// An encounter of two: two games with colours reversed. Fewer games are an encounter under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encounter<P> {
    /// The two.
    pub pair: (P, P),
    /// The games.
    pub games: Vec<OlympiadGame<P>>,
}

/// A round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OlympiadRound<P> {
    /// The encounters.
    pub encounters: Vec<Encounter<P>>,
    /// Who has the bye; in an all-play-all nobody, since resting is worth nothing.
    pub bye: Option<P>,
}
