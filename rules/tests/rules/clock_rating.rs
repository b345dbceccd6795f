//! Time controls, clocks and ratings: the spellings of the archive, published figures, and random input.

use annals_events::Side;
use annals_rules::clock::{Clock, FlagFall, GameLimit, TimeControl};
use annals_rules::rating::{GameScore, Rating};
use proptest::prelude::*;

use crate::vectors;

fn cases(short: u32, long: u32) -> ProptestConfig {
    ProptestConfig::with_cases(vectors::cases(short, long))
}

/// M, R, P, L, G (seconds or turns), T.
fn fields(text: &str) -> (u32, u32, u32, u32, Option<GameLimit>, u32) {
    let control = TimeControl::parse(text).unwrap_or_else(|error| panic!("{error}"));
    (
        control.move_time(),
        control.reserve(),
        control.percent(),
        control.reserve_limit().unwrap_or(0),
        control.game_limit(),
        control.turn_limit().unwrap_or(0),
    )
}

#[test]
fn published_time_controls_have_their_published_seconds() {
    use GameLimit::{Seconds, Turns};
    let known = [
        ("2m/6m/100/0/8h/6m", (120, 360, 100, 0, Some(Seconds(28_800)), 360)),
        ("60s/5m/75/0/4h/4m", (60, 300, 75, 0, Some(Seconds(14_400)), 240)),
        ("90s/5m/75/0/6h/5m", (90, 300, 75, 0, Some(Seconds(21_600)), 300)),
        ("1d/80d/100/0/300d/21d", (86_400, 6_912_000, 100, 0, Some(Seconds(25_920_000)), 1_814_400)),
        ("0/5", (0, 300, 100, 0, None, 0)),
        ("0:12/5", (12, 300, 100, 0, None, 0)),
        ("3/0", (180, 0, 100, 0, None, 0)),
        ("0:30/5/100/3", (30, 300, 100, 180, None, 0)),
        ("4/2/50/10/6", (240, 120, 50, 600, Some(Seconds(21_600)), 0)),
        ("4/4/100/4/90t/5", (240, 240, 100, 240, Some(Turns(90)), 300)),
        ("24h5m10s/0/0/0/60d", (86_710, 0, 0, 0, Some(Seconds(5_184_000)), 0)),
        ("15s/2m30s/100", (15, 150, 100, 0, None, 0)),
        ("2m/6m/100/0/7h12s/0", (120, 360, 100, 0, Some(Seconds(25_212)), 0)),
    ];
    for (text, expected) in known {
        assert_eq!(fields(text), expected, "{text}");
    }
}

#[test]
fn every_spelling_of_the_two_real_files_has_its_normal_form() {
    let known = [
        ("0/0/0/0/0", "0/0/0/0/0/0"),
        ("0/60/0/0/0", "0/1h/0/0/0/0"),
        ("0:30/3/100/5/8", "30s/3m/100/5m/8h/0"),
        ("1/1/100/1/0", "1m/1m/100/1m/0/0"),
        ("10/10/100/10/0", "10m/10m/100/10m/0/0"),
        ("15s/2m/100", "15s/2m/100/0/0/0"),
        ("15s/2m30s/100", "15s/2m30s/100/0/0/0"),
        ("15s/2m30s/100/0/1h/2m30s", "15s/2m30s/100/0/1h/2m30s"),
        ("1m/4m/100/0/4h/4m", "1m/4m/100/0/4h/4m"),
        ("2/2/100/10/8", "2m/2m/100/10m/8h/0"),
        ("2m/6m/100/0/7h13s/0", "2m/6m/100/0/7h13s/0"),
        ("2m/6m/100/0/7h48s/0", "2m/6m/100/0/7h48s/0"),
        ("30s/3/100/5/8", "30s/3m/100/5m/8h/0"),
        ("30s/3m/100/0/2h/3m", "30s/3m/100/0/2h/3m"),
        ("4m/10m/100/0/16h/10m", "4m/10m/100/0/16h/10m"),
        ("8s/0/0", "8s/0/0/0/0/0"),
        ("8s/10s/100", "8s/10s/100/0/0/0"),
    ];
    for (text, normal) in known {
        assert_eq!(TimeControl::parse(text).unwrap().to_string(), normal);
    }
}

#[test]
fn published_clock_updates_are_reproduced() {
    // Control, reserve before, seconds used; the reserve after, or none where the flag falls.
    let known = [
        ("60s/5m/75/0/4h/4m", 300, 10, Some(338)),
        ("60s/5m/75/0/4h/4m", 300, 11, Some(337)),
        ("60s/5m/75/0/4h/4m", 300, 60, Some(300)),
        ("60s/5m/75/0/4h/4m", 300, 200, Some(160)),
        ("60s/5m/75/0/4h/4m", 300, 241, None),
        ("60s/5m/75/0/4h/4m", 30, 91, None),
        ("0:30/5/100/3", 300, 5, Some(300)),
        ("0:30/5/100/3", 170, 5, Some(180)),
        ("0:30/5/100/3", 300, 40, Some(290)),
    ];
    for (control, before, used, after) in known {
        let mut clock = Clock::new(TimeControl::parse(control).unwrap());
        clock.set_reserve(Side::Silver, before);
        let result = clock.charge(Side::Silver, used, false);
        assert_eq!(result.flag.is_none().then_some(result.reserve), after, "{control} {before} {used}");
    }
}

#[test]
fn the_series_of_a_newcomer_who_always_wins_is_the_published_one() {
    let published = [
        (1400, 120, 1400, 120),
        (1460, 118, 1340, 118),
        (1499, 116, 1301, 116),
        (1527, 114, 1273, 114),
        (1548, 112, 1252, 112),
        (1565, 110, 1235, 110),
        (1579, 108, 1221, 108),
        (1591, 106, 1209, 106),
        (1602, 104, 1198, 104),
        (1611, 102, 1189, 102),
        (1619, 100, 1181, 100),
        (1626, 98, 1174, 98),
    ];
    let (mut up, mut down) = (Rating::NEW, Rating::NEW);
    for (game, expected) in published.into_iter().enumerate() {
        assert_eq!((up.rating, up.k, down.rating, down.k), expected, "after {game} games");
        (up, down) = (up.after(down, GameScore::Win), down.after(up, GameScore::Loss));
    }
}

/// Texts that come near a time control.
fn nearly() -> impl Strategy<Value = String> {
    let number = prop_oneof![40 => "[0-9]{1,3}", 1 => "[0-9]{8,12}", 1 => "[0-9]{0,30}"];
    let field = prop_oneof![
        number.clone(),
        (number.clone(), "[smhdtx]?").prop_map(|(n, u)| n + &u),
        (number.clone(), "[smhd]", number.clone(), "[smhd]?").prop_map(|(a, b, c, d)| a + &b + &c + &d),
        (number.clone(), number).prop_map(|(a, b)| a + ":" + &b),
    ];
    prop::collection::vec(field, 1..=7).prop_map(|fields| fields.join("/"))
}

/// Time controls of every kind of limit, with none of them more often than not.
fn a_control() -> impl Strategy<Value = TimeControl> {
    let seconds = || prop_oneof![2 => Just(0), 3 => 0u32..400, 1 => 0..=TimeControl::MAX_SECONDS];
    let game = prop_oneof![
        seconds().prop_map(|seconds| format!("{seconds}s")),
        (0..=TimeControl::MAX_TURNS).prop_map(|turns| format!("{turns}t")),
    ];
    let percent = prop_oneof![Just(100), 0..=TimeControl::MAX_PERCENT];
    (seconds(), seconds(), percent, seconds(), game, seconds()).prop_map(|(m, r, p, l, g, t)| {
        TimeControl::parse(&format!("{m}s/{r}s/{p}/{l}s/{g}/{t}s")).expect("within the limits")
    })
}

fn survives_its_normal_form(text: &str) -> Result<(), TestCaseError> {
    match TimeControl::parse(text) {
        Ok(control) => {
            let normal = control.to_string();
            prop_assert_eq!(TimeControl::parse(&normal), Ok(control), "{} as {}", text, normal);
            for seconds in [control.move_time(), control.reserve(), control.turn_limit().unwrap_or(0)] {
                prop_assert!(seconds <= TimeControl::MAX_SECONDS);
            }
        }
        Err(error) => prop_assert!(error.to_string().len() < 1_000 && !error.code().is_empty()),
    }
    Ok(())
}

// Three kinds of text, 20,000 of each; 1,000,000 of each under ANNALS_LONG=1.
proptest! {
    #![proptest_config(cases(20_000, 1_000_000))]

    #[test]
    fn no_bytes_make_the_time_control_parser_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        survives_its_normal_form(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn texts_of_the_letters_of_a_time_control_parse_to_their_normal_form_or_not_at_all(
        text in "[0-9smhdt:/ ]{0,40}",
    ) {
        survives_its_normal_form(&text)?;
    }

    #[test]
    fn texts_that_come_near_a_time_control_parse_to_their_normal_form_or_not_at_all(text in nearly()) {
        survives_its_normal_form(&text)?;
    }
}

proptest! {
    #![proptest_config(cases(5_000, 500_000))]

    #[test]
    fn a_turn_changes_the_movers_reserve_alone_and_within_the_rules(
        control in a_control(),
        reserve in prop_oneof![0i64..2_000, any::<i64>()],
        used in prop_oneof![0u32..2_000, any::<u32>()],
        setup in any::<bool>(),
    ) {
        let mut clock = Clock::new(control);
        clock.set_reserve(Side::Gold, reserve);
        let before = clock.figures();
        let charge = clock.charge(Side::Gold, used, setup);
        let after = clock.figures();
        prop_assert_eq!(after.reserve(Side::Silver), before.reserve(Side::Silver));
        prop_assert_eq!(after.reserve(Side::Gold), charge.reserve);
        prop_assert_eq!(after.game_time, u64::from(used));
        prop_assert!(charge.drawn == 0 || charge.added == 0);
        prop_assert!(!(setup && charge.added > 0), "a setup earns nothing");
        if let Some(limit) = control.reserve_limit() {
            prop_assert!(charge.reserve <= reserve.max(i64::from(limit)));
        }
        if let Some(FlagFall::OutOfTime { .. }) = charge.flag {
            prop_assert!(charge.drawn > 0 && charge.reserve < 0);
        }
        let expected = i128::from(reserve) - i128::from(charge.drawn) + i128::from(charge.added);
        let within = expected.clamp(i128::from(i64::MIN), i128::from(i64::MAX));
        prop_assert!(i128::from(charge.reserve) == within || charge.added == u32::MAX);
    }

    #[test]
    fn a_quicker_turn_never_leaves_less(
        control in a_control(),
        reserve in -100i64..3_000,
        used in 0u32..3_000,
        setup in any::<bool>(),
    ) {
        let after = |used: u32| {
            let mut clock = Clock::new(control);
            clock.set_reserve(Side::Gold, reserve);
            clock.charge(Side::Gold, used, setup).reserve
        };
        prop_assert!(after(used) >= after(used + 1));
    }

    #[test]
    fn what_one_wins_the_other_loses_but_for_rounding(
        own in 0i32..4_000,
        other in 0i32..4_000,
        k in 1u32..=120,
        score in prop_oneof![Just(GameScore::Win), Just(GameScore::Draw), Just(GameScore::Loss)],
    ) {
        let (a, b) = (Rating { rating: own, k }, Rating { rating: other, k });
        let (a2, b2) = (a.after(b, score), b.after(a, score.other()));
        prop_assert!((a2.rating + b2.rating - own - other).abs() <= 1);
        prop_assert!((a2.rating - own).unsigned_abs() <= k);
        prop_assert!(a2.k >= k.min(30) && a2.k <= k.max(30));
    }
}
