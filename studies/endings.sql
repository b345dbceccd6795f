-- title = "How games ended, year by year"
-- question = "How many games were played each year, and which part of them ended in which way?"
-- notes = ["""\
--   Percentages are of the year's games. Endings are those that the records state; a game of which no ending is known is \
--   among the others."""]
-- [chart.bars]
-- x = "year"
-- x_axis = { name = "year of the start (UTC)", scale = "words" }
-- y = [
--   { column = "goal" },
--   { column = "elimination" },
--   { column = "immobilization" },
--   { column = "out_of_time", name = "out of time" },
--   { column = "resignation" },
--   { column = "other" },
-- ]
-- y_axis = { name = "share of the year's games (percent)" }

SELECT
    year,
    count(*) AS games,
    count(*) FILTER (WHERE rated) AS rated,
    round(100.0 * count(*) FILTER (WHERE termination = 'goal') / count(*), 1) AS goal,
    round(100.0 * count(*) FILTER (WHERE termination = 'elimination') / count(*), 1) AS elimination,
    round(100.0 * count(*) FILTER (WHERE termination = 'immobilization') / count(*), 1) AS immobilization,
    round(100.0 * count(*) FILTER (WHERE termination = 'time') / count(*), 1) AS out_of_time,
    round(100.0 * count(*) FILTER (WHERE termination = 'resignation') / count(*), 1) AS resignation,
    round(100.0 * count(*) FILTER (WHERE coalesce(termination, '') NOT IN
        ('goal', 'elimination', 'immobilization', 'time', 'resignation')) / count(*), 1) AS other
FROM games
WHERE year > 0 AND game = 'arimaa'
GROUP BY year
ORDER BY year;
