//! How fast networks train and predict, in positions a second, next to a floor in the same run: the bare products of matrices that the
//! same positions need, by the same library on the same cores. `against_torch.py` compares the figures with PyTorch's.

use std::hint::black_box;
use std::time::Instant;

use annals_learning::evaluation::predict;
use annals_learning::experiment::gradient;
use annals_learning::{Network, PLANES, Plain, Samples, Settings, first_weights, train};
use annals_rules::seeded::Rng;
use ndarray::Array2;
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
        let settings = Settings { network, epochs: EPOCHS, stable: EPOCHS, ..Settings::default() };
        let parameters = first_weights(&network, 1);
        let floor = rate(BATCH, || products(&network, true));
        let gradients = rate(BATCH, || {
            black_box(gradient(samples, settings, &parameters, &rows));
        });
        line(name, "gradient", gradients, Some(floor));
        // Everything that training does, as `against_torch.py` has it too: derivatives, regularizer, the learning rule's step.
        let steps = rate(BATCH * EPOCHS as usize, || {
            black_box(train(samples, &rows, settings, None, &|_| ()).expect("a network"));
        });
        line(name, "train", steps, Some(floor));
        let floor = rate(BATCH, || products(&network, false));
        let predictions = rate(BATCH, || {
            black_box(predict(samples, settings, &parameters, &rows));
        });
        line(name, "predict", predictions, Some(floor));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        let shard = &rows[..SHARD];
        let batches = pool.install(|| {
            rate(BATCH, || {
                for _ in 0..BATCH / SHARD {
                    black_box(predict(samples, settings, &parameters, shard));
                }
            })
        });
        line(name, "predict-256", batches, None);
        let plain = Plain::new(network, &parameters);
        let one = rate(BATCH, || {
            rows.iter().for_each(|row| {
                let cells = samples.planes_of(*row).iter().zip(0..).filter(|(number, _)| **number != 0);
                black_box(plain.predict(cells.map(|(number, cell)| (cell, f32::from(*number)))));
            });
        });
        line(name, "predict-1", one, None);
    }
}

fn line(network: &str, what: &str, rate: f64, floor: Option<f64>) {
    print!("  {network:<10} {what:<12} {rate:9.0} positions/s");
    match floor {
        Some(floor) => println!(", the bare products {floor:9.0}: {:.2} of it", rate / floor),
        None => println!(" on one thread"),
    }
}

/// Positions a second: the best of some rounds.
fn rate(positions: usize, mut work: impl FnMut()) -> f64 {
    work();
    let best = (0..5)
        .map(|_| {
            let begun = Instant::now();
            work();
            begun.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min);
    positions as f64 / best
}

/// The products of one batch: forward through the hidden layer, and for training its derivatives by weights and by inputs.
fn products(network: &Network, training: bool) {
    let full = |rows: usize, columns: usize| Array2::from_elem((rows, columns), 0.5f32);
    let hidden = full(network.flat(), network.hidden);
    let flat = full(SHARD, network.flat());
    let units = full(SHARD, network.hidden);
    (0..BATCH / SHARD).into_par_iter().for_each(|_| {
        black_box(flat.dot(&hidden));
        if training {
            black_box(flat.t().dot(&units));
            black_box(units.dot(&hidden.t()));
        }
    });
}
