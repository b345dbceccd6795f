//! A state file as the events of a tournament. Nothing is judged: what the rules do not allow is for an audit to say.
//!
//! The file has no times, so every event bears the time at which the tournament is said to have begun, and the note that it
//! is not known. Who moves first plays Gold and is named first in the pair, whatever their rank. What only a ruling can say
//! (a double win, no decision, a vacated pairing) is recorded as a ruling, with [`REASON`]; a double loss is a double
//! forfeit. Where the rulebook has a stage before the one that is played, the seeds are recorded as the order in which that
//! stage ended, equal ones in the order of the file, with the rating of the file as the measure `seed_rating`.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::tournament::{
    Bye, Effect, Measure, Outcome, Pair, PlayerRegistered, PlayerReinstated, PlayerWithdrawn, Qualified,
    QualifyingRank, ResultRecorded, RoundPaired, RoundStarted, RulingGiven, Withdrawal,
};
use annals_events::{GameKind, Micros, Pairing, PlayerId, Side, Termination, TimeNote, TournamentEvent};
use annals_tournaments::infer::{DatedGame, rounds};

use super::recorded::SEED_RATING;
use super::{ByeWord, GameResult, Line, Said, Seed, StateFile};
use crate::brought_in::{Identities, Recording, Told};

/// The reason of every ruling that stands for a line of the file.
pub const REASON: &str = "as in the director's file";

/// A tournament that a state file tells of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FromState {
    /// Its events in order; the first announces it.
    pub events: Vec<Told>,
    /// How many players entered.
    pub players: u32,
    /// How many rounds there are.
    pub rounds: u32,
    /// How many games.
    pub games: u32,
    /// How many byes.
    pub byes: u32,
    /// Whether the rounds are inferred from the order of the games, since the file marks none.
    pub inferred: bool,
    /// What was understood in a way that the file does not say.
    pub remarks: Vec<String>,
}

/// Where in the order of the record a line belongs: its round, before or after the pairing of it, its place in the file.
type Place = (usize, Phase, usize);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Before,
    Pairing,
    After,
}

impl StateFile {
    /// The events of the tournament, which began at a time that somebody else has to know.
    #[must_use]
    pub fn events(&self, recording: &Recording, begins: Micros) -> FromState {
        let (places, inferred) = self.places();
        let mut order: BTreeMap<Place, Option<&Line>> = BTreeMap::new();
        for (place, line) in places.iter().zip(&self.lines) {
            order.insert(*place, Some(line));
            if place.0 > 0 {
                order.insert((place.0, Phase::Pairing, 0), None);
            }
        }
        let mut telling = Telling {
            recording,
            begins,
            ids: BTreeMap::new(),
            out: FromState { inferred, ..FromState::default() },
            rulings: 0,
        };
        let mut identities = Identities::new(&recording.identities);
        for said in self.said() {
            if let Said::Player { name, .. } = said {
                telling.ids.insert(name, identities.of(name));
            }
        }
        let note = if inferred {
            ", which marks no rounds: they are inferred from the order of the games"
        } else {
            ""
        };
        let note = format!("Read from a director's state file{note}. The times are not known.");
        telling.tell(TournamentEvent::Announced(recording.announcement(note)));
        let mut seeded = false;
        let mut boards = 0;
        for (place, line) in order {
            if place.0 > 0 && !seeded && place.1 != Phase::Before {
                telling.seeds(self, &places, place.0);
                seeded = true;
            }
            match line {
                None => {
                    let round: Vec<&Line> = self.of_round(&places, place.0).collect();
                    telling.pair(place.0, &round);
                    boards = 0;
                }
                Some(line) => telling.line(place.0, &mut boards, line),
            }
        }
        if !seeded {
            telling.seeds(self, &places, 1);
        }
        telling.out
    }

    /// The lines that stand in a round, in order.
    fn of_round<'a>(&'a self, places: &'a [Place], round: usize) -> impl Iterator<Item = &'a Line> {
        places.iter().zip(&self.lines).filter(move |(place, _)| place.0 == round).map(|(_, line)| line)
    }

    /// Where every line belongs, and whether the rounds had to be inferred.
    fn places(&self) -> (Vec<Place>, bool) {
        let marked = self.said().any(|said| matches!(said, Said::Round(_)));
        let played = |said: &Said| matches!(said, Said::Bye { .. } | Said::Game { .. });
        let any = self.said().any(played);
        if !marked && any {
            return (self.inferred_places(), true);
        }
        let (mut round, mut phase) = (0, Phase::Before);
        let place = |(place, line): (usize, &Line)| {
            match &line.said {
                Said::Round(_) => (round, phase) = (round + 1, Phase::Before),
                said if played(said) => phase = Phase::After,
                _ => {}
            }
            (round, phase, place)
        };
        let mut places: Vec<Place> = self.lines.iter().enumerate().map(place).collect();
        // In a round without games, whatever is said is said after its pairing.
        let rounds: BTreeSet<usize> = places
            .iter()
            .zip(self.said())
            .filter(|(_, said)| played(said))
            .map(|(place, _)| place.0)
            .collect();
        for (place, said) in places.iter_mut().zip(self.said()) {
            if place.0 > 0 && !rounds.contains(&place.0) && !matches!(said, Said::Round(_)) {
                place.1 = Phase::After;
            }
        }
        (places, false)
    }

    fn inferred_places(&self) -> Vec<Place> {
        // A bye takes the place of a game in its round.
        let mut games: Vec<DatedGame<&str>> = Vec::new();
        let mut lines = Vec::new();
        for (place, said) in self.said().enumerate() {
            let players = match said {
                Said::Game { gold, silver, .. } => [gold.as_str(), silver.as_str()],
                Said::Bye { name, .. } => [name.as_str(), name.as_str()],
                _ => continue,
            };
            games.push(DatedGame { players, began: place as Micros });
            lines.push(place);
        }
        let mut round_of: BTreeMap<usize, usize> = BTreeMap::new();
        for (number, round) in (1..).zip(rounds(&games)) {
            for placed in &round.games {
                round_of.extend(lines.get(placed.game).map(|line| (*line, number)));
            }
        }
        let mut latest = 0;
        let place = |place: usize| match round_of.get(&place) {
            Some(round) => {
                latest = latest.max(*round);
                (*round, Phase::After, place)
            }
            None if latest == 0 => (0, Phase::Before, place),
            None => (latest, Phase::After, place),
        };
        (0..self.lines.len()).map(place).collect()
    }
}

struct Telling<'a> {
    recording: &'a Recording,
    begins: Micros,
    ids: BTreeMap<&'a str, PlayerId>,
    out: FromState,
    rulings: u32,
}

impl<'a> Telling<'a> {
    fn tell(&mut self, event: TournamentEvent) {
        self.out.events.push(Told { at: self.begins, note: Some(TimeNote::Unknown), event });
    }

    /// The identity behind a name; every name of a file that was read has one.
    fn id(&self, name: &str) -> Option<PlayerId> {
        self.ids.get(name).cloned()
    }

    /// Records the seeds as the order in which the stage before ended.
    fn seeds(&mut self, file: &'a StateFile, places: &[Place], first: usize) {
        let Some(from) = self.recording.stage_before() else {
            let rounded =
                file.said().any(|said| matches!(said, Said::Player { seed, .. } if !seed.is_whole()));
            if rounded {
                self.out.remarks.push("seeds were rounded to whole rating points".to_owned());
            }
            return;
        };
        let entered = |place: &Place| place.0 < first || (place.0 == first && place.1 == Phase::Before);
        let (mut field, mut late) = (Vec::<(&str, Seed)>::new(), 0);
        for (place, said) in places.iter().zip(file.said()) {
            if let Said::Player { name, seed } = said {
                if entered(place) { field.push((name, *seed)) } else { late += 1 }
            }
        }
        field.sort_by_key(|(_, seed)| std::cmp::Reverse(*seed));
        if field.windows(2).any(|two| matches!(two, [a, b] if a.1 == b.1)) {
            self.out.remarks.push("players of equal seed are seeded in the order of the file".to_owned());
        }
        if late > 0 {
            let what = format!("{late} who entered after the first pairing have a rating and no seed");
            self.out.remarks.push(what);
        }
        let order = (1..).zip(&field).filter_map(|(rank, (name, seed))| {
            let measures = vec![Measure { name: SEED_RATING.to_owned(), values: vec![seed.0] }];
            Some(QualifyingRank { player: self.id(name)?, rank, seed: Some(rank), measures })
        });
        let order: Vec<QualifyingRank> = order.collect();
        if !order.is_empty() {
            let to = self.recording.stage;
            self.tell(TournamentEvent::Qualified(Qualified { from, to, order, grounds: Vec::new() }));
        }
    }

    /// The pairing of a round with everything that its lines pair.
    fn pair(&mut self, round: usize, lines: &[&Line]) {
        let (mut pairs, mut byes) = (Vec::<Pair>::new(), Vec::new());
        let mut board = 0;
        for line in lines {
            match &line.said {
                Said::Game { gold, silver, .. } => {
                    board += 1;
                    let (Some(upper), Some(lower)) = (self.id(gold), self.id(silver)) else { continue };
                    let upper_side = Some(Side::Gold);
                    pairs.push(Pair { board, upper, lower, upper_side, colour: None, encounter: None });
                }
                Said::Bye { name, word } => {
                    let half_points = word.map(|word| if word == ByeWord::Win { 2 } else { 0 });
                    byes.extend(self.id(name).map(|player| Bye { player, half_points, grounds: Vec::new() }));
                }
                _ => {}
            }
        }
        if self.recording.rulebook.game == GameKind::Amazons {
            number_encounters(&mut pairs);
        }
        self.out.rounds += 1;
        self.out.games += board;
        self.out.byes += byes.len() as u32;
        self.tell(TournamentEvent::RoundPaired(RoundPaired {
            round: u32::try_from(round).unwrap_or(u32::MAX),
            stage: self.recording.stage,
            pairs,
            byes,
            order: Vec::new(),
            measures: Vec::new(),
            equals: None,
            inferred: self.out.inferred,
        }));
        // A round of which a game came out has begun.
        let came_out = |line: &&Line| match &line.said {
            Said::Game { result: Some(result), .. } => *result != GameResult::Vacated,
            _ => false,
        };
        if lines.iter().any(came_out) {
            let round = u32::try_from(round).unwrap_or(u32::MAX);
            let event = RoundStarted { round, pairing: None, game: None, programs: Vec::new() };
            self.tell(TournamentEvent::RoundStarted(event));
        }
    }

    fn line(&mut self, round: usize, boards: &mut u32, line: &'a Line) {
        match &line.said {
            Said::Player { name, seed } => {
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
            Said::Remove(name) => {
                let Some(player) = self.id(name) else { return };
                let (how, reason) = (Withdrawal::Removed, Some(REASON.to_owned()));
                self.tell(TournamentEvent::PlayerWithdrawn(PlayerWithdrawn { player, how, reason }));
            }
            Said::Add(name) => {
                let Some(player) = self.id(name) else { return };
                let reason = Some(REASON.to_owned());
                self.tell(TournamentEvent::PlayerReinstated(PlayerReinstated {
                    player,
                    appeal: None,
                    reason,
                }));
            }
            Said::Round(_) | Said::Bye { .. } => {}
            Said::Game { gold, result, .. } => {
                *boards += 1;
                let pairing = Pairing { round: u32::try_from(round).unwrap_or(u32::MAX), board: *boards };
                if let Some(result) = result {
                    self.result(pairing, gold, result);
                }
            }
        }
    }

    fn result(&mut self, pairing: Pairing, gold: &str, result: &GameResult) {
        let (outcome, termination) = match result {
            GameResult::Winner(winner) if winner == gold => (Outcome::Gold, None),
            GameResult::Winner(_) => (Outcome::Silver, None),
            GameResult::Draw => (Outcome::Draw, None),
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

fn set(pairing: Pairing, outcome: Outcome) -> Effect {
    Effect::SetResult { pairing, outcome, termination: None }
}

/// Numbers the encounters of a round: games of the same two belong together.
fn number_encounters(pairs: &mut [Pair]) {
    let mut known: BTreeMap<[PlayerId; 2], u32> = BTreeMap::new();
    for pair in pairs {
        let mut two = [pair.upper.clone(), pair.lower.clone()];
        two.sort();
        let next = u32::try_from(known.len() + 1).unwrap_or(u32::MAX);
        pair.encounter = Some(*known.entry(two).or_insert(next));
    }
}
