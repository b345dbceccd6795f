//! Tables of features against their definition, against Python, and against each other. One binary, one module per subject.

#[path = "features/choice.rs"]
mod choice;
#[path = "features/files.rs"]
mod files;
#[path = "features/numbers.rs"]
mod numbers;
#[path = "features/python.rs"]
mod python;
#[path = "features/shared.rs"]
mod shared;
