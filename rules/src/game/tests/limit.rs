//! The game length.

use super::*;

/// A game with a limit of ten minutes, of which eight are used, and eleven after the last turn.
fn near_the_limit() -> Vec<GameEvent<'static>> {
    let start = vec![
        started(Some("2/2/100/10/10m"), None),
        turn_in(1, Gold, "put", 120),
        turn_in(1, Silver, "put", 120),
    ];
    with(start, &[turn_in(2, Gold, "+1", 120), turn_in(2, Silver, "+1", 120)])
}

/// A game of which each event happens so many seconds after the one before.
fn in_time(events: &[GameEvent<'static>], apart: i64) -> Game<Toy> {
    let mut game = Game::new(Strictness::Archive);
    for (n, event) in (0..).zip(events) {
        game.apply(Some(2_000_000_000_000_000 + n * apart * 1_000_000), event).unwrap();
    }
    game
}

#[test]
fn a_turn_that_is_completed_after_the_limit_does_not_count_and_no_turn_follows_one_with_which_it_is_reached()
{
    let at_it = with(near_the_limit(), &[turn_in(3, Gold, "-1", 120)]);
    let game = archive(&at_it);
    assert!(game.limit_reached() && game.just_played_past_the_limit().is_none());
    let on = with(at_it, &[turn_in(3, Silver, "-1", 1), turn_in(4, Gold, "+2", 1)]);
    assert_eq!(
        archive(&on[..on.len() - 1]).just_played_past_the_limit(),
        Some(LimitFault::PlayedOn { number: 3, side: Silver })
    );
    let game = archive(&on);
    assert!(game.just_played_past_the_limit().is_none(), "it is said once");
    assert_eq!(game.plies().iter().filter(|ply| ply.past_limit).count(), 2);
    let beyond = with(near_the_limit(), &[turn_in(3, Gold, "-1", 121)]);
    let beyond = archive(&beyond).just_played_past_the_limit();
    assert_eq!(beyond, Some(LimitFault::PlayedOn { number: 3, side: Gold }));
}

#[test]
fn a_game_ends_by_score_when_it_reaches_its_limit_and_not_before() {
    let limit = |events: &[GameEvent<'static>], apart, how| {
        let game = in_time(&with(events.to_vec(), &[ended(Gold, how)]), apart);
        game.ending().unwrap().limit
    };
    let (score, resigned) = (Termination::Score, Termination::Resignation);
    let fault = |fault| LimitCheck::Fault(fault);
    let before = near_the_limit();
    assert_eq!(limit(&before, 119, score), fault(LimitFault::ScoredBefore));
    assert_eq!(limit(&before, 120, score), LimitCheck::Fits, "the turn in progress may have reached it");
    assert_eq!(limit(&before[..3], 500, score), fault(LimitFault::ScoredBefore), "the flag falls before");
    assert_eq!(limit(&before, 119, resigned), LimitCheck::Fits);
    assert_eq!(limit(&before, 120, resigned), fault(LimitFault::EndedOtherwise(resigned)));
    assert_eq!(limit(&before[..3], 500, resigned), LimitCheck::Fits, "the flag falls before");
    // The flag falls after 240 seconds, and the game reaches its length after 120.
    let time = Termination::Time;
    assert_eq!(limit(&before, 119, time), fault(LimitFault::EndedOtherwise(time)));
    assert_eq!(limit(&before[..3], 500, time), LimitCheck::Fits);
    let reached = with(before.clone(), &[turn_in(3, Gold, "-1", 120)]);
    assert_eq!(limit(&reached, 120, score), LimitCheck::Fits);
    for how in [resigned, time] {
        assert_eq!(limit(&reached, 120, how), fault(LimitFault::EndedOtherwise(how)));
    }
    let day = 24 * 3600;
    assert_eq!(limit(&reached, day, score), LimitCheck::Fits, "a record of dates");
    assert_eq!(limit(&reached, day + 1, score), fault(LimitFault::ScoredLate));
    assert_eq!(limit(&before, day + 120, score), LimitCheck::Fits);
    assert_eq!(limit(&before, day + 121, score), fault(LimitFault::ScoredLate));
    // A length in turns.
    let three = |turns: &[GameEvent<'static>]| {
        with(vec![started(Some("2/2/100/10/2t"), None), turn(1, Gold, "put"), turn(1, Silver, "put")], turns)
    };
    assert_eq!(limit(&three(&[turn(2, Gold, "+1")]), 1, score), fault(LimitFault::ScoredBefore));
    assert_eq!(limit(&three(&[turn(2, Gold, "+1"), turn(2, Silver, "+1")]), 1, score), LimitCheck::Fits);
    // Without a length nothing is said.
    let without = vec![started(Some("2/2/100/10"), None), turn(1, Gold, "put"), turn(1, Silver, "put")];
    assert_eq!(limit(&without, 1, score), LimitCheck::Fits);
    assert!(LimitFault::has_code(LimitFault::ScoredBefore.code()) && !LimitFault::has_code("out_of_time"));
}

#[test]
fn where_times_are_not_known_no_game_is_longer_than_the_time_since_its_start() {
    let check = |events: &[GameEvent<'static>], apart, how| {
        let game = in_time(&with(events.to_vec(), &[ended(Gold, how)]), apart);
        game.ending().unwrap().limit
    };
    // Ten minutes, and the time of the third turn is not known.
    let unknown = with(near_the_limit()[..3].to_vec(), &[turn(2, Gold, "+1")]);
    let scored = LimitCheck::Fault(LimitFault::ScoredBefore);
    assert_eq!(check(&unknown, 149, Termination::Score), scored);
    assert_eq!(check(&unknown, 149, Termination::Resignation), LimitCheck::Fits);
    for how in [Termination::Score, Termination::Resignation, Termination::Time, Termination::Goal] {
        assert_eq!(check(&unknown, 150, how), LimitCheck::Unknown, "{how}");
    }
    assert_eq!(check(&unknown, 150, Termination::Forfeit), LimitCheck::Fits);
    // A halt is no part of the game.
    let halts = [halted(), resumed(3)];
    let stopped = with(unknown.clone(), &halts);
    assert_eq!(check(&stopped, 119, Termination::Score), scored);
    assert_eq!(check(&stopped, 120, Termination::Score), LimitCheck::Unknown);
    // Times that are not those of the source count for nothing.
    let mut doubtful = Game::<Toy>::new(Strictness::Archive);
    doubtful.doubt_times();
    for event in with(unknown, &[ended(Gold, Termination::Score)]) {
        doubtful.apply(Some(2_000_000_000_000_000), &event).unwrap();
    }
    assert_eq!(doubtful.ending().unwrap().limit, LimitCheck::Unknown);
}

#[test]
fn where_the_reserve_is_not_known_the_flag_may_fall_before_the_limit() {
    let mut told = turn_in(2, Silver, "+1", 60);
    if let GameEvent::TurnTaken(turn) = &mut told {
        turn.game_time = Some(480);
    }
    let limit = |of_gold: GameEvent<'static>| {
        let events =
            with(near_the_limit()[..3].to_vec(), &[of_gold, told.clone(), ended(Gold, Termination::Score)]);
        in_time(&events, 120).ending().unwrap().limit
    };
    assert_eq!(
        limit(turn_in(2, Gold, "+1", 180)),
        LimitCheck::Fits,
        "two minutes are left, and the flag has more"
    );
    assert_eq!(limit(turn(2, Gold, "+1")), LimitCheck::Unknown, "the time of Gold's turn is not recorded");
}
