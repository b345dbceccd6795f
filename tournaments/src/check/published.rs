//! A published table whose games the record lacks: whether its totals are possible, and whether its order is
//! by points.

use std::collections::BTreeSet;

use annals_events::PlayerId;
use annals_events::tournament::{PublishedRow, TablePublished};

use super::Checker;
use crate::formats::encounters::{EncounterSystem, format_for};
use crate::published::crosstables_of;
use crate::rulebook::RuleId;

pub(super) fn table(check: &mut Checker<'_>, table: &TablePublished) {
    let subject = "the published table";
    let tournament = check.case.tournament;
    let mut listed = BTreeSet::new();
    for row in &table.rows {
        check.entered(RuleId::RegistrationKnown, format!("{} in {subject}", row.player), &row.player);
        let once = listed.insert(&row.player);
        check.hold(RuleId::TablePublished, format!("{} in {subject}", row.player), once, || {
            ("one row for each player", "a second row")
        });
    }
    let missing: Vec<&str> =
        tournament.entrants.keys().filter(|player| !listed.contains(player)).map(PlayerId::as_str).collect();
    check.hold(RuleId::TablePublished, subject, missing.is_empty(), || {
        ("one row for each player".to_owned(), format!("no row for {}", missing.join(", ")))
    });
    let rounds = tournament.rounds.len();
    check.hold(RuleId::TablePublished, subject, rounds == 0, || {
        ("totals of games that the record does not hold".to_owned(), format!("{rounds} recorded rounds"))
    });
    games(check, table);
    order(check, &table.rows);
}

/// The number of games by the rules, and whether the totals fit it.
fn games(check: &mut Checker<'_>, table: &TablePublished) {
    let subject = "the games of the published table";
    let all_play_all = format_for(table.rows.len()) == EncounterSystem::AllPlayAll;
    let Some(games) = table.games_a_pair.filter(|_| all_play_all) else {
        let why = "the games that every two players played are not known, or not all of them met";
        return check.open(RuleId::TablePublished, subject, why);
    };
    check.hold(RuleId::EncounterGames, subject, games == 2, || {
        ("2 games between every two players".to_owned(), format!("{games} games"))
    });
    let Some(derived) = crosstables_of(table, check.case.rulebook.game) else {
        return check.open(
            RuleId::TablePublished,
            subject,
            "the crosstables were not derived: there are too many",
        );
    };
    check.hold(RuleId::TablePublished, subject, !derived.is_empty(), || {
        ("totals that results of these games can give", "totals that no results give")
    });
    let count = u64::try_from(derived.len()).unwrap_or(u64::MAX);
    let stated = table.crosstables.filter(|stated| *stated != count);
    check.none(RuleId::TablePublished, "the crosstables of the published table", stated, |stated| {
        (count.to_string(), stated.to_string())
    });
}

/// Whether the order is by points. After an all-play-all only territory separates players of equal points.
fn order(check: &mut Checker<'_>, rows: &[PublishedRow]) {
    for pair in rows.windows(2) {
        let [above, below] = pair else { continue };
        let subject = format!("{} before {}", above.player, below.player);
        let in_order = above.half_points >= below.half_points && above.place <= below.place;
        if in_order && above.half_points == below.half_points && above.place < below.place {
            let why = "they are level on points and opponents' points, and no territory was published";
            check.open(RuleId::PlaceOrder, subject, why);
            continue;
        }
        let shared = above.place == below.place && above.half_points != below.half_points;
        check.hold(RuleId::PlaceOrder, subject, in_order && !shared, || {
            ("a better place for more points", "another order")
        });
    }
}
