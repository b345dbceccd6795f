//! What is different between two points, and what would be if.

use annals_events::tournament::Outcome;
use annals_events::{GameEvent, Side, TurnTaken};
use annals_replay::{Cut, Labels, Line, diff, differences_document, view_at, what_if};
use jiff::tz::TimeZone;

use super::scene::{SECOND, START, Scene, draft, game, result, stream, tournament};

fn lines(drafts: Vec<annals_replay::handler::Draft>) -> Vec<Line> {
    let line = |(i, draft)| Line { number: i as u64 + 1, draft, source_seq: None };
    drafts.into_iter().enumerate().map(line).collect()
}

#[test]
fn a_diff_reads_like_a_list_of_changes() {
    let mut scene = Scene::new();
    for draft in tournament("tournament/open", START) {
        scene.take(draft);
    }
    let open = stream("tournament/open");
    let at = |minutes: i64| Cut::as_of(START + minutes * 60 * SECOND);
    let view = |cut: Cut| view_at(&scene.log, &open, &cut).unwrap();
    let found = diff(&view(at(6)), &view(at(7)));
    let text = differences_document(&found, &Labels::default(), &TimeZone::UTC).text(&TimeZone::UTC, None);
    assert!(text.contains("round 1 board 1: outcome: none -> gold\n"), "{text}");
    assert!(text.contains("score of anna: won: 0 -> 1\n"), "{text}");
    let found = diff(&view(at(9)), &view(at(10)));
    let text = differences_document(&found, &Labels::default(), &TimeZone::UTC).text(&TimeZone::UTC, None);
    assert!(text.contains("round 2: started at: none -> 2020-09-13 12:36:40Z\n"), "{text}");
    assert!(diff(&view(at(7)), &view(at(7))).is_empty());
    assert_eq!(
        differences_document(&[], &Labels::default(), &TimeZone::UTC).text(&TimeZone::UTC, None),
        "nothing is different\n"
    );
    // Backwards, every change is turned round.
    let back = diff(&view(at(7)), &view(at(6)));
    let forth = diff(&view(at(6)), &view(at(7)));
    let turned: Vec<_> = back.iter().map(|d| (&d.path, &d.after, &d.before)).collect();
    let straight: Vec<_> = forth.iter().map(|d| (&d.path, &d.before, &d.after)).collect();
    for change in &straight {
        assert!(turned.contains(change), "{change:?}");
    }
    assert_eq!(turned.len(), straight.len());
}

#[test]
fn one_more_turn_is_one_more_turn() {
    let mut scene = Scene::new();
    let drafts = game("game/1", START, 5, 9);
    scene.append(&drafts).unwrap();
    let view = |seq| view_at(&scene.log, &stream("game/1"), &Cut::at_seq(seq)).unwrap();
    let found = diff(&view(7), &view(8));
    let turns: Vec<_> = found.iter().filter(|d| d.path[0] == "turns").collect();
    assert_eq!(turns.len(), 1, "{found:?}");
    assert!(turns[0].before.is_none() && turns[0].place(&Labels::default()) == "turn 3s", "{:?}", turns[0]);
}

#[test]
fn what_if_decides_as_the_desk_does_and_changes_nothing() {
    let mut scene = Scene::new();
    let drafts = game("game/1", START, 6, 10);
    scene.append(&drafts[..7]).unwrap();
    let name = stream("game/1");
    let (head, before) = (scene.log.head().unwrap(), view_at(&scene.log, &name, &Cut::NOW).unwrap());
    let illegal = draft(
        "game/1",
        drafts[8].effective_at,
        GameEvent::TurnTaken(TurnTaken::plain(99, Side::Gold, "Ra1n")),
    );
    let extra = lines(vec![drafts[7].clone(), illegal, drafts[8].clone()]);
    let what = what_if(&scene.log, &name, &Cut::NOW, &extra).unwrap();
    assert_eq!((what.taken, what.refused.len()), (2, 1));
    assert_eq!((what.refused[0].line, what.refused[0].refusal.index), (2, 1));
    assert_eq!(what.before.as_ref(), Some(&before));
    assert!(
        what.differences.iter().any(|d| d.place(&Labels::default()) == "plies"),
        "{:?}",
        what.differences
    );
    let text = what.document(&TimeZone::UTC).text(&TimeZone::UTC, None);
    assert!(text.starts_with("2 of 3 events would be taken\nline 2: game.turn_taken is refused: "), "{text}");
    assert_eq!(scene.log.head().unwrap(), head);

    // Once they are really there, the state is the one foretold.
    scene.append(&drafts[7..9]).unwrap();
    assert_eq!(what.after, Some(view_at(&scene.log, &name, &Cut::NOW).unwrap()));
}

#[test]
fn what_if_can_begin_a_game_and_strike_an_event() {
    let mut scene = Scene::new();
    for draft in tournament("tournament/open", START) {
        scene.take(draft);
    }
    let fresh = game("game/new", START, 7, 4);
    let what = what_if(&scene.log, &stream("game/new"), &Cut::NOW, &lines(fresh)).unwrap();
    assert!(what.before.is_none() && what.after.is_some() && what.refused.is_empty());
    let open = "tournament/open";
    let last = scene.all().iter().rfind(|e| e.event_type == "tournament.result_recorded").unwrap().seq;
    let extra = lines(vec![
        super::scene::strike(open, last),
        draft(open, START + super::scene::DAY, result(2, 2, Outcome::Draw)),
    ]);
    let what = what_if(&scene.log, &stream(open), &Cut::NOW, &extra).unwrap();
    let text = what.document(&TimeZone::UTC).text(&TimeZone::UTC, None);
    assert!(text.contains("round 2 board 2: outcome: gold -> draw"), "{text}");
    let past = Cut { as_of: Some(START + 60 * SECOND), ..Cut::NOW };
    let what = what_if(&scene.log, &stream(open), &past, &extra).unwrap();
    assert!(what.differences.is_empty(), "neither had happened by then");
    assert!(what_if(&scene.log, &stream("game/none"), &Cut::NOW, &[]).is_err());
}
