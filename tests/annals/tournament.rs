//! A small tournament as a director records it, day by day, in a log whose clock the tests set: three players, three
//! rounds, a result that was entered wrongly and put right by a ruling a fortnight later.

use crate::program::Place;

/// The day before play: players known, the tournament announced, everybody registered, round 1 paired.
pub const START: &str = r#"
{"stream":"people/anna","type":"people.player_known","effective_at":"2015-02-01T12:00","payload":{"kind":"human","name":"Anna","player":"anna"}}
{"stream":"people/bela","type":"people.player_known","effective_at":"2015-02-01T12:00","payload":{"kind":"human","name":"Bela","player":"bela"}}
{"stream":"people/cara","type":"people.player_known","effective_at":"2015-02-01T12:00","payload":{"kind":"human","name":"Cara","player":"cara"}}
{"stream":"tournament/spring-2015","type":"tournament.announced","effective_at":"2015-02-10T12:00","payload":{"directors":["Omar"],"edition":1,"fund":10000,"currency":"USD","game":"arimaa","name":"Spring Round Robin 2015","options":{},"rulebook":"house-rules","schedule":[{"at":1425186000000000,"milestone":"play_begins"}],"stages":[{"stage":"round_robin","rounds":3}]}}
{"stream":"tournament/spring-2015","type":"tournament.player_registered","effective_at":"2015-02-12T09:00","payload":{"kind":"human","name":"Anna","player":"anna","rating":2100}}
{"stream":"tournament/spring-2015","type":"tournament.player_registered","effective_at":"2015-02-13T09:00","payload":{"kind":"human","name":"Bela","player":"bela","rating":1900}}
{"stream":"tournament/spring-2015","type":"tournament.player_registered","effective_at":"2015-02-14T09:00","payload":{"kind":"human","name":"Cara","player":"cara","rating":1800}}
{"stream":"tournament/spring-2015","type":"tournament.round_paired","effective_at":"2015-02-28T12:00","payload":{"byes":[{"half_points":2,"player":"cara"}],"pairs":[{"board":1,"lower":"bela","upper":"anna","upper_side":"gold"}],"round":1,"stage":"round_robin"}}
"#;

/// Round 1 with its game, and round 2 paired.
pub const ROUND_1: &str = r#"
{"stream":"tournament/spring-2015","type":"tournament.round_started","effective_at":"2015-03-01T18:00","payload":{"game":"spring-2015.r1.1","pairing":"r1.1","round":1}}
{"stream":"game/spring-2015.r1.1","type":"game.started","effective_at":"2015-03-01T18:00","payload":{"game":"arimaa","gold":{"name":"Anna"},"pairing":"spring-2015.r1.1","rated":true,"silver":{"name":"Bela"},"time_control":"2/2/100/10/8"}}
{"stream":"game/spring-2015.r1.1","type":"game.turn_taken","effective_at":"2015-03-01T18:00:40","payload":{"gold_reserve":120,"number":1,"side":"gold","silver_reserve":120,"steps":"Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ha2 Db2 Cc2 Md2 Ee2 Cf2 Dg2 Hh2","used":40}}
{"stream":"game/spring-2015.r1.1","type":"game.turn_taken","effective_at":"2015-03-01T18:01:00","payload":{"gold_reserve":120,"number":1,"side":"silver","silver_reserve":120,"steps":"ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ha7 db7 cc7 ed7 me7 cf7 dg7 hh7","used":20}}
{"stream":"game/spring-2015.r1.1","type":"game.turn_taken","effective_at":"2015-03-01T18:01:30","payload":{"gold_reserve":210,"number":2,"side":"gold","silver_reserve":120,"steps":"Ee2n Ee3n","used":30}}
{"stream":"game/spring-2015.r1.1","type":"game.ended","effective_at":"2015-03-01T18:02:10","payload":{"termination":"resignation","winner":"gold"}}
{"stream":"tournament/spring-2015","type":"tournament.result_recorded","effective_at":"2015-03-01T18:05","payload":{"game":"spring-2015.r1.1","outcome":"gold","pairing":"r1.1","termination":"resignation"}}
{"stream":"tournament/spring-2015","type":"tournament.round_paired","effective_at":"2015-03-02T12:00","payload":{"byes":[{"half_points":2,"player":"bela"}],"pairs":[{"board":1,"lower":"cara","upper":"anna","upper_side":"silver"}],"round":2,"stage":"round_robin"}}
"#;

/// Round 2, its result entered wrongly, and round 3 paired and begun.
pub const ROUND_2: &str = r#"
{"stream":"tournament/spring-2015","type":"tournament.round_started","effective_at":"2015-03-08T18:00","payload":{"pairing":"r2.1","round":2}}
{"stream":"tournament/spring-2015","type":"tournament.result_recorded","effective_at":"2015-03-08T20:00","payload":{"outcome":"silver","pairing":"r2.1","termination":"goal"}}
{"stream":"tournament/spring-2015","type":"tournament.dispute_filed","effective_at":"2015-03-08T21:00","payload":{"by":"cara","claim":"I reached the goal, not Anna","number":1,"pairing":"r2.1"}}
"#;

/// What the director ruled a fortnight later.
pub const RULING: &str = r#"
{"stream":"tournament/spring-2015","type":"tournament.ruling_given","effective_at":"2015-03-22T10:00","payload":{"dispute":1,"effect":{"set_result":{"outcome":"gold","pairing":"r2.1","termination":"goal"}},"number":1,"reason":"The server log shows a rabbit of Gold on the eighth rank"}}
"#;

/// Records the tournament, each part on the day after it happened.
pub fn recorded(place: &Place) {
    place.ask(&[
        "log", "init", "--simulated", "--at", "2015-02-01", "--note", "Spring 2015", "--actor", "omar",
    ]);
    for (name, text, day) in [
        ("start.jsonl", START, "2015-03-01T09:00"),
        ("round1.jsonl", ROUND_1, "2015-03-02T12:30"),
        ("round2.jsonl", ROUND_2, "2015-03-09T09:00"),
        ("ruling.jsonl", RULING, "2015-03-22T11:00"),
    ] {
        place.write(name, text);
        place.ask(&["log", "append", name, "--actor", "omar", "--at", day]);
    }
}

/// The score of a player in a tournament's view.
pub fn score(view: &serde_json::Value, player: &str) -> u64 {
    let standings = view["standings"].as_array().unwrap_or_else(|| panic!("no standings in {view}"));
    let of = standings.iter().find(|row| row["player"] == player);
    of.and_then(|row| row["half_points"].as_u64()).unwrap_or_else(|| panic!("no score of {player} in {view}"))
}
