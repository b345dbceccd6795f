//! A state file as tournament events, without checks against rules, which are the audit's.
//!
//! The file has no times, so every event has the given start of the tournament, noted as unknown. The first player of a
//! game has Gold and is first in the pair. What needs a ruling (double win, no decision, vacated pairing) is one, with
//! [`REASON`]; a double loss is a double forfeit, or a ruling where a forfeit would exclude the players from later
//! rounds. A vacated game whose players have another line in the round belonged to a revoked pairing. Rounds after the
//! final's end are a continuation or playoff, if the rulebook has one.
//!
//! If the rulebook has an earlier stage, the seeds are recorded as its order, equal ones in file order, with the file's
//! rating as measure `seed_rating`.

mod rounds;

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{
    Bye, Effect, Measure, Outcome, Pair, PairingRevoked, PlayerRegistered, PlayerReinstated, PlayerWithdrawn,
    Qualified, QualifyingRank, ResultRecorded, RoundPaired, RoundStarted, RulingGiven, Stage, Withdrawal,
};
use annals_events::{BoardId, GameKind, Micros, PlayerId, Side, Termination, TimeNote, TournamentEvent};
use annals_tournaments::Tournament;
use annals_tournaments::formats::next_stage;
use annals_tournaments::rulebook::{Format, RuleId};

use self::rounds::{Round, Rounds, is_vacated, players};
use super::seed::SEED_RATING;
use super::{ByeWord, GameResult, Seed, StateFile, StateLine, Statement, won_bye};
use crate::imported::{Identities, ImportedEvent, Recording, first_stage};

/// Of rulings made from the file.
pub const REASON: &str = "as in the director's file";

/// Prefix of the note of an announcement from a file.
const NOTE: &str = "Read from a director's state file";

/// Whether an announcement's note is that of a file.
pub(super) fn is_note(note: &str) -> bool {
    note.starts_with(NOTE)
}

/// Most rounds before the end of a final.
const LONGEST_FINAL: u32 = 1_000;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FromState {
    /// In order; the first announces it.
    pub events: Vec<ImportedEvent>,
    /// Number entered.
    pub players: u32,
    pub rounds: u32,
    pub games: u32,
    pub byes: u32,
    /// All rounds are inferred from the order of games.
    pub inferred: bool,
    /// Interpretations that the file does not state.
    pub remarks: Vec<String>,
}

impl StateFile {
    /// `begins` is the tournament's start.
    #[must_use]
    pub fn events(&self, recording: &Recording, begins: Micros) -> FromState {
        let Rounds { head, rounds, remarks } = Rounds::of(self);
        let inferred = !rounds.is_empty() && rounds.iter().all(|round| round.inferred);
        let entered = self.names().count();
        let remarks = recording.remark_on_stage(entered).into_iter().chain(remarks).collect();
        let mut telling = Telling {
            recording,
            stage: recording.stage_for(entered),
            begins,
            ids: BTreeMap::new(),
            last_round: BTreeMap::new(),
            out_at_the_end: BTreeSet::new(),
            tournament: Tournament::default(),
            out: FromState { inferred, remarks, ..FromState::default() },
            rulings: 0,
        };
        let mut identities = Identities::new(&recording.identities);
        for said in self.said() {
            if let Statement::Player { name, .. } = said {
                telling.ids.insert(name, identities.of(name));
            }
        }
        for said in self.said() {
            match said {
                Statement::Remove(name) => telling.out_at_the_end.insert(name.as_str()),
                Statement::Add(name) => telling.out_at_the_end.remove(name.as_str()),
                _ => false,
            };
        }
        for (at, round) in rounds.iter().enumerate() {
            let names = round.lines.iter().flat_map(|line| players(line)).flatten();
            telling.last_round.extend(names.map(|name| (name, at)));
        }
        let note = match rounds.iter().any(|round| round.inferred) {
            true if inferred => ", which marks no rounds: they are inferred from the order of the games",
            true => ", some rounds of which are inferred from the games",
            false => "",
        };
        let note = format!("{NOTE}{note}. The times are not known.");
        telling.tell(TournamentEvent::Announced(recording.announcement(note)));
        let first = rounds.first().map_or(&[][..], |round| &round.before);
        head.iter().chain(first).for_each(|line| telling.about_player(line));
        telling.seeds(self, &head.iter().chain(first).copied().collect::<Vec<_>>());
        for (at, round) in rounds.iter().enumerate() {
            if at > 0 {
                round.before.iter().for_each(|line| telling.about_player(line));
            }
            telling.round(at, round);
        }
        telling.out
    }
}

struct Telling<'a> {
    recording: &'a Recording,
    /// Of the first round.
    stage: Stage,
    begins: Micros,
    ids: BTreeMap<&'a str, PlayerId>,
    /// The index of each player's last round with a line.
    last_round: BTreeMap<&'a str, usize>,
    /// Removed and not added again.
    out_at_the_end: BTreeSet<&'a str>,
    /// The fold so far.
    tournament: Tournament,
    out: FromState,
    rulings: u32,
}

impl<'a> Telling<'a> {
    fn tell(&mut self, event: TournamentEvent) {
        let seq = self.out.events.len() as u64 + 1;
        self.tournament.evolve(seq, self.begins, &event);
        self.out.events.push(ImportedEvent { at: self.begins, note: Some(TimeNote::Unknown), event });
    }

    /// Every name of a file has one.
    fn id(&self, name: &str) -> Option<PlayerId> {
        self.ids.get(name).cloned()
    }

    /// Records the seeds as the order of the stage before; `first` are the lines above the first pairing.
    fn seeds(&mut self, file: &'a StateFile, first: &[&StateLine]) {
        let seed = |said: &'a Statement| match said {
            Statement::Player { name, seed } => Some((name.as_str(), *seed)),
            _ => None,
        };
        let all: Vec<(&str, Seed)> = file.said().filter_map(seed).collect();
        if are_places(&all) {
            let what = format!(
                "the numbers 1 to {} are read as ratings, of which the greatest is the first seed",
                all.len()
            );
            self.out.remarks.push(what);
        }
        let Some(from) = self.recording.stage_before(self.stage) else {
            if all.iter().any(|(_, seed)| !seed.is_whole()) {
                self.out.remarks.push("seeds were rounded to whole rating points".to_owned());
            }
            return;
        };
        let entered: BTreeSet<&str> = first
            .iter()
            .filter_map(|line| match &line.said {
                Statement::Player { name, .. } => Some(name.as_str()),
                _ => None,
            })
            .collect();
        let late = all.len().saturating_sub(entered.len());
        let mut field: Vec<(&str, Seed)> =
            all.into_iter().filter(|(name, _)| entered.contains(name)).collect();
        field.sort_by_key(|(_, seed)| std::cmp::Reverse(*seed));
        if field.windows(2).any(|two| matches!(two, [a, b] if a.1 == b.1)) {
            self.out.remarks.push("players of equal seed are seeded in the order of the file".to_owned());
        }
        if late > 0 {
            let what = format!("{late} who entered after the first pairing have a rating and no seed");
            self.out.remarks.push(what);
        }
        let places = self.recording.rulebook.stage(from).and_then(|rules| rules.places);
        if let Some(places) = places.filter(|places| field.len() > *places as usize) {
            let players = field.len();
            let what =
                format!("{players} play and {places} can go on; record it with --option finalists={players}");
            self.out.remarks.push(what);
        }
        let order = (1..).zip(&field).filter_map(|(rank, (name, seed))| {
            let measures = vec![Measure { name: SEED_RATING.to_owned(), values: vec![seed.0] }];
            Some(QualifyingRank { player: self.id(name)?, rank, seed: Some(rank), measures })
        });
        let order: Vec<QualifyingRank> = order.collect();
        if !order.is_empty() {
            let to = self.stage;
            self.tell(TournamentEvent::Qualified(Qualified { from, to, order, grounds: Vec::new() }));
        }
    }

    fn about_player(&mut self, line: &StateLine) {
        match &line.said {
            Statement::Player { name, seed } => {
                let Some(player) = self.id(name) else { return };
                self.out.players += 1;
                self.tell(TournamentEvent::PlayerRegistered(PlayerRegistered {
                    player,
                    name: name.clone(),
                    kind: self.recording.kind(name, None),
                    developers: Vec::new(),
                    account: None,
                    rating: Some(seed.rounded()),
                    number: None,
                    country: None,
                }));
            }
            Statement::Remove(name) => {
                let Some(player) = self.id(name) else { return };
                let how = match self.forfeits_end_play() && self.has_forfeited(name, &player) {
                    true => Withdrawal::Forfeit,
                    false => Withdrawal::Removed,
                };
                let reason = Some(REASON.to_owned());
                self.tell(TournamentEvent::PlayerWithdrawn(PlayerWithdrawn { player, how, reason }));
            }
            Statement::Add(name) => {
                let Some(player) = self.id(name) else { return };
                let (appeal, reason) = (None, Some(REASON.to_owned()));
                self.tell(TournamentEvent::PlayerReinstated(PlayerReinstated { player, appeal, reason }));
            }
            Statement::Round { .. } | Statement::Bye { .. } | Statement::Game { .. } => {}
        }
    }

    /// The pairings of a round, and the results of the last.
    fn round(&mut self, at: usize, round: &Round<'a>) {
        let pairings = round.pairings();
        let Some(last) = pairings.last() else { return };
        let number = self.tournament.rounds.keys().next_back().map_or(1, |number| number.saturating_add(1));
        if number as usize != round.number {
            self.out
                .remarks
                .push(format!("round {} of the file is recorded as round {number}", round.number));
        }
        for two in pairings.windows(2) {
            if let [pairing, next] = two {
                self.pair(number, round, pairing);
                self.revoke(number, &round.lines, pairing, next);
            }
        }
        self.pair(number, round, last);
        self.out.rounds += 1;
        // A round with a result has begun.
        let came_out = |line: &StateLine| {
            matches!(line.said, Statement::Game { result: Some(_), .. }) && !is_vacated(line)
        };
        if round.lines.iter().any(|line| came_out(line)) {
            let event = RoundStarted { round: number, pairing: None, game: None, programs: Vec::new() };
            self.tell(TournamentEvent::RoundStarted(event));
        }
        let mut board = 0;
        for (place, line) in round.lines.iter().enumerate() {
            match &line.said {
                Statement::Game { gold, silver, result } => {
                    self.out.games += 1;
                    if last.binary_search(&place).is_err() {
                        continue;
                    }
                    board += 1;
                    let Some(result) = result else { continue };
                    let later = |name: &String| self.last_round.get(name.as_str()) > Some(&at);
                    let stays = |name: &String| later(name) && !self.out_at_the_end.contains(name.as_str());
                    let plays_on = match result {
                        GameResult::Forfeit(winner) if winner == gold => stays(silver),
                        GameResult::Forfeit(_) => stays(gold),
                        _ => later(gold) || later(silver),
                    };
                    self.result(BoardId { round: number, board }, gold, result, plays_on);
                }
                Statement::Bye { .. } => self.out.byes += 1,
                _ => self.about_player(line),
            }
        }
        if !self.tournament.rounds.contains_key(&number) {
            let what = "is vacated as a whole, and counts as never paired";
            self.out.remarks.push(format!("round {} of the file {what}", round.number));
        }
    }

    /// Revokes a pairing before the next one: vacated games first, then the rest.
    fn revoke(&mut self, round: u32, lines: &[&StateLine], pairing: &[usize], next: &[usize]) {
        let is_game = |place: &&usize| {
            lines.get(**place).is_some_and(|line| matches!(line.said, Statement::Game { .. }))
        };
        let vacated =
            (1..).zip(pairing.iter().filter(is_game)).filter(|(_, place)| next.binary_search(place).is_err());
        let boards: Vec<u32> = vacated.map(|(board, _)| board).collect();
        for board in boards.into_iter().map(Some).chain([None]) {
            if self.tournament.rounds.contains_key(&round) {
                let reason = REASON.to_owned();
                self.tell(TournamentEvent::PairingRevoked(PairingRevoked { round, board, reason }));
            }
        }
    }

    fn pair(&mut self, number: u32, round: &Round<'a>, pairing: &[usize]) {
        let (mut pairs, mut byes) = (Vec::<Pair>::new(), Vec::new());
        let game = self.recording.rulebook.game;
        for line in pairing.iter().filter_map(|place| round.lines.get(*place)) {
            match &line.said {
                Statement::Game { gold, silver, .. } => {
                    let (Some(upper), Some(lower)) = (self.id(gold), self.id(silver)) else { continue };
                    let board = u32::try_from(pairs.len() + 1).unwrap_or(u32::MAX);
                    let upper_side = Some(Side::Gold);
                    pairs.push(Pair { board, upper, lower, upper_side, colour: None, encounter: None });
                }
                Statement::Bye { name, word } => {
                    let half_points = word.map(|word| if word == ByeWord::Win { won_bye(game) } else { 0 });
                    byes.extend(self.id(name).map(|player| Bye { player, half_points, grounds: Vec::new() }));
                }
                _ => {}
            }
        }
        if game == GameKind::Amazons {
            number_encounters(&mut pairs);
        }
        self.tell(TournamentEvent::RoundPaired(RoundPaired {
            round: number,
            stage: self.stage(),
            pairs,
            byes,
            order: Vec::new(),
            measures: Vec::new(),
            equals: None,
            inferred: round.inferred,
        }));
    }

    /// The stage of the next round: the requested one, or its successor by the rulebook: after the final a continuation
    /// or playoff; for encounters the stage by the number of players, unless requested otherwise.
    fn stage(&self) -> Stage {
        let (stage, rulebook) = (&self.stage, &self.recording.rulebook);
        let of_encounters =
            |stage: &Stage| rulebook.stage(*stage).is_some_and(|rules| rules.format == Format::Encounters);
        let either = *stage == first_stage(rulebook, self.ids.len()) && of_encounters(stage);
        let instead = |other: &Stage| match stage {
            Stage::Final => *other == Stage::Continuation || other.is_playoff(),
            _ => either && of_encounters(other),
        };
        let last = self.tournament.rounds.values().next_back().map(|round| round.stage);
        let looks = (either || *stage == Stage::Final) && self.out.rounds <= LONGEST_FINAL;
        let due = looks.then(|| next_stage(&self.tournament, rulebook).ok()).flatten();
        due.or(last).filter(instead).unwrap_or(*stage)
    }

    fn result(&mut self, pairing: BoardId, gold: &str, result: &GameResult, plays_on: bool) {
        let (outcome, termination) = match result {
            GameResult::Winner(winner) if winner == gold => (Outcome::Gold, None),
            GameResult::Winner(_) => (Outcome::Silver, None),
            GameResult::Forfeit(winner) => {
                let outcome = if winner == gold { Outcome::Gold } else { Outcome::Silver };
                let kept_in = plays_on && self.forfeits_end_play();
                if kept_in {
                    let what = "is read as a game that was won: the player who forfeited it plays on";
                    self.out.remarks.push(format!("{pairing} {what}"));
                }
                (outcome, (!kept_in).then_some(Termination::Forfeit))
            }
            GameResult::Draw => (Outcome::Draw, None),
            GameResult::DoubleLoss if plays_on && self.forfeits_end_play() => {
                return self.rule(set(pairing, Outcome::DoubleLoss));
            }
            GameResult::DoubleLoss => (Outcome::DoubleLoss, Some(Termination::Forfeit)),
            GameResult::DoubleWin => return self.rule(set(pairing, Outcome::DoubleWin)),
            GameResult::NoDecision => return self.rule(set(pairing, Outcome::NoDecision)),
            GameResult::Vacated => return self.rule(Effect::Vacate { pairing }),
        };
        let (attempt, game, territory, note) = (None, None, None, None);
        self.tell(TournamentEvent::ResultRecorded(ResultRecorded {
            pairing,
            outcome,
            termination,
            attempt,
            game,
            territory,
            note,
        }));
    }

    /// Whether a permanently removed player lost a game by forfeit.
    fn has_forfeited(&self, name: &str, player: &PlayerId) -> bool {
        let mut boards = self.tournament.rounds.values().flat_map(|round| round.boards.values());
        self.out_at_the_end.contains(name) && boards.any(|board| board.forfeited_by().contains(&player))
    }

    /// Whether a forfeit ends a player's rounds.
    fn forfeits_end_play(&self) -> bool {
        self.recording.rulebook.rule(RuleId::ForfeitRemoved).is_some()
    }

    fn rule(&mut self, effect: Effect) {
        self.rulings += 1;
        self.tell(TournamentEvent::RulingGiven(RulingGiven {
            number: self.rulings,
            effect,
            reason: REASON.to_owned(),
            grounds: Vec::new(),
            evidence: Vec::new(),
            dispute: None,
            supersedes: None,
        }));
    }
}

fn set(pairing: BoardId, outcome: Outcome) -> Effect {
    Effect::SetResult { pairing, outcome, termination: None }
}

/// Whether the numbers of several players are those of places, which may be meant as seeds.
fn are_places(players: &[(&str, Seed)]) -> bool {
    let numbers: BTreeSet<Seed> = players.iter().map(|(_, seed)| *seed).collect();
    let places: BTreeSet<Seed> = (1..).zip(players).map(|(place, _)| Seed::points(place)).collect();
    players.len() > 1 && numbers == places
}

/// Games of the same two players form an encounter.
fn number_encounters(pairs: &mut [Pair]) {
    let mut known: BTreeMap<[PlayerId; 2], u32> = BTreeMap::new();
    for pair in pairs {
        let mut two = [pair.upper.clone(), pair.lower.clone()];
        two.sort();
        let next = u32::try_from(known.len() + 1).unwrap_or(u32::MAX);
        pair.encounter = Some(*known.entry(two).or_insert(next));
    }
}
