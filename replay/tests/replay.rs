//! The tests of `annals-replay` on logs of their own.

#[path = "../../tournaments/tests/driver/mod.rs"]
mod driver;

mod replay {
    mod amazons;
    mod audits;
    mod corrections;
    mod cuts;
    mod deciding;
    mod differences;
    mod explaining;
    mod extremes;
    mod games;
    mod imports;
    mod judging;
    mod lines;
    mod one_state;
    mod orphans;
    mod people;
    mod points;
    mod prefixes;
    mod queries;
    mod random;
    mod rulings;
    mod scene;
    mod surroundings;
    mod views;
}
