//! How the record of a game between programs begins, with real and simulated clocks.

use annals_events::{GameEvent, GameKind, PlayerAtStart, PlayerKind, Started};

/// Facts before the first turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beginning<'a> {
    pub game: GameKind,
    /// Gold's and Silver's.
    pub names: [&'a str; 2],
    pub time_control: Option<&'a str>,
    pub event: Option<&'a str>,
    pub site: Option<&'a str>,
    /// None for the default start.
    pub position: Option<&'a str>,
}

impl Beginning<'_> {
    /// The first event.
    pub fn started(&self) -> GameEvent<'static> {
        let player = |name: &str| PlayerAtStart {
            name: name.to_owned().into(),
            kind: Some(PlayerKind::Bot),
            ..PlayerAtStart::default()
        };
        let text = |text: Option<&str>| text.map(|text| text.to_owned().into());
        let [gold, silver] = self.names;
        GameEvent::Started(Box::new(Started {
            game: self.game,
            gold: player(gold),
            silver: player(silver),
            time_control: text(self.time_control),
            rated: false,
            postal: false,
            event: text(self.event),
            site: text(self.site),
            position: text(self.position),
            pairing: None,
            attempt: None,
        }))
    }
}
