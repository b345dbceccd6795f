//! What events name: enough that nothing can be filed before its causes.

use annals_events::tournament::TournamentEvent;
use annals_events::{BoardId, Event, Subject, names};

use crate::golden::all_lines;

fn named(stream: &str, type_name: &str, payload: &str) -> Vec<String> {
    let stream = stream.parse().unwrap();
    let event = Event::from_payload(type_name, 1, payload).unwrap();
    names(&stream, &event)
        .into_iter()
        .map(|subject| match subject {
            Subject::Tournament(name) => format!("tournament {name}"),
            Subject::Game(name) => format!("game {name}"),
            Subject::Player(name) => format!("player {name}"),
            Subject::Round { tournament, round } => format!("round {tournament} {round}"),
            Subject::Pairing { tournament, pairing: BoardId { round, board } } => {
                format!("pairing {tournament} {round} {board}")
            }
            Subject::Event(seq) => format!("event {seq}"),
        })
        .collect()
}

#[test]
fn a_paired_round_names_its_round_its_pairings_and_everybody_in_it() {
    let payload = r#"{"byes":[{"player":"zombie"}],"order":[{"player":"ziltoid","rank":4}],"pairs":[{"board":1,"lower":"briareus","upper":"sharp"}],"round":3,"stage":"final"}"#;
    assert_eq!(
        named("tournament/wcc-2015", "tournament.round_paired", payload),
        [
            "tournament wcc-2015",
            "player briareus",
            "player sharp",
            "player ziltoid",
            "player zombie",
            "round wcc-2015 3",
            "pairing wcc-2015 3 1",
        ]
    );
}

#[test]
fn a_game_of_a_tournament_names_its_pairing_and_any_other_only_itself() {
    let started = |pairing: &str| {
        format!(r#"{{"game":"arimaa","gold":{{"name":"a"}},{pairing}"rated":true,"silver":{{"name":"b"}}}}"#)
    };
    let paired = started(r#""pairing":"wcc-2015.r3.2","#);
    assert_eq!(
        named("game/wcc-2015.r3.2", "game.started", &paired),
        ["game wcc-2015.r3.2", "pairing wcc-2015 3 2"]
    );
    assert_eq!(named("game/17", "game.started", &started("")), ["game 17"]);
    assert_eq!(named("game/17", "game.started", &started(r#""pairing":"round 3, table 2","#)), ["game 17"]);
    assert_eq!(
        named("game/17", "game.turn_taken", r#"{"number":2,"side":"gold","steps":"Eb2n"}"#),
        ["game 17"]
    );
}

#[test]
fn a_ruling_names_what_it_touches_and_what_its_evidence_points_to() {
    let payload = r#"{"effect":{"halt":{"failure":"misconfigured","game":"g7","pairing":"r2.1","ply":14}},"evidence":[{"game":"g8","seq":99,"text":"log"}],"number":1,"reason":"x"}"#;
    assert_eq!(
        named("tournament/t", "tournament.ruling_given", payload),
        ["tournament t", "game g7", "game g8", "pairing t 2 1", "event 99",]
    );
}

#[test]
fn a_correction_names_the_event_that_it_corrects_and_the_stream_that_both_are_in() {
    let payload = r#"{"change":"strike","corrects":41,"reason":"entered twice"}"#;
    assert_eq!(named("game/17", "log.correction", payload), ["game 17", "event 41"]);
    assert_eq!(named("log/annals", "log.correction", payload), ["event 41"]);
}

#[test]
fn a_merge_names_both_identities() {
    let payload = r#"{"kept":"fritzlein","merged":"fritz"}"#;
    assert_eq!(
        named("people/fritzlein", "people.identities_merged", payload),
        ["player fritz", "player fritzlein"]
    );
}

#[test]
fn the_pairing_of_an_effect_is_the_one_that_its_payload_has() {
    let mut kinds = 0;
    for (_, line) in all_lines().into_iter().filter(|(of, _)| of.name() == "tournament.ruling_given") {
        let event = Event::from_payload("tournament.ruling_given", 1, &line).unwrap();
        let Event::Tournament(event) = event else { panic!("{line}") };
        let TournamentEvent::RulingGiven(ruling) = &*event else { panic!("{line}") };
        let payload: serde_json::Value = serde_json::from_str(&line).unwrap();
        let fields = payload["effect"].as_object().and_then(|effect| effect.values().next());
        let pairing =
            fields.and_then(|fields| fields.get("pairing")).map(|pairing| pairing.as_str().unwrap());
        assert_eq!(ruling.effect.pairing(), pairing.map(|pairing| pairing.parse().unwrap()), "{line}");
        kinds += 1;
    }
    assert!(kinds > 12);
}
