#!/usr/bin/env python3
"""How fast networks train here and in PyTorch, on the same networks, batches and threads, in turns.

    python3 learning/benches/against_torch.py BENCH [--threads 2] [--rounds 3]

BENCH is the program that `cargo bench -p annals-learning --bench training --no-run` names. Both sides train on a batch of 4,096 positions
that stays where it is: forward, backward, the mean squared error with 1e-4 of the sizes of all weights, Nesterov's step. Reading data
is left out on both sides. The best of the rounds counts; a busy machine hurts PyTorch more, whose threads wait by spinning.

Needs the Python package `torch`.
"""

import argparse
import os
import re
import subprocess
import time

import torch

BATCH = 4096
STEPS = 6


def network(name):
    """The layers of a network, and whether files are its channels."""
    channels, filters, spots = {"paper-run": (8, 6, 15), "conv6": (6, 6, 25), "conv48": (6, 48, 25)}[name]
    layers = torch.nn.Sequential(
        torch.nn.Conv2d(channels, filters, 4), torch.nn.Tanh(), torch.nn.Flatten(),
        torch.nn.Linear(filters * spots, 384), torch.nn.Tanh(), torch.nn.Linear(384, 1), torch.nn.ReLU(),
    )
    return layers, name == "paper-run"


def trained(name):
    """Positions a second over some steps of PyTorch."""
    torch.manual_seed(1)
    net, by_file = network(name)
    dice = torch.rand(BATCH, 6, 8, 8)
    planes = (dice < 1 / 27).float() - (dice > 26 / 27).float()
    labels = torch.randint(0, 2, (BATCH, 1)).float()
    rule = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, nesterov=True)

    def step():
        rule.zero_grad()
        said = net(planes.permute(0, 3, 1, 2) if by_file else planes)
        sizes = sum(weights.abs().sum() for weights in net.parameters() if weights.dim() > 1)
        (((said - labels) ** 2).mean() + 1e-4 * sizes).backward()
        rule.step()

    step()
    begun = time.perf_counter()
    for _ in range(STEPS):
        step()
    return BATCH * STEPS / (time.perf_counter() - begun)


def main():
    """Measures both in turns and prints the best of each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    ours, theirs = {}, {}
    for _ in range(args.rounds):
        environment = {**os.environ, "RAYON_NUM_THREADS": str(args.threads)}
        said = subprocess.run([args.bench, "--bench"], capture_output=True, text=True, check=True, env=environment).stdout
        for name, rate in re.findall(r"(\S+)\s+trains\s+(\d+) positions/s", said):
            ours[name] = max(ours.get(name, 0), float(rate))
            theirs[name] = max(theirs.get(name, 0), trained(name))
    print(f"PyTorch {torch.__version__}, {args.threads} threads, batches of {BATCH}, best of {args.rounds} rounds; positions/s")
    print("| network | annals | PyTorch | ratio |\n| --- | --- | --- | --- |")
    for name, rate in ours.items():
        print(f"| `{name}` | {rate:,.0f} | {theirs[name]:,.0f} | {rate / theirs[name]:.2f} |")


main()
