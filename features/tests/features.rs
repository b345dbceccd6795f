//! Tables of features against their definition, against Python, and against each other. One binary, one module per subject.

#[path = "features/amazons.rs"]
mod amazons;
#[path = "features/choice.rs"]
mod choice;
#[path = "features/files.rs"]
mod files;
#[path = "features/hostile.rs"]
mod hostile;
#[path = "features/numbers.rs"]
mod numbers;
#[path = "features/python.rs"]
mod python;
#[path = "features/shared.rs"]
mod shared;
#[path = "features/stored.rs"]
mod stored;
