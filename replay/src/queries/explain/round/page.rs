//! An explained round as a page, and as a table for programs.

use annals_events::tournament::{Equals, Ranked};
use annals_events::{GameKind, PlayerId, Side};
use annals_report::{Cell, Document, Table, ToDocument};
use annals_tournaments::explain::{Explained, WhyNot};
use annals_tournaments::verdict::{Compliance, Verdict};
use jiff::tz::TimeZone;

use super::super::READINGS;
use super::{About, ExplainedBoard, Published, RoundExplained};
use crate::queries::Person;
use crate::queries::overview::{ReadingLine, stage_cell};
use crate::queries::standings::{cell_named, head_of, measure_names};

impl RoundExplained {
    fn name(&self, player: &PlayerId) -> String {
        Person::name_in(&self.players, player)
    }

    fn order(&self) -> Table {
        let ranked: &[Ranked] = &self.expected.reasons.order;
        let names = measure_names(ranked.iter().flat_map(|line| &line.measures));
        let mut table = Table::of("The order that it rests on", ranked)
            .column("Rank", |line| Cell::count(line.rank))
            .column("Player", |line| Cell::named(self.name(&line.player), &line.player));
        for name in names {
            table = table.column(&head_of(name), |line| cell_named(&line.measures, name));
        }
        table.table()
    }

    fn criteria(&self, title: &str) -> Table {
        let whole = !matches!(self.about, About::Byes);
        let criteria = self.expected.reasons.criteria.iter().enumerate();
        Table::of(title, criteria.filter(|(_, criterion)| whole || criterion.of_bye))
            .column("No", |(number, _)| Cell::count(number + 1))
            .column("Value", |(_, criterion)| Cell::Number(criterion.value))
            .column("Counts", |(_, criterion)| Cell::text(&criterion.counts))
            .column("Paragraph", |(_, criterion)| Cell::text(&criterion.paragraph))
            .table()
    }

    /// With reasons if requested.
    fn pairs(&self, title: &str, boards: &[ExplainedBoard], for_programs: bool) -> Table {
        // Programs get event keys.
        let named = if for_programs { GameKind::Arimaa } else { self.game };
        let [first, second] = Side::BOTH.map(|side| side.name_in(named));
        let because = for_programs || matches!(self.about, About::Colours(_));
        let shown = |player: &PlayerId| if for_programs { player.to_string() } else { self.name(player) };
        let side = |player: Option<&PlayerId>, open: &PlayerId| match player {
            Some(player) => Cell::named(shown(player), player),
            None if for_programs => Cell::Empty,
            None => Cell::named(format!("{} (open)", shown(open)), open),
        };
        let mut table = Table::of(title, boards).column("Board", |board| Cell::text(board.pairing));
        if for_programs {
            table = table
                .column("Upper", |board| Cell::text(&board.upper))
                .column("Lower", |board| Cell::text(&board.lower));
        }
        table = table
            .column(first, |board| side(board.gold.as_ref(), &board.upper))
            .column(second, |board| side(board.silver.as_ref(), &board.lower))
            .column("Colours", |board| {
                let open = board.gold.is_none().then(|| "open".to_owned());
                Cell::some(board.colour_how.clone().or(open))
            });
        if because {
            table = table
                .column("Because", |board| Cell::some(board.reason.as_ref().map(|reason| &reason.because)))
                .column("Paragraph", |board| {
                    Cell::some(board.reason.as_ref().map(|reason| &reason.paragraph))
                });
        }
        table.table()
    }

    fn equals_words(&self) -> Cell {
        match self.expected.reasons.equals {
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
            return Cell::text("not yet: the record gives this round");
        };
        if !published.in_order {
            return Cell::Text(self.violation_words(published));
        }
        // Arbitrary colours are one of two; this is about the pairing.
        let mut of_round = published.verdicts.iter().filter(|verdict| verdict.subject.pairing().is_none());
        let one_of = of_round.find_map(|verdict| match &verdict.holds {
            Compliance::OneOf(_) => Some(verdict.holds.word()),
            _ => None,
        });
        Cell::Text(match (published.canonical, one_of) {
            (true, None) => "compliant: it is the round that the rules give".to_owned(),
            (true, Some(word)) => format!("{word}, the canonical one"),
            (false, Some(word)) => format!("{word}, not the canonical one"),
            (false, None) => "compliant".to_owned(),
        })
    }

    fn corrected_words(&self) -> Cell {
        let each = self.corrected_since.iter();
        let each: Vec<String> =
            each.map(|one| format!("event {} by event {}", one.corrects, one.seq)).collect();
        let words =
            format!("{}. This page has the record as it was; the audit judges with them", each.join(", "));
        Cell::some((!each.is_empty()).then_some(words))
    }

    /// The violated criterion by number, or the rules.
    fn violation_words(&self, published: &Published) -> String {
        let is_violation = || published.verdicts.iter().filter(|verdict| verdict.is_violation());
        match is_violation().find_map(|verdict| verdict.criterion) {
            Some(criterion) => format!("violation on criterion {}", criterion.saturating_add(1)),
            None => {
                let mut rules: Vec<&str> = is_violation().map(|verdict| verdict.rule.id.name()).collect();
                rules.dedup();
                match rules.as_slice() {
                    [] => "violation elsewhere in the round".to_owned(),
                    rules => format!("violation of {}", rules.join(", ")),
                }
            }
        }
    }

    fn why_not_lines(&self) -> Vec<String> {
        let of = |why: &WhyNot| {
            let paragraph =
                why.paragraph.as_ref().map_or(String::new(), |paragraph| format!(" ({paragraph})"));
            format!("{}? {}{paragraph}", why.asked, why.answer)
        };
        self.why_not.iter().map(of).collect()
    }

    fn held(&self, wanted: impl Fn(&Compliance) -> Option<String>) -> Vec<String> {
        let verdicts = self.published.iter().flat_map(|published| &published.verdicts);
        let line = |verdict: &Verdict| {
            let (words, rule) = (wanted(&verdict.holds)?, &verdict.rule);
            Some(format!("{}: {words} [{}, {}]", verdict.subject, rule.id.name(), rule.paragraph))
        };
        verdicts.filter_map(line).collect()
    }
}

impl ToDocument for RoundExplained {
    fn document(&self, zone: &TimeZone) -> Document {
        let reasons = &self.expected.reasons;
        let line = |one: &Explained| {
            let paragraph =
                if one.paragraph.is_empty() { String::new() } else { format!(" ({})", one.paragraph) };
            format!("{}: {}{paragraph}", one.what, one.because)
        };
        let another = reasons.another.iter().map(|pairs| {
            let pairs = pairs.iter().map(|(one, other)| format!("{}-{}", self.name(one), self.name(other)));
            let byes = reasons.another_byes.iter().map(|player| format!("bye {}", self.name(player)));
            pairs.chain(byes).collect::<Vec<_>>().join(", ")
        });
        let whole = !matches!(self.about, About::Colours(_));
        let violations = self.held(|holds| match holds {
            Compliance::Violation { expected, found } => Some(format!("expected {expected}; found {found}")),
            _ => None,
        });
        let left_open = self.held(|holds| match holds {
            Compliance::Undetermined { why } => Some(why.to_string()),
            _ => None,
        });
        let colours = reasons.colours.iter().filter(|_| whole).map(|colours| line(&colours.reason));
        let is_violation = self.published.as_ref().is_some_and(|published| !published.in_order);
        let pairs = if is_violation { "Pairs as published" } else { "Pairs" };
        self.heading
            .document(zone)
            .facts(vec![
                ("Stage", stage_cell(self.stage)),
                ("Paired by", Cell::some(self.seq.map(|seq| format!("event {seq}")))),
                ("Published", self.published_words()),
                ("Corrected since", self.corrected_words()),
                ("Equals", self.equals_words()),
            ])
            .lines("Asked", self.why_not_lines())
            .lines("Violations", violations)
            .lines("What the rules leave open", left_open)
            .table(self.order())
            .table(self.criteria("The criteria, the most important first; less is better"))
            .table(self.pairs(pairs, &self.boards, false))
            .table(self.pairs("Pairs as the rules give them", &self.instead, false))
            .lines("How the pairs came about", reasons.pairs.iter().map(line).collect())
            .lines("Byes", reasons.byes.iter().map(line).collect())
            .lines("Colours", colours.collect())
            .lines("Another that is as good", another.collect())
            .lines(READINGS, self.readings.iter().map(ReadingLine::in_words).collect())
    }

    fn table(&self) -> Table {
        match self.about {
            About::Colours(_) => self.pairs("", &self.boards, true).for_programs(),
            About::Round | About::Byes => self.criteria("").for_programs(),
        }
    }
}
