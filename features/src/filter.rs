//! Which games and positions are in a table. The default is the paper's choice: both players rated at
//! least 1800, games that ended by goal, immobilization, elimination or resignation, no corrupt records, and of each game the
//! last 160 positions. The floor is for people's ratings: games that were generated have none, so it does not hold for them.

use std::fmt;

use annals_events::{GameKind, PlayerKind, Termination};
use annals_ingest::game_record::Header;

use crate::error::FeatureError;

/// The endings that the paper takes.
pub const PAPER_ENDINGS: [Termination; 4] =
    [Termination::Goal, Termination::Immobilization, Termination::Elimination, Termination::Resignation];

/// The rating that the paper asks of both players.
pub const PAPER_RATING: i32 = 1_800;

/// How many positions of a game the paper takes, from the end.
pub const PAPER_POSITIONS: u32 = 160;

/// Whose games are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Players {
    #[default]
    Any,
    /// Those of two people.
    Humans,
    /// Those of two programs.
    Bots,
}

/// Whether generated games are taken: those of self-play and of synthetic archives, which state it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Generated {
    /// Like all others.
    #[default]
    With,
    /// They are left out.
    Without,
    /// They alone are taken.
    Only,
}

/// Which games and positions stand in a table; the default is the paper's choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// The endings that are taken.
    pub endings: Vec<Termination>,
    /// The least rating of both players; games that were generated need none.
    pub rating_floor: Option<i32>,
    /// How many positions of a game are taken, from the end; none takes all of them.
    pub max_height: Option<u32>,
    /// Only rated games.
    pub rated_only: bool,
    /// Whose games.
    pub players: Players,
    /// Whether generated games are taken.
    pub generated: Generated,
    /// Also records that the gameroom marked as corrupt.
    pub corrupt: bool,
    /// Also the board after Gold's setup, on which Silver has no pieces yet.
    pub setup: bool,
    /// Also rows of games that came before.
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
    /// It cannot be read as a row.
    Unreadable,
    /// It is a game of another kind than the table is of.
    OtherGame,
    /// A row of this game came before.
    Duplicate,
    /// The gameroom marked it as corrupt.
    Corrupt,
    /// It ended in another way.
    Ending,
    /// No player won, or the winner is unknown.
    NoWinner,
    /// Somebody is rated below the floor, or not at all.
    Rating,
    /// It was not rated.
    Unrated,
    Players,
    /// It was generated, or it was not.
    Generated,
    /// A turn of it is against the rules, so what came after is not known for certain, nor how far the end was.
    Illegal,
    /// It has fewer than two plies.
    Short,
    /// None of its positions is selected.
    NoPosition,
}

impl LeftOut {
    /// All of them, in the order in which they are looked at.
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

    /// A short stable word for it.
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

    /// Why a row is left out, by what its columns say; none where its game is taken.
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

/// The filter in words, as it stands in the table's description.
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
