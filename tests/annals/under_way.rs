//! A game that is still played, a round that is no longer paired, and a point in time that was forgotten.

use crate::program::Place;
use crate::server::Server;
use crate::tournament::recorded;

#[test]
fn a_game_without_an_end_is_under_way() {
    let place = Place::new();
    recorded(&place);
    let shown = place.ask(&["game", "show", "spring-2015.r1.1", "--as-of", "2015-03-01T18:01:30Z"]);
    assert!(shown.contains("under way after 3 turns"), "{shown}");
    let server = Server::start(&place, "home", &[]);
    let page = server.page("/game/spring-2015.r1.1?as_of=2015-03-01T18:01:30Z");
    assert!(page.contains("The game is under way.") && !page.contains("end of the game"), "{page}");
    assert!(!page.contains("end: ") && page.contains(">under way</a>"), "{page}");
    let page = server.page("/game/spring-2015.r1.1");
    assert!(page.contains("The end of the game.") && page.contains("end: gold by resignation"), "{page}");
    assert_eq!(server.get("/game/spring-2015.r1.1?turn=2g&step=9").status, 400);
}

#[test]
fn a_round_that_is_gone_has_no_boards() {
    let place = Place::new();
    recorded(&place);
    let points = ["diff", "spring-2015", "2015-03-02T13:00", "2015-03-02T11:00"];
    let gone = place.ask(&points);
    assert!(gone.contains("round 2 is not paired\n"), "{gone}");
    let lines = gone.lines().filter(|line| line.starts_with("round 2 b")).collect::<Vec<_>>();
    assert!(lines.len() == 2 && lines.iter().all(|line| line.ends_with(" -> none")), "{gone}");
    let [diff, stream, later, earlier] = points;
    let new = place.ask(&[diff, stream, earlier, later]);
    assert!(new.contains("round 2 board 1: ") && !new.contains("-> none"), "{new}");

    let run = place.run(&["diff", "spring-2015", "round:1"]);
    assert!(run.status == 2 && run.talk.contains("a second point in time is missing"), "{run:?}");
    assert!(run.talk.contains("annals diff spring-2015 round:1 now"), "{run:?}");
}
