-- title = "Pieces that can move, are frozen, or are gone"
-- question = "How many of the pieces of the side to move can make a step, are frozen, or are gone, move by move?"
-- notes = ["""\
--   Means over all positions after a turn of that move, from the view of the side to move. What is neither mobile nor frozen is \
--   blocked."""]
-- param = [
--   { name = "last", kind = "whole", default = 60, min = 1, max = 1000, meaning = "the last move that is looked at" },
--   { name = "least", kind = "whole", default = 20, min = 1, max = 1000000, meaning = "the fewest positions of a move" },
-- ]
-- [chart.lines]
-- x = "move"
-- x_axis = { name = "number of the move" }
-- y = [
--   { column = "mobile", name = "can make a step" },
--   { column = "frozen", name = "frozen" },
--   { column = "gone", name = "captured" },
-- ]
-- y_axis = { name = "pieces of the side to move (mean)" }

WITH seen AS (
    SELECT
        number,
        CASE WHEN to_move = 'gold' THEN gold_mobile ELSE silver_mobile END AS mobile,
        CASE WHEN to_move = 'gold' THEN gold_frozen ELSE silver_frozen END AS frozen,
        16 - CASE
            WHEN to_move = 'gold' THEN CAST(g_rabbits AS INTEGER) + g_cats + g_dogs + g_horses + g_camel + g_elephant
            ELSE CAST(s_rabbits AS INTEGER) + s_cats + s_dogs + s_horses + s_camel + s_elephant END AS gone
    FROM turns
    WHERE (ply >= 2 OR NOT setup) AND g_rabbits IS NOT NULL AND number <= $last
)
SELECT
    number AS move,
    count(*) AS positions,
    round(avg(mobile), 3) AS mobile,
    round(avg(frozen), 3) AS frozen,
    round(avg(gone), 3) AS gone
FROM seen
GROUP BY number
HAVING count(*) >= $least
ORDER BY move;
