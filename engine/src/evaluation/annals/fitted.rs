use super::parameters::Parameters;

pub(super) static FITTED: Parameters = Parameters::FIRST;
