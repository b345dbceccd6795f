-- title = "Those who played most"
-- question = "Who played most, over which years, against how many others, how well, and how high did the rating rise?"
-- notes = ["A draw counts as half a win; games of which no result is known count among the games and not for the percentage.", "A player without an account number is counted by name."]
-- param = [
--   { name = "game", kind = "text", default = "arimaa", one_of = ["arimaa", "amazons"], meaning = "which game: arimaa or amazons" },
--   { name = "most", kind = "whole", default = 50, min = 1, max = 100000, meaning = "how many players are listed" },
-- ]
-- [chart.dots]
-- x = "games"
-- x_axis = { name = "games" }
-- y = [{ column = "peak_rating" }]
-- y_axis = { name = "highest rating before a game (points)" }
-- series = "kind"
-- label = "name"

WITH appearances AS (
    SELECT gold_id AS player_id, gold AS name, gold_kind AS kind, gold_rating AS rating, started_at,
           silver_id AS opponent_id, silver AS opponent,
           CASE result WHEN 'gold' THEN 1.0 WHEN 'silver' THEN 0.0 WHEN 'draw' THEN 0.5 END AS points
    FROM games
    WHERE game = $game
    UNION ALL
    SELECT silver_id AS player_id, silver AS name, silver_kind AS kind, silver_rating AS rating, started_at,
           gold_id AS opponent_id, gold AS opponent,
           CASE result WHEN 'silver' THEN 1.0 WHEN 'gold' THEN 0.0 WHEN 'draw' THEN 0.5 END AS points
    FROM games
    WHERE game = $game
)
SELECT
    player_id,
    max(name) AS name,
    max(kind) AS kind,
    count(*) AS games,
    count(DISTINCT opponent_id) + count(DISTINCT CASE WHEN opponent_id IS NULL THEN opponent END) AS opponents,
    min(started_at) AS first_game,
    max(started_at) AS last_game,
    round(100.0 * avg(points), 1) AS percent,
    max(rating) AS peak_rating
FROM appearances
WHERE player_id IS NOT NULL OR name <> ''
GROUP BY player_id, CASE WHEN player_id IS NULL THEN name END
ORDER BY games DESC, player_id, name
LIMIT $most;
