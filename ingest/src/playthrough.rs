//! One game played through by the rules. Rejected turns and what follows from them are recorded with reasons.

use annals_events::{GameEvent, TurnTaken};
use annals_rules::any_game::{AnyGame, AnyIllegal, AnyState};
use annals_rules::game::{
    Applied, EndingCheck, Game, GameError, Outcome, Ply, RejectionCheck, Rules, Strictness,
};
use annals_rules::scoring::Score;

/// Ten times more than any real game. Later turns are stored as unplayed, which bounds memory and time.
pub const MAX_TURNS: usize = 16_384;

/// The first turn above [`MAX_TURNS`].
pub const TOO_MANY_TURNS: &str = "too_many_turns";

/// Why a turn is not in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Rejected by the server.
    Rejected,
    TakenBack,
    /// Illegal by `rules`.
    Illegal,
    /// Follows an illegal one.
    Unplayed,
}

impl Fate {
    pub const ALL: [Fate; 4] = [Fate::Rejected, Fate::TakenBack, Fate::Illegal, Fate::Unplayed];

    /// In the dataset.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Fate::Rejected => "rejected",
            Fate::TakenBack => "taken back",
            Fate::Illegal => "illegal",
            Fate::Unplayed => "unplayed",
        }
    }
}

/// A turn not in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fallen {
    /// Index among the row's events.
    pub event: u32,
    pub fate: Fate,
    /// Its ply, had it been legal.
    pub ply: u32,
    /// The broken rule: stable code, sentence.
    pub ours: Option<(&'static str, String)>,
    /// For a turn rejected by the server: whether `rules` rejects it.
    pub agrees: Option<bool>,
}

/// The first turn that `rules` rejects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstIllegal {
    /// Its ply, had it been legal.
    pub ply: u32,
    /// The broken rule, stable.
    pub code: &'static str,
    /// The broken rule as a sentence.
    pub reason: String,
}

/// A game played through; reusable for its buffers.
pub struct Playthrough {
    game: Game<AnyGame>,
    turns: Vec<u32>,
    fallen: Vec<Fallen>,
    /// Turns since the first unplayable one, while not retracted.
    pending: usize,
    first_illegal: Option<FirstIllegal>,
    ending: Option<EndingCheck>,
    clock_disagrees: bool,
    captures_misstated: bool,
}

impl Default for Playthrough {
    fn default() -> Playthrough {
        Playthrough {
            game: Game::new(Strictness::Archive),
            turns: Vec::new(),
            fallen: Vec::new(),
            pending: 0,
            first_illegal: None,
            ending: None,
            clock_disagrees: false,
            captures_misstated: false,
        }
    }
}

impl Playthrough {
    /// Plays a game's events, replacing the previous game.
    pub fn play(&mut self, events: &[(Option<i64>, GameEvent<'_>)]) {
        self.game.clear();
        self.turns.clear();
        self.fallen.clear();
        self.pending = 0;
        self.first_illegal = None;
        self.ending = None;
        self.clock_disagrees = false;
        self.captures_misstated = false;
        for (place, (at, event)) in events.iter().enumerate() {
            self.apply(u32::try_from(place).unwrap_or(u32::MAX), *at, event);
        }
    }

    fn apply(&mut self, place: u32, at: Option<i64>, event: &GameEvent<'_>) {
        match event {
            GameEvent::TurnTaken(_) if self.pending > 0 => {
                self.pending += 1;
                self.fall(place, Fate::Unplayed, None, None);
            }
            GameEvent::TurnTaken(_) if self.turns.len() >= MAX_TURNS => {
                let reason = format!("a game of more than {MAX_TURNS} turns; the others are not played");
                self.refused(place, TOO_MANY_TURNS, reason);
            }
            GameEvent::TurnTaken(_) => match self.game.apply(at, event) {
                Ok(_) => {
                    self.turns.push(place);
                    if let Some(ply) = self.game.plies().last() {
                        self.clock_disagrees |= ply.clock_matches == Some(false);
                        self.captures_misstated |= ply.played.captures_misstated;
                    }
                }
                Err(error) => self.refused(place, error.code(), reason_of(&error)),
            },
            // An unplayable turn can be retracted, too.
            GameEvent::TurnRetracted(_) if self.pending > 0 => self.pending -= 1,
            GameEvent::TurnRejected(_) if self.pending > 0 => self.fall(place, Fate::Rejected, None, None),
            GameEvent::Ended(_) if self.pending > 0 => {}
            _ => match self.game.apply(at, event) {
                Ok(Applied::TurnRetracted { .. }) => {
                    if let Some(turn) = self.turns.pop() {
                        self.fall(turn, Fate::TakenBack, None, None);
                    }
                }
                Ok(Applied::TurnRejected(check)) => {
                    let (ours, agrees) = judgement(check);
                    self.fall(place, Fate::Rejected, ours, Some(agrees));
                }
                Ok(Applied::Ended(check)) => self.ending = Some(check),
                Ok(Applied::Resumed { undone }) => {
                    for _ in 0..undone {
                        if let Some(turn) = self.turns.pop() {
                            self.fall(turn, Fate::TakenBack, None, None);
                        }
                    }
                }
                Ok(_) => {}
                Err(error) => self.first(error.code(), reason_of(&error)),
            },
        }
    }

    fn refused(&mut self, place: u32, code: &'static str, reason: String) {
        self.fall(place, Fate::Illegal, Some((code, reason.clone())), None);
        self.first(code, reason);
        self.pending = 1;
    }

    fn first(&mut self, code: &'static str, reason: String) {
        let ply = self.next_ply();
        self.first_illegal.get_or_insert(FirstIllegal { ply, code, reason });
    }

    fn fall(&mut self, event: u32, fate: Fate, ours: Option<(&'static str, String)>, agrees: Option<bool>) {
        let waiting = match fate {
            Fate::Unplayed => self.pending.saturating_sub(1),
            _ => self.pending,
        };
        let ply = self.next_ply().saturating_add(u32::try_from(waiting).unwrap_or(u32::MAX));
        self.fallen.push(Fallen { event, fate, ply, ours, agrees });
    }

    fn next_ply(&self) -> u32 {
        u32::try_from(self.turns.len() + 1).unwrap_or(u32::MAX)
    }
}

impl Playthrough {
    /// Turns in force with their event index.
    pub fn standing(&self) -> impl ExactSizeIterator<Item = (&Ply<AnyGame>, u32)> {
        self.game.plies().iter().zip(self.turns.iter().copied())
    }

    /// The other turns, in order.
    #[must_use]
    pub fn fallen(&self) -> &[Fallen] {
        &self.fallen
    }

    /// The first rejected event.
    #[must_use]
    pub const fn first_illegal(&self) -> Option<&FirstIllegal> {
        self.first_illegal.as_ref()
    }

    /// Whether all turns could be played.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.pending == 0
    }

    #[must_use]
    pub fn initial_state(&self) -> Option<&AnyState> {
        self.game.initial_state()
    }

    #[must_use]
    pub fn state(&self) -> Option<&AnyState> {
        self.game.state()
    }

    /// The stated ending compared with the board; none if some turn could not be played.
    #[must_use]
    pub const fn ending(&self) -> Option<EndingCheck> {
        self.ending
    }

    /// The outcome by the board, or by score.
    #[must_use]
    pub fn board_says(&self) -> Option<Outcome> {
        if let Some(EndingCheck::Disagrees { board }) = self.ending {
            return board;
        }
        let by_score = || match (self.ending, self.game.ending(), self.game.score()) {
            (Some(EndingCheck::Agrees), Some(ending), Score::Won(winner)) => {
                ending.termination.map(|termination| Outcome { winner: Some(winner), termination })
            }
            _ => None,
        };
        self.game.board_says().or_else(by_score)
    }

    /// A server clock figure that does not follow from those before.
    #[must_use]
    pub const fn clock_disagrees(&self) -> bool {
        self.clock_disagrees
    }

    /// The clock after the unfinished turn contradicts those before.
    #[must_use]
    pub fn contradicts_clock(&self, unfinished: Option<&TurnTaken<'_>>) -> bool {
        self.is_whole() && unfinished.is_some_and(|turn| self.game.clock_follows(turn) == Some(false))
    }

    /// A capture is missing, or stated without one.
    #[must_use]
    pub const fn captures_misstated(&self) -> bool {
        self.captures_misstated
    }

    /// Turns or end contradict the game limit.
    #[must_use]
    pub fn contradicts_limit(&self) -> bool {
        let ending = self.game.ending().filter(|_| self.is_whole());
        self.game.plies().last().is_some_and(|ply| ply.past_limit)
            || ending.is_some_and(|ending| ending.limit.fault().is_some())
    }

    /// Play continued after the board had decided the game.
    #[must_use]
    pub fn played_on(&self) -> bool {
        self.game.played_on().is_some()
    }
}

/// An illegal turn's own rule: the surrounding error is in other columns.
fn reason_of(error: &GameError<AnyIllegal>) -> String {
    match error {
        GameError::IllegalTurn { illegal, .. } => illegal.to_string(),
        error => error.to_string(),
    }
}

fn judgement(check: RejectionCheck<AnyIllegal>) -> (Option<(&'static str, String)>, bool) {
    match check {
        RejectionCheck::Illegal(illegal) => {
            (Some((AnyGame::illegal_code(&illegal), illegal.to_string())), true)
        }
        RejectionCheck::Legal(_) => (None, false),
        RejectionCheck::OutOfTurn => {
            (Some(("out_of_turn", "it is not the turn that comes next".to_owned())), true)
        }
        RejectionCheck::Decided(outcome) => {
            let reason = format!("the board had decided the game already, by {}", outcome.termination);
            (Some(("decided_on_board", reason)), true)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use annals_events::{GameKind, Side, Started, TurnRejected, TurnRetracted};

    const GOLD: &str = "Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2";
    const SILVER: &str = "ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7";

    fn started() -> GameEvent<'static> {
        GameEvent::Started(Box::new(Started { rated: true, ..Started::plain(GameKind::Arimaa, None) }))
    }

    fn turn(number: u32, side: Side, steps: &'static str) -> GameEvent<'static> {
        GameEvent::TurnTaken(TurnTaken::plain(number, side, steps))
    }

    fn play(events: Vec<GameEvent<'static>>) -> Playthrough {
        let mut all =
            vec![(None, started()), (None, turn(1, Side::Gold, GOLD)), (None, turn(1, Side::Silver, SILVER))];
        all.extend(events.into_iter().map(|event| (None, event)));
        let mut played = Playthrough::default();
        played.play(&all);
        played
    }

    #[test]
    fn what_follows_an_illegal_turn_is_kept_as_unplayed() {
        let played = play(vec![
            turn(2, Side::Gold, "Ee2n"),
            turn(2, Side::Silver, "ed7e"),
            turn(3, Side::Gold, "Ee3n"),
            turn(3, Side::Silver, "ed7s"),
        ]);
        assert_eq!(played.standing().len(), 3);
        let fates: Vec<_> = played.fallen().iter().map(|f| (f.event, f.fate, f.ply)).collect();
        assert_eq!(fates, [(4, Fate::Illegal, 4), (5, Fate::Unplayed, 5), (6, Fate::Unplayed, 6)]);
        let first = played.first_illegal().unwrap();
        assert_eq!((first.ply, played.fallen()[0].ours.as_ref().unwrap().0), (4, first.code));
        assert!(!played.is_whole() && played.ending().is_none());
    }

    #[test]
    fn a_turn_taken_back_falls_and_an_illegal_one_that_is_taken_back_lets_the_game_go_on() {
        let back = || GameEvent::TurnRetracted(TurnRetracted::default());
        let played = play(vec![
            turn(2, Side::Gold, "Ee2n"),
            back(),
            turn(2, Side::Gold, "Ee2s"),
            back(),
            turn(2, Side::Gold, "Md2n"),
        ]);
        let fates: Vec<_> = played.fallen().iter().map(|f| (f.event, f.fate, f.ply)).collect();
        assert_eq!(fates, [(3, Fate::TakenBack, 3), (5, Fate::Illegal, 3)]);
        assert_eq!(played.standing().last().map(|(_, event)| event), Some(7));
        assert!(played.is_whole());
        assert_eq!(played.first_illegal().map(|f| f.ply), Some(3));
    }

    #[test]
    fn a_refusal_of_the_server_is_judged_by_our_rules() {
        let refused = |steps: &'static str| {
            GameEvent::TurnRejected(TurnRejected {
                number: 2,
                side: Side::Gold,
                steps: steps.into(),
                reason: "it said so".into(),
            })
        };
        let played = play(vec![refused("Ee2s"), refused("Ee2n")]);
        let judged: Vec<_> = played.fallen().iter().map(|f| (f.agrees, f.ours.is_some())).collect();
        assert_eq!(judged, [(Some(true), true), (Some(false), false)]);
        assert!(played.first_illegal().is_none());
    }

    #[test]
    fn a_game_without_end_is_cut_off() {
        let mut events = vec![(None, started())];
        events.push((None, turn(1, Side::Gold, GOLD)));
        events.push((None, turn(1, Side::Silver, SILVER)));
        // Four positions come and go; before a third occurrence in the modern era the mover plays another turn.
        let steps = ["Ee2n", "ed7s", "Ee3s", "ed6n", "Md2n", "me7s", "Md3s", "me6n"];
        for i in 0..MAX_TURNS as u32 * 2 {
            let side = if i % 2 == 0 { Side::Gold } else { Side::Silver };
            events.push((Some(1_100_000_000_000_000), turn(i / 2 + 2, side, steps[i as usize % 8])));
        }
        events[0].0 = Some(1_100_000_000_000_000);
        let mut played = Playthrough::default();
        played.play(&events);
        assert_eq!(played.standing().len(), MAX_TURNS);
        assert_eq!(played.first_illegal().unwrap().code, TOO_MANY_TURNS);
        assert_eq!(played.fallen().len(), MAX_TURNS + 2);
    }
}
