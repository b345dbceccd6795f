-- title = "Use of time, move by move"
-- question = "How long do humans and bots think at each move of the game?"
-- notes = ["""\
--   Seconds as the server's log gives them; the setup is move 1. A turn that its player did not complete, because time ran out, is \
--   left out. Postal games are left out too: there a move takes days."""]
-- param = [
--   { name = "last", kind = "whole", default = 60, min = 1, max = 1000, meaning = "the last move that is looked at" },
--   { name = "least", kind = "whole", default = 20, min = 1, max = 1000000, meaning = "the fewest turns at a move" },
-- ]
-- [chart.lines]
-- subtitle = "The line is the median; half of the turns lie within the area (quartiles)"
-- x = "move"
-- x_axis = { name = "number of the move" }
-- y = [{ column = "median", band = ["lower", "upper"] }]
-- y_axis = { name = "time used for the turn (seconds)" }
-- series = "kind"

WITH thought AS (
    SELECT
        turns.number AS move,
        CASE turns.side WHEN 'gold' THEN games.gold_kind ELSE games.silver_kind END AS kind,
        turns.used
    FROM turns
    JOIN games ON games.game_id = turns.game_id
    WHERE turns.used IS NOT NULL AND NOT games.postal AND turns.number <= $last
)
SELECT
    move,
    kind,
    count(*) AS turns,
    round(avg(used), 1) AS mean,
    percentile_cont(0.25) WITHIN GROUP (ORDER BY used) AS lower,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY used) AS median,
    percentile_cont(0.75) WITHIN GROUP (ORDER BY used) AS upper,
    max(used) AS longest
FROM thought
WHERE kind IS NOT NULL
GROUP BY move, kind
HAVING count(*) >= $least
ORDER BY kind DESC, move;
