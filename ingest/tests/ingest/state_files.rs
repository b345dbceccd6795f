//! The directors' state files: read strictly, understood as a tournament, and written again from the record of it.

use annals_events::tournament::{Effect, Outcome, Stage};
use annals_events::{BoardId, TimeNote, TournamentEvent};
use annals_ingest::imported::Recording;
use annals_ingest::state_file::{
    ByeWord, FromState, GameResult, REASON, Seed, StateFault, StateFile, Statement, ToState, recorded,
};
use annals_tournaments::rulebook::Rulebook;
use annals_tournaments::{EntrantStatus, Tournament};
use proptest::prelude::*;

const BEGINS: i64 = 1_400_000_000_000_000;

const SMALL: &str = "\
# a small final
player Fritzlein 2273
player 99of9 2142.5   * second
player bot_sharp 2105
player Omar 1860

round 1
game Fritzlein Omar winner Fritzlein
pair bot_sharp 99of9 double loss # neither came
Round 2
remove 99of9
pick Omar bot_sharp no decision
bye Fritzlein win
round 3
add 99of9
game Fritzlein bot_sharp vacated
game bot_sharp Fritzlein draw
game 99of9 Omar
stop
nothing of this is read
";

fn recording(rulebook: &str) -> Recording {
    Recording::new("A Final", Rulebook::named(rulebook).unwrap())
}

fn read(text: &str) -> StateFile {
    StateFile::read(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn fold(told: &FromState) -> Tournament {
    let mut tournament = Tournament::default();
    for (seq, told) in (1..).zip(&told.events) {
        tournament.evolve(seq, told.at, &told.event);
    }
    tournament
}

/// The file that is written of these events.
fn written(told: &FromState) -> ToState {
    recorded((1..).zip(&told.events).map(|(seq, told)| (seq, told.at, &told.event)))
}

fn fault(text: &str) -> (u64, StateFault) {
    match StateFile::read(text) {
        Ok(file) => panic!("`{text}` was read as\n{file}"),
        Err(error) => (error.line, error.fault),
    }
}

#[test]
fn a_file_becomes_a_tournament_with_its_rounds_results_and_rulings() {
    let told = read(SMALL).events(&recording("wcc-2015"), BEGINS);
    assert_eq!((told.players, told.rounds, told.games, told.byes, told.inferred), (4, 3, 6, 1, false));
    assert!(told.events.iter().all(|told| told.at == BEGINS && told.note == Some(TimeNote::Unknown)));
    let tournament = fold(&told);
    assert_eq!(tournament.findings, []);
    let announced = tournament.announced.as_ref().unwrap();
    assert_eq!((announced.rulebook.as_str(), announced.edition), ("wcc-2015", 2));
    assert!(!announced.options.is_empty(), "every reading is recorded");

    let seeds: Vec<(u32, &str)> = {
        let mut seeds: Vec<_> =
            tournament.entrants.values().map(|e| (e.seed.unwrap(), e.name.as_str())).collect();
        seeds.sort_unstable();
        seeds
    };
    assert_eq!(seeds, [(1, "Fritzlein"), (2, "99of9"), (3, "bot_sharp"), (4, "Omar")]);
    let outcomes: Vec<(BoardId, String, Option<Outcome>)> = tournament
        .rounds
        .iter()
        .flat_map(|(round, of)| {
            of.boards.iter().map(|(board, b)| (BoardId { round: *round, board: *board }, b))
        })
        .map(|(pairing, board)| (pairing, board.gold().unwrap().to_string(), board.outcome()))
        .collect();
    let at = |round, board| BoardId { round, board };
    assert_eq!(
        outcomes,
        [
            (at(1, 1), "fritzlein".to_owned(), Some(Outcome::Gold)),
            (at(1, 2), "bot_sharp".to_owned(), Some(Outcome::DoubleLoss)),
            (at(2, 1), "omar".to_owned(), Some(Outcome::NoDecision)),
            (at(3, 1), "bot_sharp".to_owned(), Some(Outcome::Draw)),
            (at(3, 2), "99of9".to_owned(), None),
        ]
    );
    let rulings: Vec<(u32, bool, &str)> = tournament
        .rulings
        .iter()
        .map(|r| {
            (r.ruling.number, matches!(r.ruling.effect, Effect::Vacate { .. }), r.ruling.reason.as_str())
        })
        .collect();
    assert_eq!(rulings, [(1, false, REASON)]);
    // The vacated game was in a pairing that was revoked before the round began.
    let revoked: Vec<Option<u32>> = told
        .events
        .iter()
        .filter_map(|told| match &told.event {
            TournamentEvent::PairingRevoked(revoked) if revoked.round == 3 => Some(revoked.board),
            _ => None,
        })
        .collect();
    assert_eq!(revoked, [Some(1), None]);
    let bye = &tournament.rounds[&2].byes[0];
    assert_eq!((bye.player.as_str(), bye.half_points), ("fritzlein", Some(2)));
    assert_eq!(tournament.entrants["99of9"].status(), EntrantStatus::Entered);
}

#[test]
fn a_player_is_out_before_the_pairing_from_which_the_file_takes_them() {
    let told = read("player A 1\nplayer B 2\nround 1\nremove A\nbye B\nround 2\nbye B\nadd A\n");
    let told = told.events(&recording("wcc-2015"), BEGINS);
    let kinds: Vec<&str> = told.events.iter().map(|told| told.event.type_name()).collect();
    let short: Vec<&str> = kinds.iter().map(|kind| kind.trim_start_matches("tournament.")).collect();
    assert_eq!(
        short,
        [
            "announced", "player_registered", "player_registered", "player_withdrawn", "qualified",
            "round_paired", "round_paired", "player_reinstated"
        ]
    );
}

#[test]
fn a_file_without_rounds_has_them_inferred_and_says_so() {
    let text = "player A 4\nplayer B 3\nplayer C 2\nplayer D 1\ngame A B winner A\ngame C D winner D\n\
                game D A winner A\ngame B C winner C\n";
    let of_swiss = recording("wc-2009").of_stage(Stage::Swiss).unwrap();
    let told = read(text).events(&of_swiss, BEGINS);
    assert!(told.inferred);
    let tournament = fold(&told);
    assert_eq!(tournament.rounds.len(), 2);
    assert!(tournament.rounds.values().all(|round| round.inferred && round.boards.len() == 2));
    assert_eq!(tournament.rounds[&1].stage, Stage::Swiss);
    assert_eq!(tournament.findings, []);
    let marked =
        read(&text.replace("game A B", "round 1\ngame A B").replace("game D A", "round 2\ngame D A"));
    let out = written(&told);
    assert_eq!(
        out.file.to_string(),
        marked.to_string().replace("round 1", "round 1 # inferred").replace("round 2", "round 2 # inferred")
    );
    assert_eq!(read(&out.file.to_string()).events(&of_swiss, BEGINS).events, told.events);
    let some = read(&out.file.to_string().replace("round 2 # inferred", "round 2 # as published"));
    let some = some.events(&of_swiss, BEGINS);
    let inferred: Vec<bool> = fold(&some).rounds.values().map(|round| round.inferred).collect();
    assert_eq!((inferred, some.inferred), (vec![true, false], false));
}

#[test]
fn encounters_of_two_games_bear_one_number() {
    let text = "player A 4\nplayer B 3\nplayer C 2\nplayer D 1\nround 1\ngame A B winner A\ngame C D winner D\n\
                game B A winner A\ngame D C winner C\n";
    let told = read(text).events(&recording("olympiad-amazons-2000"), BEGINS);
    let encounters = told.events.iter().find_map(|told| match &told.event {
        TournamentEvent::RoundPaired(paired) => {
            Some(paired.pairs.iter().map(|p| p.encounter).collect::<Vec<_>>())
        }
        _ => None,
    });
    assert_eq!(encounters.unwrap(), [Some(1), Some(2), Some(1), Some(2)]);
}

#[test]
fn what_cannot_be_meant_is_refused_with_its_line_and_what_could_stand_there() {
    use StateFault as F;
    let two = "player A 2\nplayer B 1\n";
    let third = format!("{two}player C 3\nround 1\n");
    assert!(matches!(fault("player A 2\nplayr B 1\n"), (2, F::UnknownWord { word }) if word == "playr"));
    assert!(matches!(fault("player A 2\nplayer B 1\nplayer A 3\n"), (3, F::Twice { first: 1, .. })));
    assert!(matches!(fault("player A two\n"), (1, F::Rating { found }) if found == "two"));
    assert!(matches!(fault("player A\n"), (1, F::Shape { .. })));
    assert!(matches!(fault("stop it\n"), (1, F::UnknownWord { .. })));
    assert!(
        matches!(fault(&format!("{third}game A B winner C\n")), (5, F::ThirdPlayer { winner, .. }) if winner == "C")
    );
    assert!(matches!(fault(&format!("{third}game A A draw\n")), (5, F::Oneself { .. })));
    assert!(matches!(fault(&format!("{third}game A B won\n")), (5, F::UnknownResult { .. })));
    assert!(matches!(fault(&format!("{third}game A B winner\n")), (5, F::UnknownResult { .. })));
    assert!(matches!(fault(&format!("{third}game A\n")), (5, F::Shape { .. })));
    assert!(matches!(fault(&format!("{third}bye A twice\n")), (5, F::Shape { .. })));
    assert!(matches!(fault(&format!("{third}round 2\nround 1\n")), (6, F::Round { found: 1, wanted: 3 })));
    assert!(matches!(fault(&format!("{third}round 3\n")), (5, F::Round { found: 3, wanted: 2 })));
    assert!(matches!(fault(&format!("{third}round two\n")), (5, F::Shape { .. })));
    assert!(matches!(fault(&format!("{two}bye A\nround 1\n")), (4, F::BeforeRounds { first: 3 })));
    assert!(matches!(
        fault(&format!("{third}remove A\nremove A\n")),
        (6, F::Already { out: true, since: 5, .. })
    ));
    assert!(matches!(fault(&format!("{third}add A\n")), (5, F::Already { out: false, since: 1, .. })));
    let (line, unknown) = fault(&format!("{third}game a B draw\n"));
    assert!(matches!(&unknown, F::UnknownPlayer { nearest: Some(near), .. } if near == "A"), "{unknown:?}");
    assert_eq!(line, 5);
    let said = StateFile::read("winner A\n").unwrap_err().to_string();
    assert!(
        said.starts_with("line 1: `winner` begins no line") && said.contains("player, remove, add, round"),
        "{said}"
    );
    let said = StateFile::read(&format!("{third}game A B lost\n")).unwrap_err().to_string();
    assert!(said.contains("`lost`") && said.contains("no decision"), "{said}");
}

#[test]
fn a_record_that_the_file_cannot_tell_is_told_with_remarks() {
    let mut told =
        read("player A 5\nplayer B 4\nround 1\ngame A B winner A\n").events(&recording("wcc-2015"), BEGINS);
    for told in &mut told.events {
        match &mut told.event {
            TournamentEvent::PlayerRegistered(entry) => entry.name = "One # name".to_owned(),
            TournamentEvent::RoundPaired(paired) => {
                paired.round = 7;
                paired.pairs[0].upper_side = None;
            }
            _ => {}
        }
    }
    told.events.retain(|told| !matches!(told.event, TournamentEvent::ResultRecorded(_)));
    let out = written(&told);
    let text = out.file.to_string();
    assert_eq!(text, "player One___name 5\nplayer b 4\n\nround 1\ngame One___name b\n");
    assert_eq!(out.remarks.len(), 4, "{:#?}", out.remarks);
    assert!(StateFile::read(&text).is_ok());
}

#[test]
fn seeds_that_no_rating_explains_are_written_as_places() {
    let mut told = read("player A 5\nplayer B 4\nplayer C 3\n").events(&recording("wcc-2015"), BEGINS);
    for told in &mut told.events {
        match &mut told.event {
            TournamentEvent::PlayerRegistered(entry) => entry.rating = None,
            TournamentEvent::Qualified(qualified) => {
                qualified.order.iter_mut().for_each(|place| place.measures.clear());
                qualified.order.reverse();
                (1..).zip(&mut qualified.order).for_each(|(seed, place)| place.seed = Some(seed));
            }
            _ => {}
        }
    }
    let text = written(&told).file.to_string();
    assert_eq!(text, "player A 1\nplayer B 2\nplayer C 3\n");
}

fn some_result() -> impl Strategy<Value = Option<u8>> {
    prop_oneof![3 => (0..2u8).prop_map(Some), 2 => (2..7u8).prop_map(Some), 1 => Just(None)]
}

prop_compose! {
    /// A file with games in any pairing, byes, removals and returns. One of three files marks no rounds; of the others some mark
    /// every third round as inferred.
    fn some_file()(
        marked in prop::bool::weighted(0.66),
        inferred in 0..6u32,
        seeds in prop::collection::vec((-3_000i64..3_000, prop_oneof![Just(0i64), 0..1_000_000i64]), 2..9),
        rounds in prop::collection::vec(
            prop::collection::vec((0..8usize, 1..8usize, 0..8u8, some_result()), 0..7), 0..7),
    ) -> StateFile {
        let mut file = StateFile::default();
        let count = seeds.len();
        let name = |player: usize| format!("P{}", player % count);
        for (player, (whole, part)) in seeds.into_iter().enumerate() {
            file.say(Statement::Player { name: name(player), seed: Seed(whole * 1_000_000 + part) });
        }
        let mut out = vec![false; count];
        let mut late = 0;
        for (number, round) in (1..).zip(rounds) {
            if marked {
                file.say(Statement::Round { number, inferred: number % 3 == inferred });
            }
            // Who has the bye has no game.
            let (mut with_bye, mut plays) = (vec![false; count], vec![false; count]);
            for (player, by, what, result) in round {
                let player = player % count;
                let other = (player + 1 + by % (count - 1)) % count;
                match what {
                    0 if !with_bye[player] && !plays[player] => {
                        with_bye[player] = true;
                        let word = [None, Some(ByeWord::Win), Some(ByeWord::Loss)][by % 3];
                        file.say(Statement::Bye { name: name(player), word });
                    }
                    1 if by == 7 => {
                        late += 1;
                        file.say(Statement::Player { name: format!("Late{late}"), seed: Seed::points(1000) });
                    }
                    1 => {
                        out[player] = !out[player];
                        let name = name(player);
                        file.say(if out[player] { Statement::Remove(name) } else { Statement::Add(name) });
                    }
                    _ if with_bye[player] || with_bye[other] => {}
                    _ => {
                        (plays[player], plays[other]) = (true, true);
                        let (gold, silver) = (name(player), name(other));
                        let result = result.map(|result| match result {
                            0 => GameResult::Winner(gold.clone()),
                            1 => GameResult::Winner(silver.clone()),
                            2 => GameResult::Draw,
                            3 => GameResult::DoubleWin,
                            4 => GameResult::DoubleLoss,
                            5 => GameResult::NoDecision,
                            _ => GameResult::Vacated,
                        });
                        file.say(Statement::Game { gold, silver, result });
                    }
                }
            }
        }
        file
    }
}

#[test]
fn a_file_that_would_make_countless_pairings_is_refused_where_it_is_too_long() {
    let games = |count| format!("player A 1\nplayer B 2\nround 1\n{}", "game A B vacated\n".repeat(count));
    assert_eq!(read(&format!("{}round 2\ngame B A vacated\n", games(100))).lines.len(), 105);
    assert_eq!(fault(&games(101)), (104, StateFault::TooManyVacated));
    let players: String = (0..=10_000).map(|number| format!("player P{number} 1\n")).collect();
    assert_eq!(fault(&players), (10_001, StateFault::TooLong));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::fixture::cases(200)))]

    #[test]
    fn what_was_written_is_read_again(file in some_file()) {
        let again = read(&file.to_string());
        prop_assert_eq!(again.said().collect::<Vec<_>>(), file.said().collect::<Vec<_>>());
    }

    #[test]
    fn what_is_written_of_a_file_is_read_as_the_same_events(
        file in some_file(),
        rulebook in prop::sample::select(vec!["wcc-2015", "wc-2009", "postal-2006", "olympiad-amazons-2000"]),
        final_stage in any::<bool>(),
    ) {
        let mut recording = recording(rulebook);
        if final_stage && rulebook == "wc-2009" {
            recording.stage = Some(Stage::Final);
        }
        let told = file.events(&recording, BEGINS);
        let out = written(&told);
        let is_final = recording.stage == Some(Stage::Final) && rulebook == "wc-2009";
        let with = format!("read the file with: --rulebook {rulebook}");
        let at_stage = format!("{with} --stage final");
        let is_default = rulebook == "wcc-2015";
        let expected = |remark: &String| {
            remark.contains("is written as round")
                || !is_default && remark.ends_with(&with)
                || is_final && remark.ends_with(&at_stage)
        };
        prop_assert!(out.remarks.iter().all(expected), "{:#?}", out.remarks);
        let again = read(&out.file.to_string());
        let events = |told: &FromState| -> Vec<String> {
            told.events.iter().map(|told| format!("{:?}", told.event)).collect()
        };
        prop_assert_eq!(events(&again.events(&recording, BEGINS)), events(&told), "{}", out.file);
        prop_assert_eq!(written(&again.events(&recording, BEGINS)).file.to_string(), out.file.to_string());
    }

    #[test]
    fn no_text_makes_the_reader_panic(
        words in prop::collection::vec(
            prop_oneof![
                "player|remove|add|round|bye|game|pair|stop|winner|draw|double|win|loss|no|decision|vacated".prop_map(
                    |words| words),
                "[AB1# *\n-]{1,3}", "\\PC{0,5}"
            ], 0..40)
    ) {
        let text = words.join(" ");
        if let Ok(file) = StateFile::read(&text) {
            let _ = written(&file.events(&recording("wc-2009"), BEGINS));
        }
    }
}
