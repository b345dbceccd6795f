//! "Did you mean": which existing names are similar to the given one.

/// The name most similar to `given`, if any is similar.
#[must_use]
pub fn nearest<'k>(given: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    ranked(given, known).first().copied()
}

/// The names similar to `given`, the most similar first, at most three.
#[must_use]
pub fn similar<'k>(given: &str, known: impl IntoIterator<Item = &'k str>) -> Vec<String> {
    ranked(given, known).into_iter().take(3).map(str::to_owned).collect()
}

/// Case counts only between names that are equally similar without it. A name that begins with `given` always counts, since
/// people stop typing early.
fn ranked<'k>(given: &str, known: impl IntoIterator<Item = &'k str>) -> Vec<&'k str> {
    let wanted = given.to_lowercase();
    let mut scored: Vec<(f64, &str)> = known
        .into_iter()
        .map(|name| (likeness(&wanted, &name.to_lowercase()), name))
        .filter(|(score, _)| *score >= 0.78)
        .collect();
    let in_case = |name| likeness(given, name);
    scored.sort_by(|(a, one), (b, other)| {
        b.total_cmp(a).then_with(|| in_case(other).total_cmp(&in_case(one))).then_with(|| one.cmp(other))
    });
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().map(|(_, name)| name).collect()
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
    // Jaro-Winkler alone is high for many short words, so it counts only if the edit distance supports it.
    if edits >= 0.5 { edits.max(jaro * 0.95) } else { edits }
}

#[cfg(test)]
mod tests {
    use super::{nearest, similar};

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
    fn the_nearest_name_of_a_stream_or_a_setting_is_found() {
        let streams = ["tournament/wcc-2015", "game/wcc-2015.r1.1", "people/omar"];
        assert_eq!(nearest("tournament/wcc-2105", streams), Some("tournament/wcc-2015"));
        assert_eq!(nearest("people/omer", streams), Some("people/omar"));
        assert_eq!(nearest("annna", ["Anna", "anna"]), Some("anna"));
        assert_eq!(nearest("noise_turns", ["nodes", "noise-turns", "noise-per-mille"]), Some("noise-turns"));
        assert_eq!(nearest("zzz", streams), None);
        assert_eq!(nearest("x", []), None);
    }

    #[test]
    fn never_more_than_three_are_offered() {
        assert_eq!(similar("bot", ["bot_a", "bot_b", "bot_c", "bot_d"]).len(), 3);
    }
}
