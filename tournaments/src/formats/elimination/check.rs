//! Rounds of the floating eliminations and their playoffs compared with the rules: who plays, the bye, the value of the
//! pairing on every criterion, the order and measures that were published with it, the colours and coins.

use std::collections::BTreeMap;
use std::sync::Arc;

use annals_events::tournament::{ColourChosen, ColourDrawn, Measure, Ranked, RoundPaired};
use annals_events::{PlayerId, Side};

use super::course::{Gaps, course, is_playoff};
use super::finalists::is_first_of_final;
use super::propose::{Decided, FinalRound, playoff_due};
use crate::check::Bench;
use crate::formats::{self, Proof, Proposal};
use crate::pairing::{Candidate, Pairing};
use crate::round_check::published::agree;
use crate::round_check::{coins, course as rounds, round};
use crate::rulebook::RuleId;
use crate::subject::Subject;

/// Checks a published round.
pub(super) fn pairing(bench: &mut Bench<'_>, paired: &RoundPaired) {
    let subject = round(paired.round);
    if paired.inferred {
        let why = "the round was inferred from the dates of its games: nobody published it, so what it rested on is not known";
        bench.open(RuleId::PairingBest, subject, why);
        return;
    }
    if !rounds::in_order(bench, paired) {
        return;
    }
    let (tournament, rulebook) = (bench.case.tournament, bench.case.rulebook);
    let propose = || formats::next_round(tournament, rulebook).map(Arc::new);
    let next = match bench.case.around.proposal().map_or_else(propose, Ok) {
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
        Proof::Elimination(round) => {
            if let (Some(decision), true) = (round.course.decision, is_first_of_final(tournament)) {
                bench.open(RuleId::FieldSeeds, subject.clone(), decision);
            }
            Published { paired, subject, due: &next.paired, round }.check(bench);
        }
        Proof::Playoff => playoff(bench, paired, &next),
        _ => {}
    }
}

/// A published round next to the one that follows from the record.
struct Published<'a> {
    paired: &'a RoundPaired,
    subject: Subject,
    due: &'a RoundPaired,
    round: &'a FinalRound,
}

impl Published<'_> {
    fn check(&self, bench: &mut Bench<'_>) {
        self.colours(bench);
        self.order(bench);
        if !self.players(bench) {
            return;
        }
        let bye = self.paired.byes.first().map(|bye| &bye.player);
        let barred = bye.is_some_and(|bye| self.bye(bench, bye));
        let pairs = self.paired.pairs.iter().map(|pair| (&pair.upper, &pair.lower));
        match self.round.best.value_of(pairs, bye) {
            Ok(value) => self.value(bench, &value, barred),
            Err(error) => bench.open(RuleId::PairingBest, self.subject.clone(), error.to_string()),
        }
    }

    /// Exactly those who are in have a place each, and one has the bye if their number is odd.
    fn players(&self, bench: &mut Bench<'_>) -> bool {
        let mut seats: BTreeMap<&PlayerId, u32> = BTreeMap::new();
        let paired = self.paired.pairs.iter().flat_map(|pair| [&pair.upper, &pair.lower]);
        for player in paired.chain(self.paired.byes.iter().map(|bye| &bye.player)) {
            *seats.entry(player).or_default() += 1;
        }
        let active = &self.round.best.ranking;
        let missing: Vec<&PlayerId> = active.iter().filter(|player| !seats.contains_key(player)).collect();
        let strange: Vec<&PlayerId> =
            seats.keys().copied().filter(|player| !active.contains(player)).collect();
        let twice: Vec<&PlayerId> =
            seats.iter().filter(|(_, seats)| **seats > 1).map(|(player, _)| *player).collect();
        let mut faults = Vec::new();
        for (players, what) in
            [(missing, "without a place"), (strange, "not in any more, or never"), (twice, "with two places")]
        {
            if !players.is_empty() {
                faults.push(format!("{what}: {}", named(players)));
            }
        }
        if self.paired.byes.len() != active.len() % 2 {
            faults.push(format!("{} byes for {} players", self.paired.byes.len(), active.len()));
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
    fn bye(&self, bench: &mut Bench<'_>, player: &PlayerId) -> bool {
        let best = &self.round.best;
        let Ok(index) = best.index(player) else { return false };
        let subject = format!("{}, bye of {player}", self.subject);
        let bar = best.problem.bar(Candidate::Bye(index)).ok().flatten();
        bench.hold(RuleId::ByeFewest, subject.clone(), bar.is_none(), || {
            let because = bar.map(|bar| bar.because.clone()).unwrap_or_default();
            ("a bye for somebody with the fewest byes so far".to_owned(), because)
        });
        if best.bye() == Some(player) {
            bench.hold(RuleId::ByeChoice, subject, true, Default::default);
        } else if bar.is_none() {
            let expected = best.bye().map_or("", PlayerId::as_str);
            let (criterion, found) = self.loss(best.problem.best_with(Candidate::Bye(index)).ok().as_ref());
            bench.worse(RuleId::ByeChoice, subject, criterion, (format!("the bye for {expected}"), found));
        }
        bar.is_some()
    }

    /// On which criterion a round loses against the best one, by its index and in words.
    fn loss(&self, round: Option<&Pairing>) -> (Option<usize>, String) {
        let Some(round) = round else { return (None, "no round is possible with it".to_owned()) };
        let (best, value) = (&self.round.best.pairing.value, &round.value);
        let differs = value.first_difference(best);
        let found = match differs {
            None => "as good on every criterion".to_owned(),
            Some(at) => {
                let criterion = self.round.best.problem.criteria().get(at);
                let named = criterion.map(ToString::to_string).unwrap_or_default();
                let of = |values: &[i64]| values.get(at).copied().unwrap_or(0);
                format!("{named}: {} where {} is possible", of(value.values()), of(best.values()))
            }
        };
        (differs, found)
    }

    /// The value of the pairing on every criterion, and what was published about it.
    fn value(&self, bench: &mut Bench<'_>, value: &Pairing, barred: bool) {
        let best = &self.round.best;
        let optimal = !barred && value.value == best.pairing.value;
        let equals = self.due.equals.filter(|_| optimal);
        if let Some(equals) = equals {
            bench.one_of(RuleId::PairingBest, self.subject.clone(), equals);
        } else {
            let pairs: Vec<String> = best.pairs().map(|(one, other)| format!("{one}-{other}")).collect();
            let (criterion, found) =
                if barred { (None, "a bye that is forbidden".to_owned()) } else { self.loss(Some(value)) };
            let expected = format!("a pairing as good as {}", pairs.join(", "));
            bench.worse(RuleId::PairingBest, self.subject.clone(), criterion, (expected, found));
        }
        if !self.paired.measures.is_empty() && !barred {
            let measures = self.round.values(value);
            let holds = measures == self.paired.measures;
            bench.hold(RuleId::PairingBest, format!("{}, measures", self.subject), holds, || {
                (listed(&measures), listed(&self.paired.measures))
            });
        }
        if let (Some(published), Some(counted)) = (self.paired.equals, equals) {
            let holds = agree(published, counted);
            bench.hold(RuleId::PairingBest, format!("{}, equals", self.subject), holds, || {
                (format!("{counted:?} as good"), format!("{published:?}"))
            });
        }
    }

    /// The published order next to the one that follows.
    fn order(&self, bench: &mut Bench<'_>) {
        if self.paired.order.is_empty() {
            return;
        }
        let mut published: Vec<_> = self.paired.order.iter().collect();
        published.sort_by_key(|ranked| ranked.rank);
        let place = |ranked: &Ranked| (ranked.rank, ranked.player.clone());
        let same = published.len() == self.due.order.len()
            && published.iter().zip(&self.due.order).all(|(found, due)| place(found) == place(due));
        let fault = if same {
            published.iter().zip(&self.due.order).find_map(|(found, due)| {
                let differs = found.measures.iter().find(|measure| {
                    let same = due.measures.iter().find(|other| other.name == measure.name);
                    same.is_some_and(|same| !close(same, measure))
                })?;
                let expected = format!("{}: {}", found.player, listed(&due.measures));
                Some((expected, format!("{} {:?}", differs.name, differs.values)))
            })
        } else {
            let ranks: Vec<String> =
                published.iter().map(|ranked| format!("{} {}", ranked.rank, ranked.player)).collect();
            Some((named(&self.round.best.ranking), ranks.join(", ")))
        };
        let holds = fault.is_none();
        bench.hold(RuleId::PairingOrder, format!("{}, order", self.subject), holds, || {
            fault.unwrap_or_default()
        });
    }

    /// The colours of every pair.
    fn colours(&self, bench: &mut Bench<'_>) {
        let rulebook = bench.case.rulebook;
        let whole = rulebook.rule(RuleId::Colour).map(|rule| rule.paragraph);
        for pair in &self.paired.pairs {
            let Some(decided) = self.round.course.colours(rulebook, &pair.upper, &pair.lower) else {
                continue;
            };
            let subject = annals_events::Pairing { round: self.paired.round, board: pair.board };
            let finding = decided.ground.finding.unwrap_or_default();
            let paragraph = decided.ground.paragraph.unwrap_or_default();
            let stated = pair.colour.as_ref().and_then(|ground| ground.paragraph.as_deref());
            let stated_well = stated.is_none_or(|stated| stated == paragraph || Some(stated) == whole);
            let found = pair.player(Side::Gold);
            let Some(expected) = decided.gold else {
                match found {
                    None => bench.hold(RuleId::Colour, subject, stated_well, || {
                        (format!("{paragraph} ({finding})"), stated.unwrap_or_default().to_owned())
                    }),
                    Some(gold) => {
                        let why =
                            format!("{finding}; {gold} has Gold, and how the coin fell is not recorded");
                        bench.open(RuleId::Colour, subject, why);
                    }
                }
                continue;
            };
            bench.hold(RuleId::Colour, subject, found == Some(&expected) && stated_well, || {
                let found = found.map_or("no colours".to_owned(), |gold| match stated {
                    Some(by) if !stated_well => format!("Gold for {gold} by {by}"),
                    _ => format!("Gold for {gold}"),
                });
                (format!("Gold for {expected} by {paragraph} ({finding})"), found)
            });
        }
    }
}

fn named<'a>(players: impl IntoIterator<Item = &'a PlayerId>) -> String {
    players.into_iter().map(PlayerId::as_str).collect::<Vec<_>>().join(", ")
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
    let subject = round(paired.round);
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
    let subject = annals_events::Pairing { round: paired.round, board: pair.board };
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

/// Checks a coin.
pub(super) fn coin(bench: &mut Bench<'_>, drawn: &ColourDrawn) {
    let case = bench.case;
    let subject = drawn.pairing;
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
    let decided = course(case.tournament, case.rulebook, drawn.pairing.round, Gaps::Refused)
        .map(|course| course.colours(case.rulebook, board.upper(), board.lower()));
    match decided {
        Err(refusal) => bench.open(RuleId::Colour, subject, refusal.what),
        Ok(Some(Decided { gold: Some(gold), ground })) => bench.hold(RuleId::Colour, subject, false, || {
            let finding = ground.finding.unwrap_or_default();
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
    let subject = chosen.pairing;
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
    } else if board.chosen().is_some() {
        fault = Some(("one choice".to_owned(), "the colours were chosen before".to_owned()));
    }
    let holds = fault.is_none();
    bench.hold(rule, subject, holds, || fault.unwrap_or_default());
}
