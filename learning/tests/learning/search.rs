use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use annals_engine::evaluation::{Evaluator, Registry};
use annals_engine::player::Settings;
use annals_engine::search::{Past, SearchOptions, Searcher};
use annals_engine::settings_text;
use annals_learning::baseline::position;
use annals_learning::{NetEvaluator, PREFIX};
use annals_rules::arimaa::{Position, Steps};

use crate::data::Made;
use crate::models::{model, predict_planes};

#[test]
fn a_network_is_an_evaluator_that_sees_what_the_planes_show_and_likes_to_have_more() {
    let model = model("conv filters=3 kernel=3 hidden=16");
    let net = NetEvaluator::new("net:m".to_owned(), &model);
    let made = Made::games(200, 1, 3);
    let samples = made.samples();
    let plain = annals_learning::Plain::new(model.network, &model.parameters);
    let mut agree = 0;
    for row in samples.rows() {
        let planes = samples.planes_of(row);
        let position = position(planes).unwrap();
        assert_eq!(net.chance(position.board(), position.to_move()), predict_planes(&plain, planes));
        // A board that is turned round with its sides exchanged is the same.
        let worth = net.evaluate(&Steps::begin(&position));
        assert_eq!(worth, net.evaluate(&Steps::begin(&position.rotated())));
        assert_eq!(annals_features::paper::planes(&position).as_slice(), planes);
        agree += u32::from((worth > 0) == (samples.label_of(row) == 1));
    }
    assert!(agree >= 120, "{agree} of 200");
}

#[test]
fn the_engine_searches_by_a_network_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.safetensors");
    model("conv filters=3 kernel=3 hidden=16").write(&path).unwrap();
    let mut registry = Registry::standard();
    registry.register(Arc::new(NetEvaluator::read(&path).unwrap()));
    let text = format!("evaluator={PREFIX}{},nodes=2000", path.display());
    let settings: Settings = settings_text::read(&text, Settings::default()).unwrap();
    let position: Position =
        "g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]".parse().unwrap();
    let net = registry.get(&settings.evaluator).unwrap();
    let turn = || {
        let mut searcher = Searcher::new(Arc::clone(&net), SearchOptions::default());
        let stop = AtomicBool::new(false);
        searcher
            .search(&position, &Past::default(), &settings.limits, &stop, &mut |_| {})
            .unwrap()
            .turn
            .to_string()
    };
    let found = turn();
    assert!(!found.is_empty());
    assert_eq!(found, turn(), "the same turn again");
    assert!(settings_text::player_name(&settings).starts_with("annals-net-m-n2000"));
}
