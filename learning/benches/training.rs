//! How fast networks learn, in positions a second, beside a floor in the same run: the bare multiplications of matrices that the same
//! positions need, by the same library on the same cores. The ratios say more than the figures, which depend on the machine.

use std::hint::black_box;
use std::time::Instant;

use annals_learning::experiment::{gradient, predict};
use annals_learning::{Network, PLANES, Place, Plain, Samples, Settings, first_weights, train};
use annals_rules::seeded::Rng;
use burn::tensor::{Device, Tensor, TensorData};
use rayon::prelude::*;

/// Positions in a batch, as the paper has it.
const BATCH: usize = 4096;

/// Batches in a row where whole training is measured.
const EPOCHS: u32 = 6;

/// Positions that the cores take at a time.
const SHARD: usize = 256;

fn main() {
    let mut rng = Rng::of(&[1]);
    let mut planes = vec![0i8; BATCH * PLANES];
    for position in planes.chunks_mut(PLANES) {
        for _ in 0..28 {
            position[rng.below(PLANES as u32) as usize] = if rng.chance(500) { 1 } else { -1 };
        }
    }
    let labels: Vec<u8> = (0..BATCH).map(|_| rng.below(2) as u8).collect();
    let (heights, games) = (vec![0u16; BATCH], vec![0u32; BATCH]);
    let ids = ["bench".to_owned()];
    let samples = Samples {
        planes: &planes,
        labels: &labels,
        heights: &heights,
        games: &games,
        game_ids: &ids,
        digest: [0; 32],
    };
    let rows = samples.rows();
    println!("{} threads, batches of {BATCH}", rayon::current_num_threads());
    for name in ["paper-run", "conv6", "conv48"] {
        let network: Network = name.parse().expect("a named network");
        let settings = Settings { network, ..Settings::default() };
        let parameters = first_weights(&network, 1);
        let floor = rate(|| bare(&network, true));
        let learns = rate(|| {
            black_box(
                gradient(samples, settings, Place::Processor, &parameters, &rows).expect("derivatives"),
            );
        });
        println!(
            "  {name:<10} learns  {learns:9.0} positions/s, the bare multiplications {floor:9.0}: {:.2} of it",
            learns / floor
        );
        // Everything that training does, as `against_torch.py` has it too: derivatives, regulariser, the learning rule's step.
        let settings = Settings { epochs: EPOCHS, stable: EPOCHS, ..settings };
        let trains = f64::from(EPOCHS)
            * rate(|| {
                black_box(
                    train(samples, &rows, settings, Place::Processor, None, &|_| ()).expect("a network"),
                );
            });
        println!("  {name:<10} trains  {trains:9.0} positions/s, step and all");
        let floor = rate(|| bare(&network, false));
        let judges = rate(|| {
            black_box(predict(samples, settings, Place::Processor, &parameters, &rows).expect("answers"));
        });
        println!(
            "  {name:<10} judges  {judges:9.0} positions/s, the bare multiplications {floor:9.0}: {:.2} of it",
            judges / floor
        );
        let plain = Plain::new(network, &parameters);
        let one = rate(|| {
            rows.iter().for_each(|row| {
                black_box(plain.predict_planes(samples.planes_of(*row)));
            });
        });
        println!("  {name:<10} one at a time, as in search: {one:9.0} positions/s on one thread");
    }
}

/// Positions a second: the best of some rounds, each of one batch.
fn rate(mut work: impl FnMut()) -> f64 {
    work();
    let best = (0..5)
        .map(|_| {
            let begun = Instant::now();
            work();
            begun.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min);
    BATCH as f64 / best
}

/// The multiplications of one batch: forward, and where it learns the derivatives by the weights of both layers and by what goes
/// into the second.
fn bare(network: &Network, learns: bool) {
    let device = Device::flex();
    let full = |rows: usize, columns: usize| {
        Tensor::<2>::from_data(TensorData::new(vec![0.5f32; rows * columns], [rows, columns]), &device)
    };
    let filters = full(network.window(), network.filters);
    let hidden = full(network.flat(), network.hidden);
    let windows = full(SHARD * network.spots(), network.window());
    let sums = full(SHARD * network.spots(), network.filters);
    let flat = full(SHARD, network.flat());
    let units = full(SHARD, network.hidden);
    (0..BATCH / SHARD).into_par_iter().for_each(|_| {
        black_box(windows.clone().matmul(filters.clone()));
        black_box(flat.clone().matmul(hidden.clone()));
        if learns {
            black_box(windows.clone().transpose().matmul(sums.clone()));
            black_box(flat.clone().transpose().matmul(units.clone()));
            black_box(units.clone().matmul(hidden.clone().transpose()));
        }
    });
}
