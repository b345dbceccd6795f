-- Does gold's first move help, and does that depend on how strong the players are?
-- Rated games between players less than 200 points apart, in bands of 200 points of their mean rating.
SELECT
    CAST(floor((gold_rating + silver_rating) / 400.0) AS INTEGER) * 200 AS band,
    count(*) AS games,
    count(*) FILTER (WHERE result = 'gold') AS gold_won,
    count(*) FILTER (WHERE result = 'silver') AS silver_won,
    round(100.0 * count(*) FILTER (WHERE result = 'gold') / count(*), 2) AS gold_percent,
    round(avg(plies), 1) AS turns_on_average
FROM games
WHERE rated
  AND result IN ('gold', 'silver')
  AND abs(gold_rating - silver_rating) < 200
GROUP BY CAST(floor((gold_rating + silver_rating) / 400.0) AS INTEGER) * 200
ORDER BY band;
