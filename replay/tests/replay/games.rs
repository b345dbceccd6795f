//! Legal games for tests and benchmarks: played at random by the rules themselves, the same for the same seed, with the
//! clock that the time control gives.

use annals_events::{
    Ended, GameEvent, GameKind, PlayerAtStart, PlayerKind, Side, Started, Termination, TurnTaken,
};
use annals_rules::arimaa::{Arimaa, Generator};
use annals_rules::clock::{Clock, TimeControl};
use annals_rules::game::{Game, Strictness};

pub const CONTROL: &str = "2/2/100/10/8";

/// A small generator of numbers that look random (xorshift).
pub struct Numbers(u64);

impl Numbers {
    pub fn from_seed(seed: u64) -> Numbers {
        Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

pub fn player(name: &str) -> PlayerAtStart<'static> {
    PlayerAtStart {
        name: name.to_owned().into(),
        player_id: Some(7),
        kind: Some(PlayerKind::Bot),
        rating: Some(1800),
        ..PlayerAtStart::default()
    }
}

pub fn started() -> Started<'static> {
    Started {
        game: GameKind::Arimaa,
        gold: player("anna"),
        silver: player("bela"),
        time_control: Some(CONTROL.into()),
        rated: true,
        postal: false,
        event: Some("Casual game".into()),
        site: None,
        position: None,
        pairing: None,
        attempt: None,
    }
}

pub fn setup(side: Side) -> &'static str {
    match side {
        Side::Gold => "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Da2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Dh2",
        Side::Silver => "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 da7 hb7 cc7 ed7 me7 cf7 hg7 dh7",
    }
}

/// A game of so many plies at most: its events, and for each the seconds since the one before.
pub fn play(seed: u64, plies: usize) -> Vec<(u32, GameEvent<'static>)> {
    let mut numbers = Numbers::from_seed(seed + 1);
    let mut game: Game<Arimaa> = Game::new(Strictness::Strict);
    let mut clock = Clock::new(TimeControl::parse(CONTROL).unwrap());
    let mut generator = Generator::new();
    let first = GameEvent::Started(Box::new(started()));
    let at = Some(1_600_000_000_000_000);
    game.apply(at, &first).unwrap();
    let mut events = vec![(0, first)];
    while game.plies().len() < plies && game.board_says().is_none() {
        let side = game.to_move().unwrap();
        let steps = if game.plies().len() < 2 {
            setup(side).to_owned()
        } else {
            let mut chosen = None;
            let mut seen = 0;
            let position = *game.state().unwrap().position();
            // One among the first few hundred: enough for variety, and quick.
            generator.for_each(&position, |_, turn| {
                seen += 1;
                if numbers.below(seen) == 0 {
                    chosen = Some(*turn);
                }
            });
            let Some(turn) = chosen else { break };
            turn.to_string()
        };
        let used = 5 + numbers.below(120) as u32;
        let was = clock;
        clock.charge(side, used, game.plies().len() < 2);
        let mut turn = TurnTaken::plain(game.expected_number().unwrap(), side, steps);
        turn.used = Some(used);
        turn.gold_reserve = Some(clock.figures().reserve(Side::Gold));
        turn.silver_reserve = Some(clock.figures().reserve(Side::Silver));
        turn.game_time = Some(clock.figures().game_time);
        let event = GameEvent::TurnTaken(turn);
        // A third repetition is forbidden: another turn is tried.
        if game.apply(at, &event).is_ok() {
            events.push((used, event));
        } else {
            clock = was;
        }
    }
    let ended = match game.board_says() {
        Some(outcome) => Ended {
            winner: outcome.winner,
            termination: Some(outcome.termination),
            stated: None,
            draw: outcome.winner.is_none(),
        },
        None => Ended {
            winner: game.to_move().map(Side::other),
            termination: Some(Termination::Resignation),
            stated: None,
            draw: false,
        },
    };
    events.push((3, GameEvent::Ended(ended)));
    events
}
