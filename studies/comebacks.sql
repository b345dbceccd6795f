-- title = "The greatest comebacks"
-- question = "Which games were won after the winner had been behind by the most pieces?"
-- notes = ["""\
--   Pieces are counted after every turn once both setups stand; the elephant counts like a rabbit here, since what is asked is \
--   how many were gone."""]
-- param = [
--   { name = "behind", kind = "whole", default = 3, min = 0, max = 32, meaning = "so many pieces the winner was behind, or more" },
--   { name = "most", kind = "whole", default = 50, min = 1, max = 100000, meaning = "how many games are listed" },
-- ]
-- [chart.dots]
-- x = "plies"
-- x_axis = { name = "turns of the game (both sides)" }
-- y = [{ column = "pieces_behind", name = "winner" }]
-- y_axis = { name = "pieces that the winner was behind", scale = "whole" }
-- series = "termination"
-- label = "game_id"

WITH balance AS (
    SELECT
        game_id,
        ply,
        (CAST(g_rabbits AS INTEGER) + g_cats + g_dogs + g_horses + g_camel + g_elephant)
        - (CAST(s_rabbits AS INTEGER) + s_cats + s_dogs + s_horses + s_camel + s_elephant) AS ahead
    FROM turns
    WHERE ply >= 2 OR NOT setup
),
extremes AS (
    SELECT game_id, min(ahead) AS gold_worst, max(ahead) AS gold_best
    FROM balance
    GROUP BY game_id
)
SELECT
    games.game_id,
    games.started_at,
    CASE games.result WHEN 'gold' THEN games.gold ELSE games.silver END AS winner,
    CASE games.result WHEN 'gold' THEN games.silver ELSE games.gold END AS loser,
    CASE games.result WHEN 'gold' THEN -extremes.gold_worst ELSE extremes.gold_best END AS pieces_behind,
    games.termination,
    games.plies
FROM extremes
JOIN games ON games.game_id = extremes.game_id
WHERE (games.result = 'gold' AND extremes.gold_worst <= -$behind)
   OR (games.result = 'silver' AND extremes.gold_best >= $behind)
ORDER BY pieces_behind DESC, games.game_id
LIMIT $most;
