#!/usr/bin/env python3
"""Gradients by PyTorch's autograd in double precision, for the tests of the layers.

    python3 learning/tests/vectors/make.py > learning/tests/vectors/gradients.json

Each case is a network as a text, positions (planes of 384 numbers -1, 0, 1, as indices of the cells that are not 0), labels, factors
for what drops out, parameters, and what PyTorch computes of them: the predictions, the sum of the squared errors, and the derivative
of that sum by every parameter, part by part. Parameters and factors are numbers of single precision, so that both sides begin with the
same. The layout of the parts is that of `Part` in `learning/src/layout.rs`. Needs the Python package `torch`; the stored file was made
with torch 2.15.0 on an x86-64 processor.
"""

import json
import sys

import torch

torch.set_default_dtype(torch.float64)

POSITIONS = 3
CURVES = {"tanh": torch.tanh, "rectifier": torch.relu, "sigmoid": torch.sigmoid, "linear": lambda x: x}
CASES = [
    "conv filters=2 kernel=2x2 hidden=3",
    "conv filters=2 kernel=3x3 hidden=3 output=sigmoid",
    "conv filters=2 kernel=4x4 hidden=3 image=files",
    "conv filters=2 kernel=5x5 hidden=3 activation=rectifier output=linear",
    "conv filters=2 kernel=6x6 hidden=3 activation=sigmoid output=tanh",
    "conv filters=2 kernel=1x4 hidden=3 activation=linear",
    "conv filters=2 kernel=1x8 hidden=3",
    "conv filters=2 kernel=3x1 hidden=3",
    "conv filters=2 kernel=6x1 hidden=3 image=files",
    "conv filters=2 kernel=3x3 hidden=4 pool=max:2x2",
    "conv filters=3 kernel=4x4 hidden=4 pool=average:2x2",
    "conv filters=2 kernel=3x3 hidden=4 pool=average:1x4 image=files",
    "conv filters=2 kernel=4x4 hidden=5 norm=layer",
    "conv filters=2 kernel=3x3 hidden=5 activation=rectifier output=sigmoid pool=max:3x2 norm=layer",
]
PARTS = [
    "filters", "filter_biases", "hidden", "hidden_biases", "output", "output_bias",
    "filter_gains", "filter_shifts", "hidden_gains", "hidden_shifts",
]


def read(text):
    """The shape of a network from its text."""
    shape = {"image": "board", "activation": "tanh", "output": "rectifier", "pool": None, "norm": None}
    shape.update(part.split("=") for part in text.split()[1:])
    sides = lambda word: [int(side) for side in word.split("x")]
    shape["kernel"] = sides(shape["kernel"])
    if shape["pool"]:
        kind, window = shape["pool"].split(":")
        shape["pool"] = (kind, sides(window))
    return shape


def single(tensor):
    """The nearest numbers of single precision, in double precision."""
    return tensor.float().double()


def case(text, dropout):
    """One network on some positions."""
    shape = read(text)
    channels, rows, columns = (6, 8, 8) if shape["image"] == "board" else (8, 6, 8)
    high, wide = shape["kernel"]
    filters, hidden = int(shape["filters"]), int(shape["hidden"])
    place_rows, place_columns = rows + 1 - high, columns + 1 - wide
    sums = place_rows * place_columns * filters
    pool_high, pool_wide = shape["pool"][1] if shape["pool"] else (1, 1)
    flat = (place_rows // pool_high) * (place_columns // pool_wide) * filters
    sizes = [channels * high * wide * filters, filters, flat * hidden, hidden, hidden, 1]
    sizes += [sums, sums, hidden, hidden] if shape["norm"] else [0, 0, 0, 0]
    parts = [single(torch.randn(size) * 0.4).requires_grad_() for size in sizes]
    with torch.no_grad():
        # The output well above 0, so that a rectifier lets it through.
        parts[5] += 1.5
        for gains in (parts[6], parts[8]):
            gains.copy_(single(gains + 1.0))
    planes = torch.zeros(POSITIONS, 384)
    for position in planes:
        for cell in torch.randperm(384)[:24]:
            position[cell] = 1.0 if torch.rand(()) < 0.5 else -1.0
    labels = torch.randint(0, 2, (POSITIONS,)).double()
    keep = 1.0 / (1.0 - dropout) if dropout else 1.0
    mask = lambda size: single((torch.rand(POSITIONS, size) >= dropout) * keep) if dropout else torch.ones(POSITIONS, size)
    flat_mask, hidden_mask = mask(flat), mask(hidden)

    board = planes.reshape(POSITIONS, 6, 8, 8)
    image = board if shape["image"] == "board" else board.permute(0, 3, 1, 2)
    # A row for each cell of the window, a column for each filter.
    kernel = parts[0].reshape(channels, high, wide, filters).permute(3, 0, 1, 2)
    values = torch.nn.functional.conv2d(image, kernel, parts[1])
    # The filters of one place are next to one another.
    by_place = lambda x: x.permute(0, 2, 3, 1).reshape(POSITIONS, -1)
    norm = lambda x, gains, shifts: torch.nn.functional.layer_norm(x, x.shape[1:], gains, shifts)
    values = by_place(values)
    if shape["norm"]:
        values = norm(values, parts[6], parts[7])
    values = CURVES[shape["activation"]](values)
    if shape["pool"]:
        grid = values.reshape(POSITIONS, place_rows, place_columns, filters).permute(0, 3, 1, 2)
        pool = torch.nn.functional.max_pool2d if shape["pool"][0] == "max" else torch.nn.functional.avg_pool2d
        values = by_place(pool(grid, (pool_high, pool_wide)))
    units = (values * flat_mask) @ parts[2].reshape(flat, hidden) + parts[3]
    if shape["norm"]:
        units = norm(units, parts[8], parts[9])
    units = CURVES[shape["activation"]](units) * hidden_mask
    predictions = CURVES[shape["output"]](units @ parts[4] + parts[5])
    squares = ((predictions - labels) ** 2).sum()
    squares.backward()
    return {
        "network": text,
        "plus": [[int(cell) for cell in (position > 0).nonzero()] for position in planes],
        "minus": [[int(cell) for cell in (position < 0).nonzero()] for position in planes],
        "labels": [int(label) for label in labels],
        "flat_mask": flat_mask.flatten().tolist() if dropout else None,
        "hidden_mask": hidden_mask.flatten().tolist() if dropout else None,
        "parameters": {name: part.tolist() for name, part in zip(PARTS, parts)},
        "predictions": predictions.tolist(),
        "squares": squares.item(),
        "gradient": {name: [] if part.grad is None else part.grad.tolist() for name, part in zip(PARTS, parts)},
    }


def rounded(value):
    """Numbers with nine digits, which tell numbers of single precision apart."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return value


def main():
    """Writes all cases, a line for each."""
    torch.manual_seed(20)
    cases = [case(text, dropout) for text in CASES for dropout in ((0.0, 0.25) if text == CASES[-1] or text == CASES[0] else (0.0,))]
    lines = ",\n".join(json.dumps(rounded(one), separators=(",", ":")) for one in cases)
    sys.stdout.write(f"[\n{lines}\n]\n")


main()
