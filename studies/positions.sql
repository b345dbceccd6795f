-- title = "The positions that came up most"
-- question = "Which positions came up in the most games, both setups excepted, and how did those games end?"
-- notes = ["""\
--   A position and its mirror image are one; a position that stood twice in a game counts once for it. `annals game explore NUMBER \
--   --turn LABEL` shows one with what was played next."""]
-- param = [
--   { name = "most", kind = "whole", default = 50, min = 1, max = 100000, meaning = "how many positions are listed" },
-- ]

WITH stood AS (
    SELECT key, game_id, min(ply) AS ply, min(result) AS result
    FROM lookup
    WHERE ply > 2 OR game_id IN (SELECT game_id FROM games WHERE start IS NOT NULL)
    GROUP BY key, game_id
)
SELECT
    key,
    count(*) AS games,
    min(ply) AS earliest_ply,
    max(ply) AS latest_ply,
    count(*) FILTER (WHERE result = 'gold') AS gold_won,
    count(*) FILTER (WHERE result = 'silver') AS silver_won,
    min(game_id) AS first_game
FROM stood
GROUP BY key
HAVING count(*) > 1
ORDER BY games DESC, key
LIMIT $most;
