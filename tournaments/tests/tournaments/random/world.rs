//! A world in which a tournament is recorded: its events, the games that it speaks of as they grow, a clock that goes
//! forward. What is recorded can be audited from the beginning, and recorded wrongly on purpose.

use std::collections::BTreeMap;

use annals_events::tournament::Announced;
use annals_events::{
    BoardId, ClockSet, GameEvent, GameId, Micros, PlayerAtStart, PlayerId, Side, Started, Termination,
    TournamentEvent, TournamentId,
};
use annals_rules::any_game::AnyGame;
use annals_rules::clock::TimeControl;
use annals_rules::game::Game;
use annals_rules::{ClockFacts, EndFacts, GameFacts};
use annals_tournaments::Tournament;
use annals_tournaments::check::{EventMeta, JudgingContext, check};
use annals_tournaments::commands::Command;
use annals_tournaments::context::{StandingBan, TournamentContext};
use annals_tournaments::refusal::Refusal;
use annals_tournaments::rulebook::{MINUTE, Rulebook};
use annals_tournaments::verdict::Verdict;

use super::played::Played;
use super::reasons;
use crate::deciding::decide;
use crate::driver::desk::{Desk, Refused, Resumes};
use crate::driver::record::Entry;

/// The games of a log.
#[derive(Default)]
pub struct Games {
    /// Those of which only facts are told.
    told: BTreeMap<GameId, GameFacts>,
    played: BTreeMap<GameId, Played>,
}

impl Games {
    /// What an entry says of the games.
    fn apply(&mut self, seq: u64, entry: &Entry) {
        match entry {
            Entry::Told(game, facts) => {
                self.told.insert(game.clone(), (**facts).clone());
            }
            Entry::Begun(game, facts) => {
                self.played.insert(game.clone(), Played::new((**facts).clone()));
            }
            Entry::Game(game, at, event) => {
                if let Some(played) = self.played.get_mut(game) {
                    played.apply(seq, *at, event);
                }
            }
            Entry::SetAside(game) => {
                let played = self.played.get_mut(game).map(|played| &mut played.facts);
                let facts = played.or(self.told.get_mut(game)).expect("it is known");
                facts.halted = facts.ended.is_none();
                facts.rated = Some(false);
            }
            Entry::Event(..) | Entry::Correction(..) | Entry::Other => {}
        }
    }
}

impl TournamentContext for Games {
    fn game(&self, game: &GameId) -> Option<&GameFacts> {
        self.told.get(game).or_else(|| self.played.get(game).map(|played| &played.facts))
    }

    fn bans(&self) -> &[StandingBan] {
        &[]
    }

    fn tournament(&self, _name: &TournamentId) -> Option<&Tournament> {
        None
    }
}

/// A tournament under way.
pub struct World {
    pub rulebook: Rulebook,
    pub tournament: Tournament,
    pub context: Games,
    pub entries: Vec<Entry>,
    now: Micros,
}

/// A tournament as a record tells it, corrections in place.
fn fold(entries: &[Entry]) -> Tournament {
    let corrections = corrections(entries);
    let mut tournament = Tournament::default();
    for (seq, entry) in (1..).zip(entries) {
        if let Entry::Event(at, _, event) = entry
            && let Some(event) = corrections.get(&seq).copied().unwrap_or(Some(&**event))
        {
            tournament.evolve(seq, *at, event);
        }
    }
    tournament
}

/// What corrected events say now; nothing of those that are struck.
fn corrections(entries: &[Entry]) -> BTreeMap<u64, Option<&TournamentEvent>> {
    let corrected = entries.iter().filter_map(|entry| match entry {
        Entry::Correction(seq, event) => Some((*seq, event.as_deref())),
        _ => None,
    });
    corrected.collect()
}

/// The verdicts on a record, each with the position of its event. An event is checked as it is corrected now, on what was known
/// before it.
pub fn audit(rulebook: &Rulebook, entries: &[Entry]) -> (Tournament, Vec<Verdict>) {
    let mut tournament = Tournament::default();
    let mut context = Games::default();
    let mut verdicts = Vec::new();
    let corrected = corrections(entries);
    for (seq, entry) in (1..).zip(entries) {
        context.apply(seq, entry);
        match entry {
            Entry::Correction(..) => {
                let before = usize::try_from(seq).expect("small");
                tournament = fold(&entries[..before]);
            }
            Entry::Event(at, recorded_at, event) => {
                let case = JudgingContext::new(&tournament, rulebook, &context);
                let when = EventMeta { seq, at: *at, recorded_at: *recorded_at, imported: false };
                if let Some(event) = corrected.get(&seq).copied().unwrap_or(Some(&**event)) {
                    verdicts.extend(check(&case, &when, event));
                }
                tournament.evolve(seq, *at, event);
            }
            _ => {}
        }
    }
    (tournament, verdicts)
}

fn refused(refusal: &Refusal) -> Refused {
    let code = refusal.rule.map_or_else(String::new, |rule| rule.id.name().to_owned());
    Refused { code, text: refusal.to_string() }
}

impl World {
    /// A world in which a tournament is announced at a time.
    pub fn announced(announced: Announced, at: Micros) -> World {
        let rulebook = Rulebook::of(&announced).expect("the rulebook is known");
        let mut world = World {
            rulebook,
            tournament: Tournament::default(),
            context: Games::default(),
            entries: Vec::new(),
            now: at,
        };
        world.record(TournamentEvent::Announced(announced));
        world
    }

    fn next_seq(&self) -> u64 {
        self.length() + 1
    }

    pub fn case(&self) -> (JudgingContext<'_>, EventMeta) {
        let when = EventMeta { seq: self.next_seq(), at: self.now, recorded_at: self.now, imported: false };
        (JudgingContext::new(&self.tournament, &self.rulebook, &self.context), when)
    }

    fn push(&mut self, entry: Entry) {
        self.context.apply(self.next_seq(), &entry);
        self.entries.push(entry);
    }

    /// A game from its beginning, with further events.
    fn folded(&self, game: &GameId, more: &[(Micros, GameEvent<'static>)]) -> Played {
        let mut games = Games::default();
        for (seq, entry) in (1..).zip(&self.entries) {
            match entry {
                Entry::Begun(of, _) | Entry::Game(of, ..) if of == game => games.apply(seq, entry),
                _ => {}
            }
        }
        let mut played = games.played.remove(game).expect("its turns are recorded");
        for (seq, (at, event)) in (self.next_seq()..).zip(more) {
            played.apply(seq, *at, event);
        }
        played
    }
}

impl Desk for World {
    fn rulebook(&self) -> &Rulebook {
        &self.rulebook
    }

    fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    fn now(&self) -> Micros {
        self.now
    }

    fn wait_until(&mut self, at: Micros) {
        self.now = self.now.max(at);
    }

    fn ask(&mut self, command: &Command) -> Result<(), Refused> {
        self.now += 1_000;
        let (case, when) = self.case();
        let decision = decide(&case, &when, command).map_err(|refusal| refused(&refusal))?;
        for event in decision.events {
            self.tournament.evolve(self.next_seq(), self.now, &event);
            self.push(Entry::Event(self.now, self.now, Box::new(event)));
        }
        Ok(())
    }

    fn length(&self) -> u64 {
        self.entries.len() as u64
    }

    fn event(&self, seq: u64) -> Option<TournamentEvent> {
        let recorded = self.entries.get(usize::try_from(seq).ok()? - 1)?.event()?;
        corrections(&self.entries).get(&seq).copied().unwrap_or(Some(recorded)).cloned()
    }

    fn correct(&mut self, seq: u64, event: Option<TournamentEvent>) {
        self.push(Entry::Correction(seq, event.map(Box::new)));
        self.tournament = fold(&self.entries);
    }

    fn about_to_pair(&self) {
        reasons::are_complete(self);
    }

    fn begin(&mut self, pairing: BoardId, resumes: Resumes, recorded: bool) -> GameId {
        let round = &self.tournament.rounds[&pairing.round];
        let board = &round.boards[&pairing.board];
        let attempt = board.last_attempt() + 1;
        let name =
            if attempt == 1 { format!("event.{pairing}") } else { format!("event.{pairing}.{attempt}") };
        let game: GameId = name.parse().expect("it is the name of a game");
        let name = |player: &PlayerId| {
            self.tournament.entrants.get(player).map_or(player.to_string(), |entrant| entrant.name.clone())
        };
        let [gold, silver] = [board.gold(), board.silver()].map(|player| player.map(name));
        let control = self.rulebook.stage(round.stage).and_then(|rules| rules.time_control);
        let plies = resumes.as_ref().map_or(0, |(_, ply)| *ply);
        let rated = resumes.is_none();
        let facts = GameFacts { gold, silver, rated: Some(rated), plies, resumes, ..GameFacts::default() };
        if recorded {
            self.begin_recorded(&game, facts, control.expect("the stage has a time control"));
        } else {
            let (started_at, time_control) = (Some(self.now), control.map(str::to_owned));
            let clocks = vec![clock(); plies as usize + 1];
            let facts = GameFacts { started_at, time_control, clocks, ..facts };
            self.push(Entry::Told(game.clone(), Box::new(facts)));
        }
        self.must(Command::Start { pairing, game: Some(game.clone()) });
        game
    }

    fn plies(&self, game: &GameId) -> (u32, u32) {
        let facts = self.context.game(game).expect("it is known");
        let recorded = self.context.played.contains_key(game);
        let first = facts.resumes.as_ref().filter(|_| recorded).map_or(0, |(_, ply)| *ply);
        (first, facts.plies)
    }

    fn game(&self, game: &GameId) -> Option<&Game<AnyGame>> {
        self.context.played.get(game).map(|played| &played.game)
    }

    fn happens(&mut self, game: &GameId, at: Micros, event: GameEvent<'static>) {
        self.wait_until(at);
        self.push(Entry::Game(game.clone(), at, Box::new(event)));
    }

    fn refuses(
        &self,
        pairing: BoardId,
        game: &GameId,
        events: &[(Micros, GameEvent<'static>)],
    ) -> Option<String> {
        let facts = self.folded(game, events).facts;
        let context = Games { told: BTreeMap::from([(game.clone(), facts)]), ..Games::default() };
        let (case, when) = self.case();
        let asked = Command::Result {
            pairing,
            outcome: None,
            termination: None,
            game: Some(game.clone()),
            territory: None,
        };
        decide(&JudgingContext { context: &context, ..case }, &when, &asked)
            .err()
            .map(|refusal| refused(&refusal).code)
    }

    fn tell(&mut self, game: &GameId, plies: u32, end: Option<(Side, Termination)>) {
        self.wait(MINUTE * Micros::from(plies.max(1)));
        let mut facts = self.context.told[game].clone();
        facts.plies += plies;
        facts.clocks.resize(facts.plies as usize + 1, clock());
        facts.ended =
            end.map(|(winner, termination)| EndFacts { at: self.now, winner: Some(winner), termination });
        self.push(Entry::Told(game.clone(), Box::new(facts)));
    }

    fn set_aside(&mut self, game: &GameId) {
        self.push(Entry::SetAside(game.clone()));
    }
}

impl World {
    /// A game begins of which every turn is recorded, with the position, the clocks and the rest of the length of the game
    /// from which it goes on.
    fn begin_recorded(&mut self, game: &GameId, mut facts: GameFacts, control: &str) {
        let mut control: TimeControl = control.parse().expect("it is a time control");
        let (mut position, mut clocks) = (None, None);
        if let Some((before, ply)) = facts.resumes.clone() {
            let earlier = &self.context.played[&before];
            let carried = earlier.facts.resumes.as_ref().map_or(0, |(_, plies)| *plies);
            facts.clocks = earlier.facts.clocks[..=ply as usize].to_vec();
            clocks = facts.clocks.last().copied();
            control = control.after(clocks.and_then(|clock| clock.game_time).unwrap_or(0));
            let own = (ply - carried) as usize;
            let state = match own.checked_sub(1) {
                Some(last) => earlier.game.plies().get(last).map(|ply| &ply.state_after),
                None => earlier.game.initial_state(),
            };
            position = state.filter(|_| ply > 0).map(|state| state.position_text().into());
        }
        let name = |name: &Option<String>| PlayerAtStart {
            name: name.clone().expect("the colours are decided").into(),
            ..PlayerAtStart::default()
        };
        let started = Started {
            gold: name(&facts.gold),
            silver: name(&facts.silver),
            time_control: Some(control.to_string().into()),
            ..Started::plain(self.rulebook.game, position)
        };
        self.push(Entry::Begun(game.clone(), Box::new(facts)));
        self.happens(game, self.now, GameEvent::Started(Box::new(started)));
        if let Some(ClockFacts { gold_reserve: Some(gold), silver_reserve: Some(silver), .. }) = clocks {
            let set = ClockSet { gold_reserve: gold, silver_reserve: silver, reason: None };
            self.happens(game, self.now, GameEvent::ClockSet(set));
        }
    }
}

fn clock() -> ClockFacts {
    ClockFacts { gold_reserve: Some(300), silver_reserve: Some(240), game_time: Some(60) }
}
