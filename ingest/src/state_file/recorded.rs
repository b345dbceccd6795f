//! A recorded tournament as a state file. The file can say less than the record; what it cannot say is told in remarks.

use std::collections::{BTreeMap, BTreeSet};

use annals_events::PlayerId;
use annals_events::tournament::{Bye, Outcome, Pair};
use annals_tournaments::{Board, Entrant, Round, Tournament};

use super::{ByeWord, GameResult, Said, Seed, StateFile};

/// The measure of a published order that keeps the seed of a state file, in millionths of a rating point.
pub(super) const SEED_RATING: &str = "seed_rating";
/// The seed of somebody of whom nothing is known.
const UNKNOWN: Seed = Seed::points(1500);

/// A state file made from a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToState {
    /// The file.
    pub file: StateFile,
    /// What the file does not say as the record does.
    pub remarks: Vec<String>,
}

/// The state file of a tournament as it stands.
#[must_use]
pub fn recorded(tournament: &Tournament) -> ToState {
    let mut writer = Writer { tournament, names: BTreeMap::new(), out: ToState::default() };
    writer.players();
    let mut gone: Vec<(u64, String)> = Vec::new();
    let mut entrants: Vec<(&PlayerId, &Entrant)> = tournament.entrants.iter().collect();
    entrants.sort_by_key(|(_, entrant)| entrant.left.as_ref().map(|left| left.seq));
    for (player, entrant) in entrants {
        if let Some(left) = &entrant.left {
            gone.push((left.seq, writer.name(player)));
        }
    }
    let mut gone = gone.into_iter().peekable();
    for (written, (number, round)) in (1..).zip(&tournament.rounds) {
        while let Some((_, name)) = gone.next_if(|(left, _)| *left < round.paired.seq) {
            writer.out.file.say(Said::Remove(name));
        }
        writer.round(written, *number, round);
    }
    for (_, name) in gone {
        writer.out.file.say(Said::Remove(name));
    }
    writer.out
}

struct Writer<'t> {
    tournament: &'t Tournament,
    names: BTreeMap<&'t PlayerId, String>,
    out: ToState,
}

impl<'t> Writer<'t> {
    fn players(&mut self) {
        let mut entrants: Vec<(&PlayerId, &Entrant)> = self.tournament.entrants.iter().collect();
        entrants.sort_by_key(|(_, entrant)| entrant.order);
        let seeds = self.seeds();
        for (player, entrant) in entrants {
            self.enter(player, &entrant.name, seeds.get(player).copied());
        }
        // Whoever plays without having entered is entered here: the file knows nobody else.
        for round in self.tournament.rounds.values() {
            let paired = round.boards.values().flat_map(|board| board.players());
            let vacated = vacated(round).flat_map(|pair| [&pair.upper, &pair.lower]);
            for player in paired.chain(vacated).chain(round.byes.iter().map(|bye| &bye.player)) {
                if !self.names.contains_key(player) {
                    self.out.remarks.push(format!("`{player}` never entered, and is entered in the file"));
                    self.enter(player, player.as_str(), None);
                }
            }
        }
    }

    fn enter(&mut self, player: &'t PlayerId, shown: &str, seed: Option<Seed>) {
        let plain = |sign: char| if sign.is_whitespace() || "#*".contains(sign) { '_' } else { sign };
        let wanted: String = shown.chars().map(plain).filter(|sign| !sign.is_control()).collect();
        let taken: BTreeSet<&String> = self.names.values().collect();
        let numbered = (2u32..).map(|number| format!("{player}-{number}"));
        let mut choices =
            [wanted, player.to_string()].into_iter().filter(|name| !name.is_empty()).chain(numbered);
        let name = choices.find(|name| !taken.contains(name)).unwrap_or_default();
        if name != shown {
            self.out.remarks.push(format!("`{shown}` cannot stand in such a file, and is written `{name}`"));
        }
        if seed.is_none() {
            let what = format!("`{name}` has neither a seed nor a rating, and gets the seed {UNKNOWN}");
            self.out.remarks.push(what);
        }
        self.names.insert(player, name.clone());
        self.out.file.say(Said::Player { name, seed: seed.unwrap_or(UNKNOWN) });
    }

    /// Everybody's seed: the rating by which they were seeded, where that is recorded; else their rating, where ratings stand in
    /// the order of the seeds; else the place among the seeds, turned round so that more is better.
    fn seeds(&mut self) -> BTreeMap<&'t PlayerId, Seed> {
        let entrants = &self.tournament.entrants;
        let ratings: BTreeMap<&PlayerId, Seed> =
            entrants.iter().filter_map(|(id, one)| Some((id, Seed::points(one.rating?)))).collect();
        let mut measured = BTreeMap::new();
        for place in self.tournament.qualified.iter().flat_map(|qualified| &qualified.order) {
            let found = place.measures.iter().find(|measure| measure.name == SEED_RATING);
            if let Some([value]) = found.map(|measure| measure.values.as_slice()) {
                measured.insert(&place.player, Seed(*value));
            }
        }
        if !measured.is_empty() {
            return ratings.into_iter().chain(measured).collect();
        }
        let mut seeded: Vec<(u32, &PlayerId)> =
            entrants.iter().filter_map(|(id, one)| Some((one.seed?, id))).collect();
        seeded.sort();
        let rated: Option<Vec<Seed>> = seeded.iter().map(|(_, id)| ratings.get(id).copied()).collect();
        if rated.is_some_and(|rated| rated.is_sorted_by(|a, b| a >= b)) {
            return ratings;
        }
        self.out.remarks.push(
            "the seeds do not follow the ratings, so each is written as the place among the seeds, counted from the last"
                .to_owned(),
        );
        let last = seeded.last().map_or(0, |(seed, _)| *seed);
        let unseeded = entrants.keys().map(|id| (id, Seed(0)));
        let from_last = seeded.iter().map(|(seed, id)| {
            let place = i32::try_from(last.saturating_sub(*seed).saturating_add(1)).unwrap_or(i32::MAX);
            (*id, Seed::points(place))
        });
        unseeded.chain(from_last).collect()
    }

    fn round(&mut self, written: u32, number: u32, round: &'t Round) {
        if written != number {
            self.out
                .remarks
                .push(format!("round {number} is written as round {written}: none stands between"));
        }
        self.out.file.say(Said::Round(written));
        let mut games: BTreeMap<(u32, bool), Said> = BTreeMap::new();
        for pair in vacated(round) {
            let gold_is_lower = pair.player(annals_events::Side::Gold) == Some(&pair.lower);
            let (first, second) =
                if gold_is_lower { (&pair.lower, &pair.upper) } else { (&pair.upper, &pair.lower) };
            if first != second {
                let (gold, silver) = (self.name(first), self.name(second));
                games.insert(
                    (pair.board, false),
                    Said::Game { gold, silver, result: Some(GameResult::Vacated) },
                );
            }
        }
        for (number, board) in &round.boards {
            games.extend(self.game(*number, board).map(|game| ((*number, true), game)));
        }
        for game in games.into_values() {
            self.out.file.say(game);
        }
        for bye in &round.byes {
            self.bye(bye);
        }
    }

    fn game(&mut self, number: u32, board: &Board) -> Option<Said> {
        if board.upper() == board.lower() {
            self.out
                .remarks
                .push(format!("`{}` is paired with themselves, which is left out", board.upper()));
            return None;
        }
        let (first, second) = match (board.gold(), board.silver()) {
            (Some(gold), Some(silver)) => (gold, silver),
            _ => {
                let what =
                    format!("board {number}: colours are not decided; `{}` is written first", board.upper());
                self.out.remarks.push(what);
                (board.upper(), board.lower())
            }
        };
        let (gold, silver) = (self.name(first), self.name(second));
        let result = board.outcome().map(|outcome| match outcome {
            Outcome::Gold => GameResult::Winner(gold.clone()),
            Outcome::Silver => GameResult::Winner(silver.clone()),
            Outcome::Draw => GameResult::Draw,
            Outcome::DoubleLoss => GameResult::DoubleLoss,
            Outcome::DoubleWin => GameResult::DoubleWin,
            Outcome::NoDecision => GameResult::NoDecision,
        });
        Some(Said::Game { gold, silver, result })
    }

    fn bye(&mut self, bye: &Bye) {
        let name = self.name(&bye.player);
        let word = match bye.half_points {
            None => None,
            Some(2) => Some(ByeWord::Win),
            Some(0) => Some(ByeWord::Loss),
            Some(other) => {
                self.out
                    .remarks
                    .push(format!("the bye of `{name}` is worth {other} half points, which has no word"));
                None
            }
        };
        self.out.file.say(Said::Bye { name, word });
    }

    fn name(&self, player: &PlayerId) -> String {
        self.names.get(player).cloned().unwrap_or_else(|| player.to_string())
    }
}

/// The pairs of a round that were published and do not stand: vacated, or revoked.
fn vacated(round: &Round) -> impl Iterator<Item = &Pair> {
    let stands = |pair: &Pair| round.boards.get(&pair.board).is_some_and(|board| board.pair == *pair);
    round.paired.fact.pairs.iter().filter(move |pair| !stands(pair))
}
