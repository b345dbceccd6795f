//! The state of one game at a cut: its stream folded by `rules::Game`, with what the fold refused kept as a finding
//! instead of an end. An imported history is never refused; the flag is what the fold says.

use annals_events::{Event, GameEvent, Micros, PlayerAtStart, Started};
use annals_rules::arimaa::Arimaa;
use annals_rules::game::{Applied, EndingCheck, Game, RejectionCheck, Rules as _, Strictness};

use crate::timeline::Standing;

/// Something about an event that does not follow from the rules, or cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The event.
    pub seq: u64,
    /// A short stable word, in `snake_case`.
    pub code: &'static str,
    /// What is the matter, in words.
    pub message: String,
}

/// One game as it stands at a cut.
pub struct GameReplay {
    game: Game<Arimaa>,
    started: Option<Started<'static>>,
    halted_at: Option<Micros>,
    /// When the present turn began, for the running clock: the time of the last turn, or of the start.
    turn_began_at: Option<Micros>,
    ended_at: Option<Micros>,
    times_unknown: bool,
    findings: Vec<Finding>,
    events: u64,
    stopped: bool,
}

impl Default for GameReplay {
    fn default() -> GameReplay {
        GameReplay::new(Strictness::Archive)
    }
}

impl GameReplay {
    /// A game of which nothing has happened yet.
    #[must_use]
    pub fn new(strictness: Strictness) -> GameReplay {
        GameReplay {
            game: Game::new(strictness),
            started: None,
            halted_at: None,
            turn_began_at: None,
            ended_at: None,
            times_unknown: false,
            findings: Vec::new(),
            events: 0,
            stopped: false,
        }
    }

    /// Folds the events of a game's stream, in order.
    #[must_use]
    pub fn fold<'a>(events: impl IntoIterator<Item = &'a Standing<'a>>) -> GameReplay {
        let mut replay = GameReplay::default();
        for standing in events {
            replay.take(standing);
        }
        replay
    }

    /// Folds one event; what cannot be folded becomes a finding.
    pub fn take(&mut self, standing: &Standing<'_>) {
        let seq = standing.envelope.seq;
        match standing.decode() {
            Ok(entry) => {
                if matches!(entry.time, Some(annals_events::TimeNote::Unknown)) {
                    self.times_unknown = true;
                }
                match entry.event {
                    Event::Game(event) => self.apply(seq, standing.effective_at, &event),
                    Event::Log(_) => {}
                    other => self.find(
                        seq,
                        "foreign_event",
                        format!("`{}` is no event of a game", other.event_type().name()),
                    ),
                }
            }
            Err(error) => self.find(seq, "unreadable", error.to_string()),
        }
    }

    /// Folds one game event; the time is when it happened.
    pub fn apply(&mut self, seq: u64, at: Micros, event: &GameEvent<'_>) {
        self.events += 1;
        if self.stopped && !matches!(event, GameEvent::Ended(_) | GameEvent::Annulled(_)) {
            // What follows an illegal turn has no position to stand on; the record of the end still counts.
            return;
        }
        match self.game.apply(Some(at), event) {
            Ok(applied) => self.note(seq, at, event, &applied),
            Err(error) => {
                if matches!(event, GameEvent::TurnTaken(_)) {
                    self.stopped = true;
                }
                self.find(seq, error.code(), error.to_string());
            }
        }
    }

    fn note(
        &mut self,
        seq: u64,
        at: Micros,
        event: &GameEvent<'_>,
        applied: &annals_rules::game::AppliedOf<Arimaa>,
    ) {
        match event {
            GameEvent::Started(started) => {
                self.started = Some(owned(started));
                self.turn_began_at = Some(at);
            }
            GameEvent::TurnTaken(_) | GameEvent::TurnRetracted(_) => self.turn_began_at = Some(at),
            GameEvent::Halted(_) => self.halted_at = Some(at),
            GameEvent::Resumed(_) => {
                self.halted_at = None;
                self.turn_began_at = Some(at);
            }
            GameEvent::Ended(_) => self.ended_at = Some(at),
            _ => {}
        }
        match applied {
            Applied::TurnTaken => {
                let misses = self.game.plies().last().is_some_and(|ply| ply.clock_matches == Some(false));
                if misses {
                    self.find(
                        seq,
                        "clock_disagrees",
                        "the clock that the record shows does not follow from the time control".into(),
                    );
                }
            }
            Applied::TurnRejected(RejectionCheck::Legal(_)) => {
                self.find(
                    seq,
                    "rejection_disagrees",
                    "the server refused a turn that the rules allow".to_owned(),
                );
            }
            Applied::Ended(EndingCheck::Disagrees { board }) => {
                let says = board.map_or("that the game goes on".to_owned(), |outcome| match outcome.winner {
                    Some(side) => format!("{side} wins by {}", outcome.termination),
                    None => format!("a draw by {}", outcome.termination),
                });
                self.find(seq, "ending_disagrees", format!("the board says {says}"));
            }
            _ => {}
        }
    }

    fn find(&mut self, seq: u64, code: &'static str, message: String) {
        self.findings.push(Finding { seq, code, message });
    }

    /// The fold itself: plies, board, ending.
    #[must_use]
    pub fn game(&self) -> &Game<Arimaa> {
        &self.game
    }

    /// How it started, if it did.
    #[must_use]
    pub fn started(&self) -> Option<&Started<'static>> {
        self.started.as_ref()
    }

    /// When it ended, if it did.
    #[must_use]
    pub fn ended_at(&self) -> Option<Micros> {
        self.ended_at
    }

    /// Whether the source does not tell the times of the turns, so that the log holds the earliest possible ones.
    #[must_use]
    pub fn times_unknown(&self) -> bool {
        self.times_unknown
    }

    /// How many game events were folded.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events
    }

    /// What does not follow from the rules, in the order of the log.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Both clocks at an instant: the reserves, and of the side to move also what is left of its move time.
    /// `None` where the game has no known clock.
    #[must_use]
    pub fn clocks_at(&self, at: Option<Micros>) -> Option<RunningClocks> {
        let clock = self.game.clock().ok()?;
        let figures = clock.figures();
        let mut running = RunningClocks {
            gold_reserve: figures.reserves[0],
            silver_reserve: figures.reserves[1],
            running: None,
        };
        let over = self.game.ending().is_some() || self.game.board_says().is_some() || self.ended_at.is_some();
        let (Some(at), Some(began), false, false) = (at, self.turn_began_at, over, self.times_unknown) else {
            return Some(running);
        };
        let side = self.game.to_move()?;
        let until = self.halted_at.map_or(at, |halted| halted.min(at));
        let used = u32::try_from((until - began).max(0) / 1_000_000).unwrap_or(u32::MAX);
        let setup = self.game.state().is_some_and(|state| !Arimaa::counts_for_repetition(state))
            && self.game.plies().len() < 2;
        let free = clock.control().free_time(setup);
        let drawn = i64::from(used.saturating_sub(free));
        let reserve = match side {
            annals_events::Side::Gold => &mut running.gold_reserve,
            annals_events::Side::Silver => &mut running.silver_reserve,
        };
        *reserve -= drawn;
        running.running =
            Some(Running { side, used, move_time_left: free.saturating_sub(used), halted: self.halted_at.is_some() });
        Some(running)
    }
}

/// Both clocks at an instant, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunningClocks {
    /// Gold's reserve.
    pub gold_reserve: i64,
    /// Silver's reserve.
    pub silver_reserve: i64,
    /// The clock that runs (or stands still in a halt); none once the game is over, or where no instant was asked for.
    pub running: Option<Running>,
}

/// The running clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Running {
    /// Whose clock.
    pub side: annals_events::Side,
    /// Seconds since the turn began.
    pub used: u32,
    /// Seconds of move time that are left before the reserve is drawn on.
    pub move_time_left: u32,
    /// Whether play is halted.
    pub halted: bool,
}

fn owned(started: &Started<'_>) -> Started<'static> {
    fn text(text: &Option<std::borrow::Cow<'_, str>>) -> Option<std::borrow::Cow<'static, str>> {
        text.as_ref().map(|text| text.clone().into_owned().into())
    }
    fn player(player: &PlayerAtStart<'_>) -> PlayerAtStart<'static> {
        PlayerAtStart {
            name: player.name.clone().into_owned().into(),
            player_id: player.player_id,
            kind: player.kind,
            title: text(&player.title),
            country: text(&player.country),
            rating: player.rating,
            k: player.k,
        }
    }
    Started {
        game: started.game,
        gold: player(&started.gold),
        silver: player(&started.silver),
        time_control: text(&started.time_control),
        rated: started.rated,
        postal: started.postal,
        event: text(&started.event),
        site: text(&started.site),
        position: text(&started.position),
        pairing: text(&started.pairing),
        attempt: started.attempt,
    }
}
