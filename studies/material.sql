-- title = "What pieces ahead are worth"
-- question = "How often does Gold win who is so many pieces ahead, or behind, after so many moves?"
-- notes = ["""\
--   Pieces are counted alike, rabbits and elephants, after Silver's turn of the move. Games that somebody won and that lasted \
--   so long. The stroke is the interval in which the true share lies with 95 % confidence (Wilson)."""]
-- param = [
--   { name = "move", kind = "whole", default = 20, min = 1, max = 1000, meaning = "after which move the pieces are counted" },
--   { name = "least", kind = "whole", default = 5, min = 1, max = 1000000, meaning = "the fewest games of a balance" },
-- ]
-- [chart.dots]
-- x = "ahead"
-- x_axis = { name = "pieces of Gold more than of Silver", rule = 0 }
-- y = [{ column = "gold_percent", name = "won by Gold", band = ["wilson_low", "wilson_high"] }]
-- y_axis = { name = "games won by Gold (percent)", rule = 50 }

WITH balance AS (
    SELECT
        turns.game_id,
        (CAST(g_rabbits AS INTEGER) + g_cats + g_dogs + g_horses + g_camel + g_elephant)
        - (CAST(s_rabbits AS INTEGER) + s_cats + s_dogs + s_horses + s_camel + s_elephant) AS ahead,
        games.result
    FROM turns
    JOIN games ON games.game_id = turns.game_id
    WHERE turns.number = $move AND turns.side = 'silver' AND games.game = 'arimaa' AND games.result IN ('gold', 'silver')
)
SELECT
    ahead,
    count(*) AS games,
    count(*) FILTER (WHERE result = 'gold') AS gold_won,
    round(100.0 * count(*) FILTER (WHERE result = 'gold') / count(*), 1) AS gold_percent,
    round(100.0 * wilson_low(count(*) FILTER (WHERE result = 'gold'), count(*)), 1) AS wilson_low,
    round(100.0 * wilson_high(count(*) FILTER (WHERE result = 'gold'), count(*)), 1) AS wilson_high
FROM balance
GROUP BY ahead
HAVING count(*) >= $least
ORDER BY ahead;
