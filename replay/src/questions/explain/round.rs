//! A round explained: the order it rests on, the criteria with their values, pairs, byes and colours with their reasons,
//! how many rounds are as good, and whether the published one is among them.

use annals_events::tournament::{Equals, Pair, Ranked, RoundPaired, Stage};
use annals_events::{GameKind, Pairing, PlayerId, Side};
use annals_report::{Cell, Page, Table};
use annals_tournaments::explain::{self, RoundExplanation, WhyNot};
use annals_tournaments::formats::{self, Proposal};
use annals_tournaments::rulebook::RuleId;
use annals_tournaments::verdict::{Holds, Verdict};
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::error::ReplayError;
use crate::questions::error::QuestionError;
use crate::questions::opened::Opened;
use crate::questions::overview::stage_cell;
use crate::questions::standings::{cell_named, measure_names};
use crate::questions::{Answer, Heading, Person};
use crate::tournament_audit::judged;

/// What is asked of a round besides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// Why these two do not meet.
    pub why_not: Option<(PlayerId, PlayerId)>,
    pub why_no_bye: Option<PlayerId>,
}

/// A round with its reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundExplained {
    #[serde(flatten)]
    pub heading: Heading,
    #[serde(skip)]
    pub game: GameKind,
    pub about: About,
    pub round: u32,
    pub stage: Stage,
    /// The event that paired it; none where it is not paired, and what is shown is what would follow.
    pub seq: Option<u64>,
    /// The round as the rules make it.
    pub follows: Followed,
    /// Whether the published round is the one that follows, or one as good; none where it is not paired.
    pub published: Option<Published>,
    /// Why something that was asked about is not in the round.
    pub why_not: Vec<WhyNot>,
    /// The names of the players.
    pub players: Vec<Person>,
}

/// What of a round is explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    Round,
    Byes,
    Colours(Pairing),
}

/// The round as the rules make it, with its reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Followed {
    /// As it would be recorded: pairs, byes, order, measures, grounds.
    pub round: RoundPaired,
    /// Boards whose colours a coin decides, with the paragraph.
    pub coins: Vec<(Pairing, String)>,
    /// Boards whose colours a player chooses, with the paragraph.
    pub choices: Vec<(Pairing, PlayerId, String)>,
    pub reasons: RoundExplanation,
}

/// What was published, held against what follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Published {
    /// Whether no rule is departed from.
    pub in_order: bool,
    /// Whether it is the very round that the rules' canonical choice gives.
    pub canonical: bool,
    /// Every rule that was held against it.
    pub verdicts: Vec<Verdict>,
}

/// Explains a round.
///
/// # Errors
/// When the log cannot be read, the rulebook cannot be followed, there is no such round, or the record before it does not
/// go so far.
pub fn round(opened: &Opened<'_>, number: u32, asked: &Asked) -> Result<RoundExplained, QuestionError> {
    let tournament = opened.tournament();
    let paired = tournament.rounds.get(&number).map(|round| round.paired.clone());
    let then = match &paired {
        Some(paired) => Some(opened.before(paired.seq).map_err(|error| unfounded(opened, number, error))?),
        None => None,
    };
    let then = then.as_ref().unwrap_or(opened);
    let rulebook = then.rulebook()?;
    let next = formats::next_round(then.tournament(), rulebook).map_err(|refusal| match paired {
        Some(_) => QuestionError::Refused(refusal),
        None => not_next(opened, number, Some(refusal.to_string())),
    })?;
    if next.paired.round != number {
        return Err(not_next(opened, number, None));
    }
    let mut why_not = Vec::new();
    let asks = asked.why_not.iter().map(|(one, other)| (one, Some(other)));
    for (one, other) in asks.chain(asked.why_no_bye.iter().map(|player| (player, None))) {
        why_not.push(formats::why_not(&next, rulebook, one, other)?);
    }
    let published = match &paired {
        Some(paired) => {
            let verdicts = judged(opened.log(), &opened.stream, &opened.cut, paired.seq)?;
            Some(Published {
                in_order: !verdicts.iter().any(Verdict::departs),
                canonical: same(&paired.fact, &next.paired),
                verdicts,
            })
        }
        None => None,
    };
    let players = then.tournament().entrants.keys().map(|player| then.person(player)).collect();
    Ok(RoundExplained {
        heading: opened.heading(&format!("why round {number}")),
        game: opened.game(),
        about: About::Round,
        round: number,
        stage: next.paired.stage,
        seq: paired.map(|paired| paired.seq),
        follows: Followed::of(next),
        published,
        why_not,
        players,
    })
}

/// The part of an explanation that a question is about.
#[must_use]
pub fn part(opened: &Opened<'_>, mut explained: RoundExplained, pairing: Option<Pairing>) -> RoundExplained {
    let (about, what) = match pairing {
        Some(pairing) => (About::Colours(pairing), format!("why the colours of {pairing}")),
        None => (About::Byes, format!("why the bye of round {}", explained.round)),
    };
    explained.heading = opened.heading(&what);
    explained.about = about;
    // What is not asked about is not held against it either.
    if let Some(published) = &mut explained.published {
        published.verdicts.retain(|verdict| match pairing {
            Some(_) => verdict.subject.pairing() == pairing,
            None => verdict.rule.id != RuleId::Colour,
        });
    }
    let round = &mut explained.follows.round;
    match pairing {
        // Colours of one board.
        Some(pairing) => {
            let reasons = &mut explained.follows.reasons;
            reasons.colours.retain(|colours| colours.boards.contains(&pairing.board));
            reasons.order.clear();
            reasons.criteria.clear();
            reasons.another = None;
            reasons.equals = None;
            reasons.pairs.clear();
            reasons.byes.clear();
            round.pairs.retain(|pair| pair.board == pairing.board);
            round.byes.clear();
        }
        // The byes alone.
        None => {
            round.pairs.clear();
            explained.follows.reasons.pairs.clear();
            explained.follows.reasons.colours.clear();
            explained.follows.reasons.another = None;
        }
    }
    explained
}

fn unfounded(opened: &Opened<'_>, number: u32, error: ReplayError) -> QuestionError {
    match error {
        ReplayError::NotYet { .. } => QuestionError::Nothing(format!(
            "round {number} of {} is paired by its first event: nothing stood before it from which it could follow",
            opened.stream
        )),
        other => other.into(),
    }
}

fn not_next(opened: &Opened<'_>, number: u32, why: Option<String>) -> QuestionError {
    let known = opened.tournament().rounds.keys().copied().collect();
    let no_such = QuestionError::NoSuchRound { stream: opened.stream.clone(), round: number, known };
    match why {
        Some(why) => QuestionError::Nothing(format!("{no_such}; and no further round follows: {why}")),
        None => no_such,
    }
}

/// Whether two rounds have the same pairs, byes and colours.
fn same(one: &RoundPaired, other: &RoundPaired) -> bool {
    fn pairs(round: &RoundPaired) -> Vec<(&PlayerId, &PlayerId, bool)> {
        let mut pairs: Vec<_> = round
            .pairs
            .iter()
            .map(|pair| match (pair.player(Side::Gold), pair.player(Side::Silver)) {
                (Some(gold), Some(silver)) => (gold, silver, true),
                _ => ((&pair.upper).min(&pair.lower), (&pair.upper).max(&pair.lower), false),
            })
            .collect();
        pairs.sort();
        pairs
    }
    let byes = |round: &RoundPaired| {
        let mut byes: Vec<_> = round.byes.iter().map(|bye| bye.player.clone()).collect();
        byes.sort();
        byes
    };
    pairs(one) == pairs(other) && byes(one) == byes(other)
}

impl Followed {
    fn of(next: Proposal) -> Followed {
        let paragraph = |rule: annals_tournaments::rulebook::Rule| rule.paragraph.to_owned();
        Followed {
            coins: next.coins.into_iter().map(|(pairing, rule)| (pairing, paragraph(rule))).collect(),
            choices: next
                .choices
                .into_iter()
                .map(|(pairing, player, rule)| (pairing, player, paragraph(rule)))
                .collect(),
            reasons: next.reasons,
            round: next.paired,
        }
    }
}

impl RoundExplained {
    fn name(&self, player: &PlayerId) -> String {
        Person::name_in(&self.players, player)
    }

    fn order(&self) -> Table {
        let ranked: &[Ranked] = &self.follows.reasons.order;
        let names = measure_names(ranked.iter().flat_map(|line| &line.measures));
        let mut table = Table::of("The order that it rests on", ranked)
            .column("Rank", |line| Cell::count(line.rank))
            .column("Player", |line| Cell::Text(self.name(&line.player)));
        for name in names {
            table = table.column(name, |line| cell_named(&line.measures, name));
        }
        table.table()
    }

    fn criteria(&self, title: &str) -> Table {
        Table::of(title, self.follows.reasons.criteria.iter().enumerate())
            .column("No", |(number, _)| Cell::count(number + 1))
            .column("Value", |(_, criterion)| Cell::Number(criterion.value))
            .column("Counts", |(_, criterion)| Cell::text(&criterion.counts))
            .column("Paragraph", |(_, criterion)| Cell::text(&criterion.paragraph))
            .table()
    }

    /// The pairs with their colours; each with its reason where that is what is asked for.
    fn pairs(&self, for_programs: bool) -> Table {
        // A program finds the keys of the events.
        let named = if for_programs { GameKind::Arimaa } else { self.game };
        let [first, second] = Side::BOTH.map(|side| side.name_in(named));
        let because = for_programs || matches!(self.about, About::Colours(_));
        let shown = |player: &PlayerId| if for_programs { player.to_string() } else { self.name(player) };
        let open = |pair: &Pair| {
            let pairing = Pairing { round: self.round, board: pair.board };
            let coin = self.follows.coins.iter().any(|(of, _)| *of == pairing);
            let choice = self.follows.choices.iter().find(|(of, _, _)| *of == pairing);
            match (coin, choice) {
                (true, _) => "a coin decides".to_owned(),
                (false, Some((_, player, _))) => format!("{} chooses", self.name(player)),
                (false, None) if pair.player(Side::Gold).is_none() => "open".to_owned(),
                (false, None) => String::new(),
            }
        };
        let colours = &self.follows.reasons.colours;
        let reason = |pair: &Pair| {
            let colours = colours.iter().find(|colours| colours.boards.contains(&pair.board))?;
            Some(&colours.reason)
        };
        let table = Table::of("Pairs", &self.follows.round.pairs)
            .column("Board", |pair| Cell::text(Pairing { round: self.round, board: pair.board }))
            .column(first, |pair| Cell::Text(shown(pair.player(Side::Gold).unwrap_or(&pair.upper))))
            .column(second, |pair| Cell::Text(shown(pair.player(Side::Silver).unwrap_or(&pair.lower))))
            .column("Colours", |pair| Cell::Text(open(pair)));
        if !because {
            return table.table();
        }
        table
            .column("Because", |pair| Cell::some(reason(pair).map(|reason| &reason.because)))
            .column("Paragraph", |pair| Cell::some(reason(pair).map(|reason| &reason.paragraph)))
            .table()
    }

    fn equals_words(&self) -> Cell {
        match self.follows.reasons.equals {
            None => Cell::Empty,
            Some(Equals::Exactly(1)) => Cell::text("no other pairing is as good"),
            Some(Equals::Exactly(n)) => Cell::Text(format!("{n} pairings are as good, this one counted")),
            Some(Equals::AtLeast(1)) => Cell::text("whether others are as good was not counted"),
            Some(Equals::AtLeast(n)) => {
                Cell::Text(format!("at least {n} pairings are as good, this one counted"))
            }
        }
    }

    fn published_words(&self) -> Cell {
        let Some(published) = &self.published else {
            return Cell::text("not yet: this is what follows from the record");
        };
        if !published.in_order {
            return Cell::Text(self.departs_words(published));
        }
        let one_of = published.verdicts.iter().find_map(|verdict| match &verdict.holds {
            Holds::OneOf(_) => Some(verdict.holds.word()),
            _ => None,
        });
        Cell::Text(match (published.canonical, one_of) {
            (true, None) => "it follows: it is the one that the rules give".to_owned(),
            (true, Some(word)) => format!("it follows: {word}, the canonical one"),
            (false, Some(word)) => format!("it follows: {word}, another than the canonical one"),
            (false, None) => "it follows".to_owned(),
        })
    }

    /// On what a round departs: the criterion by its number, or the rules.
    fn departs_words(&self, published: &Published) -> String {
        let departs = || published.verdicts.iter().filter(|verdict| verdict.departs());
        match departs().find_map(|verdict| verdict.criterion) {
            Some(criterion) => format!("it departs on criterion {}", criterion.saturating_add(1)),
            None => {
                let mut rules: Vec<&str> = departs().map(|verdict| verdict.rule.id.name()).collect();
                rules.dedup();
                match rules.as_slice() {
                    [] => "it departs elsewhere in the round".to_owned(),
                    rules => format!("it departs from {}", rules.join(", ")),
                }
            }
        }
    }

    fn why_not_lines(&self) -> Vec<String> {
        let of = |why: &WhyNot| {
            let paragraph =
                why.paragraph.as_ref().filter(|paragraph| !why.answer.contains(paragraph.as_str()));
            let paragraph = paragraph.map_or(String::new(), |paragraph| format!(" ({paragraph})"));
            format!("{}? {}{paragraph}", why.asked, why.answer)
        };
        self.why_not.iter().map(of).collect()
    }

    fn held(&self, wanted: impl Fn(&Holds) -> Option<String>) -> Vec<String> {
        let verdicts = self.published.iter().flat_map(|published| &published.verdicts);
        let line = |verdict: &Verdict| {
            let (words, rule) = (wanted(&verdict.holds)?, &verdict.rule);
            Some(format!("{}: {words} [{}, {}]", verdict.subject, rule.id.name(), rule.paragraph))
        };
        verdicts.filter_map(line).collect()
    }
}

impl Answer for RoundExplained {
    fn page(&self, zone: &TimeZone) -> Page {
        let reasons = &self.follows.reasons;
        let line = |one: &explain::Explained| format!("{}: {} ({})", one.what, one.because, one.paragraph);
        let another = reasons.another.iter().map(|pairs| {
            let pairs: Vec<String> =
                pairs.iter().map(|(one, other)| format!("{}-{}", self.name(one), self.name(other))).collect();
            pairs.join(", ")
        });
        let whole = !matches!(self.about, About::Colours(_));
        let departures = self.held(|holds| match holds {
            Holds::Departs { expected, found } => Some(format!("expected {expected}; found {found}")),
            _ => None,
        });
        let left_open = self.held(|holds| match holds {
            Holds::Open { why } => Some(why.to_string()),
            _ => None,
        });
        let colours = reasons.colours.iter().filter(|_| whole).map(|colours| line(&colours.reason));
        // What follows need not be what was published.
        let pairs = if self.published.as_ref().is_some_and(|published| !published.canonical) {
            "Pairs as the rules give them"
        } else {
            "Pairs"
        };
        self.heading
            .page(zone)
            .facts(vec![
                ("Stage", stage_cell(self.stage)),
                ("Paired by", Cell::some(self.seq.map(|seq| format!("event {seq}")))),
                ("Published", self.published_words()),
                ("Equals", self.equals_words()),
            ])
            .lines("Asked", self.why_not_lines())
            .lines("What departs", departures)
            .lines("What the rules leave open", left_open)
            .table(self.order())
            .table(self.criteria("The criteria, the most important first; less is better"))
            .table(Table { title: pairs.to_owned(), ..self.pairs(false) })
            .lines("How the pairs came about", reasons.pairs.iter().map(line).collect())
            .lines("Byes", reasons.byes.iter().map(line).collect())
            .lines("Colours", colours.collect())
            .lines("Another that is as good", another.collect())
    }

    fn table(&self) -> Table {
        match self.about {
            About::Colours(_) => self.pairs(true).for_programs(),
            About::Round | About::Byes => self.criteria("").for_programs(),
        }
    }
}
