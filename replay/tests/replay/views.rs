//! Views as text, word for word, and the clocks in them at any second.

use annals_events::{Entry, Event, GameEvent, Halted, Resumed, Side, TimeNote, TurnTaken};
use annals_replay::handler::{Draft, Importer};
use annals_replay::point::zone;
use annals_replay::{Cut, View, game_at, log_view, people_view, view_at};
use jiff::tz::TimeZone;

use super::games::{setup, started};
use super::scene::{DAY, SECOND, START, Scene, draft, stream, tournament};

/// Holds a text against the file that it is kept in; `ANNALS_BLESS=1` writes it anew.
fn golden(name: &str, text: &str) {
    let path = format!("{}/tests/replay/golden/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("ANNALS_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, kept, "{path} (ANNALS_BLESS=1 writes it anew)");
}

fn turn(number: u32, side: Side, steps: &'static str, used: u32) -> GameEvent<'static> {
    GameEvent::TurnTaken(TurnTaken { used: Some(used), ..TurnTaken::plain(number, side, steps) })
}

/// Setups after 10 and 30 seconds, Gold's turn after another 40; then silence.
fn begun() -> Scene {
    let mut scene = Scene::new();
    let at = |seconds: i64| START + seconds * SECOND;
    scene.take(draft("game/1", at(0), GameEvent::Started(Box::new(started()))));
    scene.take(draft("game/1", at(10), turn(1, Side::Gold, setup(Side::Gold), 10)));
    scene.take(draft("game/1", at(30), turn(1, Side::Silver, setup(Side::Silver), 20)));
    scene.take(draft("game/1", at(70), turn(2, Side::Gold, "Ee2n Ee3n", 40)));
    scene
}

#[test]
fn the_clocks_are_those_of_the_second_that_is_asked_for() {
    let mut scene = begun();
    let name = stream("game/1");
    let clocks = |scene: &Scene, seconds: i64| {
        let at = START + seconds * SECOND + 400_000;
        let game = game_at(&scene.log, &name, &Cut::as_of(at)).unwrap();
        let clocks = game.clocks_at(Some(at)).unwrap();
        let running = clocks.running.unwrap();
        (clocks.gold_reserve, clocks.silver_reserve, running.side, running.used, running.move_time_left)
    };
    // 2 minutes a move, 2 minutes of reserve, all of what is unused goes to the reserve.
    assert_eq!(clocks(&scene, 0), (120, 120, Side::Gold, 0, 120));
    assert_eq!(clocks(&scene, 9), (120, 120, Side::Gold, 9, 111));
    assert_eq!(clocks(&scene, 12), (120, 120, Side::Silver, 2, 118));
    assert_eq!(clocks(&scene, 69), (120, 120, Side::Gold, 39, 81));
    assert_eq!(clocks(&scene, 70), (200, 120, Side::Silver, 0, 120));
    assert_eq!(clocks(&scene, 190), (200, 120, Side::Silver, 120, 0));
    assert_eq!(clocks(&scene, 191), (200, 119, Side::Silver, 121, 0));
    assert_eq!(clocks(&scene, 311), (200, -1, Side::Silver, 241, 0));
    let at = |seconds: i64| START + seconds * SECOND;
    let flag = |scene: &Scene, seconds| {
        let game = game_at(&scene.log, &name, &Cut::as_of(at(seconds))).unwrap();
        game.clocks_at(Some(at(seconds))).unwrap().running.unwrap().flag_fallen
    };
    assert!(!flag(&scene, 310) && flag(&scene, 311));

    // While play is halted the clock stands still; then the turn begins anew.
    scene.take(draft("game/1", at(100), GameEvent::Halted(Halted::default())));
    let resumed = Resumed { from_ply: 3, ..Resumed::default() };
    scene.take(draft("game/1", at(500), GameEvent::Resumed(resumed)));
    assert_eq!(clocks(&scene, 300), (200, 120, Side::Silver, 30, 90));
    assert_eq!(clocks(&scene, 505), (200, 120, Side::Silver, 5, 115));
}

#[test]
fn a_game_reads_well() {
    let mut scene = begun();
    let name = stream("game/1");
    let cut = Cut::as_of(START + 85 * SECOND);
    golden(
        "game_running",
        &view_at(&scene.log, &name, &cut).unwrap().document(&TimeZone::UTC).text(&TimeZone::UTC, None),
    );
    let ended = GameEvent::Ended(annals_events::Ended {
        winner: Some(Side::Gold),
        termination: Some(annals_events::Termination::Resignation),
        stated: None,
        draw: false,
    });
    scene.take(draft("game/1", START + 100 * SECOND, ended));
    let view = view_at(&scene.log, &name, &Cut::NOW).unwrap();
    golden("game_ended", &view.document(&zone("EST").unwrap()).text(&zone("EST").unwrap(), None));
    let json = serde_json::to_value(&view).unwrap();
    assert_eq!(json["view"], "game");
    assert_eq!(json["turns"][2]["label"], "2g");
    assert_eq!(json["ending"]["board"], "not_on_board");
}

#[test]
fn a_game_of_unknown_times_says_so() {
    let mut scene = Scene::new();
    let unknown = |event: GameEvent<'static>| {
        let entry = Entry { event: Event::from(event), time: Some(TimeNote::Unknown) };
        Draft::of_entry(stream("game/old"), START, &entry).unwrap()
    };
    let mut of_2002 = started();
    of_2002.time_control = None;
    let drafts = [
        unknown(GameEvent::Started(Box::new(of_2002))),
        unknown(GameEvent::TurnTaken(TurnTaken::plain(1, Side::Gold, setup(Side::Gold)))),
        unknown(GameEvent::TurnTaken(TurnTaken::plain(1, Side::Silver, setup(Side::Silver)))),
        unknown(GameEvent::TurnTaken(TurnTaken::plain(2, Side::Gold, "Ra1n"))),
    ];
    let mut importer = Importer::new(&mut scene.log, "importer").unwrap();
    importer.stream(&drafts).unwrap();
    importer.finish().unwrap();
    let view = view_at(&scene.log, &stream("game/old"), &Cut::as_of(START + DAY)).unwrap();
    assert_eq!(view.findings().len(), 1);
    golden("game_of_unknown_times", &view.document(&TimeZone::UTC).text(&TimeZone::UTC, None));
    let after_one = view_at(&scene.log, &stream("game/old"), &Cut::at_seq(3)).unwrap();
    let View::Game(after_one) = after_one else { panic!() };
    assert_eq!((after_one.plies, after_one.to_move), (1, Some(Side::Silver)));
}

#[test]
fn a_tournament_and_the_log_read_well() {
    let mut scene = begun();
    for draft in tournament("tournament/open", START) {
        scene.take(draft);
    }
    let open = stream("tournament/open");
    let cut = Cut::as_of(START + 450 * SECOND);
    golden(
        "tournament_round_1",
        &view_at(&scene.log, &open, &cut).unwrap().document(&TimeZone::UTC).text(&TimeZone::UTC, None),
    );
    golden(
        "tournament_closed",
        &view_at(&scene.log, &open, &Cut::NOW)
            .unwrap()
            .document(&zone("EST").unwrap())
            .text(&zone("EST").unwrap(), None),
    );
    golden(
        "log",
        &log_view(&scene.log, &Cut::NOW).unwrap().document(&TimeZone::UTC).text(&TimeZone::UTC, None),
    );
    assert_eq!(
        view_at(&scene.log, &stream("log/annals"), &Cut::NOW).unwrap(),
        log_view(&scene.log, &Cut::NOW).unwrap()
    );
}

#[test]
fn people_read_well() {
    use annals_events::PeopleEvent as P;
    use annals_events::people::{Alias, AliasDeclared, IdentitiesMerged, PlayerKnown};
    let mut scene = Scene::new();
    let known = |name: &str, kind| {
        P::PlayerKnown(PlayerKnown {
            player: name.parse().unwrap(),
            name: name.to_uppercase(),
            kind,
            country: Some("HU".to_owned()),
            developers: Vec::new(),
            earlier_version: None,
        })
    };
    scene.take(draft("people/anna", START, known("anna", annals_events::PlayerKind::Human)));
    scene.take(draft("people/anna2", START, known("anna2", annals_events::PlayerKind::Human)));
    scene.take(draft("people/zbot", START, known("zbot", annals_events::PlayerKind::Bot)));
    let alias =
        Alias { place: Some("gameroom".to_owned()), name: Some("Anna".to_owned()), account: Some(12) };
    let declared = AliasDeclared { player: "anna2".parse().unwrap(), alias, reason: None };
    scene.take(draft("people/anna2", START + 1, P::AliasDeclared(declared)));
    let merged =
        IdentitiesMerged { kept: "anna".parse().unwrap(), merged: "anna2".parse().unwrap(), reason: None };
    scene.take(draft("people/anna", START + 2, P::IdentitiesMerged(merged)));
    golden(
        "people",
        &people_view(&scene.log, None, &Cut::NOW)
            .unwrap()
            .document(&TimeZone::UTC)
            .text(&TimeZone::UTC, None),
    );
}
