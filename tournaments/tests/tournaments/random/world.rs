//! A world in which a tournament is recorded: its events, the games that it speaks of as they grow, a clock that goes
//! forward. What is recorded can be audited from the beginning, and recorded wrongly on purpose.

use std::collections::BTreeMap;

use annals_events::tournament::Announced;
use annals_events::{GameId, Micros, Pairing, PlayerId, Side, Termination, TournamentEvent, TournamentId};
use annals_rules::{ClockFacts, EndFacts, GameFacts};
use annals_tournaments::Tournament;
use annals_tournaments::check::{Case, When, check};
use annals_tournaments::commands::Command;
use annals_tournaments::context::{StandingBan, TournamentContext};
use annals_tournaments::refusal::Refusal;
use annals_tournaments::rulebook::{MINUTE, Rulebook};
use annals_tournaments::verdict::Verdict;

use crate::deciding::decide;

/// The games of a log, and the bans.
#[derive(Debug, Clone, Default)]
pub struct Games {
    pub games: BTreeMap<GameId, GameFacts>,
}

impl TournamentContext for Games {
    fn game(&self, game: &GameId) -> Option<&GameFacts> {
        self.games.get(game)
    }

    fn bans(&self) -> &[StandingBan] {
        &[]
    }

    fn tournament(&self, _name: &TournamentId) -> Option<&Tournament> {
        None
    }
}

/// What the log took.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// An event of the tournament, when it happened and when it was recorded.
    Event(Micros, Micros, Box<TournamentEvent>),
    /// A game as it is from here on.
    Game(GameId, Box<GameFacts>),
    /// The event at a position is corrected.
    Correction(u64, Box<TournamentEvent>),
}

/// A tournament under way.
#[derive(Debug, Clone)]
pub struct World {
    pub rulebook: Rulebook,
    pub tournament: Tournament,
    pub around: Games,
    pub entries: Vec<Entry>,
    pub now: Micros,
}

/// A tournament as a record tells it, corrections in place.
fn fold(entries: &[Entry]) -> Tournament {
    let corrections = corrections(entries);
    let mut tournament = Tournament::default();
    for (seq, entry) in (1..).zip(entries) {
        if let Entry::Event(at, _, event) = entry {
            tournament.evolve(seq, *at, corrections.get(&seq).copied().unwrap_or(event));
        }
    }
    tournament
}

/// What corrected events say now.
fn corrections(entries: &[Entry]) -> BTreeMap<u64, &TournamentEvent> {
    let corrected = entries.iter().filter_map(|entry| match entry {
        Entry::Correction(seq, event) => Some((*seq, &**event)),
        _ => None,
    });
    corrected.collect()
}

/// The verdicts on a record, each with the position of its event. An event is checked as it is corrected now, on what was known
/// before it.
pub fn audit(rulebook: &Rulebook, entries: &[Entry]) -> (Tournament, Vec<Verdict>) {
    let mut tournament = Tournament::default();
    let mut around = Games::default();
    let mut verdicts = Vec::new();
    let corrected = corrections(entries);
    for (seq, entry) in (1..).zip(entries) {
        match entry {
            Entry::Correction(..) => {
                let before = usize::try_from(seq).expect("small");
                tournament = fold(&entries[..before]);
            }
            Entry::Game(id, facts) => {
                around.games.insert(id.clone(), (**facts).clone());
            }
            Entry::Event(at, recorded_at, event) => {
                let case = Case::new(&tournament, rulebook, &around);
                let when = When { seq, at: *at, recorded_at: *recorded_at, imported: false };
                verdicts.extend(check(&case, &when, corrected.get(&seq).copied().unwrap_or(event)));
                tournament.evolve(seq, *at, event);
            }
        }
    }
    (tournament, verdicts)
}

impl World {
    /// A world in which a tournament is announced at a time.
    pub fn announced(announced: Announced, at: Micros) -> World {
        let rulebook = Rulebook::of(&announced).expect("the rulebook is known");
        let mut world = World {
            rulebook,
            tournament: Tournament::default(),
            around: Games::default(),
            entries: Vec::new(),
            now: at,
        };
        world.must(Command::Record(Box::new(TournamentEvent::Announced(announced))));
        world
    }

    pub fn seq(&self) -> u64 {
        self.entries.len() as u64 + 1
    }

    /// Asks for something now.
    pub fn ask(&mut self, command: &Command) -> Result<Vec<TournamentEvent>, Refusal> {
        self.now += 1_000;
        let case = Case::new(&self.tournament, &self.rulebook, &self.around);
        let when = When { seq: self.seq(), at: self.now, recorded_at: self.now, imported: false };
        let decision = decide(&case, &when, command)?;
        for event in &decision.events {
            let seq = self.seq();
            self.tournament.evolve(seq, self.now, event);
            self.entries.push(Entry::Event(self.now, self.now, Box::new(event.clone())));
        }
        Ok(decision.events)
    }

    /// Asks for something that the rules allow.
    pub fn must(&mut self, command: Command) -> Vec<TournamentEvent> {
        match self.ask(&command) {
            Ok(events) => events,
            Err(refusal) => panic!("refused: {refusal}\n{command:?}\nafter {} entries", self.entries.len()),
        }
    }

    /// Records a fact.
    pub fn record(&mut self, event: impl Into<TournamentEvent>) {
        self.must(Command::Record(Box::new(event.into())));
    }

    /// Corrects an event that was recorded before.
    pub fn correct(&mut self, seq: u64, event: TournamentEvent) {
        self.entries.push(Entry::Correction(seq, Box::new(event)));
        self.tournament = fold(&self.entries);
    }

    /// Time goes on to a moment; never back.
    pub fn wait_until(&mut self, at: Micros) {
        self.now = self.now.max(at);
    }

    /// Time goes on.
    pub fn wait(&mut self, span: Micros) {
        self.now += span;
    }

    fn keep(&mut self, id: &GameId, facts: GameFacts) {
        self.entries.push(Entry::Game(id.clone(), Box::new(facts.clone())));
        self.around.games.insert(id.clone(), facts);
    }

    /// The name of the next attempt at a pairing.
    pub fn attempt(&self, pairing: Pairing) -> (u32, GameId) {
        let board =
            self.tournament.rounds.get(&pairing.round).and_then(|round| round.boards.get(&pairing.board));
        let attempt = board.map_or(1, |board| board.games.keys().next_back().copied().unwrap_or(0) + 1);
        let name =
            if attempt == 1 { format!("event.{pairing}") } else { format!("event.{pairing}.a{attempt}") };
        (attempt, name.parse().expect("it is the name of a game"))
    }

    /// A game starts, with so many plies behind it where it goes on from another.
    pub fn game_starts(
        &mut self,
        pairing: Pairing,
        id: &GameId,
        resumes: Option<(GameId, u32)>,
        control: Option<&str>,
    ) {
        let board = &self.tournament.rounds[&pairing.round].boards[&pairing.board];
        let name = |player: Option<&PlayerId>| {
            player.map(|player| {
                self.tournament.entrants.get(player).map_or(player.to_string(), |e| e.name.clone())
            })
        };
        let plies = resumes.as_ref().map_or(0, |(_, ply)| *ply);
        let facts = GameFacts {
            started_at: Some(self.now),
            gold: name(board.gold()),
            silver: name(board.silver()),
            time_control: control.map(str::to_owned),
            rated: Some(resumes.is_none()),
            clocks: vec![clock(); plies as usize + 1],
            plies,
            resumes,
            ..GameFacts::default()
        };
        self.keep(id, facts);
    }

    /// So many plies more are played.
    pub fn game_goes_on(&mut self, id: &GameId, plies: u32) {
        let mut facts = self.around.games[id].clone();
        facts.plies += plies;
        facts.clocks.resize(facts.plies as usize + 1, clock());
        self.wait(MINUTE * Micros::from(plies.max(1)));
        self.keep(id, facts);
    }

    /// It ends.
    pub fn game_ends(&mut self, id: &GameId, winner: Option<Side>, termination: Termination) {
        let mut facts = self.around.games[id].clone();
        facts.ended = Some(EndFacts { at: self.now, winner, termination });
        self.keep(id, facts);
    }

    /// It is halted, or its rating is taken away.
    pub fn game_set_aside(&mut self, id: &GameId) {
        let mut facts = self.around.games[id].clone();
        facts.halted = facts.ended.is_none();
        facts.rated = Some(false);
        self.keep(id, facts);
    }

    /// Pairings without a result in the last round.
    pub fn open(&self) -> Vec<Pairing> {
        let Some((number, round)) = self.tournament.rounds.iter().next_back() else { return Vec::new() };
        let open = round.boards.iter().filter(|(_, board)| board.outcome().is_none());
        open.map(|(board, _)| Pairing { round: *number, board: *board }).collect()
    }

    /// The two of a pairing.
    pub fn pair(&self, pairing: Pairing) -> (PlayerId, PlayerId) {
        let board = &self.tournament.rounds[&pairing.round].boards[&pairing.board];
        (board.upper().clone(), board.lower().clone())
    }
}

fn clock() -> ClockFacts {
    ClockFacts { gold_reserve: Some(300), silver_reserve: Some(240), game_time: Some(60) }
}
