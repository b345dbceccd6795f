-- title = "Gold's advantage by the strength of the players"
-- question = "Does gold's first move help, and does that depend on how strong the players are?"
-- notes = ["""\
--   Rated games between players of nearly the same rating, in bands of their mean rating; a band is named by its middle. The \
--   stroke is the interval in which the true share lies with 95 % confidence (Wilson)."""]
-- param = [
--   { name = "width", kind = "whole", default = 200, min = 1, max = 4000, meaning = "how wide a band of ratings is, in points" },
--   { name = "apart", kind = "whole", default = 200, min = 0, max = 4000, meaning = "ratings that are not so many points apart count as nearly the same" },
--   { name = "least", kind = "whole", default = 10, min = 1, max = 1000000, meaning = "the fewest games of a band" },
-- ]
-- [chart.dots]
-- x = "rating"
-- x_axis = { name = "mean rating of both players (points, middle of the band)" }
-- y = [{ column = "gold_percent", name = "won by Gold", band = ["wilson_low", "wilson_high"] }]
-- y_axis = { name = "games won by Gold (percent)", rule = 50 }

SELECT
    $width * CAST(floor((gold_rating + silver_rating) / (2.0 * $width)) AS INTEGER) + $width / 2.0 AS rating,
    count(*) AS games,
    count(*) FILTER (WHERE result = 'gold') AS gold_won,
    count(*) FILTER (WHERE result = 'silver') AS silver_won,
    round(100.0 * count(*) FILTER (WHERE result = 'gold') / count(*), 2) AS gold_percent,
    round(100.0 * wilson_low(count(*) FILTER (WHERE result = 'gold'), count(*)), 2) AS wilson_low,
    round(100.0 * wilson_high(count(*) FILTER (WHERE result = 'gold'), count(*)), 2) AS wilson_high,
    round(avg(plies), 1) AS turns_on_average
FROM games
WHERE rated
  AND game = 'arimaa'
  AND result IN ('gold', 'silver')
  AND abs(gold_rating - silver_rating) < $apart
GROUP BY $width * CAST(floor((gold_rating + silver_rating) / (2.0 * $width)) AS INTEGER) + $width / 2.0
HAVING count(*) >= $least
ORDER BY rating;
