-- title = "The greatest upsets"
-- question = "Which rated games were the greatest upsets: the winner rated far below the loser?"
-- notes = ["""\
--   Games that were only lost on the clock or given up by resignation after a few turns prove little, so some turns must have \
--   been played and the board must tell the ending."""]
-- param = [
--   { name = "apart", kind = "whole", default = 200, min = 0, max = 4000, meaning = "so many points the winner was rated below the loser, or more" },
--   { name = "turns", kind = "whole", default = 20, min = 0, max = 1000, meaning = "the fewest turns" },
--   { name = "most", kind = "whole", default = 50, min = 1, max = 100000, meaning = "how many games are listed" },
-- ]
-- [chart.dots]
-- x = "winner_rating"
-- x_axis = { name = "rating of the winner before the game (points)" }
-- y = [{ column = "loser_rating" }]
-- y_axis = { name = "rating of the loser before the game (points)" }
-- series = "termination"
-- label = "game_id"

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
  AND plies >= $turns
  AND (
      (result = 'gold' AND silver_rating - gold_rating >= $apart)
      OR (result = 'silver' AND gold_rating - silver_rating >= $apart)
  )
ORDER BY difference DESC, game_id
LIMIT $most;
