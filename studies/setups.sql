-- Which setups does gold play most, by how many players, and with what success?
-- A setup and its left-right mirror image have the same key; `example` is one that was played.
SELECT
    turns.key AS setup,
    min(turns.steps) AS example,
    count(*) AS games,
    count(DISTINCT games.gold) AS players,
    round(100.0 * count(*) FILTER (WHERE games.result = 'gold')
        / nullif(count(*) FILTER (WHERE games.result IN ('gold', 'silver')), 0), 1) AS gold_percent,
    round(avg(games.gold_rating), 0) AS rating_on_average
FROM turns
JOIN games ON games.game_id = turns.game_id
WHERE turns.ply = 1
GROUP BY turns.key
ORDER BY games DESC, setup
LIMIT 25;
