-- title: Gold's advantage, year by year
-- question: Has gold's share of the won games changed over the years?
-- note: Rated games between players of nearly the same rating. The stroke is the interval in which the true share lies with 95 %
--   confidence (Wilson).
-- param: apart whole = 200 | ratings that are not so many points apart count as nearly the same
-- param: least whole = 10 | the fewest games of a year
-- chart: dots
-- x: year | year of the start (UTC)
-- y: gold_percent as won by Gold | games won by Gold (percent)
-- band: wilson_low to wilson_high
-- scale: x words
-- rule: y 50

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
