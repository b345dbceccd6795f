//! A director's desk: where a tournament is recorded while it is played, in memory or in a log.

use annals_events::{BoardId, GameEvent, GameId, Micros, PlayerId, Side, Termination, TournamentEvent};
use annals_rules::any_game::AnyGame;
use annals_rules::game::Game;
use annals_tournaments::Tournament;
use annals_tournaments::commands::Command;
use annals_tournaments::rulebook::Rulebook;

/// Why a request or an event is refused.
#[derive(Debug, Clone)]
pub struct Refused {
    /// The name of the rule, or the word of another reason; empty where the record is lacking.
    pub code: String,
    pub text: String,
}

/// A game from which another goes on, and after how many plies.
pub type Resumes = Option<(GameId, u32)>;

/// A tournament under way.
pub trait Desk {
    fn rulebook(&self) -> &Rulebook;

    /// The tournament as it is recorded now, corrections in place.
    fn tournament(&self) -> &Tournament;

    fn now(&self) -> Micros;

    /// Time goes on to a moment; never back.
    fn wait_until(&mut self, at: Micros);

    /// Requests something now.
    fn ask(&mut self, command: &Command) -> Result<(), Refused>;

    /// How much was recorded so far.
    fn length(&self) -> u64;

    /// An event of the tournament, the last correction in place; none where it is struck.
    fn event(&self, seq: u64) -> Option<TournamentEvent>;

    /// Corrects an event that was recorded before, or strikes it.
    fn correct(&mut self, seq: u64, event: Option<TournamentEvent>);

    /// Called when everything that a round rests on is recorded.
    fn about_to_pair(&self);

    /// The next game of a pairing begins and is attached to it; every turn of it is recorded, or only what is told of it.
    fn begin(&mut self, pairing: BoardId, resumes: Resumes, recorded: bool) -> GameId;

    /// The plies of a game from which it began, and those that were played by now, counted from the first attempt.
    fn plies(&self, game: &GameId) -> (u32, u32);

    /// A game of which every turn is recorded.
    fn game(&self, game: &GameId) -> Option<&Game<AnyGame>>;

    /// Something happens in a game of which every turn is recorded.
    fn happens(&mut self, game: &GameId, at: Micros, event: GameEvent<'static>);

    /// What would refuse that something happens in such a game, or the result of the game in which it happened.
    fn refuses(
        &self,
        pairing: BoardId,
        game: &GameId,
        events: &[(Micros, GameEvent<'static>)],
    ) -> Option<String>;

    /// Of another game so many plies more are told, and its end.
    fn tell(&mut self, game: &GameId, plies: u32, end: Option<(Side, Termination)>);

    /// A game has been halted, or its rating taken away, by a ruling.
    fn set_aside(&mut self, game: &GameId);

    /// Requests something that the rules allow.
    fn must(&mut self, command: Command) {
        if let Err(refused) = self.ask(&command) {
            panic!("refused: {}\n{command:?}\nafter {} entries", refused.text, self.length());
        }
    }

    /// Records a fact.
    fn record(&mut self, event: TournamentEvent) {
        self.must(Command::Record(Box::new(event)));
    }

    /// Time goes on.
    fn wait(&mut self, span: Micros) {
        self.wait_until(self.now() + span);
    }

    /// Pairings without a result in the last round.
    fn open(&self) -> Vec<BoardId> {
        let Some((number, round)) = self.tournament().rounds.iter().next_back() else { return Vec::new() };
        let open = round.boards.iter().filter(|(_, board)| board.outcome().is_none());
        open.map(|(board, _)| BoardId { round: *number, board: *board }).collect()
    }

    /// The two of a pairing.
    fn pair(&self, pairing: BoardId) -> [PlayerId; 2] {
        let board = &self.tournament().rounds[&pairing.round].boards[&pairing.board];
        [board.upper().clone(), board.lower().clone()]
    }
}
