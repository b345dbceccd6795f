//! The tests of this crate: properties of the models, other methods and other people's implementations on the same games, and the
//! real month of the gameroom.

mod ratings {
    mod by_other_methods;
    mod golden;
    mod made;
    mod peers;
    mod properties;
    mod real_month;
}
