//! The tests of the tournaments that need vectors or the whole crate: one binary, one module for each subject.

#[path = "driver/mod.rs"]
mod driver;

#[path = "tournaments/appointments.rs"]
mod appointments;
#[path = "tournaments/colours.rs"]
mod colours;
#[path = "tournaments/deciding.rs"]
mod deciding;
#[path = "tournaments/director.rs"]
mod director;
#[path = "tournaments/elimination_rules.rs"]
mod elimination_rules;
#[path = "tournaments/elimination_vectors.rs"]
mod elimination_vectors;
#[path = "tournaments/encounters_desk.rs"]
mod encounters_desk;
#[path = "tournaments/entries_rules.rs"]
mod entries_rules;
#[path = "tournaments/every_source.rs"]
mod every_source;
#[path = "tournaments/field_rules.rs"]
mod field_rules;
#[path = "tournaments/finals_desk.rs"]
mod finals_desk;
#[path = "tournaments/finals_judged.rs"]
mod finals_judged;
#[path = "tournaments/finals_readings.rs"]
mod finals_readings;
#[path = "tournaments/finals_small.rs"]
mod finals_small;
#[path = "tournaments/finals_vectors.rs"]
mod finals_vectors;
#[path = "tournaments/inferred_rounds.rs"]
mod inferred_rounds;
#[path = "tournaments/money_judged.rs"]
mod money_judged;
#[path = "tournaments/numbered.rs"]
mod numbered;
#[path = "tournaments/olympiad.rs"]
mod olympiad;
#[path = "tournaments/olympiad_filters.rs"]
mod olympiad_filters;
#[path = "tournaments/olympiad_rules.rs"]
mod olympiad_rules;
#[path = "tournaments/olympiad_tables.rs"]
mod olympiad_tables;
#[path = "tournaments/order_to_the_final.rs"]
mod order_to_the_final;
#[path = "tournaments/pairing_exact.rs"]
mod pairing_exact;
#[path = "tournaments/places.rs"]
mod places;
#[path = "tournaments/programs_rules.rs"]
mod programs_rules;
#[path = "tournaments/pure.rs"]
mod pure;
#[path = "tournaments/qualifier.rs"]
mod qualifier;
#[path = "tournaments/qualifier_events.rs"]
mod qualifier_events;
#[path = "tournaments/qualifier_field.rs"]
mod qualifier_field;
#[path = "tournaments/qualifier_plain.rs"]
mod qualifier_plain;
#[path = "tournaments/random/mod.rs"]
mod random;
#[path = "tournaments/ratings.rs"]
mod ratings;
#[path = "tournaments/record.rs"]
mod record;
#[path = "tournaments/results_judged.rs"]
mod results_judged;
#[path = "tournaments/ring.rs"]
mod ring;
#[path = "tournaments/ring_desk.rs"]
mod ring_desk;
#[path = "tournaments/rounds_desk.rs"]
mod rounds_desk;
#[path = "tournaments/rulings.rs"]
mod rulings;
#[path = "tournaments/rulings_by_list.rs"]
mod rulings_by_list;
#[path = "tournaments/rulings_events.rs"]
mod rulings_events;
#[path = "tournaments/rulings_judged.rs"]
mod rulings_judged;
#[path = "tournaments/rulings_undone.rs"]
mod rulings_undone;
#[path = "tournaments/source_rules.rs"]
mod source_rules;
#[path = "tournaments/swiss.rs"]
mod swiss;
#[path = "tournaments/swiss_desk.rs"]
mod swiss_desk;
#[path = "tournaments/swiss_rules.rs"]
mod swiss_rules;
#[path = "tournaments/swiss_search.rs"]
mod swiss_search;
#[path = "tournaments/swiss_walk.rs"]
mod swiss_walk;
#[path = "tournaments/undecided.rs"]
mod undecided;
#[path = "tournaments/vectors.rs"]
mod vectors;
