//! Rounds of the floating eliminations and their playoffs held against the rules: who plays, the bye, the value of the
//! pairing on every criterion, the order and measures that were published with it, the colours and coins.

use crate::rulebook::RuleId;
use std::collections::BTreeMap;

use annals_events::tournament::{ColourChosen, ColourDrawn, Equals, Measure, RoundPaired};
use annals_events::{PlayerId, Side};

use super::course::{Course, Gaps, course as course_of};
use super::finalists::is_first_of_final;
use super::propose::{colours, equals, measures, playoff_due};
use super::roster::Roster;
use crate::check::Bench;
use crate::formats::elimination::RoundPairing;
use crate::formats::{self, Proof, Proposal};
use crate::history::Player;
use crate::pairing::{Candidate, Pairing};
use crate::round_check::{coins, course as rounds};

/// Checks a published round.
pub(super) fn pairing(bench: &mut Bench<'_>, paired: &RoundPaired) {
    let subject = crate::round_check::round(paired.round);
    if paired.inferred {
        let why = "the round was inferred from the dates of its games: nobody published it, so what it rested on is not known";
        bench.open(RuleId::PairingBest, subject, why);
        return;
    }
    if !rounds::in_order(bench, paired) {
        return;
    }
    let (tournament, rulebook) = (bench.case.tournament, bench.case.rulebook);
    let next = match formats::next_round(tournament, rulebook) {
        Ok(next) => next,
        Err(refusal) => {
            let name = refusal.rule.map(|rule| rule.id);
            match name {
                Some(name) => bench.hold(name, subject, false, || {
                    ("no such round yet, or no more".to_owned(), refusal.what)
                }),
                None => bench.open(RuleId::PairingBest, subject, refusal.what),
            }
            return;
        }
    };
    let due = next.paired.stage;
    bench.hold(RuleId::RoundNeeded, subject.clone(), due == paired.stage, || {
        (format!("a round of the stage {due}"), format!("one of the stage {}", paired.stage))
    });
    if due != paired.stage {
        return;
    }
    match &next.proof {
        Proof::Elimination { round, roster } => {
            let course = match course_of(tournament, rulebook, paired.round, Gaps::Refused) {
                Ok(course) => course,
                Err(refusal) => return bench.open(RuleId::PairingBest, subject, refusal.what),
            };
            if let (Some(decision), true) = (&course.decision, is_first_of_final(tournament)) {
                bench.open(RuleId::FieldSeeds, subject.clone(), decision.clone());
            }
            let published = Published { paired, subject, best: round, roster, course: &course };
            published.judge(bench);
        }
        Proof::Playoff => playoff(bench, paired, &next),
        _ => {}
    }
}

/// A published round beside what the rules make of the record.
struct Published<'a> {
    paired: &'a RoundPaired,
    subject: String,
    best: &'a RoundPairing,
    roster: &'a Roster,
    course: &'a Course,
}

impl Published<'_> {
    fn judge(&self, bench: &mut Bench<'_>) {
        self.colours(bench);
        self.order(bench);
        if !self.players(bench) {
            return;
        }
        let bye = self.paired.byes.first().and_then(|bye| self.roster.number(&bye.player));
        let barred = self.bye(bench, bye);
        let pairs: Option<Vec<(Player, Player)>> = self
            .paired
            .pairs
            .iter()
            .map(|pair| Some((self.roster.number(&pair.upper)?, self.roster.number(&pair.lower)?)))
            .collect();
        let value = pairs.map(|pairs| self.best.value_of(&pairs, bye));
        match value {
            Some(Ok(value)) => self.value(bench, &value, barred),
            Some(Err(error)) => {
                bench.open(RuleId::PairingBest, self.subject.clone(), self.roster.named(&error.to_string()));
            }
            None => {}
        }
    }

    /// Exactly those who are in have a place each, and one has the bye if their number is odd.
    fn players(&self, bench: &mut Bench<'_>) -> bool {
        let mut seats: BTreeMap<&PlayerId, u32> = BTreeMap::new();
        let paired = self.paired.pairs.iter().flat_map(|pair| [&pair.upper, &pair.lower]);
        for player in paired.chain(self.paired.byes.iter().map(|bye| &bye.player)) {
            *seats.entry(player).or_default() += 1;
        }
        let active: Vec<&PlayerId> =
            self.best.ranking.iter().filter_map(|player| self.roster.id(*player)).collect();
        let named = |players: Vec<&PlayerId>| {
            players.into_iter().map(PlayerId::as_str).collect::<Vec<_>>().join(", ")
        };
        let mut faults = Vec::new();
        let missing: Vec<&PlayerId> =
            active.iter().copied().filter(|player| !seats.contains_key(player)).collect();
        let strange: Vec<&PlayerId> =
            seats.keys().copied().filter(|player| !active.contains(player)).collect();
        let twice: Vec<&PlayerId> =
            seats.iter().filter(|(_, seats)| **seats > 1).map(|(player, _)| *player).collect();
        for (players, what) in
            [(missing, "without a place"), (strange, "not in any more, or never"), (twice, "with two places")]
        {
            if !players.is_empty() {
                faults.push(format!("{what}: {}", named(players)));
            }
        }
        let byes = self.best.ranking.len() % 2;
        if self.paired.byes.len() != byes {
            faults.push(format!("{} byes for {} players", self.paired.byes.len(), self.best.ranking.len()));
        }
        let mut boards: Vec<u32> = self.paired.pairs.iter().map(|pair| pair.board).collect();
        boards.sort_unstable();
        if boards.iter().zip(1..).any(|(board, number)| *board != number) {
            faults.push(format!("boards numbered {boards:?} and not from 1"));
        }
        let holds = faults.is_empty();
        bench.hold(RuleId::RoundPlayers, self.subject.clone(), holds, || {
            (format!("one place for each of {}", named(active)), faults.join("; "))
        });
        holds
    }

    /// The bye; whether it was forbidden to that player.
    fn bye(&self, bench: &mut Bench<'_>, bye: Option<Player>) -> bool {
        let Some(player) = bye else { return false };
        let Some(index) = self.best.rank(player).map(|rank| rank - 1) else { return false };
        let subject = format!("{}, bye of {}", self.subject, self.roster.name(player));
        let bar = self.best.problem.bar(Candidate::Bye(index)).ok().flatten();
        bench.hold(RuleId::ByeFewest, subject.clone(), bar.is_none(), || {
            let because = bar.map(|bar| bar.because.clone()).unwrap_or_default();
            ("a bye for somebody with the fewest byes so far".to_owned(), because)
        });
        let chosen = self.best.bye();
        let expected = chosen.map(|player| self.roster.name(player)).unwrap_or_default();
        if chosen == Some(player) {
            bench.hold(RuleId::ByeChoice, subject, true, Default::default);
        } else if bar.is_none() {
            let found = self.loss(&self.best.problem.best_with(Candidate::Bye(index)).ok());
            bench.hold(RuleId::ByeChoice, subject, false, || (format!("the bye for {expected}"), found));
        }
        bar.is_some()
    }

    /// On what a round loses against the best one.
    fn loss(&self, round: &Option<Pairing>) -> String {
        let Some(round) = round else { return "no round is possible with it".to_owned() };
        let (best, value) = (&self.best.pairing.value, &round.value);
        match value.first_difference(best) {
            None => "as good on every criterion".to_owned(),
            Some(at) => {
                let criterion = self.best.problem.criteria().get(at);
                let named = criterion.map(ToString::to_string).unwrap_or_default();
                let of = |values: &[i64]| values.get(at).copied().unwrap_or(0);
                format!("{named}: {} where {} is possible", of(value.values()), of(best.values()))
            }
        }
    }

    /// The value of the pairing on every criterion, and what was published about it.
    fn value(&self, bench: &mut Bench<'_>, value: &Pairing, barred: bool) {
        let optimal = !barred && value.value == self.best.pairing.value;
        let equals = self.best.optima().map(|optima| equals(&optima));
        let subject = self.subject.clone();
        match (&equals, optimal) {
            (Ok(equals), true) => bench.one_of(RuleId::PairingBest, subject, *equals),
            (Err(error), true) => bench.open(RuleId::PairingBest, subject, error.to_string()),
            (_, false) => {
                let found = if barred {
                    "a bye that is forbidden".to_owned()
                } else {
                    self.loss(&Some(value.clone()))
                };
                let pairs: Vec<String> = self
                    .best
                    .pairs()
                    .map(|(one, other)| format!("{}-{}", self.roster.name(one), self.roster.name(other)))
                    .collect();
                bench.hold(RuleId::PairingBest, subject, false, || {
                    (format!("a pairing as good as {}", pairs.join(", ")), found)
                });
            }
        }
        if !self.paired.measures.is_empty() && !barred {
            let measures = measures(self.best, value);
            let holds = measures == self.paired.measures;
            bench.hold(RuleId::PairingBest, format!("{}, measures", self.subject), holds, || {
                (listed(&measures), listed(&self.paired.measures))
            });
        }
        if let (Some(published), Ok(counted), true) = (self.paired.equals, equals, optimal) {
            let holds = match (published, counted) {
                (Equals::AtLeast(least), Equals::Exactly(rounds)) => least <= rounds,
                (Equals::Exactly(rounds), Equals::AtLeast(least)) => rounds >= least,
                (Equals::AtLeast(_), Equals::AtLeast(_)) => true,
                (Equals::Exactly(one), Equals::Exactly(other)) => one == other,
            };
            bench.hold(RuleId::PairingBest, format!("{}, equals", self.subject), holds, || {
                (format!("{counted:?} as good"), format!("{published:?}"))
            });
        }
    }

    /// The published order beside the one that follows.
    fn order(&self, bench: &mut Bench<'_>) {
        if self.paired.order.is_empty() {
            return;
        }
        let mut published: Vec<_> = self.paired.order.iter().collect();
        published.sort_by_key(|ranked| ranked.rank);
        let expected: Vec<&PlayerId> =
            self.best.ranking.iter().filter_map(|player| self.roster.id(*player)).collect();
        let found: Vec<&PlayerId> = published.iter().map(|ranked| &ranked.player).collect();
        let ranks = published.iter().zip(1..).all(|(ranked, rank)| ranked.rank == rank);
        let mut fault = (expected != found || !ranks).then(|| {
            let named =
                |players: &[&PlayerId]| players.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(", ");
            let ranks: Vec<String> =
                published.iter().map(|ranked| format!("{} {}", ranked.rank, ranked.player)).collect();
            (named(&expected), ranks.join(", "))
        });
        if fault.is_none() {
            fault = published.iter().zip(&self.best.ranking).find_map(|(ranked, player)| {
                let measures = self.course.measures(*player, self.best);
                let differs = ranked.measures.iter().find(|measure| {
                    let same = measures.iter().find(|other| other.name == measure.name);
                    same.is_some_and(|same| !close(same, measure))
                })?;
                Some((
                    format!("{}: {}", ranked.player, listed(&measures)),
                    format!("{} {:?}", differs.name, differs.values),
                ))
            });
        }
        let holds = fault.is_none();
        bench.hold(RuleId::PairingOrder, format!("{}, order", self.subject), holds, || {
            fault.unwrap_or_default()
        });
    }

    /// The colours of every pair.
    fn colours(&self, bench: &mut Bench<'_>) {
        for pair in &self.paired.pairs {
            let (Some(upper), Some(lower)) =
                (self.roster.number(&pair.upper), self.roster.number(&pair.lower))
            else {
                continue;
            };
            let Some(decided) = colours(self.course, bench.case.rulebook, upper, lower) else {
                continue;
            };
            let subject = format!("r{}.{}", self.paired.round, pair.board);
            let finding = decided.ground.finding.clone().unwrap_or_default();
            let paragraph = decided.ground.paragraph.clone().unwrap_or_default();
            let whole = bench.case.rulebook.rule(RuleId::Colour).map(|rule| rule.paragraph);
            let stated = pair.colour.as_ref().and_then(|ground| ground.paragraph.as_deref());
            let stated_well = stated.is_none_or(|stated| stated == paragraph || Some(stated) == whole);
            let expected = decided.gold.map(|gold| self.roster.name(gold));
            match (pair.player(Side::Gold), expected) {
                (Some(gold), Some(expected)) => {
                    bench.hold(RuleId::Colour, subject, gold.as_str() == expected && stated_well, || {
                        let by =
                            stated.filter(|_| !stated_well).map_or(String::new(), |by| format!(" by {by}"));
                        (
                            format!("Gold for {expected} by {paragraph} ({finding})"),
                            format!("Gold for {gold}{by}"),
                        )
                    });
                }
                (None, Some(expected)) => bench.hold(RuleId::Colour, subject, false, || {
                    (format!("Gold for {expected} by {paragraph} ({finding})"), "no colours".to_owned())
                }),
                (None, None) => bench.hold(RuleId::Colour, subject, stated_well, || {
                    (format!("{paragraph} ({finding})"), stated.unwrap_or_default().to_owned())
                }),
                (Some(gold), None) => {
                    let why = format!("{finding}; {gold} has Gold, and how the coin fell is not recorded");
                    bench.open(RuleId::Colour, subject, why);
                }
            }
        }
    }
}

/// Whether two measures say the same; ratings may differ by a millionth of a point, where they were rounded.
fn close(one: &Measure, other: &Measure) -> bool {
    one.values.len() == other.values.len()
        && one.values.iter().zip(&other.values).all(|(mine, theirs)| {
            let apart = mine.abs_diff(*theirs);
            apart == 0 || (one.name == "rating" && apart <= 1)
        })
}

fn listed(measures: &[Measure]) -> String {
    let one = |measure: &Measure| format!("{} {:?}", measure.name, measure.values);
    measures.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn playoff(bench: &mut Bench<'_>, paired: &RoundPaired, next: &Proposal) {
    let Some(due) = next.paired.pairs.first() else { return };
    let subject = crate::round_check::round(paired.round);
    let is_it = |upper: &PlayerId, lower: &PlayerId| {
        (upper == &due.upper && lower == &due.lower) || (upper == &due.lower && lower == &due.upper)
    };
    let one = match &paired.pairs[..] {
        [pair] if paired.byes.is_empty() && is_it(&pair.upper, &pair.lower) => Some(pair),
        _ => None,
    };
    bench.hold(RuleId::PlayoffPair, subject, one.is_some(), || {
        let found: Vec<String> =
            paired.pairs.iter().map(|pair| format!("{} against {}", pair.upper, pair.lower)).collect();
        (format!("one game of {} against {}", due.upper, due.lower), found.join(", "))
    });
    let Some(pair) = one else { return };
    let subject = format!("r{}.{}", paired.round, pair.board);
    match (due.player(Side::Gold), pair.player(Side::Gold)) {
        (expected, found) if expected == found => {
            bench.hold(RuleId::PlayoffColour, subject, true, Default::default)
        }
        (Some(expected), found) => bench.hold(RuleId::PlayoffColour, subject, false, || {
            let found = found.map_or("no colours".to_owned(), |gold| format!("Gold for {gold}"));
            (format!("Gold for {expected}, who has had it less often"), found)
        }),
        (None, _) => {
            let chooser = next.choices.first().map_or("a player", |(_, player, _)| player.as_str());
            let why = format!("{chooser} chooses the colours, and what was chosen is not recorded");
            bench.open(RuleId::PlayoffColour, subject, why);
        }
    }
}

/// Whether a board is one of a playoff.
fn is_playoff(stage: annals_events::tournament::Stage) -> bool {
    use annals_events::tournament::Stage;
    matches!(stage, Stage::SecondPlayoff | Stage::ThirdPlayoff)
}

/// Checks a coin.
pub(super) fn coin(bench: &mut Bench<'_>, drawn: &ColourDrawn) {
    let case = bench.case;
    let subject = drawn.pairing.to_string();
    let Some(round) = case.tournament.rounds.get(&drawn.pairing.round) else { return };
    let Some(board) = round.boards.get(&drawn.pairing.board) else {
        return bench.hold(RuleId::Colour, subject, false, || {
            ("a board that is paired".to_owned(), "no such board".to_owned())
        });
    };
    if is_playoff(round.stage) {
        return bench.hold(RuleId::PlayoffColour, subject, false, || {
            ("no coin: the colour played less often, or a choice".to_owned(), "a coin".to_owned())
        });
    }
    let decided =
        course_of(case.tournament, case.rulebook, drawn.pairing.round, Gaps::Refused).map(|course| {
            let pair = course.roster.number(&board.upper).zip(course.roster.number(&board.lower));
            pair.and_then(|(upper, lower)| {
                let decided = colours(&course, case.rulebook, upper, lower)?;
                let gold = decided.gold.map(|gold| course.roster.name(gold));
                Some((gold, decided.ground.finding.unwrap_or_default()))
            })
        });
    match decided {
        Err(refusal) => bench.open(RuleId::Colour, subject, refusal.what),
        Ok(Some((Some(gold), finding))) => bench.hold(RuleId::Colour, subject, false, || {
            (
                format!("Gold for {gold} without a coin ({finding})"),
                format!("a coin, with Gold for {}", drawn.gold),
            )
        }),
        Ok(_) => coins::drawn(bench, RuleId::Colour, board, round.started_at.is_some(), drawn),
    }
}

/// Checks a choice of colours.
pub(super) fn choice(bench: &mut Bench<'_>, chosen: &ColourChosen) {
    let case = bench.case;
    let subject = chosen.pairing.to_string();
    let Some(round) = case.tournament.rounds.get(&chosen.pairing.round) else { return };
    let rule = if is_playoff(round.stage) { RuleId::PlayoffColour } else { RuleId::Colour };
    let Some(board) = round.boards.get(&chosen.pairing.board) else {
        return bench.hold(rule, subject, false, || {
            ("a board that is paired".to_owned(), "no such board".to_owned())
        });
    };
    if !is_playoff(round.stage) {
        return bench.hold(rule, subject, false, || {
            ("colours by the rules: nobody chooses".to_owned(), format!("{} chose", chosen.player))
        });
    }
    let chooser = match playoff_due(case.tournament, case.rulebook, chosen.pairing.round) {
        Ok(chooser) => chooser,
        Err(refusal) => return bench.open(rule, subject, refusal.what),
    };
    let mut fault = None;
    if chooser.as_ref() != Some(&chosen.player) {
        let expected = chooser.map_or("no choice".to_owned(), |chooser| format!("the choice of {chooser}"));
        fault = Some((expected, format!("{} chose", chosen.player)));
    } else if round.started_at.is_some() {
        fault = Some(("a choice before the game".to_owned(), "the round has started".to_owned()));
    } else if board.chosen.is_some() {
        fault = Some(("one choice".to_owned(), "the colours were chosen before".to_owned()));
    }
    let holds = fault.is_none();
    bench.hold(rule, subject, holds, || fault.unwrap_or_default());
}
