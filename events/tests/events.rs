//! Every event type from the outside: its released payloads, arbitrary events of it, older schemas, hostile input, and
//! what it names.

#[path = "events/arbitrary.rs"]
mod arbitrary;
#[path = "events/blank_names.rs"]
mod blank_names;
#[path = "events/every_type.rs"]
mod every_type;
#[path = "events/golden.rs"]
mod golden;
#[path = "events/hostile.rs"]
mod hostile;
#[path = "events/naming.rs"]
mod naming;
#[path = "events/reference.rs"]
mod reference;
#[path = "events/schemas.rs"]
mod schemas;
#[path = "events/stories.rs"]
mod stories;
