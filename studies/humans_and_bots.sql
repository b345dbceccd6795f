-- title = "Bots against humans, year by year"
-- question = "How often do bots beat humans, and when did they begin to win more than half?"
-- notes = ["""\
--   Rated games between a human and a bot that somebody won. The stroke is the interval in which the true share lies with 95 % \
--   confidence (Wilson). Who plays is not the same from year to year: weak bots have many games."""]
-- param = [
--   { name = "least", kind = "whole", default = 5, min = 1, max = 1000000, meaning = "the fewest games of a year" },
-- ]
-- [chart.dots]
-- x = "year"
-- x_axis = { name = "year of the start (UTC)", scale = "words" }
-- y = [{ column = "percent", name = "won by the bot", band = ["wilson_low", "wilson_high"] }]
-- y_axis = { name = "games won by the bot (percent)", range = [0, 100], rule = 50 }

WITH met AS (
    SELECT year, (result = 'gold') = (gold_kind = 'bot') AS bot_won,
        CASE gold_kind WHEN 'bot' THEN gold_rating ELSE silver_rating END AS bot_rating,
        CASE gold_kind WHEN 'bot' THEN silver_rating ELSE gold_rating END AS human_rating
    FROM games
    WHERE year > 0 AND game = 'arimaa' AND rated AND result IN ('gold', 'silver') AND gold_kind <> silver_kind
)
SELECT
    year,
    count(*) AS games,
    count(*) FILTER (WHERE bot_won) AS bot_won,
    round(100.0 * count(*) FILTER (WHERE bot_won) / count(*), 1) AS percent,
    round(100.0 * wilson_low(count(*) FILTER (WHERE bot_won), count(*)), 1) AS wilson_low,
    round(100.0 * wilson_high(count(*) FILTER (WHERE bot_won), count(*)), 1) AS wilson_high,
    round(avg(bot_rating), 0) AS bot_rating,
    round(avg(human_rating), 0) AS human_rating
FROM met
GROUP BY year
HAVING count(*) >= $least
ORDER BY year;
