//! Selects games and positions. The default is the paper's choice: both players rated at least 1800, ended by goal,
//! immobilization, elimination or resignation, no corrupt records, the last 160 positions of each game. Generated games
//! have no ratings, so the floor does not apply to them.

use std::fmt;

use annals_events::{GameKind, PlayerKind, Termination};
use annals_ingest::game_record::Header;

use crate::error::FeatureError;

/// The endings that the paper takes.
pub const PAPER_ENDINGS: [Termination; 4] =
    [Termination::Goal, Termination::Immobilization, Termination::Elimination, Termination::Resignation];

/// Of the paper, for both players.
pub const PAPER_RATING: i32 = 1_800;

/// Of the paper, from the end of a game.
pub const PAPER_POSITIONS: u32 = 160;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Players {
    #[default]
    Any,
    /// Two humans.
    Humans,
    /// Two programs.
    Bots,
}

/// Generated games: self-play and synthetic archives, as they state themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Generated {
    /// As others.
    #[default]
    With,
    /// Excluded.
    Without,
    /// Only these.
    Only,
}

/// The default is the paper's choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    pub endings: Vec<Termination>,
    /// Of both players, except in generated games.
    pub rating_floor: Option<i32>,
    /// Positions from the end; none for all.
    pub max_height: Option<u32>,
    pub rated_only: bool,
    pub players: Players,
    pub generated: Generated,
    /// Includes records marked as corrupt by the gameroom.
    pub corrupt: bool,
    /// Includes the board after Gold's setup, without Silver's pieces.
    pub setup: bool,
    /// Includes repeated games.
    pub duplicates: bool,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            endings: PAPER_ENDINGS.to_vec(),
            rating_floor: Some(PAPER_RATING),
            max_height: Some(PAPER_POSITIONS),
            rated_only: false,
            players: Players::Any,
            generated: Generated::With,
            corrupt: false,
            setup: true,
            duplicates: false,
        }
    }
}

/// Endings by their names or the archive's letters.
///
/// # Errors
/// When there is no such ending.
pub fn endings(names: &[String]) -> Result<Vec<Termination>, FeatureError> {
    let mut endings = Vec::new();
    for name in names {
        let is_named = |ending: &Termination| {
            name == ending.word() || (name.len() == 1 && name.starts_with(ending.archive_letter()))
        };
        let ending = Termination::ALL.into_iter().find(is_named);
        let ending = ending.ok_or_else(|| FeatureError::NoSuchEnding { name: name.clone() })?;
        if !endings.contains(&ending) {
            endings.push(ending);
        }
    }
    Ok(endings)
}

/// Why a row gives no positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LeftOut {
    Unreadable,
    /// Of the other game.
    OtherGame,
    /// A repeated game.
    Duplicate,
    /// Marked by the gameroom.
    Corrupt,
    /// Another ending.
    Ending,
    /// No winner, or an unknown one.
    NoWinner,
    /// Below the floor, or missing.
    Rating,
    Unrated,
    Players,
    /// Excluded by the choice of generated games.
    Generated,
    /// An illegal turn: later positions and the distance to the end are unknown.
    Illegal,
    /// Fewer than two plies.
    Short,
    /// No selected position.
    NoPosition,
}

impl LeftOut {
    /// In the order of checks.
    pub const ALL: [LeftOut; 13] = [
        LeftOut::Unreadable,
        LeftOut::OtherGame,
        LeftOut::Duplicate,
        LeftOut::Corrupt,
        LeftOut::Ending,
        LeftOut::NoWinner,
        LeftOut::Rating,
        LeftOut::Unrated,
        LeftOut::Players,
        LeftOut::Generated,
        LeftOut::Illegal,
        LeftOut::Short,
        LeftOut::NoPosition,
    ];

    /// Stable.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            LeftOut::Unreadable => "unreadable",
            LeftOut::OtherGame => "other_game",
            LeftOut::Duplicate => "duplicate",
            LeftOut::Corrupt => "corrupt",
            LeftOut::Ending => "ending",
            LeftOut::NoWinner => "no_winner",
            LeftOut::Rating => "rating",
            LeftOut::Unrated => "unrated",
            LeftOut::Players => "players",
            LeftOut::Generated => "generated",
            LeftOut::Illegal => "illegal_turn",
            LeftOut::Short => "too_short",
            LeftOut::NoPosition => "no_position",
        }
    }
}

impl Filter {
    /// The default of a game: the paper's choice for Arimaa; no rating is required for the Amazons.
    #[must_use]
    pub fn of_game(game: GameKind) -> Filter {
        let rating_floor = (game == GameKind::Arimaa).then_some(PAPER_RATING);
        Filter { rating_floor, ..Filter::default() }
    }

    /// Every game with a known winner, of any players and with any ending, from the first position on.
    #[must_use]
    pub fn everything() -> Filter {
        Filter {
            endings: Termination::ALL.to_vec(),
            rating_floor: None,
            max_height: None,
            corrupt: true,
            ..Filter::default()
        }
    }

    /// Why a row is excluded by its columns, if it is.
    #[must_use]
    pub fn refuses(&self, header: &Header<'_>, generated: bool) -> Option<LeftOut> {
        let kind = |wanted| header.gold.kind == Some(wanted) && header.silver.kind == Some(wanted);
        let rated_enough =
            |floor| [header.gold.rating, header.silver.rating].iter().all(|r| r.is_some_and(|r| r >= floor));
        if header.corrupt && !self.corrupt {
            return Some(LeftOut::Corrupt);
        }
        if !header.termination.is_some_and(|ending| self.endings.contains(&ending)) {
            return Some(LeftOut::Ending);
        }
        if header.result.winner().is_none() {
            return Some(LeftOut::NoWinner);
        }
        if self.rating_floor.is_some_and(|floor| !generated && !rated_enough(floor)) {
            return Some(LeftOut::Rating);
        }
        if self.rated_only && header.rated != Some(true) {
            return Some(LeftOut::Unrated);
        }
        let players = match self.players {
            Players::Any => true,
            Players::Humans => kind(PlayerKind::Human),
            Players::Bots => kind(PlayerKind::Bot),
        };
        if !players {
            return Some(LeftOut::Players);
        }
        let wanted = match self.generated {
            Generated::With => true,
            Generated::Without => !generated,
            Generated::Only => generated,
        };
        (!wanted).then_some(LeftOut::Generated)
    }
}

/// For the table's description.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endings: Vec<&str> = self.endings.iter().map(|ending| ending.word()).collect();
        write!(f, "ending {}", endings.join(" or "))?;
        match self.rating_floor {
            Some(floor) => write!(f, "; both ratings at least {floor} (generated games: any)")?,
            None => write!(f, "; any ratings")?,
        }
        match self.max_height {
            Some(most) => write!(f, "; the last {most} positions of a game")?,
            None => write!(f, "; all positions of a game")?,
        }
        if self.rated_only {
            write!(f, "; rated games only")?;
        }
        match self.players {
            Players::Any => {}
            Players::Humans => write!(f, "; people against people")?,
            Players::Bots => write!(f, "; programs against programs")?,
        }
        match self.generated {
            Generated::With => {}
            Generated::Without => write!(f, "; no generated games")?,
            Generated::Only => write!(f, "; generated games only")?,
        }
        write!(f, "; corrupt records {}", if self.corrupt { "in" } else { "out" })?;
        if !self.setup {
            write!(f, "; without the board after Gold's setup")?;
        }
        if self.duplicates {
            write!(f, "; games that come twice counted twice")?;
        }
        Ok(())
    }
}
