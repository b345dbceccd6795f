//! The field of the final: invitations, stand-ins, and those who fall out.

use std::collections::BTreeMap;

use annals_tournaments::formats::qualifier::{
    FieldChange, FieldError, INVITATION, Prospect, StandInSeed, final_field, invitations,
};

fn ten() -> Vec<String> {
    (1..=10).map(|i| format!("bot{i:02}")).collect()
}

fn changed(list: &[(&str, FieldChange)]) -> BTreeMap<String, FieldChange> {
    list.iter().map(|(name, change)| ((*name).to_owned(), *change)).collect()
}

#[test]
fn the_next_is_invited_with_six_days_and_without_a_fee_at_risk() {
    let before = final_field(&ten(), &BTreeMap::new(), 8, StandInSeed::default()).unwrap();
    assert_eq!(before.waiting, ["bot09", "bot10"]);
    let after =
        final_field(&ten(), &changed(&[("bot03", FieldChange::Out)]), 8, StandInSeed::default()).unwrap();
    let invited = invitations(&before, &after, 1_000);
    assert_eq!(invited.len(), 1);
    assert_eq!(
        (invited[0].player.as_str(), invited[0].place, invited[0].until),
        ("bot09", 9, 1_000 + INVITATION)
    );
    let ninth = after.finalists.last().unwrap();
    assert_eq!((ninth.seed, ninth.invited, ninth.stand_in), (8, true, false));
    assert!(after.finalists[..7].iter().all(|finalist| !finalist.invited));
    assert_eq!(after.finalists[2].player, "bot04", "seeds have no gaps");
}

#[test]
fn last_years_program_stands_in_for_an_invited_one_and_keeps_its_seed_or_goes_last() {
    let changes =
        changed(&[("bot03", FieldChange::Out), ("bot04", FieldChange::Out), ("bot09", FieldChange::StandIn)]);
    let seeds = |reading| {
        let field = final_field(&ten(), &changes, 8, reading).unwrap();
        field.finalists.into_iter().map(|finalist| finalist.player).collect::<Vec<String>>()
    };
    assert_eq!(seeds(StandInSeed::PlaceOfTheInvited)[6..], ["bot09", "bot10"]);
    assert_eq!(seeds(StandInSeed::Last)[6..], ["bot10", "bot09"]);
    let field = |list: &[(&str, FieldChange)]| final_field(&ten(), &changed(list), 8, StandInSeed::default());
    assert_eq!(
        field(&[("bot01", FieldChange::StandIn)]).unwrap_err(),
        FieldError::NotInvited { player: "bot01".to_owned(), size: 8 }
    );
    assert_eq!(
        field(&[("bot09", FieldChange::StandIn)]).unwrap_err(),
        FieldError::NoPlace { player: "bot09".to_owned() }
    );
    assert_eq!(
        field(&[("nobody", FieldChange::Out)]).unwrap_err(),
        FieldError::Unranked { player: "nobody".to_owned() }
    );
    let everybody: Vec<(String, FieldChange)> =
        ten().into_iter().map(|name| (name, FieldChange::Out)).collect();
    let nobody = final_field(&ten(), &everybody.into_iter().collect(), 8, StandInSeed::default()).unwrap();
    assert_eq!((nobody.prospect, nobody.finalists.len()), (Prospect::Nobody, 0));
}
