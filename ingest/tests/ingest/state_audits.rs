//! State files of tournaments that were played by their rulebook: what is read from them departs from no rule, and is written
//! again as the same events.

use annals_events::Side;
use annals_events::tournament::Stage;
use annals_ingest::imported::Recording;
use annals_ingest::state_file::{GameResult, Seed, StateFile, Statement, recorded};
use annals_tournaments::Tournament;
use annals_tournaments::check::{EventMeta, JudgingContext, check};
use annals_tournaments::context::NoContext;
use annals_tournaments::formats::{Proposal, next_round};
use annals_tournaments::rulebook::Rulebook;
use annals_tournaments::verdict::Verdict;

/// Small numbers that repeat.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

fn recording(rulebook: &str, stage: Option<Stage>, options: &[(&str, &str)]) -> Recording {
    let mut rulebook = Rulebook::named(rulebook).unwrap();
    for (name, value) in options {
        rulebook.choose(name, value).unwrap();
    }
    let mut recording = Recording::new("A tournament", rulebook);
    recording.stage = stage;
    recording
}

/// The tournament of a file, and the verdicts that depart.
fn audited(file: &StateFile, recording: &Recording) -> (Tournament, Vec<Verdict>) {
    let told = file.events(recording, 1_000_000);
    let (mut tournament, mut is_violation) = (Tournament::default(), Vec::new());
    for (seq, told) in (1..).zip(&told.events) {
        let when = EventMeta { seq, at: told.at, recorded_at: told.at, imported: true };
        let case = JudgingContext::new(&tournament, &recording.rulebook, &NoContext);
        is_violation.extend(check(&case, &when, &told.event).into_iter().filter(Verdict::is_violation));
        tournament.evolve(seq, told.at, &told.event);
    }
    (tournament, is_violation)
}

/// What happened in a tournament besides games that were won.
#[derive(Debug, Default, PartialEq)]
struct Met {
    rounds: usize,
    continuation: usize,
    playoffs: usize,
    byes: usize,
    vacated: usize,
    repaired: usize,
    ruled: usize,
    left: usize,
    came_back: usize,
}

fn name(player: &annals_events::PlayerId) -> String {
    player.to_string().to_uppercase()
}

/// A tournament of so many players, paired as its rulebook asks.
fn play(recording: &Recording, players: usize, numbers: &mut Numbers, met: &mut Met) -> StateFile {
    let mut file = StateFile::default();
    for player in 1..=players {
        file.say(Statement::Player {
            name: format!("P{player:02}"),
            seed: Seed(2_500_000_000 - 33_250_000 * player as i64),
        });
    }
    let mut out: Vec<String> = Vec::new();
    for number in 1..60 {
        let (tournament, is_violation) = audited(&file, recording);
        assert!(is_violation.is_empty(), "{is_violation:#?}\n{file}");
        assert_eq!(tournament.findings, [], "{file}");
        let Ok(next) = next_round(&tournament, &recording.rulebook) else { break };
        met.rounds += 1;
        met.continuation += usize::from(next.paired.stage == Stage::Continuation);
        met.playoffs += usize::from(next.paired.stage.is_playoff());
        file.say(Statement::Round { number, inferred: false });
        round(&mut file, &next, numbers, met);
        // Somebody leaves, and perhaps comes back after the next round.
        if next.paired.stage == Stage::Final && next.paired.pairs.len() > 3 && numbers.chance(15) {
            let player = name(&next.paired.pairs[numbers.below(3)].upper);
            file.say(Statement::Remove(player.clone()));
            out.push(player);
            met.left += 1;
        } else if let Some(player) = out.pop().filter(|_| numbers.chance(60)) {
            file.say(Statement::Add(player));
            met.came_back += 1;
        }
    }
    file
}

fn round(file: &mut StateFile, next: &Proposal, numbers: &mut Numbers, met: &mut Met) {
    let amazons = next.paired.pairs.iter().any(|pair| pair.encounter.is_some());
    for pair in &next.paired.pairs {
        let gold =
            pair.player(Side::Gold).unwrap_or(if numbers.chance(50) { &pair.upper } else { &pair.lower });
        let silver = if *gold == pair.upper { &pair.lower } else { &pair.upper };
        let (gold, silver) = (name(gold), name(silver));
        let game =
            |result| Statement::Game { gold: gold.clone(), silver: silver.clone(), result: Some(result) };
        let in_the_final = next.paired.stage == Stage::Final;
        let result = match numbers.below(100) {
            0..4 if in_the_final => {
                met.vacated += 1;
                GameResult::Vacated
            }
            4..8 if in_the_final => {
                met.ruled += 1;
                [GameResult::DoubleWin, GameResult::NoDecision, GameResult::DoubleLoss][numbers.below(3)]
                    .clone()
            }
            8..12 if amazons => GameResult::Draw,
            50.. => GameResult::Winner(silver.clone()),
            _ => GameResult::Winner(gold.clone()),
        };
        if in_the_final && numbers.chance(5) {
            met.repaired += 1;
            file.say(game(GameResult::Vacated));
        }
        file.say(game(result));
    }
    for bye in &next.paired.byes {
        met.byes += 1;
        file.say(Statement::Bye { name: name(&bye.player), word: None });
    }
}

/// Plays tournaments of some sizes, each some times.
fn all(rulebook: &str, stage: Option<Stage>, sizes: &[(usize, &[(&str, &str)])], times: u64) -> Met {
    let mut met = Met::default();
    for (players, options) in sizes {
        let recording = recording(rulebook, stage, options);
        for seed in 0..times {
            let mut numbers = Numbers(seed * 1_000 + *players as u64);
            let file = play(&recording, *players, &mut numbers, &mut met);
            let told = file.events(&recording, 1_000_000);
            let out = recorded((1..).zip(&told.events).map(|(seq, told)| (seq, told.at, &told.event)));
            let again = out.file.events(&recording, 1_000_000);
            let events = |told: &[annals_ingest::imported::ImportedEvent]| -> Vec<String> {
                told.iter().map(|told| format!("{:?}", told.event)).collect()
            };
            assert_eq!(events(&again.events), events(&told.events), "{}", out.file);
        }
    }
    met
}

const TWELVE: &[(&str, &str)] = &[("finalists", "12")];

#[test]
fn finals_of_2015_depart_from_no_rule_and_are_written_again() {
    let met = all("wcc-2015", None, &[(5, &[]), (8, &[]), (12, TWELVE)], crate::fixture::cases(6).into());
    assert!(met.rounds > 50 && met.continuation > 0 && met.byes > 5, "{met:?}");
    assert!(
        met.vacated > 3 && met.repaired > 3 && met.ruled > 3 && met.left > 0 && met.came_back > 0,
        "{met:?}"
    );
}

#[test]
fn finals_of_2009_depart_from_no_rule_and_are_written_again() {
    let met = all(
        "wc-2009",
        Some(Stage::Final),
        &[(5, &[]), (8, &[]), (12, TWELVE)],
        crate::fixture::cases(6).into(),
    );
    assert!(met.rounds > 30 && met.byes > 3 && met.ruled > 0, "{met:?}");
}

#[test]
fn rings_and_encounters_depart_from_no_rule_and_are_written_again() {
    let ring = all("postal-2006", None, &[(5, &[]), (12, &[])], 2);
    assert!(ring.rounds >= 4, "{ring:?}");
    let encounters = all("olympiad-amazons-2000", None, &[(5, &[]), (6, &[]), (9, &[])], 2);
    assert!(encounters.rounds >= 20 && encounters.byes > 0, "{encounters:?}");
}

#[test]
fn twelve_finalists_are_an_option_of_the_announcement() {
    let twelve = recording("wcc-2015", None, TWELVE);
    let file = play(&twelve, 12, &mut Numbers(7), &mut Met::default());
    let eight = recording("wcc-2015", None, &[]);
    let (_, is_violation) = audited(&file, &eight);
    let first = is_violation.first().map(|verdict| verdict.rule.id.name());
    assert_eq!(first, Some("field.places"), "{is_violation:#?}");
    let remarks = file.events(&eight, 1_000_000).remarks;
    assert!(remarks.iter().any(|remark| remark.contains("--option finalists=12")), "{remarks:?}");
    assert!(file.events(&twelve, 1_000_000).remarks.is_empty());
}
