//! Who is who at any date: aliases, merges and their undoing, followed as of a time and as known at one.

use annals_events::people::{Alias, AliasDeclared, IdentitiesMerged, IdentitiesParted, PlayerKnown};
use annals_events::{EventId, PeopleEvent, PlayerKind};
use annals_replay::handler::{Handler, HandlerError};
use annals_replay::{Cut, View, people_at, people_view, view_at};
use annals_store::{AppendError, NewEvent, Transaction};

use super::scene::{DAY, START, Scene, draft, id, stream};

fn known(name: &str) -> PeopleEvent {
    PeopleEvent::PlayerKnown(PlayerKnown {
        player: id(name),
        name: name.to_uppercase(),
        kind: PlayerKind::Human,
        country: None,
        developers: Vec::new(),
        earlier_version: None,
    })
}

fn alias(player: &str, name: &str) -> PeopleEvent {
    let alias = Alias { place: Some("gameroom".to_owned()), name: Some(name.to_owned()), account: None };
    PeopleEvent::AliasDeclared(AliasDeclared { player: id(player), alias, reason: None })
}

fn merged(kept: &str, merged: &str) -> PeopleEvent {
    PeopleEvent::IdentitiesMerged(IdentitiesMerged { kept: id(kept), merged: id(merged), reason: None })
}

fn parted(kept: &str, parted: &str) -> PeopleEvent {
    PeopleEvent::IdentitiesParted(IdentitiesParted { kept: id(kept), parted: id(parted), reason: None })
}

fn scene() -> Scene {
    let mut scene = Scene::new();
    for name in ["anna", "bela", "carl"] {
        scene.take(draft(&format!("people/{name}"), START, known(name)));
    }
    scene.take(draft("people/anna", START + 10, alias("anna", "anna2")));
    scene.take(draft("people/bela", START + 10, alias("bela", "bb")));
    scene
}

#[test]
fn careers_follow_a_merge_as_of_any_date() {
    let mut scene = scene();
    let before = scene.log.last_seq().unwrap();
    scene.take(draft("people/anna", START + 20, merged("anna", "bela")));
    let together = scene.log.last_seq().unwrap();
    scene.take(draft("people/anna", START + 30, parted("anna", "bela")));
    let behind = |cut: Cut| {
        let people = people_at(&scene.log, &cut).unwrap();
        people.behind(Some("gameroom"), Some("bb"), None).cloned()
    };
    assert_eq!(behind(Cut::as_of(START + 5)), None);
    assert_eq!(behind(Cut::as_of(START + 19)), Some(id("bela")));
    assert_eq!(behind(Cut::as_of(START + 20)), Some(id("anna")));
    assert_eq!(behind(Cut::as_of(START + 30)), Some(id("bela")));
    assert_eq!(behind(Cut::at_seq(together)), Some(id("anna")));
    assert_eq!(behind(Cut { as_of: Some(START + DAY), ..Cut::at_seq(before) }), Some(id("bela")));
    let cut = Cut::at_seq(together);
    let View::People(view) = view_at(&scene.log, &stream("people/bela"), &cut).unwrap() else { panic!() };
    assert_eq!(view.identities.keys().collect::<Vec<_>>(), [&id("anna")]);
    assert_eq!(view.identities[&id("anna")].stands_for, [id("bela")]);
    let View::People(all) = people_view(&scene.log, None, &Cut::NOW).unwrap() else { panic!() };
    assert_eq!(all.identities.len(), 3);
}

#[test]
fn the_desk_takes_no_circle_and_no_alias_of_two() {
    let mut scene = scene();
    scene.take(draft("people/anna", START + 20, merged("anna", "bela")));
    scene.take(draft("people/bela", START + 20, merged("bela", "carl")));
    assert_eq!(scene.refused(draft("people/carl", START + 30, merged("carl", "anna"))), "merged_already");
    assert_eq!(scene.refused(draft("people/anna", START + 30, merged("anna", "anna"))), "merged_already");
    assert_eq!(scene.refused(draft("people/carl", START + 30, alias("carl", "anna2"))), "alias_taken");
    assert_eq!(scene.refused(draft("people/carl", START + 30, parted("carl", "anna"))), "not_merged");
    assert_eq!(scene.refused(draft("people/dora", START + 30, alias("dora", "dd"))), "no_such_player");
    assert_eq!(scene.refused(draft("people/anna", START + 19, parted("anna", "bela"))), "before_its_cause");
    scene.take(draft("people/anna", START + 40, parted("anna", "bela")));
}

#[test]
fn a_player_on_whom_a_merge_rests_is_not_struck() {
    let mut scene = scene();
    scene.take(draft("people/anna", START + 20, merged("anna", "bela")));
    let first = scene.all().iter().find(|e| e.stream.as_str() == "people/bela").unwrap().seq;
    assert_eq!(scene.refused(super::scene::strike("people/bela", first)), "others_rest_on_it");
    let carl = scene.all().iter().find(|e| e.stream.as_str() == "people/carl").unwrap().seq;
    scene.take(super::scene::strike("people/carl", carl));
    assert!(view_at(&scene.log, &stream("people/carl"), &Cut::NOW).is_err());
}

#[test]
fn two_new_players_cannot_both_take_one_alias() {
    let mut scene = Scene::new();
    let of = |name: &str| {
        let to = format!("people/{name}");
        [draft(&to, START, known(name)), draft(&to, START + 1, alias(name, "same"))]
    };
    let expected = {
        let mut desk = Handler::at(&scene.log, scene.log.last_seq().unwrap()).unwrap();
        for (index, draft) in of("anna").iter().enumerate() {
            desk.decide(index, draft).unwrap().unwrap();
        }
        desk.expectations()
    };
    // Somebody else gets in between, in a stream that did not exist when the first one decided.
    scene.append(&of("bela")).unwrap();
    let events = of("anna").into_iter().zip(1..).map(|(draft, n)| {
        let (stream, at) = (draft.stream.clone(), draft.effective_at);
        NewEvent::new(stream, EventId([n; 16]), at, "other", &draft.decode().unwrap()).unwrap()
    });
    let transaction = Transaction { expected, events: events.collect() };
    assert!(matches!(scene.log.append(&transaction), Err(AppendError::Conflict { .. })));
    let HandlerError::Refused(refusal) = scene.append(&of("anna")).unwrap_err() else { panic!() };
    assert_eq!((refusal.index, refusal.reason.code()), (1, "alias_taken"));
}
