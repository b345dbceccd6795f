-- title: The setups that Gold plays most
-- question: Which setups does gold play most, by how many players, and with what success?
-- note: A setup and its left-right mirror image have the same key; `example` is one that was played. The stroke is the interval
--   in which the true share lies with 95 % confidence (Wilson).
-- param: least whole = 3 | the fewest games of a setup
-- param: most whole = 25 | how many setups are listed
-- chart: dots
-- x: games | games with the setup
-- y: gold_percent as won by Gold | games won by Gold (percent)
-- band: wilson_low to wilson_high
-- label: example
-- rule: y 50

WITH chosen AS (
    SELECT turns.key, turns.steps, games.gold, games.gold_rating, games.result
    FROM turns
    JOIN games ON games.game_id = turns.game_id
    WHERE turns.ply = 1 AND turns.setup
)
SELECT
    key AS setup,
    min(steps) AS example,
    count(*) AS games,
    count(DISTINCT gold) AS players,
    round(100.0 * count(*) FILTER (WHERE result = 'gold')
        / nullif(count(*) FILTER (WHERE result IN ('gold', 'silver')), 0), 1) AS gold_percent,
    round(100.0 * wilson_low(count(*) FILTER (WHERE result = 'gold'),
        count(*) FILTER (WHERE result IN ('gold', 'silver'))), 1) AS wilson_low,
    round(100.0 * wilson_high(count(*) FILTER (WHERE result = 'gold'),
        count(*) FILTER (WHERE result IN ('gold', 'silver'))), 1) AS wilson_high,
    round(avg(gold_rating), 0) AS rating_on_average
FROM chosen
GROUP BY key
HAVING count(*) >= $least
ORDER BY games DESC, setup
LIMIT $most;
