-- title = "Camels lost early"
-- question = "In which games was a camel lost early, whose was it, and did its owner still win?"
-- notes = ["""\
--   A camel is lost with the first turn after both setups that leaves its side without one. A game that starts from a position \
--   without that camel is left out."""]
-- param = [
--   { name = "before", kind = "whole", default = 20, min = 1, max = 1000, meaning = "the move before which the camel was lost" },
-- ]

WITH lost AS (
    SELECT turns.game_id, 'gold' AS owner, min(number) AS move
    FROM turns
    JOIN games ON games.game_id = turns.game_id
    WHERE NOT setup AND number < $before AND g_camel = 0 AND coalesce(start LIKE '%M%', true)
    GROUP BY turns.game_id
    UNION ALL
    SELECT turns.game_id, 'silver' AS owner, min(number) AS move
    FROM turns
    JOIN games ON games.game_id = turns.game_id
    WHERE NOT setup AND number < $before AND s_camel = 0 AND coalesce(start LIKE '%m%', true)
    GROUP BY turns.game_id
)
SELECT
    lost.game_id,
    lost.move,
    lost.owner,
    games.gold,
    games.silver,
    games.result,
    games.result = lost.owner AS owner_won,
    games.plies
FROM lost
JOIN games ON games.game_id = lost.game_id
ORDER BY lost.move, lost.game_id, lost.owner;
