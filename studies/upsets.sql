-- Which rated games were the greatest upsets: the winner rated far below the loser?
-- Games that were only lost on the clock or given up by resignation after a few turns prove little, so at least
-- twenty turns must have been played and the board must tell the ending.
SELECT
    game_id,
    started_at,
    CASE result WHEN 'gold' THEN gold ELSE silver END AS winner,
    CASE result WHEN 'gold' THEN gold_rating ELSE silver_rating END AS winner_rating,
    CASE result WHEN 'gold' THEN silver ELSE gold END AS loser,
    CASE result WHEN 'gold' THEN silver_rating ELSE gold_rating END AS loser_rating,
    CASE result WHEN 'gold' THEN silver_rating - gold_rating ELSE gold_rating - silver_rating END AS difference,
    termination,
    plies
FROM games
WHERE rated
  AND ending_check = 'agrees'
  AND plies >= 20
  AND (
      (result = 'gold' AND silver_rating - gold_rating >= 200)
      OR (result = 'silver' AND gold_rating - silver_rating >= 200)
  )
ORDER BY difference DESC, game_id
LIMIT 50;
