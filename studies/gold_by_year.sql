-- title = "Gold's advantage, year by year"
-- question = "Has gold's share of the won games changed over the years?"
-- notes = ["""\
--   Rated games between players of nearly the same rating. The stroke is the interval in which the true share lies with 95 % \
--   confidence (Wilson)."""]
-- param = [
--   { name = "apart", kind = "whole", default = 200, min = 0, max = 4000, meaning = "ratings that are not so many points apart count as nearly the same" },
--   { name = "least", kind = "whole", default = 10, min = 1, max = 1000000, meaning = "the fewest games of a year" },
-- ]
-- [chart.dots]
-- x = "year"
-- x_axis = { name = "year of the start (UTC)", scale = "words" }
-- y = [{ column = "gold_percent", name = "won by Gold", band = ["wilson_low", "wilson_high"] }]
-- y_axis = { name = "games won by Gold (percent)", rule = 50 }

SELECT
    year,
    count(*) AS games,
    count(*) FILTER (WHERE result = 'gold') AS gold_won,
    count(*) FILTER (WHERE result = 'silver') AS silver_won,
    round(100.0 * count(*) FILTER (WHERE result = 'gold') / count(*), 2) AS gold_percent,
    round(100.0 * wilson_low(count(*) FILTER (WHERE result = 'gold'), count(*)), 2) AS wilson_low,
    round(100.0 * wilson_high(count(*) FILTER (WHERE result = 'gold'), count(*)), 2) AS wilson_high
FROM games
WHERE rated
  AND game = 'arimaa'
  AND year > 0
  AND result IN ('gold', 'silver')
  AND abs(gold_rating - silver_rating) < $apart
GROUP BY year
HAVING count(*) >= $least
ORDER BY year;
