//! Names of players by settings.

use crate::amazons;
use crate::player::Settings;
use crate::search::Limits;

/// For example `annals-material-n500`, `annals-d8`.
#[must_use]
pub fn player_name(settings: &Settings) -> String {
    name_of(&settings.evaluator, &settings.limits)
}

/// For example `annals-queens-n500`, `annals-greedy`, `annals-random`.
#[must_use]
pub fn amazons_player_name(settings: &amazons::Settings) -> String {
    match settings.kind {
        amazons::Kind::Searcher => name_of(&settings.evaluator, &settings.limits),
        amazons::Kind::Greedy if settings.evaluator == "annals" => "annals-greedy".to_owned(),
        amazons::Kind::Greedy => format!("annals-greedy-{}", settings.evaluator),
        amazons::Kind::Random => "annals-random".to_owned(),
    }
}

fn name_of(evaluator: &str, limits: &Limits) -> String {
    let mut name = String::from("annals");
    if evaluator != "annals" {
        name.push('-');
        name.push_str(&plain_name(evaluator));
    }
    if let Some(nodes) = limits.nodes {
        name.push_str(&format!("-n{nodes}"));
    }
    if let Some(depth) = limits.depth {
        name.push_str(&format!("-d{depth}"));
    }
    if let Some(time) = limits.time {
        name.push_str(&format!("-t{}ms", time.as_millis()));
    }
    name
}

/// An evaluator's name; for a file its name without folders and ending.
fn plain_name(evaluator: &str) -> String {
    let Some(file) = evaluator.strip_prefix("net:") else { return evaluator.to_owned() };
    let stem = std::path::Path::new(file).file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
    let kept = |c: char| if c.is_ascii_lowercase() || c.is_ascii_digit() { c } else { '-' };
    format!("net-{}", stem.unwrap_or_default().chars().take(40).map(kept).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_the_player_is() {
        let name = |text: &str| player_name(&text.parse().unwrap());
        assert_eq!(name("material,nodes=500"), "annals-material-n500");
        assert_eq!(name("annals,depth=8"), "annals-d8");
        assert_eq!(name("x,nodes=5,time=2s"), "annals-x-n5-t2000ms");
    }
}
