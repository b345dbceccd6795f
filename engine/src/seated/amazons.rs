use std::sync::atomic::AtomicBool;

use annals_events::{GameKind, Side, Termination};
use annals_rules::amazons::{Amazons, Illegal, Move, Position};
use annals_rules::clock::Clock;
use annals_rules::game::{Game, Strictness};

use super::{Chosen, Exact, Seated, Thought};
use crate::amazons::{Kind, Player, Registry, Settings};
use crate::evaluation::UnknownEvaluator;
use crate::player::Noise;
use crate::search::{Limits, TableTooLarge};
use crate::settings_text;

impl Seated for Settings {
    type Rules = Amazons;
    type Player = Player;
    type Registry = Registry;
    const KIND: GameKind = GameKind::Amazons;
    const SETUPS: u64 = 0;
    const ENDS: bool = true;

    super::alike!();

    fn needs_no_limit(&self) -> bool {
        self.kind != Kind::Searcher
    }

    fn for_a_match() -> Settings {
        Settings { limits: Limits::default(), ..Settings::default() }
    }

    fn for_selfplay() -> Settings {
        Settings { hash_mib: 4, noise: Noise { turns: 1, per_mille: 1000 }, ..Settings::default() }
    }

    fn player_name(&self) -> String {
        settings_text::amazons_player_name(self)
    }

    fn choose_within(
        player: &mut Player,
        game: &Game<Amazons>,
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(Thought),
    ) -> Option<Chosen> {
        let choice = player.choose_within(game, limits, stop, &mut |info| report(Thought::of(info)))?;
        let thought = choice.found.as_ref().map(|found| Thought::of(&found.info));
        Some(Chosen { turn: (!choice.resigns).then(|| choice.chosen.to_string()), thought })
    }

    fn exact(game: &Game<Amazons>, text: &str, _strictness: Strictness) -> Result<Exact, Illegal> {
        let played = Move::parse(text.trim().as_bytes())?;
        let position = game.state().copied().unwrap_or_else(Position::start);
        position.play(played)?;
        Ok(Exact { text: played.to_string(), misstated: false })
    }

    fn position_words(state: &Position) -> (String, String) {
        let side = state.to_move().letter_in(GameKind::Amazons).to_string();
        let text = state.to_string();
        let board = text.split_once(' ').map_or(text.as_str(), |(_, board)| board);
        (side, board.to_owned())
    }

    fn over(
        game: &Game<Amazons>,
        _clock: Option<&Clock>,
        _most_turns: Option<u32>,
    ) -> Option<(Option<Side>, Termination)> {
        game.board_says().map(|outcome| (outcome.winner, outcome.termination))
    }
}
