#!/usr/bin/env python3
"""Compare training and prediction speed with PyTorch: the same networks, batches and threads, in turns.

    python3 learning/benches/against_torch.py [--threads 2] [--rounds 3]

Builds the benchmark `training` (a release build) and runs it and PyTorch in turns. Both sides train on a batch of 4,096 positions that
is in memory: forward, backward, the mean squared error with 1e-4 times the sizes of all weights, Nesterov's step. Prediction is measured
on one thread, one position at a time and in batches of 256. The best of the rounds counts, since other processes slow PyTorch more: its
threads wait by spinning. The last column is Annals divided by PyTorch.

Needs the Python package `torch`.
"""

import argparse
import json
import os
import re
import subprocess
import time

import torch

BATCH = 4096
STEPS = 6
NETWORKS = {"paper-run": (8, 6, 15), "conv6": (6, 6, 25), "conv48": (6, 48, 25)}


def network(name):
    """The layers of a network."""
    channels, filters, places = NETWORKS[name]
    return torch.nn.Sequential(
        torch.nn.Conv2d(channels, filters, 4), torch.nn.Tanh(), torch.nn.Flatten(),
        torch.nn.Linear(filters * places, 384), torch.nn.Tanh(), torch.nn.Linear(384, 1), torch.nn.ReLU(),
    )


def positions(name, count):
    """Random positions, about 28 pieces each, as the image of the network."""
    draws = torch.rand(count, 6, 8, 8)
    planes = (draws < 1 / 27).float() - (draws > 26 / 27).float()
    return planes.permute(0, 3, 1, 2) if name == "paper-run" else planes


def train(name):
    """Positions a second over some steps of training."""
    torch.manual_seed(1)
    net, planes = network(name), positions(name, BATCH)
    labels = torch.randint(0, 2, (BATCH, 1)).float()
    rule = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, nesterov=True)

    def step():
        rule.zero_grad()
        sizes = sum(weights.abs().sum() for weights in net.parameters() if weights.dim() > 1)
        (((net(planes) - labels) ** 2).mean() + 1e-4 * sizes).backward()
        rule.step()

    step()
    begun = time.perf_counter()
    for _ in range(STEPS):
        step()
    return BATCH * STEPS / (time.perf_counter() - begun)


def predict(name, batch):
    """Positions a second over some batches of prediction, on one thread."""
    torch.manual_seed(1)
    net, planes = network(name), positions(name, batch)
    count = max(BATCH // batch, 1)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with torch.inference_mode():
        net(planes)
        begun = time.perf_counter()
        for _ in range(count):
            net(planes)
        taken = time.perf_counter() - begun
    torch.set_num_threads(threads)
    return batch * count / taken


def build():
    """The program of the benchmark."""
    command = ["cargo", "bench", "--locked", "-p", "annals-learning", "--bench", "training", "--no-run", "--message-format=json"]
    lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    made = [json.loads(line) for line in lines if line.startswith("{")]
    return next(one["executable"] for one in made if one.get("executable") and one["target"]["name"] == "training")


def main():
    """Measures both in turns and prints the best of each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    program = build()
    environment = {**os.environ, "RAYON_NUM_THREADS": str(args.threads)}
    peers = {"train": train, "predict-256": lambda name: predict(name, 256), "predict-1": lambda name: predict(name, 1)}
    annals, torchs = {}, {}
    for _ in range(args.rounds):
        lines = subprocess.run([program, "--bench"], capture_output=True, text=True, check=True, env=environment).stdout
        for name, what, rate in re.findall(r"(\S+)\s+(\S+)\s+(\d+) positions/s", lines):
            if what in peers:
                key = (name, what)
                annals[key] = max(annals.get(key, 0), float(rate))
                torchs[key] = max(torchs.get(key, 0), peers[what](name))
    print(f"PyTorch {torch.__version__}, training on {args.threads} threads, best of {args.rounds} rounds; positions/s")
    print("| network | task | Annals | PyTorch | ratio |\n| --- | --- | --- | --- | --- |")
    for (name, what), rate in annals.items():
        other = torchs[name, what]
        print(f"| `{name}` | {what} | {rate:,.0f} | {other:,.0f} | {rate / other:.2f} |")


main()
