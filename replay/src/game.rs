//! The state of a game at a cut: its stream folded by `rules::Game`; rejected events become findings.

use annals_events::{Event, GameEvent, GameKind, Micros, PairingId, Started, TimeNote, TurnTaken};
use annals_rules::any_game::{AnyGame, AnyIllegal, AnyState};
use annals_rules::clock::FlagFall;
use annals_rules::game::{Applied, AppliedOf, EndingCheck, Game, Outcome, Ply, RejectionCheck, Strictness};
use annals_rules::{GameViolation, TurnChoice, TurnLabel};

use crate::colours::{colour, ending_in_words, in_the_words_of};
use crate::finding::{Finding, out_of_bounds};
use crate::projection::Projection;
use crate::timeline::EffectiveEvent;

/// A turn that a game does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the game has no turn {turn}{}", last.as_ref().map_or(String::new(), |last| format!("; its last is {last}")))]
pub struct NoSuchTurn {
    turn: String,
    last: Option<String>,
}

/// One game as it is at a cut.
#[derive(Debug)]
pub struct GameReplay {
    game: Game<AnyGame>,
    started: Option<Started<'static>>,
    /// The text of the turns in force, and the end of each.
    text: String,
    ends: Vec<usize>,
    ended_at: Option<Micros>,
    stated: Option<String>,
    times_unknown: bool,
    last_rule: Option<String>,
    findings: Vec<Finding>,
    events: u64,
    stopped: bool,
}

impl Default for GameReplay {
    fn default() -> GameReplay {
        GameReplay {
            game: Game::new(Strictness::Archive),
            started: None,
            text: String::new(),
            ends: Vec::new(),
            ended_at: None,
            stated: None,
            times_unknown: false,
            last_rule: None,
            findings: Vec::new(),
            events: 0,
            stopped: false,
        }
    }
}

impl Projection for GameReplay {
    fn apply(&mut self, standing: &EffectiveEvent<'_>) {
        let seq = standing.seq;
        match standing.decode() {
            Ok(entry) => {
                self.times_unknown |= matches!(entry.time, Some(TimeNote::Unknown | TimeNote::Stated(_)));
                if entry.time.is_some() {
                    self.game.doubt_times();
                }
                self.findings.extend(out_of_bounds(seq, &entry.event));
                match entry.event {
                    Event::Game(event) => self.apply_event(seq, standing.effective_at, &event),
                    other => self.found(
                        seq,
                        "foreign_event",
                        format!("`{}` is no event of a game", other.event_type().name()),
                    ),
                }
            }
            Err(error) => self.found(seq, "unreadable", error.to_string()),
        }
    }

    /// A turn of unknown time has the last time that it can have: what is folded may be less than was played.
    fn happens_later(&mut self, event: &EffectiveEvent<'_>) {
        if !self.times_unknown {
            let entry = event.decode().ok();
            self.times_unknown = entry.is_some_and(|entry| matches!(entry.time, Some(TimeNote::Unknown)));
        }
    }

    fn find(&mut self, finding: Finding) {
        self.findings.push(finding);
    }
}

impl GameReplay {
    /// Resets the state and keeps the buffers.
    pub fn clear(&mut self) {
        let mut cleared = std::mem::take(self);
        cleared.game.clear();
        cleared.text.clear();
        cleared.ends.clear();
        cleared.findings.clear();
        let GameReplay { game, text, ends, findings, .. } = cleared;
        *self = GameReplay { game, text, ends, findings, ..GameReplay::default() };
    }

    /// Folds one game event; the time is when it happened, if that is known.
    pub fn apply_event(&mut self, seq: u64, at: impl Into<Option<Micros>>, event: &GameEvent<'_>) {
        let at = at.into();
        self.events += 1;
        if self.stopped && needs_position(event) {
            // After an illegal turn there is no position; the recorded end still counts.
            return;
        }
        match self.game.apply(at, event) {
            Ok(applied) => self.note(seq, at, event, &applied),
            Err(error) => {
                self.stopped |= matches!(event, GameEvent::TurnTaken(_));
                self.found(seq, error.code(), in_the_words_of(self.kind(), error.to_string()));
            }
        }
    }

    fn note(&mut self, seq: u64, at: Option<Micros>, event: &GameEvent<'_>, applied: &AppliedOf<AnyGame>) {
        match event {
            GameEvent::Started(started) => {
                self.started = Some((**started).clone().into_owned());
            }
            GameEvent::TurnTaken(turn) => {
                self.text.push_str(&turn.steps);
                self.ends.push(self.text.len());
            }
            GameEvent::TurnRetracted(_) | GameEvent::Resumed(_) => self.forget_turns(),
            GameEvent::Ended(ended) => {
                self.ended_at = at;
                self.stated = ended.stated.as_deref().map(str::to_owned);
            }
            _ => {}
        }
        match applied {
            Applied::TurnTaken => {
                let last = self.game.plies().last();
                let adds_setup_time = last.is_some_and(|ply| ply.adds_setup_time);
                let misses = last.is_some_and(|ply| ply.clock_differs);
                if adds_setup_time {
                    let what = "the record adds unused time of the setup to the reserve";
                    self.found(seq, GameViolation::SETUP_TIME_ADDED, what.to_owned());
                }
                if misses {
                    self.found(
                        seq,
                        "clock_disagrees",
                        "the clock that the record shows does not follow from the time control".into(),
                    );
                }
                if let Some(decided) = self.just_played_on() {
                    self.found(seq, "played_on", decided);
                }
                if let Some(late) = self.fallen_before() {
                    self.found(seq, "out_of_time", format!("{late}, and play went on"));
                }
                if let Some(fault) = self.game.just_played_past_the_limit() {
                    self.found(seq, fault.code(), fault.to_string());
                }
            }
            Applied::TurnRejected(check) => {
                self.last_rule = self.rule_against(check);
                if let RejectionCheck::Legal(_) = check {
                    let what = "the server refused a turn that the rules allow";
                    self.found(seq, "rejection_disagrees", what.to_owned());
                }
            }
            Applied::Halted => {
                if let Some(fault) = self.game.halted_past_the_limit() {
                    self.found(seq, fault.code(), fault.to_string());
                }
            }
            Applied::Ended(check) => {
                if let Some(late) = self.fallen_winner() {
                    self.found(seq, "out_of_time", late);
                }
                if let Some(fault) = self.game.ending().and_then(|ending| ending.limit.fault()) {
                    self.found(seq, fault.code(), fault.to_string());
                }
                if let GameEvent::Ended(ended) = event
                    && let Some(winner) = self.game.won_by_clock_that_stood(ended)
                {
                    let who = colour(self.kind(), winner);
                    let what = format!("{who} is said to have won by time, and {who} was to move");
                    self.found(seq, GameViolation::CLOCK_STOOD, what);
                }
                let EndingCheck::Disagrees { board } = check else { return };
                let says = board.map_or("that the game goes on".to_owned(), |outcome| {
                    ending_in_words(self.kind(), outcome.winner, outcome.termination)
                });
                self.found(seq, "ending_disagrees", format!("the board says {says}"));
            }
            _ => {}
        }
    }

    /// How the board had decided the game before the last turn, if that is the first one after it.
    fn just_played_on(&self) -> Option<String> {
        let (_, before) = self.game.plies().split_last()?;
        let decided = before
            .last()
            .filter(|ply| self.game.played_on().is_some_and(|first| std::ptr::eq(first, *ply)))?;
        let Outcome { winner, termination } = decided.outcome?;
        let (number, side) = (decided.number, decided.side);
        Some(format!(
            "the board had decided the game with turn {number}{} ({}), and play went on",
            side.letter_in(self.kind()),
            ending_in_words(self.kind(), winner, termination)
        ))
    }

    /// Whose flag fell with the turn before the last: exceeding the time loses with that turn.
    fn fallen_before(&self) -> Option<String> {
        let [.., before, _] = self.game.plies() else { return None };
        self.fallen_with(before)
    }

    /// Who exceeded the time with the last turn and is recorded as winner.
    fn fallen_winner(&self) -> Option<String> {
        let last = self.game.plies().last()?;
        let winner = self.game.ending()?.winner.filter(|winner| *winner == last.side)?;
        let late = self.fallen_with(last)?;
        Some(format!("{late}, and {} is said to have won", colour(self.kind(), winner)))
    }

    /// That a flag fell with a turn, as text.
    fn fallen_with(&self, ply: &Ply<AnyGame>) -> Option<String> {
        let how = match ply.flag? {
            FlagFall::OutOfTime { over } => format!("{over} s beyond the move time and the reserve"),
            FlagFall::TurnTooLong { over } => format!("{over} s longer than a turn may take"),
        };
        let (number, side) = (ply.number, ply.side);
        let who = colour(self.kind(), side);
        Some(format!("the flag of {who} had fallen with turn {number}{}, {how}", side.letter_in(self.kind())))
    }

    /// Why the rules reject a turn that the server rejected; none if they allow it.
    fn rule_against(&self, check: &RejectionCheck<AnyIllegal>) -> Option<String> {
        match check {
            RejectionCheck::Legal(_) => None,
            RejectionCheck::Illegal(illegal) => Some(in_the_words_of(self.kind(), illegal.to_string())),
            RejectionCheck::OutOfTurn => {
                Some("it is the turn of the other side, or has another number".to_owned())
            }
            RejectionCheck::Decided(end) => {
                let how = ending_in_words(self.kind(), end.winner, end.termination);
                Some(format!("the board had decided the game: {how}"))
            }
        }
    }

    /// Why the rules reject the turn that the server rejected last; none if they allow it.
    pub(crate) fn last_rule(&self) -> Option<&str> {
        self.last_rule.as_deref()
    }

    fn found(&mut self, seq: u64, code: &'static str, message: String) {
        self.findings.push(Finding { seq, code, message });
    }

    /// Drops the text of retracted turns.
    fn forget_turns(&mut self) {
        self.ends.truncate(self.game.plies().len());
        self.text.truncate(self.ends.last().copied().unwrap_or(0));
    }

    pub fn game(&self) -> &Game<AnyGame> {
        &self.game
    }

    pub fn started(&self) -> Option<&Started<'static>> {
        self.started.as_ref()
    }

    /// Of which it states to be an attempt.
    pub fn pairing(&self) -> Option<PairingId> {
        self.started()?.pairing.as_deref()?.parse().ok()
    }

    /// Arimaa before the start.
    pub fn kind(&self) -> GameKind {
        self.game.state().map_or(GameKind::Arimaa, AnyState::kind)
    }

    pub fn ended_at(&self) -> Option<Micros> {
        self.ended_at
    }

    pub fn times_unknown(&self) -> bool {
        self.times_unknown
    }

    pub fn events(&self) -> u64 {
        self.events
    }

    /// In log order.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The text of a turn in force, by index in [`Game::plies`].
    pub fn words(&self, ply: usize) -> Option<&str> {
        let begin = if ply == 0 { 0 } else { *self.ends.get(ply - 1)? };
        self.text.get(begin..*self.ends.get(ply)?)
    }

    /// The start and the turns in force before a turn, or all of them.
    ///
    /// # Errors
    /// When the game has no such turn. The label of the turn that comes next is one.
    pub fn turns_before(
        &self,
        turn: Option<TurnChoice>,
    ) -> Result<Vec<(Option<Micros>, GameEvent<'_>)>, NoSuchTurn> {
        let plies = self.game.plies();
        let label = |ply: &Ply<AnyGame>| TurnLabel { number: ply.number, side: ply.side };
        let next = self.game.expected_number().zip(self.game.to_move());
        let next = next.map(|(number, side)| TurnLabel { number, side });
        let count = match turn {
            None => plies.len(),
            Some(turn) => turn.place(plies.iter().map(label), next).ok_or_else(|| NoSuchTurn {
                turn: turn.to_string(),
                last: plies.last().map(|ply| label(ply).text_in(self.kind())),
            })?,
        };
        let started = self.started.clone().map(|started| GameEvent::Started(Box::new(started)));
        let mut events: Vec<_> =
            started.map(|started| (self.game.started_at(), started)).into_iter().collect();
        events.extend(plies.iter().take(count).enumerate().map(|(place, ply)| {
            let turn = TurnTaken::plain(ply.number, ply.side, self.words(place).unwrap_or_default());
            let (gold_reserve, silver_reserve) = (ply.gold_reserve, ply.silver_reserve);
            (ply.at, GameEvent::TurnTaken(TurnTaken { used: ply.used, gold_reserve, silver_reserve, ..turn }))
        }));
        Ok(events)
    }

    /// The game before a turn, with the turns in force until then.
    ///
    /// # Errors
    /// When the game has no such turn.
    pub fn before(&self, turn: TurnChoice) -> Result<GameReplay, NoSuchTurn> {
        let mut before = GameReplay::of(self.turns_before(Some(turn))?);
        before.times_unknown = self.times_unknown;
        Ok(before)
    }

    /// The game that events make.
    pub fn of<'e>(events: impl IntoIterator<Item = (Option<Micros>, GameEvent<'e>)>) -> GameReplay {
        let mut replay = GameReplay::default();
        for (at, event) in events {
            replay.apply_event(0, at, &event);
        }
        replay
    }

    /// The source's term for the ending, if it is not in the vocabulary.
    pub fn stated_ending(&self) -> Option<&str> {
        self.stated.as_deref()
    }

    /// An illegal turn left the game without a position.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Ended, annulled, or decided on the board.
    pub fn is_over(&self) -> bool {
        self.game.ending().is_some() || self.game.is_annulled() || self.game.board_says().is_some()
    }
}

/// Whether an event needs a position.
pub(crate) fn needs_position(event: &GameEvent<'_>) -> bool {
    !matches!(event, GameEvent::Ended(_) | GameEvent::Annulled(_) | GameEvent::RatedChanged(_))
}
