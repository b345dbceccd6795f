use std::sync::atomic::AtomicBool;

use annals_events::{GameKind, Side, Termination, TurnTaken};
use annals_rules::arimaa::{Action, Arimaa, Illegal, Phase, Position, Square, State, Token, Turn, TurnKind};
use annals_rules::clock::Clock;
use annals_rules::game::{Game, Strictness};
use annals_rules::scoring::Score;

use super::{Chosen, Exact, Seated, Thought, begun};
use crate::evaluation::{Registry, UnknownEvaluator};
use crate::player::{Noise, Player, Settings, SetupStyle};
use crate::search::{Limits, TableTooLarge};
use crate::settings_text;

impl Seated for Settings {
    type Rules = Arimaa;
    type Player = Player;
    type Registry = Registry;
    const KIND: GameKind = GameKind::Arimaa;
    const SETUPS: u64 = 2;
    const ENDS: bool = false;

    super::alike!();

    fn for_a_match() -> Settings {
        Settings { setup: SetupStyle::Varied, limits: Limits::default(), ..Settings::default() }
    }

    fn for_selfplay() -> Settings {
        Settings {
            limits: Limits::nodes(2_000),
            hash_mib: 4,
            setup: SetupStyle::Random,
            noise: Noise { turns: 6, per_mille: 200 },
            ..Settings::default()
        }
    }

    fn player_name(&self) -> String {
        settings_text::player_name(self)
    }

    fn choose_within(
        player: &mut Player,
        game: &Game<Arimaa>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(Thought),
    ) -> Option<Chosen> {
        let choice = player.choose_within(game, limits, stop, &mut |info| report(Thought::of(info)))?;
        let thought = choice.found.as_ref().map(|found| Thought::of(&found.info));
        Some(Chosen { turn: Some(choice.turn.to_string()), thought })
    }

    fn is_setup(game: &Game<Arimaa>) -> bool {
        game.state().is_some_and(|state| matches!(state.phase(), Phase::GoldSetup | Phase::SilverSetup))
    }

    /// Setups have to be complete.
    fn exact(game: &Game<Arimaa>, text: &str, strictness: Strictness) -> Result<Exact, Illegal> {
        let turn = Turn::parse(text.as_bytes())?;
        let Some(mut state) = game.state().copied() else { return Err(Illegal::Empty) };
        let setup = Settings::is_setup(game);
        let written = if turn.kind() == TurnKind::Steps && !setup { state.normal_text(&turn)? } else { turn };
        let strictness = if setup { Strictness::Strict } else { strictness };
        let played = state.play_turn(&turn, strictness, |hash| game.occurrences(hash))?;
        Ok(Exact { text: written.to_string(), misstated: played.captures_misstated })
    }

    /// The protocol has `g` and `s`, and a space for an empty square.
    fn position_words(state: &State) -> (String, String) {
        let position = state.position();
        let board = format!("[{}]", position.board().to_short().replace('.', " "));
        (position.to_move().letter().to_string(), board)
    }

    /// The empty board is a new game; with Gold's setup only, Silver sets up next.
    fn game_from(side: &str, board: &str) -> Result<Game<Arimaa>, String> {
        let text = format!("{side} {board}");
        let game = begun::<Settings>(Some(text.clone()))?;
        let Ok(position) = text.parse::<Position>() else { return Ok(game) };
        match position.to_move() {
            Side::Gold if position.board().taken() == 0 => begun::<Settings>(None),
            Side::Silver if position.board().occupied(Side::Silver) == 0 => {
                let mut new = begun::<Settings>(None)?;
                let setup = placed(&position);
                let turn = TurnTaken::plain(1, Side::Gold, setup.to_string());
                // Gold's pieces not as in a setup: an ordinary position.
                let taken = new.apply(None, &annals_events::GameEvent::TurnTaken(turn));
                Ok(if taken.is_ok() { new } else { game })
            }
            _ => Ok(game),
        }
    }

    fn over(
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
}

/// As a setup.
fn placed(position: &Position) -> Turn {
    let mut turn = Turn::EMPTY;
    for square in Square::all() {
        if let Some((side, piece)) = position.board().piece_at(square) {
            turn.push(Token::new(side, piece, square, Action::Place));
        }
    }
    turn
}
