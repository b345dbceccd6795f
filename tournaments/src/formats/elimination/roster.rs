//! Who is meant by the numbers of the parts.

use annals_events::PlayerId;

use crate::history::Player;

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
