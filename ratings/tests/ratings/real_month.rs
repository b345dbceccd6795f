//! The gameroom's file of February 2026: what its records state of ratings, held against the formula.

use std::collections::BTreeMap;
use std::path::PathBuf;

use annals_ratings::{Game, GameSelection, Outcome, Player, Pool, Stated, mismatches, rate};

/// The real games; none where the file is missing, except under `CI=true`.
fn month() -> Option<Pool> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = std::env::var_os("ANNALS_ARCHIVE").unwrap_or_else(|| "../shared/data/archive".into());
    let path = root.join(folder).join("allgames202602.txt");
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let ci = std::env::var("CI").is_ok_and(|value| value == "true");
            assert!(!ci, "{} cannot be read: {error}", path.display());
            eprintln!("skipped: {} cannot be read ({error}); set ANNALS_ARCHIVE", path.display());
            return None;
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = text.lines();
    let columns: BTreeMap<&str, usize> =
        lines.next().unwrap().split('\t').enumerate().map(|(place, name)| (name, place)).collect();
    let mut pool = Pool::default();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for line in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |name: &str| fields[columns[name]];
        let number = |name: &str| field(name).parse::<i64>().unwrap();
        let mut who = |name: &str| {
            *places.entry(name.to_owned()).or_insert_with(|| {
                pool.players.push(Player::named(name));
                pool.players.len() - 1
            })
        };
        let (gold, silver) = (who(field("wusername")), who(field("busername")));
        let stated = |side: &str| {
            let k = u32::try_from(number(&format!("{side}ratingk"))).ok()?;
            Some(Stated { rating: i32::try_from(number(&format!("{side}rating"))).ok()?, k: Some(k) })
        };
        pool.games.push(Game {
            id: number("id") as u64,
            began: Some(number("startts") * 1_000_000),
            at: Some(number("endts") * 1_000_000),
            gold,
            silver,
            outcome: match field("result") {
                "w" => Some(Outcome::Gold),
                "b" => Some(Outcome::Silver),
                "d" => Some(Outcome::Draw),
                _ => None,
            },
            rated: field("rated") == "1",
            rated_changes: Vec::new(),
            stated: [stated("w"), stated("b")],
        });
    }
    Some(pool)
}

#[test]
fn the_transitions_of_the_real_month_are_those_of_the_formula_and_the_weekly_rise() {
    let Some(pool) = month() else { return };
    assert_eq!((pool.games.len(), pool.players.len()), (147, 41));
    let found = mismatches(&pool, None);
    assert_eq!((found.transitions, found.not_stated), (253, 0));
    assert_eq!((found.equal_without_rises, found.higher_k.as_slice()), (228, &[23, 2][..]));
    assert_eq!((found.equal, found.mismatches.len()), (253, 0));
}

#[test]
fn one_altered_statement_of_the_real_month_departs_before_and_after_itself() {
    let Some(mut pool) = month() else { return };
    let found = mismatches(&pool, None);
    let game = pool.games[100].id;
    if let Some(rating) = &mut pool.games[100].stated[0] {
        rating.rating += 7;
    }
    let altered = mismatches(&pool, None);
    assert!(altered.equal < found.equal);
    assert!(altered.mismatches.iter().all(|d| d.game == game || d.after == game), "{:?}", altered.mismatches);
    assert_eq!(found.transitions, altered.transitions);
}

#[test]
fn carried_through_the_real_month_the_formula_meets_every_statement() {
    let Some(pool) = month() else { return };
    let ratings = rate(&pool, &GameSelection::default(), &"gameroom start=record".parse().unwrap()).unwrap();
    assert_eq!((ratings.record.compared, ratings.record.equal), (253, 253));
}
