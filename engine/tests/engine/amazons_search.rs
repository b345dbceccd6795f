//! The search of the Amazons: plain minimax where everything is turned off that is not exact, and the solved value of
//! small boards where it is on.

use std::collections::HashMap;

use annals_engine::Score;
use annals_engine::amazons::evaluation::{Evaluator, Queens};
use annals_engine::amazons::filling::fill;
use annals_engine::amazons::{Kind, Player, Registry, SearchOptions, Settings};
use annals_engine::search::Limits;
use annals_events::{GameEvent, GameKind, Side, Started};
use annals_rules::amazons::{Amazons, Board, Position, Stage};
use annals_rules::game::{Game, Strictness};
use annals_rules::seeded::Rng;

use crate::amazons_places::{after, scattered, search, searcher};

fn minimax(position: &Position, depth: u16, ply: u16) -> Score {
    let moves = position.moves();
    if moves.is_empty() {
        return Score::loss_in(ply);
    }
    if depth == 0 {
        return Score::centirabbits(Queens.evaluate(position));
    }
    let worth = |played| {
        let mut after = *position;
        after.make(played);
        -minimax(&after, depth - 1, ply + 1)
    };
    moves.into_iter().map(worth).max().unwrap()
}

/// Whether the side to move wins, by trying everything.
fn wins(position: &Position, known: &mut HashMap<Position, bool>) -> bool {
    if let Some(wins) = known.get(position) {
        return *wins;
    }
    let won = position.moves().into_iter().any(|played| {
        let mut after = *position;
        after.make(played);
        !wins(&after, known)
    });
    known.insert(*position, won);
    won
}

/// The most moves that a side can make if it alone moves, by trying everything.
fn most_moves(board: &Board, side: Side, known: &mut HashMap<Board, u32>) -> u32 {
    if let Some(most) = known.get(board) {
        return *most;
    }
    let moves = board.moves(side).into_iter();
    let most = moves.map(|played| 1 + most_moves(&board.after(side, played), side, known)).max().unwrap_or(0);
    known.insert(*board, most);
    most
}

#[test]
fn alpha_beta_says_what_minimax_says_with_and_without_the_table() {
    let mut rng = Rng::of(&[11]);
    let plain = SearchOptions::plain();
    let with_table = SearchOptions { table: true, hash_mib: 1, ..plain };
    let mut decided = 0;
    for (files, ranks, queens, blocks, deepest) in
        [(4, 4, 1, 2, 3), (5, 5, 1, 6, 3), (6, 6, 2, 16, 2), (5, 4, 2, 8, 3)]
    {
        for number in 0..10 {
            let place = scattered(&mut rng, files, ranks, queens, blocks);
            let depth = 1 + number % deepest;
            for options in [plain, with_table] {
                let found = search(&mut searcher(options), &place, Limits::depth(depth));
                let Some(found) = found else {
                    assert!(place.winner().is_some(), "{place}");
                    continue;
                };
                let expected = minimax(&place, found.info.depth, 0);
                decided += usize::from(expected.decided_in().is_some());
                assert_eq!(found.info.score, expected, "{place}, depth {depth}, {options:?}");
                let mut after = place;
                after.make(found.turn);
                assert_eq!(-minimax(&after, found.info.depth - 1, 1), expected, "{place}: {}", found.turn);
            }
        }
    }
    assert!(decided > 0);
}

#[test]
fn a_win_in_one_move_and_in_three_is_found() {
    let mut rng = Rng::of(&[3]);
    let mut found_in = [0; 2];
    for _ in 0..240 {
        let place = scattered(&mut rng, 4, 4, 1, 6);
        let expected = minimax(&place, 3, 0).decided_in();
        if !matches!(expected, Some(1 | 3)) {
            continue;
        }
        found_in[usize::from(expected == Some(3))] += 1;
        let found = search(&mut searcher(SearchOptions::default()), &place, Limits::nodes(20_000)).unwrap();
        assert!(found.info.score.decided_in().is_some_and(|plies| plies > 0), "{place}");
    }
    assert!(found_in.iter().all(|count| *count >= 3), "{found_in:?}");
}

#[test]
fn on_tiny_boards_the_player_finds_the_solved_value() {
    let mut rng = Rng::of(&[21]);
    let mut known = HashMap::new();
    let settings: Settings = "nodes=2000000,hash=8".parse().unwrap();
    let mut player = Player::new(settings, &Registry::standard()).unwrap();
    let mut won = 0;
    for (files, ranks, queens, blocks, count) in
        [(3, 4, 1, 2, 12), (4, 4, 1, 5, 12), (4, 4, 2, 4, 8), (5, 3, 1, 4, 8)]
    {
        for _ in 0..count {
            let place = scattered(&mut rng, files, ranks, queens, blocks);
            let mut game: Game<Amazons> = Game::new(Strictness::Strict);
            let started = Started::plain(GameKind::Amazons, Some(place.to_string().into()));
            game.apply(None, &GameEvent::Started(Box::new(started))).unwrap();
            player.new_game(4);
            let Some(choice) = player.choose(&game) else {
                assert!(place.winner().is_some());
                continue;
            };
            let expected = wins(&place, &mut known);
            won += usize::from(expected);
            let info = choice.found.unwrap().info;
            let says = info.score.decided_in();
            assert!(says.is_some_and(|plies| (plies > 0) == expected), "{place}: {} {expected}", info.score);
            let mut after = place;
            after.make(choice.chosen);
            assert_eq!(!wins(&after, &mut known), expected, "{place}: {}", choice.chosen);
        }
    }
    assert!(won > 5, "{won}");
}

#[test]
fn filling_is_as_long_as_can_be_and_its_bounds_hold() {
    let mut rng = Rng::of(&[31]);
    let (mut exact, mut filled) = (0, 0);
    for _ in 0..400 {
        let place = scattered(&mut rng, 5, 5, 1, 13);
        if place.stage() != Stage::Decided {
            continue;
        }
        filled += 1;
        for side in Side::BOTH {
            let most = most_moves(place.board(), side, &mut HashMap::new());
            let all = fill(place.board(), side, 1_000_000);
            assert_eq!(all.exact(), Some(most), "{place}");
            assert_eq!(all.first.is_some(), most > 0);
            let few = fill(place.board(), side, 6);
            assert!((few.least..=few.most).contains(&most), "{place}: {few:?} {most}");
            exact += usize::from(few.exact().is_some());
        }
    }
    assert!(filled > 20 && exact > filled, "{filled} {exact}");
}

#[test]
fn the_same_seed_and_nodes_give_the_same_move() {
    let mut rng = Rng::of(&[9]);
    for moves in [0, 1, 20, 40] {
        let place = after(&mut rng, moves);
        for nodes in [1, 100, 3_000] {
            let once =
                || search(&mut searcher(SearchOptions::default()), &place, Limits::nodes(nodes)).unwrap();
            let (a, b) = (once(), once());
            assert_eq!((a.turn, a.info.score, a.info.nodes), (b.turn, b.info.score, b.info.nodes), "{place}");
            assert!(place.play(a.turn).is_ok() && a.info.nodes <= nodes);
        }
    }
}

#[test]
fn settings_are_read_and_written() {
    for text in [
        "evaluator=queens,nodes=2000,seed=3",
        "kind=greedy,evaluator=mobility,nodes=5",
        "nodes=7,width=0,resign=30",
    ] {
        let settings: Settings = text.parse().unwrap();
        assert_eq!(settings.to_string().parse(), Ok(settings.clone()));
        assert_eq!(text.replace(',', " ").parse(), Ok(settings), "{text}");
    }
    assert_eq!("random".parse::<Settings>().unwrap().kind, Kind::Random);
    assert_eq!("queens".parse::<Settings>().unwrap().evaluator, "queens");
    let said = |text: &str| text.parse::<Settings>().unwrap_err().to_string();
    assert!(said("setup=random").contains("there are kind, evaluator"), "{}", said("setup=random"));
    assert!(said("kind=best").contains("searcher, greedy"));
}
