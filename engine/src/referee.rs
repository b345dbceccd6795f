//! What is the same wherever our program is the referee, under a real clock and under a simulated one: how the record of a game
//! between programs begins, and when such a game is over.

use annals_events::{GameEvent, GameKind, PlayerAtStart, PlayerKind, Side, Started, Termination};
use annals_rules::arimaa::Arimaa;
use annals_rules::clock::Clock;
use annals_rules::game::Game;
use annals_rules::scoring::Score;

/// What is said of a game between programs before its first turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beginning<'a> {
    /// Which game.
    pub game: GameKind,
    /// Gold's name and Silver's.
    pub names: [&'a str; 2],
    /// The time control, where there is one.
    pub time_control: Option<&'a str>,
    /// The event.
    pub event: Option<&'a str>,
    /// Where it is played.
    pub site: Option<&'a str>,
    /// The position from which it starts; none for the usual start.
    pub position: Option<&'a str>,
}

impl Beginning<'_> {
    /// The event with which the record begins.
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

/// Who has won, and how, if the game is over: by the board, or by the score where it has reached its length, which the clock
/// says, or a number of turns of each side. The clock may be charged with a turn already that the game does not hold.
pub(crate) fn over(
    game: &Game<Arimaa>,
    clock: Option<&Clock>,
    most_turns: Option<u32>,
) -> Option<(Option<Side>, Termination)> {
    if let Some(outcome) = game.board_says() {
        return Some((outcome.winner, outcome.termination));
    }
    let plies = game.plies().len() as u64;
    let long_enough = most_turns.is_some_and(|most| plies >= 2 * u64::from(most))
        || game.limit_reached()
        || clock.is_some_and(Clock::game_limit_reached);
    match long_enough.then(|| game.score()) {
        Some(Score::Won(winner)) => Some((Some(winner), Termination::Score)),
        _ => None,
    }
}
