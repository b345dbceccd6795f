-- title = "Branching factor, move by move"
-- question = "How many different positions can the side to move reach in one turn?"
-- notes = ["""\
--   Counted exactly for a sample of positions at each move, always the same one: counting takes a second for some thousand \
--   positions. Repetition is not considered: a position that may not occur a third time counts as well. A position is the one after a turn of that move: in the \
--   first row Gold plays the second move, after both setups. Positions in which no turn is left count as 0."""]
-- param = [
--   { name = "sample", kind = "whole", default = 40, min = 1, max = 100000, meaning = "how many positions are counted at each move" },
--   { name = "last", kind = "whole", default = 50, min = 1, max = 1000, meaning = "the last move that is looked at" },
--   { name = "least", kind = "whole", default = 10, min = 1, max = 1000000, meaning = "the fewest positions of a move" },
-- ]
-- [chart.lines]
-- subtitle = "The line is the median; half of the positions lie within the area (quartiles)"
-- x = "move"
-- x_axis = { name = "number of the move" }
-- y = [{ column = "median", band = ["lower", "upper"] }]
-- y_axis = { name = "positions that can be reached in one turn" }

WITH chosen AS (
    SELECT number, board, to_move, row_number() OVER (PARTITION BY number ORDER BY hash_after, game_id, ply) AS place
    FROM turns
    WHERE (ply >= 2 OR NOT setup) AND g_rabbits IS NOT NULL AND number <= $last
),
counted AS (
    SELECT
        number,
        distinct_turns(board, to_move) AS turns,
        first_steps(board, to_move) AS steps
    FROM chosen
    WHERE place <= $sample
)
SELECT
    number AS move,
    count(*) AS positions,
    round(avg(steps), 1) AS first_steps,
    percentile_cont(0.25) WITHIN GROUP (ORDER BY turns) AS lower,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY turns) AS median,
    percentile_cont(0.75) WITHIN GROUP (ORDER BY turns) AS upper,
    round(avg(turns), 0) AS mean,
    max(turns) AS most
FROM counted
GROUP BY number
HAVING count(*) >= $least
ORDER BY move;
