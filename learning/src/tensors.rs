//! The network as tensors of the network library: what it says of positions, and which way every parameter should go.
//!
//! The convolution is a multiplication of matrices: a row for each place of each position, with the cells that a filter covers
//! there. Nobody asks for the derivative by the input, so that this is all of it.

use burn::tensor::{Device, Tensor, TensorData, activation};

use crate::curve;
use crate::network::{Activation, Network};
use crate::place::Place;

/// The library could not give the numbers back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the network library could not compute on {place}: {reason}; try --device cpu, or a smaller --batch where memory ran out"
)]
pub struct TensorError {
    /// Where it computed.
    pub place: Place,
    /// What the library says.
    pub reason: String,
}

/// A network's parameters as tensors on a device.
pub(crate) struct Tensors {
    network: Network,
    place: Place,
    parts: [Tensor<2>; 6],
}

/// What one pass over some positions gives.
pub(crate) struct Pass {
    /// The sum of the squared errors.
    pub(crate) squares: f64,
    /// For every parameter the derivative of that sum.
    pub(crate) gradient: Vec<f32>,
}

/// The cells under the filters and the labels of some positions.
pub(crate) struct Batch {
    /// A row for each place of each position.
    pub(crate) windows: Vec<f32>,
    /// 1 won, 0 lost.
    pub(crate) labels: Vec<f32>,
    /// For each number that goes into the hidden layer what it is multiplied with, where some drop out.
    pub(crate) flat_mask: Option<Vec<f32>>,
    /// The same for the numbers that go into the output.
    pub(crate) hidden_mask: Option<Vec<f32>>,
}

impl Tensors {
    /// From the parameters, in the order of [`Network::layout`].
    pub(crate) fn new(network: Network, parameters: &[f32], place: Place) -> Tensors {
        let device = place.device();
        let layout = network.layout();
        let shapes = [
            [network.window(), network.filters],
            [1, network.filters],
            [network.flat(), network.hidden],
            [1, network.hidden],
            [network.hidden, 1],
            [1, 1],
        ];
        let parts = std::array::from_fn(|part| {
            let numbers = parameters[layout.part(part)].to_vec();
            Tensor::from_data(TensorData::new(numbers, shapes[part]), &device)
        });
        Tensors { network, place, parts }
    }

    /// What the network says of positions.
    pub(crate) fn forward(&self, batch: Batch) -> Result<Vec<f32>, TensorError> {
        let (output, _) = self.run(&self.parts, batch, &self.place.device());
        numbers(output, self.place)
    }

    /// The squared errors and their derivatives.
    pub(crate) fn backward(&self, batch: Batch) -> Result<Pass, TensorError> {
        let device = self.place.device().autodiff();
        let parts = self.parts.clone().map(|part| part.autodiff().require_grad());
        let (output, labels) = self.run(&parts, batch, &device);
        let loss = (output - labels).square().sum();
        let mut found = loss.backward();
        let squares = numbers(loss.inner(), self.place)?.first().copied().unwrap_or(f32::NAN);
        let mut gradient = Vec::with_capacity(self.network.parameters());
        for part in &parts {
            match part.grad_remove(&mut found) {
                Some(tensor) => gradient.extend(numbers(tensor, self.place)?),
                // The library leaves out what has no influence.
                None => gradient.resize(gradient.len() + part.shape().num_elements(), 0.0),
            }
        }
        Ok(Pass { squares: f64::from(squares), gradient })
    }

    fn run(&self, parts: &[Tensor<2>; 6], batch: Batch, device: &Device) -> (Tensor<2>, Tensor<2>) {
        let net = &self.network;
        let count = batch.labels.len();
        let tensor = |numbers: Vec<f32>, shape: [usize; 2]| {
            Tensor::<2>::from_data(TensorData::new(numbers, shape), device)
        };
        let dropped = |x: Tensor<2>, mask: Option<Vec<f32>>| match mask {
            Some(mask) => {
                let shape = x.dims();
                x * tensor(mask, shape)
            }
            None => x,
        };
        let [filters, filter_biases, hidden, hidden_biases, output, output_bias] = parts.clone();
        let windows = tensor(batch.windows, [count * net.spots(), net.window()]);
        let sums = windows.matmul(filters) + filter_biases;
        let flat = curved(net.activation, sums, self.place).reshape([count, net.flat()]);
        let sums = dropped(flat, batch.flat_mask).matmul(hidden) + hidden_biases;
        let units = curved(net.activation, sums, self.place);
        let sums = dropped(units, batch.hidden_mask).matmul(output) + output_bias;
        (curved(net.output, sums, self.place), tensor(batch.labels, [count, 1]))
    }
}

/// What the units make of their sums. On the processor the curve is ours (see [`curve`]); the library learns of it by the line
/// that touches it at each point: the same value, and the same slope.
fn curved(kind: Activation, sums: Tensor<2>, place: Place) -> Tensor<2> {
    if place != Place::Processor {
        return match kind {
            Activation::Tanh => activation::tanh(sums),
            Activation::Rectifier => activation::relu(sums),
            Activation::Sigmoid => activation::sigmoid(sums),
            Activation::Linear => sums,
        };
    }
    if kind == Activation::Linear {
        return sums;
    }
    let device = sums.device();
    let shape = sums.dims();
    let fixed = sums.clone().detach();
    // On the processor a tensor's numbers are at hand, and they are of the kind that it was made of.
    let mut values =
        fixed.to_data().try_into_vec::<f32>().expect("a tensor of single precision on the processor");
    curve::apply(kind, &mut values);
    if !sums.is_tracked() {
        return Tensor::from_data(TensorData::new(values, shape), &device);
    }
    let slopes = Tensor::<2>::from_data(TensorData::new(curve::slopes(kind, &values), shape), &device);
    let values = Tensor::<2>::from_data(TensorData::new(values, shape), &device);
    (sums - fixed) * slopes + values
}

fn numbers<const D: usize>(tensor: Tensor<D>, place: Place) -> Result<Vec<f32>, TensorError> {
    let wrong = |reason: String| TensorError { place, reason };
    let data = tensor.try_into_data().map_err(|error| wrong(error.to_string()))?;
    data.try_into_vec().map_err(|error| wrong(error.to_string()))
}
