//! "Did you mean": which of the names that exist look like the one that was given.

/// The names that look like `given`, the likeliest first, at most three.
///
/// Case does not count. A name that begins with what was given is always offered, since people stop typing early.
pub fn similar<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = given.to_lowercase();
    let mut scored: Vec<(f64, &str)> = known
        .into_iter()
        .filter_map(|name| {
            let candidate = name.to_lowercase();
            let score = likeness(&wanted, &candidate);
            (score >= 0.78).then_some((score, name))
        })
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

/// From 0 (nothing in common) to 1 (equal): the better of edit distance and Jaro-Winkler, with a bonus for prefixes.
fn likeness(wanted: &str, candidate: &str) -> f64 {
    if wanted.is_empty() || candidate.is_empty() {
        return 0.0;
    }
    if wanted == candidate {
        return 1.0;
    }
    let (shorter, longer) =
        if wanted.len() < candidate.len() { (wanted, candidate) } else { (candidate, wanted) };
    if shorter.chars().count() >= 3 && longer.starts_with(shorter) && 3 * shorter.len() >= longer.len() {
        return 0.95;
    }
    let edits = strsim::normalized_damerau_levenshtein(wanted, candidate);
    let jaro = strsim::jaro_winkler(wanted, candidate);
    // Jaro-Winkler alone calls many short words alike, so it counts only with some support from the edit distance.
    if edits >= 0.5 { edits.max(jaro * 0.95) } else { edits }
}

#[cfg(test)]
mod tests {
    use super::similar;

    #[test]
    fn the_likeliest_name_comes_first_and_strangers_stay_away() {
        let known = ["games", "turns", "lookup", "players", "positions"];
        assert_eq!(similar("game", known), ["games"]);
        assert_eq!(similar("TURN", known), ["turns"]);
        assert_eq!(similar("postions", known), ["positions"]);
        assert_eq!(similar("payers", known)[0], "players");
        assert!(similar("xyzzy", known).is_empty());
        assert!(similar("", known).is_empty());
    }

    #[test]
    fn transposed_letters_and_other_case_are_forgiven() {
        assert_eq!(similar("fritzlien", ["Fritzlein", "chessandgo", "99of9"]), ["Fritzlein"]);
        assert_eq!(similar("99OF9", ["Fritzlein", "99of9"]), ["99of9"]);
    }

    #[test]
    fn never_more_than_three_are_offered() {
        assert_eq!(similar("bot", ["bot_a", "bot_b", "bot_c", "bot_d"]).len(), 3);
    }
}
