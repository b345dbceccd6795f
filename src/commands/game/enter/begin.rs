//! The start of a game that belongs to no tournament.

use annals_events::{GameEvent, GameKind, PlayerAtStart, Started};
use annals_rules::amazons::Position;
use annals_rules::clock::TimeControl;

/// How a new game begins.
#[derive(Debug, clap::Args)]
pub struct NewGame {
    /// Begin a new game that belongs to no tournament: `amazons` or `arimaa`.
    #[arg(long, value_name = "KIND")]
    new: Option<GameKind>,

    /// Who has the first move: White, or Gold.
    #[arg(long, value_name = "NAME", requires = "new")]
    first: Option<String>,

    /// Who has the second: Black, or Silver.
    #[arg(long, value_name = "NAME", requires = "new")]
    second: Option<String>,

    /// The time control: `game 30m` for all moves, or the gameroom's `2/2/100/10/8`.
    #[arg(long, value_name = "CONTROL", requires = "new", value_parser = control)]
    time_control: Option<String>,

    /// The position to begin from, as a text; the usual one where it is not given.
    #[arg(long, value_name = "POSITION", requires = "new")]
    position: Option<String>,
}

impl NewGame {
    /// Whether a game is to begin.
    pub fn is_asked_for(&self) -> bool {
        self.new.is_some()
    }

    /// Who could not move in the position to begin from: then the game is over before it begins, and no event could end it.
    pub fn decided_against(&self) -> Option<&'static str> {
        let position: Position = match self.new? {
            GameKind::Amazons => self.position.as_deref()?.parse().ok()?,
            GameKind::Arimaa => return None,
        };
        position.score().map(|(winner, _)| winner.other().name_in(GameKind::Amazons))
    }

    /// The start of the game; none where none is asked for.
    pub fn start(&self) -> Option<GameEvent<'static>> {
        let player = |name: &Option<String>| PlayerAtStart {
            name: name.clone().unwrap_or_default().into(),
            ..PlayerAtStart::default()
        };
        Some(GameEvent::Started(Box::new(Started {
            gold: player(&self.first),
            silver: player(&self.second),
            time_control: self.time_control.clone().map(Into::into),
            ..Started::plain(self.new?, self.position.clone().map(Into::into))
        })))
    }
}

fn control(text: &str) -> Result<String, String> {
    text.parse::<TimeControl>().map(|control| control.to_string()).map_err(|e| e.to_string())
}
