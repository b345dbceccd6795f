//! Properties of the fold over random histories of the toy game: half of the events are valid at their place, the
//! others are anything.

use annals_events::{
    Annulled, ClockSet, Ended, GameEvent, Halted, RatedChanged, Resumed, Side, Termination, TurnRejected,
    TurnRetracted, TurnTaken,
};
use proptest::prelude::*;

use super::toy::{Toy, started};
use super::*;

/// An event that does not depend on the state of the game.
#[derive(Debug, Clone)]
enum Try {
    /// The turn that is due, with a move that may be illegal.
    Due {
        steps: &'static str,
        used: Option<u32>,
        reserve: Option<i64>,
    },
    Any(GameEvent<'static>),
}

const STEPS: [&str; 7] = ["put", "+1", "+2", "-1", "-2", "", "é"];

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::Gold), Just(Side::Silver)]
}

fn any_event() -> impl Strategy<Value = GameEvent<'static>> {
    let control = prop_oneof![
        Just(None),
        Just(Some("2/2/100/10/8")),
        Just(Some("0:30/1/50/2/4t/1")),
        Just(Some("rubbish")),
    ];
    let position = prop_oneof![4 => Just(None), 1 => Just(Some("7 silver")), 1 => Just(Some("x"))];
    let reserve = prop::option::of(prop_oneof![Just(i64::MIN), Just(i64::MAX), -50i64..500]);
    let ending = (prop::option::of(side()), prop::option::of(0..Termination::ALL.len()), any::<bool>());
    prop_oneof![
        2 => (control, position).prop_map(|(control, position)| started(control, position)),
        2 => (any::<u32>(), side(), 0..STEPS.len())
            .prop_map(|(number, side, i)| GameEvent::TurnTaken(TurnTaken::plain(number, side, STEPS[i]))),
        2 => (0u32..5, side(), 0..STEPS.len()).prop_map(|(number, side, i)| {
            GameEvent::TurnRejected(TurnRejected { number, side, steps: STEPS[i].into(), reason: "".into() })
        }),
        4 => Just(GameEvent::TurnRetracted(TurnRetracted::default())),
        1 => (any::<i64>(), any::<i64>()).prop_map(|(gold_reserve, silver_reserve)| {
            GameEvent::ClockSet(ClockSet { gold_reserve, silver_reserve, reason: None })
        }),
        1 => Just(GameEvent::Halted(Halted::default())),
        3 => (0u32..8, reserve.clone(), reserve).prop_map(|(from_ply, gold_reserve, silver_reserve)| {
            GameEvent::Resumed(Resumed { from_ply, gold_reserve, silver_reserve, reason: None })
        }),
        1 => ending.prop_map(|(winner, how, draw)| {
            let termination = how.map(|i| Termination::ALL[i]);
            GameEvent::Ended(Ended { winner, termination, stated: None, draw })
        }),
        1 => Just(GameEvent::Annulled(Annulled::default())),
        1 => any::<bool>()
            .prop_map(|rated| GameEvent::RatedChanged(RatedChanged { rated, reason: None })),
    ]
}

fn any_try() -> impl Strategy<Value = Try> {
    let used = prop::option::of(prop_oneof![0u32..200, Just(u32::MAX)]);
    let reserve = prop::option::of(-50i64..500);
    let due = (0..STEPS.len(), used, reserve).prop_map(|(i, used, reserve)| Try::Due {
        steps: STEPS[i],
        used,
        reserve,
    });
    prop_oneof![3 => due, 2 => any_event().prop_map(Try::Any)]
}

fn strictness() -> impl Strategy<Value = Strictness> {
    prop_oneof![Just(Strictness::Strict), Just(Strictness::Archive)]
}

fn resolve(game: &Game<Toy>, what: &Try) -> GameEvent<'static> {
    match what {
        Try::Any(event) => event.clone(),
        Try::Due { steps, used, reserve } => {
            let number = game.expected_number().unwrap_or(9);
            let side = game.to_move().unwrap_or(Side::Gold);
            let setup = game.state().is_none_or(|state| state.setups < 2);
            GameEvent::TurnTaken(TurnTaken {
                used: *used,
                gold_reserve: *reserve,
                ..TurnTaken::plain(number, side, if setup { "put" } else { *steps })
            })
        }
    }
}

/// What holds of every game after every event.
fn check_invariants(game: &Game<Toy>) -> Result<(), TestCaseError> {
    let mut hash = game.initial_state().map(Toy::hash);
    let mut counted = game.initial_state().map_or(0, |state| usize::from(state.setups == 2));
    for pair in game.plies().windows(2) {
        prop_assert_eq!(pair[1].side, pair[0].side.other());
        let step = u32::from(pair[0].side == Side::Silver);
        prop_assert_eq!(pair[1].number, pair[0].number.saturating_add(step));
        let went_on = pair[0].outcome.is_some();
        prop_assert!(!went_on || (game.strictness() == Strictness::Archive && game.played_on().is_some()));
    }
    for ply in game.plies() {
        prop_assert_eq!(Some(ply.hash_before), hash);
        prop_assert_eq!(ply.hash_after, Toy::hash(&ply.state_after));
        hash = Some(ply.hash_after);
        if Toy::counts_for_repetition(&ply.state_after) {
            counted += 1;
            prop_assert!((1..=2).contains(&game.occurrences(ply.hash_after)));
        }
        if game.strictness() == Strictness::Strict {
            // Whether unused time of a setup is added to the reserve is for the reading of a tournament (T23).
            prop_assert!(ply.number == 1 || ply.clock_matches != Some(false));
            prop_assert!(ply.flag.is_none());
        }
    }
    let seen: u32 = (0..1_000).map(|hash| game.occurrences(hash)).sum();
    prop_assert_eq!(seen as usize, counted, "the line holds the standing positions and no others");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if long() { 200_000 } else { 2_000 }))]

    #[test]
    fn an_illegal_event_leaves_the_game_exactly_as_it_was(
        strictness in strictness(),
        tries in prop::collection::vec(any_try(), 0..40),
    ) {
        let mut game = Game::<Toy>::new(strictness);
        if tries.len() % 4 != 0 {
            game.apply(None, &started(Some("2/2/100/10/8"), None)).unwrap();
        }
        for what in &tries {
            let event = resolve(&game, what);
            let before = format!("{game:?}");
            if let Err(error) = game.apply(None, &event) {
                prop_assert_eq!(format!("{game:?}"), before, "{}", error);
                prop_assert!(!error.code().is_empty());
            }
            check_invariants(&game)?;
        }
        game.clear();
        prop_assert_eq!(format!("{game:?}"), format!("{:?}", Game::<Toy>::new(strictness)));
    }

    #[test]
    fn taking_back_as_many_turns_as_were_taken_leads_back(
        tries in prop::collection::vec(any_try(), 0..20),
        more in prop::collection::vec(0..STEPS.len(), 1..12),
    ) {
        let mut game = Game::<Toy>::new(Strictness::Strict);
        game.apply(None, &started(Some("2/2/100/10/8"), None)).unwrap();
        for what in &tries {
            let event = resolve(&game, what);
            let _ = game.apply(None, &event);
        }
        let before = format!("{game:?}");
        let mut taken = 0;
        for i in more {
            let event = resolve(&game, &Try::Due { steps: STEPS[i], used: Some(7), reserve: None });
            taken += usize::from(game.apply(None, &event).is_ok());
        }
        for _ in 0..taken {
            game.apply(None, &GameEvent::TurnRetracted(TurnRetracted::default())).unwrap();
        }
        prop_assert_eq!(format!("{game:?}"), before);
    }

    #[test]
    fn a_game_resumed_from_a_ply_is_the_game_of_its_first_plies(
        steps in prop::collection::vec((0..STEPS.len(), 0u32..150), 1..30),
        stand in any::<prop::sample::Index>(),
    ) {
        let start = started(Some("2/2/100/10/8"), None);
        let mut whole = Game::<Toy>::new(Strictness::Archive);
        whole.apply(None, &start).unwrap();
        let mut events = Vec::new();
        for (i, used) in steps {
            let event = resolve(&whole, &Try::Due { steps: STEPS[i], used: Some(used), reserve: None });
            if whole.apply(None, &event).is_ok() {
                events.push(event);
            }
        }
        let stand = stand.index(events.len() + 1);
        let mut short = Game::<Toy>::new(Strictness::Archive);
        short.apply(None, &start).unwrap();
        for event in &events[..stand] {
            short.apply(None, event).unwrap();
        }
        let resumed = Resumed { from_ply: u32::try_from(stand).unwrap(), ..Resumed::default() };
        whole.apply(None, &GameEvent::Resumed(resumed)).unwrap();
        prop_assert_eq!(format!("{whole:?}"), format!("{short:?}"));
    }
}

/// The one switch for long runs.
fn long() -> bool {
    std::env::var_os("ANNALS_LONG").is_some_and(|value| value == "1")
}
