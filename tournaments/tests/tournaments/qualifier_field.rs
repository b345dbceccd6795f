//! The field of the final: invitations, stand-ins, and those who fall out.

use std::collections::BTreeMap;

use annals_events::PlayerId;
use annals_tournaments::formats::qualifier::{FieldChange, FieldError, StandInSeed, final_field};

use crate::record::id;

fn ten() -> Vec<PlayerId> {
    (1..=10).map(|i| id(&format!("bot{i:02}"))).collect()
}

fn changed(list: &[(&str, FieldChange)]) -> BTreeMap<PlayerId, FieldChange> {
    list.iter().map(|(name, change)| (id(name), *change)).collect()
}

#[test]
fn the_next_in_the_order_takes_the_place_that_fell_vacant_without_a_fee_at_risk() {
    let before = final_field(&ten(), &BTreeMap::new(), 8, StandInSeed::default()).unwrap();
    assert_eq!(
        before.iter().map(|finalist| &finalist.player).collect::<Vec<_>>(),
        Vec::from_iter(&ten()[..8])
    );
    let after =
        final_field(&ten(), &changed(&[("bot03", FieldChange::Out)]), 8, StandInSeed::default()).unwrap();
    let new: Vec<_> = after.iter().filter(|finalist| !before.contains(finalist)).collect();
    let [ninth] = new[..] else { panic!("{new:?}") };
    assert_eq!((&ninth.player, ninth.rank, ninth.invited, ninth.stand_in), (&id("bot09"), 9, true, false));
    assert_eq!((after.len(), after.last()), (8, Some(ninth)));
    assert!(after[..7].iter().all(|finalist| !finalist.invited));
    assert_eq!(after[2].player, id("bot04"), "seeds have no gaps");
}

#[test]
fn last_years_program_stands_in_for_an_invited_one_and_keeps_its_seed_or_goes_last() {
    let changes =
        changed(&[("bot03", FieldChange::Out), ("bot04", FieldChange::Out), ("bot09", FieldChange::StandIn)]);
    let seeds = |reading| {
        let field = final_field(&ten(), &changes, 8, reading).unwrap();
        field.into_iter().map(|finalist| finalist.player.to_string()).collect::<Vec<String>>()
    };
    assert_eq!(seeds(StandInSeed::PlaceOfTheInvited)[6..], ["bot09", "bot10"]);
    assert_eq!(seeds(StandInSeed::Last)[6..], ["bot10", "bot09"]);
    let field = |list: &[(&str, FieldChange)]| final_field(&ten(), &changed(list), 8, StandInSeed::default());
    assert_eq!(
        field(&[("bot01", FieldChange::StandIn)]).unwrap_err(),
        FieldError::NotInvited { player: id("bot01"), size: 8 }
    );
    assert_eq!(
        field(&[("bot09", FieldChange::StandIn)]).unwrap_err(),
        FieldError::NoPlace { player: id("bot09") }
    );
    assert_eq!(
        field(&[("nobody", FieldChange::Out)]).unwrap_err(),
        FieldError::Unranked { player: id("nobody") }
    );
    let everybody: Vec<(PlayerId, FieldChange)> =
        ten().into_iter().map(|name| (name, FieldChange::Out)).collect();
    let nobody = final_field(&ten(), &everybody.into_iter().collect(), 8, StandInSeed::default()).unwrap();
    assert!(nobody.is_empty());
}
