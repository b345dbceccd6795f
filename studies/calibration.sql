-- title = "How well the recorded ratings predict"
-- question = "Of the games that the ratings give a player to win so often, how many did the player win?"
-- notes = ["""\
--   Rated games that somebody won, from the view of the higher rated. The prediction is 1 / (1 + 10^(-d/400)) for a difference \
--   of d points before the game. The stroke is the interval in which the true share lies with 95 % confidence (Wilson)."""]
-- param = [
--   { name = "steps", kind = "whole", default = 10, min = 1, max = 100, meaning = "into how many equal parts the range from 50 to 100 percent is cut" },
--   { name = "least", kind = "whole", default = 5, min = 1, max = 1000000, meaning = "the fewest games of a part" },
-- ]
-- [chart.dots]
-- subtitle = "Where the dots lie below the line, the stronger player won less often than the ratings say; with 95 % confidence"
-- x = "predicted"
-- x_axis = { name = "won by the higher rated, as the ratings predict (percent)" }
-- y = [
--   { column = "percent", name = "observed", band = ["wilson_low", "wilson_high"] },
--   { column = "predicted", name = "predicted", shape = "lines" },
-- ]
-- y_axis = { name = "won by the higher rated, observed (percent)" }

WITH forecasts AS (
    SELECT
        1.0 / (1.0 + power(10.0, -abs(gold_rating - silver_rating) / 400.0)) AS expected,
        (result = 'gold') = (gold_rating > silver_rating) AS won
    FROM games
    WHERE rated AND game = 'arimaa' AND result IN ('gold', 'silver') AND gold_rating <> silver_rating
)
SELECT
    round(100.0 * avg(expected), 2) AS predicted,
    count(*) AS games,
    count(*) FILTER (WHERE won) AS won,
    round(100.0 * count(*) FILTER (WHERE won) / count(*), 2) AS percent,
    round(100.0 * wilson_low(count(*) FILTER (WHERE won), count(*)), 2) AS wilson_low,
    round(100.0 * wilson_high(count(*) FILTER (WHERE won), count(*)), 2) AS wilson_high
FROM forecasts
GROUP BY floor((expected - 0.5) * 2.0 * $steps)
HAVING count(*) >= $least
ORDER BY predicted;
