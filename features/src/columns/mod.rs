//! The columns of a table by name: what each holds, in which unit, as which type, and how it is computed. Columns are asked for
//! by their names or by groups of them.

mod amazons;
mod column;
mod of_row;
mod scalars;

use annals_events::GameKind;

pub(crate) use column::Value;
pub use column::{Column, Group, Kind, NO_RATING};

use crate::error::FeatureError;
use crate::modern;
use crate::paper;

static PLANES: [Column; 2] = [
    Column {
        name: "paper",
        group: Group::Paper,
        kind: Kind::Planes(&[
            "rabbits: 1 own, -1 the opponent's",
            "cats: 1 own, -1 the opponent's",
            "dogs: 1 own, -1 the opponent's",
            "horses: 1 own, -1 the opponent's",
            "camels: 1 own, -1 the opponent's",
            "elephants: 1 own, -1 the opponent's",
        ]),
        unit: "",
        about: "the paper's planes: 6 x 8 x 8, the mover at the bottom",
        value: Value::Planes(|subject, out| paper::fill(subject.position, out)),
    },
    Column {
        name: "modern",
        group: Group::Modern,
        kind: Kind::Planes(&modern::NAMES),
        unit: "",
        about: "the modern planes: 20 x 8 x 8, the mover at the bottom",
        value: Value::Planes(|subject, out| modern::fill(subject.position, 4, subject.seen, out)),
    },
];

/// All columns, in the order in which they stand in a table.
pub fn all() -> impl Iterator<Item = &'static Column> {
    of_row::ALL.iter().chain(&PLANES).chain(scalars::ALL).chain(amazons::ALL)
}

/// Columns of Arimaa by names and names of groups, as [`named_of`].
///
/// # Errors
/// As [`named_of`].
pub fn named<N: AsRef<str>>(names: &[N]) -> Result<Vec<&'static Column>, FeatureError> {
    named_of(GameKind::Arimaa, names)
}

/// Columns of a game by names and names of groups, in the order of [`all`]; `all` means every group of the game, and what every
/// table holds is always among them.
///
/// # Errors
/// When there is no such name, or it is a feature of another game.
pub fn named_of<N: AsRef<str>>(game: GameKind, names: &[N]) -> Result<Vec<&'static Column>, FeatureError> {
    for name in names.iter().map(AsRef::as_ref).filter(|name| *name != "all") {
        let Some(column) = all().find(|c| c.name == name || c.group.word() == name) else {
            return Err(FeatureError::NoSuchFeature { name: name.to_owned() });
        };
        if let Some(of) = column.group.game().filter(|of| *of != game) {
            return Err(FeatureError::OtherGame { name: name.to_owned(), of, asked: game });
        }
    }
    let asked = |column: &Column| {
        let by_name = |name: &N| {
            let name = name.as_ref();
            name == "all" || name == column.name || name == column.group.word()
        };
        column.group == Group::Row || names.iter().any(by_name)
    };
    let of_game = |column: &Column| column.group.game().is_none_or(|of| of == game);
    Ok(all().filter(|column| of_game(column) && asked(column)).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_columns_and_no_column_and_group_share_a_name() {
        let mut names = HashSet::new();
        assert!(all().all(|column| names.insert(column.name)));
        assert!(!names.contains("all") && !names.contains("scalars") && !names.contains("counts"));
        assert!(all().all(|column| !column.about.is_empty()));
        assert!(paper::LEN == PLANES[0].kind.width() && modern::LEN == PLANES[1].kind.width());
    }

    #[test]
    fn columns_stand_in_the_order_of_the_table_whatever_the_order_of_asking() {
        let columns = named(&["material", "paper"]).unwrap();
        let names: Vec<&str> = columns.iter().map(|c| c.name).collect();
        assert_eq!(names[names.len() - 2..], ["paper", "material"]);
        assert!(names.contains(&"label") && !names.contains(&"modern"));
        let of = |game| named_of(game, &["all"]).unwrap().len();
        assert_eq!(
            of(GameKind::Arimaa) + of(GameKind::Amazons),
            all().count() + named(&["row"]).unwrap().len()
        );
    }

    #[test]
    fn a_name_that_does_not_exist_is_named() {
        let error = named(&["paper", "materiel"]).unwrap_err();
        assert!(matches!(error, FeatureError::NoSuchFeature { name } if name == "materiel"));
        for (game, name) in [(GameKind::Amazons, "paper"), (GameKind::Arimaa, "own_moves")] {
            let error = named_of(game, &[name]).unwrap_err();
            assert!(matches!(error, FeatureError::OtherGame { asked, .. } if asked == game), "{error}");
        }
    }
}
