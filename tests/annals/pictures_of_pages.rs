//! Pictures of the pages of `annals serve` and `annals site`: the command at the foot draws the same file, and the file is cited.

use std::fs;

use crate::ingesting::{SETUPS, header, row};
use crate::program::Place;
use crate::server::{Server, demonstration};
use crate::tournament::recorded;

/// The command of a picture, by its metadata.
fn command(picture: &str) -> String {
    let entry = picture
        .split("<entry key=\"annals.command\">")
        .nth(1)
        .unwrap_or_else(|| panic!("no metadata: {picture}"));
    let text = entry.split("</entry>").next().unwrap();
    text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// Draws the picture of a page by the command in it, and cites it.
fn assert_is_drawn_again(place: &Place, picture: &str) {
    let command = command(picture);
    let words = shlex::split(&command).unwrap();
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    place.ask(&[&words[..], &["-o", "again.svg", "--force"]].concat());
    let again = fs::read_to_string(place.path("again.svg")).unwrap();
    let differ = picture.lines().zip(again.lines()).find(|(page, drawn)| page != drawn);
    assert!(again == picture, "`{command}` draws another picture: {differ:?}");
    place.write("page.svg", picture);
    let cited = place.ask(&["cite", "chart", "page.svg"]);
    assert!(cited.contains("Drawn from annals:") && cited.contains("Command: annals "), "{cited}");
}

#[test]
fn the_command_at_the_foot_of_a_picture_of_the_server_draws_the_same_picture() {
    let (served, server) = &*demonstration();
    let place = Place::new();
    place.copy_tree(&served.path("annals-demo"), "home");
    for path in [
        "/game/cup.r12.1.svg",
        "/game/cup.r12.1.svg?as_of=2015-03-07T02:00:00Z",
        "/tournament/cup/chart.svg",
        "/tournament/cup/chart.svg?known_at=2015-03-03&tz=EST",
        "/player/annals-n3000.svg?system=whr",
        "/player/annals-n3000.svg?system=elo+k%3D20",
        "/study/endings.svg",
    ] {
        assert_is_drawn_again(&place, &server.page(path));
    }
    // No command draws a chart of a query: the picture names the query.
    for path in ["/index.svg", "/sql.svg?q=SELECT+1+AS+a,+2+AS+b&x=a&y=b"] {
        assert!(command(&server.page(path)).starts_with("annals query "), "{path}");
    }
    let foot = server.page("/game/cup.r12.1.svg");
    assert_eq!(foot.matches("--blunder off").count(), 2, "in the metadata and at the foot: {foot}");
}

#[test]
fn a_game_of_the_dataset_and_the_files_of_a_site_have_such_pictures_too() {
    let place = Place::new();
    recorded(&place);
    place.write("game.txt", header() + "\n" + &row("5", &format!("{SETUPS}2w Ee2n\\n2b ed7s\\n3w")));
    place.ask(&["ingest", "game.txt"]);
    let server = Server::start(&place, "home", &[]);
    assert_is_drawn_again(&place, &server.page("/game/5.svg"));
    place.ask(&["site", "-o", "public", "--moments", "rounds"]);
    for file in [
        "tournament/spring-2015/chart.svg",
        "tournament/spring-2015/chart.known_at-round-1.svg",
        "game/spring-2015.r1.1.svg",
    ] {
        let bytes =
            fs::read_to_string(place.path("public").join(file)).unwrap_or_else(|_| panic!("no {file}"));
        assert_is_drawn_again(&place, &bytes);
    }
}
