"""Rates games by an implementation from PyPI that is not ours, for the tests and the benchmark of this crate.

Usage: python peers.py SYSTEM W2 PRIOR STEPS < games
  SYSTEM is `pure` (whole-history-rating), `compiled` (whr; its files may lie in the folder ANNALS_RATING_COMPILED, since both
  packages want the name whr) or `choix` (Bradley-Terry, maximum likelihood; W2 and PRIOR mean nothing).
A game is a line GOLD SILVER RESULT DAY with numbers for players and g, s or d as the result. Written is a line PLAYER DAY RATING ERROR
for each player and day, in Elo around 0, and on standard error the seconds of the computation alone.
"""

import os
import sys
import time


def read():
    for line in sys.stdin:
        gold, silver, result, day = line.split()
        yield gold, silver, result, int(day)


def whole_history(system, w2, prior, steps, games):
    if system == "compiled" and "ANNALS_RATING_COMPILED" in os.environ:
        sys.path.insert(0, os.environ["ANNALS_RATING_COMPILED"])
    import whr

    letters = {"g": "B", "s": "W", "d": "D"}
    players = sorted({name for game in games for name in game[:2]}, key=int)
    begun = time.perf_counter()
    if system == "pure":
        # Its prior is so many games won and as many lost; ours counts drawn games, two of which are one of each. Its damping is
        # added to the curvature and so to the errors; the model has none.
        base = whr.WHR({"w2": w2, "initial_prior_wins": prior / 2, "hessian_damping": 0.0})
        for gold, silver, result, day in games:
            base.create_game(gold, silver, letters[result], day, 0)
        base.iterate(steps)
        taken = time.perf_counter() - begun
        for name in players:
            for day in base.player_by_name(name).days:
                elo = 400 / 2.302585092994046
                yield name, day.day, day.r * elo, max(day.uncertainty, 0.0) ** 0.5 * elo
    else:
        base = whr.Base({"w2": w2, "virtual_games": int(prior)})
        base.create_games([[gold, silver, letters[result], day] for gold, silver, result, day in games])
        base.iterate(steps)
        taken = time.perf_counter() - begun
        for name in players:
            for day, rating, error in base.ratings_for_player(name):
                yield name, day, rating, error
    print(f"{taken:.4f}", file=sys.stderr)


def bradley_terry(games):
    import choix

    count = 1 + max(int(name) for game in games for name in game[:2])
    # A drawn game is half a game of each; so every other game counts twice.
    pairs = []
    for gold, silver, result, _ in games:
        won, lost = int(gold), int(silver)
        pairs.extend({"g": [(won, lost)] * 2, "s": [(lost, won)] * 2, "d": [(won, lost), (lost, won)]}[result])
    begun = time.perf_counter()
    strengths = choix.opt_pairwise(count, pairs, alpha=0.0, method="Newton-CG", tol=1e-12)
    print(f"{time.perf_counter() - begun:.4f}", file=sys.stderr)
    mean = sum(strengths) / count
    for player, strength in enumerate(strengths):
        yield player, 0, (strength - mean) * 400 / 2.302585092994046, 0.0


def main():
    system, w2, prior, steps = sys.argv[1], float(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    games = list(read())
    rated = bradley_terry(games) if system == "choix" else whole_history(system, w2, prior, steps, games)
    for player, day, rating, error in rated:
        print(player, day, f"{rating:.9f}", f"{error:.9f}")


main()
