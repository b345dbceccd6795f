//! A director's desk at a log: everything goes through the command handler.

use std::collections::BTreeMap;

use annals_events::tournament::Announced;
use annals_events::{
    BoardId, Event, GameEvent, GameId, Micros, Side, StreamName, Termination, TournamentEvent,
};
use annals_replay::handler::{self, DirectError, Directed, Director, Draft, HandlerError, Step};
use annals_replay::queries::{TournamentAt, explain};
use annals_replay::{Cut, tournament_at};
use annals_rules::any_game::AnyGame;
use annals_rules::game::{Game, Strictness};
use annals_store::Clock as _;
use annals_tournaments::Tournament;
use annals_tournaments::commands::Command;
use annals_tournaments::formats::next_round;
use annals_tournaments::rulebook::{MINUTE, Rulebook};

use super::rewritten::entries;
use crate::driver::desk::{Desk, Refused, Resumes};
use crate::driver::record::Entry;
use crate::replay::scene::{Scene, draft, replace, stream, strike};

const OPEN: &str = "tournament/event";
pub const DIRECTOR: &str = "Omar";

pub fn open() -> StreamName {
    stream(OPEN)
}

/// A tournament under way in a log.
pub struct LogDesk {
    pub scene: Scene,
    pub rulebook: Rulebook,
    pub tournament: Tournament,
    /// The games that have streams, and from which ply each goes on.
    games: BTreeMap<GameId, (u32, Game<AnyGame>)>,
    /// The plies of games that are played outside the log.
    told: BTreeMap<GameId, u32>,
    /// What has happened in a game and is not yet in the log.
    waiting: Vec<Draft>,
}

/// What refuses something.
fn refused(error: HandlerError) -> Refused {
    let text = error.to_string();
    match error {
        HandlerError::Refused(refusal) => Refused { code: refusal.reason.code().to_owned(), text },
        _ => panic!("{text}"),
    }
}

impl LogDesk {
    pub fn announced(announced: Announced, at: Micros) -> LogDesk {
        let mut desk = LogDesk {
            scene: Scene::begun([0x42; 16], at),
            rulebook: Rulebook::of(&announced).expect("the rulebook is known"),
            tournament: Tournament::default(),
            games: BTreeMap::new(),
            told: BTreeMap::new(),
            waiting: Vec::new(),
        };
        desk.scene.take(draft(OPEN, at, TournamentEvent::Announced(announced)));
        desk.read();
        desk
    }

    /// The tournament is what the log makes it.
    fn read(&mut self) {
        let replay = tournament_at(&self.scene.log, &open(), &Cut::NOW).unwrap();
        assert_eq!(replay.findings(), []);
        self.tournament = replay.tournament;
    }

    /// What has happened in games goes into the log.
    fn enter(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        if !waiting.is_empty() {
            handler::append(&mut self.scene.log, &waiting, DIRECTOR, &[])
                .unwrap_or_else(|error| panic!("{error}"));
        }
    }

    fn direct(&mut self, steps: &[Step]) -> Result<(), Refused> {
        self.enter();
        self.scene.clock.advance(1_000);
        let stream = open();
        let director = Director { stream: &stream, at: None, actor: DIRECTOR, dry_run: false };
        let directed =
            handler::direct_steps(&mut self.scene.log, &director, steps).map_err(|error| match error {
                DirectError::Refused(refusal) => {
                    let code = refusal.rule.map_or_else(String::new, |rule| rule.id.name().to_owned());
                    Refused { code, text: refusal.to_string() }
                }
                DirectError::Handler(error) => refused(error),
                error => panic!("{error}"),
            })?;
        self.fold(&directed);
        Ok(())
    }

    /// Folds what was appended.
    fn fold(&mut self, directed: &Directed) {
        let last = directed.appended.expect("it is no dry run").last_seq;
        for (seq, draft) in (last + 1 - directed.drafts.len() as u64..).zip(&directed.drafts) {
            match draft.decode().expect("it can be read").event {
                Event::Tournament(event) => self.tournament.evolve(seq, draft.effective_at, &event),
                Event::Game(event) => self.plays(&draft.stream, draft.effective_at, &event),
                other => panic!("{other:?}"),
            }
        }
    }

    fn plays(&mut self, stream: &StreamName, at: Micros, event: &GameEvent<'_>) {
        let id: GameId = stream.name().parse().expect("it is the name of a game");
        let (_, game) = self.games.entry(id).or_insert_with(|| (0, Game::new(Strictness::Strict)));
        game.apply(Some(at), event).expect("the handler accepted it");
    }

    fn game_draft(game: &GameId, at: Micros, event: &GameEvent<'static>) -> Draft {
        draft(&format!("game/{game}"), at, event.clone())
    }
}

impl Desk for LogDesk {
    fn rulebook(&self) -> &Rulebook {
        &self.rulebook
    }

    fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    fn now(&self) -> Micros {
        self.scene.clock.now()
    }

    fn wait_until(&mut self, at: Micros) {
        self.scene.clock.set(at.max(self.now()));
    }

    fn ask(&mut self, command: &Command) -> Result<(), Refused> {
        self.direct(&[command.clone().into()])
    }

    fn length(&self) -> u64 {
        self.scene.log.last_seq().unwrap()
    }

    fn event(&self, seq: u64) -> Option<TournamentEvent> {
        let entries = entries(&self.scene);
        let corrected = entries.iter().rev().find_map(|entry| match entry {
            Entry::Correction(of, event) if *of == seq => Some(event.as_deref()),
            _ => None,
        });
        let recorded = entries.get(usize::try_from(seq).unwrap() - 1)?.event();
        recorded.and(corrected.unwrap_or(recorded)).cloned()
    }

    fn correct(&mut self, seq: u64, event: Option<TournamentEvent>) {
        self.enter();
        self.scene.clock.advance(1_000);
        let correction = match event {
            Some(event) => replace(OPEN, seq, event, None),
            None => strike(OPEN, seq),
        };
        let correction = Draft { effective_at: self.now(), ..correction }.now();
        handler::append(&mut self.scene.log, &[correction], DIRECTOR, &[])
            .unwrap_or_else(|error| panic!("{error}"));
        self.read();
    }

    fn about_to_pair(&self) {
        let Ok(next) = next_round(&self.tournament, &self.rulebook) else { return };
        let opened = TournamentAt::at(&self.scene.log, &open(), &Cut::NOW).unwrap();
        let explained = explain::round(&opened, next.paired.round, &explain::Asked::default()).unwrap();
        assert_eq!(explained.expected.round, next.paired);
        assert_eq!((explained.published.is_none(), explained.seq), (true, None));
    }

    fn begin(&mut self, pairing: BoardId, resumes: Resumes, recorded: bool) -> GameId {
        self.enter();
        let mut steps = Vec::new();
        let game = if recorded {
            let tournament = open().name().parse().unwrap();
            let when = (None, self.now());
            let begun =
                handler::begin_game(&self.scene.log, &tournament, &self.tournament, pairing, when).unwrap();
            let first = resumes.map_or(0, |(_, ply)| ply);
            self.games.insert(begun.game.clone(), (first, Game::new(Strictness::Strict)));
            steps.extend(begun.drafts.into_iter().map(Step::from));
            begun.game
        } else {
            let board = &self.tournament.rounds[&pairing.round].boards[&pairing.board];
            let game: GameId = format!("outside.{pairing}.{}", board.last_attempt() + 1).parse().unwrap();
            self.told.insert(game.clone(), resumes.map_or(0, |(_, ply)| ply));
            game
        };
        steps.push(Command::Start { pairing, game: Some(game.clone()) }.into());
        self.direct(&steps).unwrap_or_else(|refused| panic!("{}", refused.text));
        game
    }

    fn plies(&self, game: &GameId) -> (u32, u32) {
        match self.games.get(game) {
            Some((first, game)) => (*first, first + game.plies().len() as u32),
            None => (0, self.told[game]),
        }
    }

    fn game(&self, game: &GameId) -> Option<&Game<AnyGame>> {
        self.games.get(game).map(|(_, game)| game)
    }

    fn happens(&mut self, game: &GameId, at: Micros, event: GameEvent<'static>) {
        self.wait_until(at);
        let draft = LogDesk::game_draft(game, at, &event);
        self.plays(&draft.stream, at, &event);
        self.waiting.push(draft);
    }

    fn refuses(
        &self,
        _pairing: BoardId,
        game: &GameId,
        events: &[(Micros, GameEvent<'static>)],
    ) -> Option<String> {
        let latest = events.iter().map(|(at, _)| *at).max()?;
        let then = self.now();
        self.scene.clock.set(latest.max(then));
        let more = events.iter().map(|(at, event)| LogDesk::game_draft(game, *at, event));
        let drafts: Vec<Draft> = self.waiting.iter().cloned().chain(more).collect();
        let found = handler::would_append(&self.scene.log, &drafts);
        self.scene.clock.set(then);
        found.err().map(|error| refused(error).code)
    }

    fn tell(&mut self, game: &GameId, plies: u32, _end: Option<(Side, Termination)>) {
        self.wait(MINUTE * Micros::from(plies.max(1)));
        *self.told.get_mut(game).expect("it has begun") += plies;
    }

    fn set_aside(&mut self, _game: &GameId) {
        // The handler halts the game itself, or takes its rating away.
    }
}
