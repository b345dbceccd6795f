"""Seconds of processor that the compiled package `whr` of PyPI needs for the whole-history fits of one `annals rating compare`.

Usage: python refits.py DAYS < games

A game is a line GOLD,SILVER,RESULT,BEGAN,ENDED: names, gold, silver or draw, and microseconds. Like Annals, it fits when the first
game of another interval of DAYS begins, on the games that were over by then. Games are added to those of the fit before, so that
each fit begins where the last one ended.
"""

import sys
import time

import whr

DAY = 86_400_000_000

# Passes over the players at each fit. The package's own test of convergence takes many times as long.
PASSES = 10


def main():
    interval = int(sys.argv[1]) * DAY
    letters = {"gold": "B", "silver": "W", "draw": "D"}
    lines = (line.strip().split(",") for line in sys.stdin)
    games = [(gold, silver, letters[result], int(began), int(ended)) for gold, silver, result, began, ended in lines]
    ends = sorted(games, key=lambda game: game[4])
    base = whr.Base({"w2": 14.0, "virtual_games": 2})
    taken, fits, added, last = 0.0, 0, 0, None
    for began in sorted(game[3] for game in games):
        if last == began // interval:
            continue
        known = added
        while known < len(ends) and ends[known][4] < began:
            known += 1
        if known == 0:
            continue
        last = began // interval
        begun = time.process_time()
        base.create_games([[gold, silver, result, ended // DAY] for gold, silver, result, _, ended in ends[added:known]])
        base.iterate(PASSES)
        taken += time.process_time() - begun
        fits, added = fits + 1, known
    print(f"{fits} fits in {taken:.3f} s")


main()
