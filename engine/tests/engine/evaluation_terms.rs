//! The terms of the evaluator `annals` one by one: pairs of positions that differ in one thing, judged the
//! right way round by the parameters chosen by hand. A fit may divide what terms share in any way.

use annals_engine::evaluation::{Annals, AnnalsWith, Evaluator, Parameters, Term};
use annals_events::Side;
use annals_rules::arimaa::{Board, Piece, Position, Square, Steps};

/// A position from pieces such as `Ee4 rd5`.
fn position(pieces: &str, to_move: Side) -> Position {
    let placed = pieces.split_whitespace().map(|word| {
        let [letter, file, rank] = word.as_bytes() else { panic!("{word} is no piece on a square") };
        let (side, piece) = Piece::from_letter(*letter).expect("a piece");
        (Square::from_name(&[*file, *rank]).expect("a square"), side, piece)
    });
    Position::new(Board::from_pieces(placed).expect("a board"), to_move)
}

const BY_HAND: AnnalsWith = AnnalsWith(Parameters::FIRST);

fn term(pieces: &str, to_move: Side, name: &str) -> Term {
    term_by(&BY_HAND, pieces, to_move, name)
}

fn term_by(evaluator: &dyn Evaluator, pieces: &str, to_move: Side, name: &str) -> Term {
    let terms = evaluator.explain(&position(pieces, to_move)).terms;
    terms.into_iter().find(|term| term.name == name).expect("a term of that name")
}

/// Gold has more of a term in the first position than in the second, whoever is to move, and is better in the
/// whole.
fn better(name: &str, first: &str, second: &str) {
    for to_move in Side::BOTH {
        let share = |pieces| {
            let term = term(pieces, to_move, name);
            term.gold - term.silver
        };
        let (more, less) = (share(first), share(second));
        assert!(more > less, "{name}, {to_move} to move: {more} in `{first}`, {less} in `{second}`");
        let whole = |pieces| {
            let worth = BY_HAND.evaluate(&Steps::begin(&position(pieces, to_move)));
            if to_move == Side::Gold { worth } else { -worth }
        };
        let (more, less) = (whole(first), whole(second));
        assert!(more > less, "all, {to_move} to move: {more} in `{first}`, {less} in `{second}`");
    }
}

fn says(pieces: &str, name: &str, words: &str) {
    let because = term(pieces, Side::Gold, name).because;
    assert!(because.iter().any(|reason| reason.contains(words)), "{name}: {because:?}, not {words:?}");
}

/// Both sides' pieces after symmetrical setups.
const OPENING: &str = "Ra1 Rb1 Rc1 Cd1 Ce1 Rf1 Rg1 Rh1 Ra2 Hb2 Dc2 Md2 Ee2 Df2 Hg2 Rh2 \
    ra8 rb8 rc8 cd8 ce8 rf8 rg8 rh8 ra7 hb7 dc7 md7 ee7 df7 hg7 rh7";

#[test]
fn evaluations_are_in_hundredths_of_a_rabbit_of_a_complete_army() {
    let lost = OPENING.strip_prefix("Ra1 ").expect("a rabbit on a1");
    let material = |pieces| term_by(&Annals, pieces, Side::Gold, "material").gold;
    let rabbit = material(OPENING) - material(lost);
    assert!((99..=101).contains(&rabbit), "{rabbit}");
    // All in all, with the square and the goals of the rabbit.
    let whole = |pieces| Annals.evaluate(&Steps::begin(&position(pieces, Side::Gold)));
    let rabbit = whole(OPENING) - whole(lost);
    assert!((60..=140).contains(&rabbit), "{rabbit}");
}

#[test]
fn after_symmetrical_setups_only_the_turn_counts() {
    let terms = Annals.explain(&position(OPENING, Side::Gold)).terms;
    let apart = terms.iter().filter(|term| term.gold != term.silver);
    assert_eq!(apart.map(|term| term.name).collect::<Vec<_>>(), ["tempo"]);
    let [gold, silver] = Side::BOTH.map(|side| Annals.evaluate(&Steps::begin(&position(OPENING, side))));
    assert_eq!(gold, silver);
    assert!((1..80).contains(&gold), "{gold}");
}

#[test]
fn a_rabbit_more_is_better_and_the_last_ones_are_worth_more() {
    let few = "Ee3 Ra1 ee6 ra8 rb8";
    better("material", "Ee3 Ra1 Rb1 ee6 ra8 rb8", few);
    let worth = |pieces| term(pieces, Side::Gold, "material").gold;
    let second = worth("Ee3 Ra1 Rb1 ee6 ra8 rb8") - worth(few);
    let fifth = worth("Ee3 Ra1 Rb1 Rc1 Rd1 Re1 ee6 ra8 rb8") - worth("Ee3 Ra1 Rb1 Rc1 Rd1 ee6 ra8 rb8");
    assert!(second > fifth, "{second} {fifth}");
}

#[test]
fn officers_are_worth_what_the_enemy_has_against_them() {
    let worth = |pieces| term(pieces, Side::Gold, "material").gold;
    // A camel without a camel against it, a horse without the camel that hunts it.
    assert!(worth("Ee3 Md2 Ra1 ee6 ra8") > worth("Ee3 Md2 Ra1 ee6 me7 ra8"));
    assert!(worth("Ee3 Hd2 Ra1 ee6 ra8") > worth("Ee3 Hd2 Ra1 ee6 me7 ra8"));
    better("material", "Ee3 Hd2 Ra1 ee6 hd7 ra8", "Ee3 Cd2 Ra1 ee6 hd7 ra8");
    says(
        "Ee3 Hd2 Hg2 Ra1 ee6 me7 hd7 ra8",
        "material",
        "2 horses of gold: 1042 (2 stronger and 1 equal against)",
    );
}

#[test]
fn the_elephant_belongs_in_the_middle_and_cats_belong_home() {
    better("placement", "Ed4 Ra1 eg6 ra8", "Ea1 Rb1 eg6 ra8");
    better("placement", "Ed4 Cc2 Ra1 eg6 ra8", "Ed4 Ch6 Ra1 eg6 ra8");
}

#[test]
fn rabbits_that_have_come_far_count_more_with_a_friend_and_on_an_emptier_board() {
    better("advance", "Ed4 Rh5 ee6 ra8 rf8 rg8 rh8", "Ed4 Rh2 ee6 ra8 rf8 rg8 rh8");
    let gold = |pieces| term(pieces, Side::Gold, "advance").gold;
    assert!(gold("Ed4 Rh5 Cg5 ee6 ra8") > gold("Ed4 Rh5 Cb2 ee6 ra8"));
    assert!(gold("Ed4 Rh5 ee6 ra8") > gold("Ed4 Rh5 ee6 ra8 rb8 rc8 rd8 da7 db7"));
}

#[test]
fn an_elephant_beside_a_trap_rules_it_more_than_from_afar_and_a_frozen_horse_less_than_a_free_one() {
    let beside = "Ec5 Ra1 eg3 da6 ra8";
    better("traps", beside, "Ee1 Ra1 eg3 da6 ra8");
    says(beside, "traps", "gold rules c6");
    let shares = |pieces| term(pieces, Side::Gold, "traps");
    let (free, frozen) = ("Ee1 Ra1 Hd6 Rd5 md7 eg2 ra8", "Ee1 Ra1 Hd6 Rh5 md7 eg2 ra8");
    let lead = |term: Term| term.gold - term.silver;
    assert!(lead(shares(free)) > lead(shares(frozen)));
}

#[test]
fn a_frozen_horse_costs_more_than_one_beside_a_friend_and_a_cat_less_than_a_horse() {
    let frozen = "Ee3 Hb5 Ra1 ma5 eg6 hh7 dd8 ra8";
    let term_of = |pieces| term(pieces, Side::Gold, "frozen");
    better("frozen", "Ee3 Hb5 Rb4 ma5 eg6 ra8", "Ee3 Hb5 Rd1 ma5 eg6 ra8");
    assert_eq!(term_of("Ee3 Hb5 Rb4 ma5 eg6 ra8").gold, 0);
    assert!(term_of(frozen).gold < term_of("Ee3 Cb5 Ra1 ma5 eg6 hh7 dd8 ra8").gold);
    says(frozen, "frozen", "gold horse b5 is frozen by silver camel a5");
}

#[test]
fn a_piece_beside_a_stronger_enemy_is_dominated_unless_that_enemy_is_frozen_itself() {
    let hunted = "Ee3 Hb5 Rb4 Ra1 ma5 ra8 eg6";
    better("dominated", "Ee3 Hb3 Rb4 Ra1 ma5 ra8 eg6", hunted);
    says(hunted, "dominated", "gold horse b5 stands beside silver camel a5");
    assert_eq!(term("Ea4 Hb5 Rb4 Ra1 ma5 rh8 eg6", Side::Gold, "dominated").gold, 0);
}

#[test]
fn those_who_can_hardly_step_are_near_to_losing() {
    better("mobility", "Ra1 Rh1 Cd2 eg6 rh8", "Ra1 Rb1 Ca2 eb2 rh8 da3");
    assert!(term("Ra1 Rb1 Ca2 eb2 rh8 da3", Side::Gold, "mobility").gold < 0);
}

#[test]
fn an_elephant_without_a_way_out_is_blockaded() {
    let shut_in = "Ea4 Ra1 Rh1 ra5 da6 rb5 rb4 db3 ra3 ca2 hc4 cb6 mc5 ed7 rh8";
    better("blockade", "Ed4 Ra1 Rh1 ra5 da6 rb5 rb4 db3 ra3 ca2 hc4 cb6 mc5 ed7 rh8", shut_in);
    says(shut_in, "blockade", "gold elephant a4 has no way out");
}

#[test]
fn a_held_horse_beside_our_trap_is_a_hostage_and_more_of_one_without_its_elephant() {
    let held = "Mb2 Cc2 Ee5 Ra1 hb3 eg7 ra8";
    better("hostages", held, "Mf5 Cc2 Ee5 Ra1 hb3 eg7 ra8");
    says(held, "hostages", "silver horse b3 is held at c3");
    let gold = |pieces| term(pieces, Side::Gold, "hostages").gold;
    assert!(gold(held) > gold("Mb2 Cc2 Eg5 Ra1 hb3 ed4 ra8"));
}

#[test]
fn a_piece_on_a_trap_that_lives_by_one_friend_and_cannot_leave_is_framed() {
    let framed = "Ec4 Hb3 Dc2 Ra1 cc3 hd3 eh7 ra8";
    better("frames", framed, "Ec5 Hb3 Dc2 Ra1 cc3 hd3 eh7 ra8");
    says(framed, "frames", "silver cat c3 is framed and lives by silver horse d3");
}

#[test]
fn an_unguarded_piece_beside_a_trap_with_a_hunter_beside_it_can_be_taken() {
    let hunted = "Ec5 Ra1 Rh1 hb6 eg3 ra8 rh8";
    better("captures", "Eb5 Ra1 Rh1 hb6 eg3 ra8 rh8", "Eb5 Ra1 Rh1 hb6 cc7 dd6 eg3 ra8 rh8");
    says(hunted, "captures", "silver horse b6 can be taken on c6 in about 3 steps, in this turn");
    says(
        "Eb5 Ra1 Rh1 hb6 eg3 ra8 rh8",
        "captures",
        "silver horse b6 can be taken on c6 in about 2 steps, in this turn",
    );
    let gold = |to_move| term(hunted, to_move, "captures").gold;
    assert!(gold(Side::Gold) > gold(Side::Silver) && gold(Side::Silver) > 0);
}

#[test]
fn a_rabbit_one_step_from_an_open_goal_counts_more_than_one_before_a_wall() {
    let open = "Ee3 Rh7 Ra1 ee6 ra8 rb8 rc8 rd8";
    better("goal", open, "Ee3 Rh7 Ra1 ee6 re8 rf8 rg8 rh8");
    says(open, "goal", "gold rabbit h7 has a clear road of 1 to the goal, in this turn");
    // Two steps away: the nearer, the better; with the other side to move it is only a threat.
    better("goal", open, "Ee3 Rh3 Ra1 ee6 ra8 rb8 rc8 rd8");
    let gold = |to_move| term(open, to_move, "goal").gold;
    assert!(gold(Side::Gold) > gold(Side::Silver) && gold(Side::Silver) > 0);
}

#[test]
fn a_rabbit_that_would_freeze_on_its_way_is_further_from_the_goal() {
    let steps = |pieces: &str| {
        let because = term(pieces, Side::Gold, "goal").because;
        let reason = because.iter().find(|reason| reason.contains("gold rabbit h6")).cloned();
        reason.map(|reason| reason.trim_start_matches("gold rabbit h6 ").to_owned()).unwrap_or_default()
    };
    assert_eq!(steps("Ee3 Rh6 ec5 ra8"), "has a clear road of 2 to the goal, in this turn");
    // The cat beside h7 would freeze it there; a friend at g7's other side prevents that.
    assert_eq!(steps("Ee3 Rh6 cg7 ec5 ra8"), "needs about 3 steps to the goal");
    assert_eq!(steps("Ee3 Rh6 Cg6 Dh8 cg7 ec5 ra8"), "needs about 3 steps to the goal");
    assert_eq!(steps("Ee3 Rh6 Rh4 cg8 ec5 ra8"), "has a clear road of 2 to the goal, in this turn");
    assert_eq!(steps("Ee3 Rh6 ch7 ec5 ra8"), "needs about 5 steps to the goal");
}

#[test]
fn steps_in_hand_are_worth_something_to_the_side_that_has_them() {
    let position = position("Ed4 Ra1 Rh2 ee6 ra8 rh7", Side::Gold);
    let gold = |steps: &Steps| {
        let explained = BY_HAND.explain_steps(steps);
        explained.terms.iter().find(|term| term.name == "tempo").map(|term| (term.gold, term.silver))
    };
    let mut steps = Steps::begin(&position);
    let mut shares = vec![gold(&steps).unwrap()];
    for _ in 0..4 {
        let mut first = None;
        steps.for_each_next(|next| {
            first = Some(next);
            false
        });
        steps.take(first.unwrap());
        shares.push(gold(&steps).unwrap());
    }
    let (own, others): (Vec<i32>, Vec<i32>) = shares.into_iter().unzip();
    assert_eq!(others, [0; 5]);
    assert!(own.is_sorted_by(|more, less| more > less) && own[4] == 0, "{own:?}");
}
