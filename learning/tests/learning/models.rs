use std::fs;

use annals_learning::experiment::{Plan, run};
use annals_learning::{Model, Network, Part, Plain, Split};

use crate::data::Made;
use crate::training::small;

/// A small network that has learnt a little.
pub fn model(text: &str) -> Model {
    let made = Made::games(600, 5, 1);
    let samples = made.samples();
    let mut settings = small();
    settings.epochs = 12;
    settings.network = text.parse().unwrap();
    let plan = Plan { settings, split: Split::Game, folds: 4, eval_folds: 1 };
    let outcome = run(samples, &samples.rows(), &plan, None, &|_, _| {}).unwrap();
    outcome.folds.into_iter().next().unwrap().model
}

/// The prediction of the search for a position's planes.
pub fn predict_planes(plain: &Plain, planes: &[i8]) -> f32 {
    let cells = planes.iter().zip(0u16..).filter(|(number, _)| **number != 0);
    plain.predict(cells.map(|(number, cell)| (cell, f32::from(*number))))
}

#[test]
fn a_model_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let model = model("conv filters=3 kernel=3 hidden=16");
    model.write(&path).unwrap();
    let read = Model::read(&path).unwrap();
    assert_eq!((read.network, &read.parameters), (model.network, &model.parameters));
    assert_eq!(read.about.data, "07".repeat(32));
    assert_eq!(read.about.split, "by game, without fold 0 of 4");
    assert!(Model::read_as(&path, model.network).is_ok());
    // The same model gives the same bytes, and nothing else is left in the folder.
    let bytes = fs::read(&path).unwrap();
    model.write(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_model_with_a_skip_and_both_sides_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let text = "conv filters=3 kernel=3x3 hidden=16 image=sides output=sigmoid skip=linear";
    let model = model(text);
    let skip = &model.parameters[model.network.layout().part(Part::Skip)];
    assert!(skip.len() == 768 && skip.iter().any(|weight| *weight != 0.0));
    model.write(&path).unwrap();
    let read = Model::read(&path).unwrap();
    assert_eq!(read.network.to_string(), text);
    assert_eq!((read.network, &read.parameters), (model.network, &model.parameters));
}

#[test]
fn what_is_no_model_or_another_is_refused_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let model = model("conv filters=3 kernel=3 hidden=16");
    let refused = || Model::read(&path).unwrap_err().to_string();
    assert!(refused().starts_with("there is no model "));

    model.write(&path).unwrap();
    let other = Model::read_as(&path, Network::CONV6).unwrap_err().to_string();
    assert!(
        other.contains("is the network conv filters=3 kernel=3x3 hidden=16; the command names conv6"),
        "{other}"
    );

    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 4]).unwrap();
    assert!(refused().contains("is truncated or damaged"));

    let mut named = model.clone();
    named.about.network = "conv6".to_owned();
    named.write(&path).unwrap();
    assert!(refused().contains("says that it is conv6, but"), "{}", refused());
    assert!(refused().contains("`filters` has 162 numbers where that has 576"), "{}", refused());

    named.about.network = "transformer".to_owned();
    named.write(&path).unwrap();
    assert!(refused().contains("has a network that this program cannot read"));

    let mut broken = model.clone();
    broken.parameters[3] = f32::NAN;
    broken.write(&path).unwrap();
    assert!(refused().contains("weights that are no numbers"));
}

#[test]
fn the_search_and_training_predict_the_same() {
    let made = Made::games(30, 3, 9);
    let samples = made.samples();
    for text in [
        "paper-run",
        "conv48",
        "conv filters=5 kernel=2x5 hidden=70 activation=rectifier output=sigmoid",
        "conv filters=7 kernel=6x1 hidden=3 image=files output=linear",
        "conv filters=5 kernel=3 hidden=20 pool=max:2x3",
        "conv filters=5 kernel=4 hidden=20 activation=sigmoid pool=average:2x2 norm=layer",
        "conv filters=5 kernel=3 hidden=20 skip=linear",
        "annals1",
    ] {
        let network: Network = text.parse().unwrap();
        let settings = annals_learning::Settings { network, ..Default::default() };
        let mut parameters = annals_learning::first_weights(&network, 11);
        let skip = parameters[network.layout().part(Part::Skip)].iter_mut().enumerate();
        skip.for_each(|(index, weight)| *weight = (index % 7) as f32 * 0.1 - 0.3);
        let rows = samples.rows();
        let batch = annals_learning::evaluation::predict(samples, settings, &parameters, &rows);
        let plain = Plain::new(network, &parameters);
        for (row, wanted) in rows.iter().zip(batch) {
            let found = predict_planes(&plain, samples.planes_of(*row));
            assert!((found - wanted).abs() < 2e-6, "{text} {row}: {found} {wanted}");
        }
    }
}
