-- title = "What the first loss costs"
-- question = "How often does the side still win that is the first to lose a piece, by what it lost?"
-- notes = ["""\
--   Games from the setups that somebody won, in which the first capture took one piece of one side. The stroke is the interval in which the \
--   true share lies with 95 % confidence (Wilson)."""]
-- param = [
--   { name = "least", kind = "whole", default = 5, min = 1, max = 1000000, meaning = "the fewest games of a kind of piece" },
-- ]
-- [chart.dots]
-- x = "piece"
-- x_axis = { name = "the first piece that was lost" }
-- y = [{ column = "percent", name = "won all the same", band = ["wilson_low", "wilson_high"] }]
-- y_axis = { name = "games won by the side that lost it (percent)", rule = 50 }

WITH firsts AS (
    SELECT game_id, min(ply) AS ply
    FROM turns
    WHERE ply > 2
      AND CAST(g_rabbits AS INTEGER) + g_cats + g_dogs + g_horses + g_camel + g_elephant
        + s_rabbits + s_cats + s_dogs + s_horses + s_camel + s_elephant < 32
    GROUP BY game_id
),
lost AS (
    SELECT
        turns.game_id,
        turns.number,
        16 - (CAST(g_rabbits AS INTEGER) + g_cats + g_dogs + g_horses + g_camel + g_elephant) AS of_gold,
        16 - (CAST(s_rabbits AS INTEGER) + s_cats + s_dogs + s_horses + s_camel + s_elephant) AS of_silver,
        CASE
            WHEN g_rabbits < 8 OR s_rabbits < 8 THEN 1
            WHEN g_cats < 2 OR s_cats < 2 THEN 2
            WHEN g_dogs < 2 OR s_dogs < 2 THEN 3
            WHEN g_horses < 2 OR s_horses < 2 THEN 4
            WHEN g_camel < 1 OR s_camel < 1 THEN 5
            ELSE 6
        END AS place
    FROM turns
    JOIN firsts ON firsts.game_id = turns.game_id AND firsts.ply = turns.ply
),
told AS (
    SELECT place, number, (of_gold = 1) = (games.result = 'gold') AS won
    FROM lost
    JOIN games ON games.game_id = lost.game_id
    WHERE games.start IS NULL AND of_gold + of_silver = 1 AND games.result IN ('gold', 'silver')
)
SELECT
    CASE place WHEN 1 THEN 'rabbit' WHEN 2 THEN 'cat' WHEN 3 THEN 'dog' WHEN 4 THEN 'horse' WHEN 5 THEN 'camel'
        ELSE 'elephant' END AS piece,
    count(*) AS games,
    count(*) FILTER (WHERE won) AS won,
    round(100.0 * count(*) FILTER (WHERE won) / count(*), 1) AS percent,
    round(100.0 * wilson_low(count(*) FILTER (WHERE won), count(*)), 1) AS wilson_low,
    round(100.0 * wilson_high(count(*) FILTER (WHERE won), count(*)), 1) AS wilson_high,
    round(avg(number), 1) AS move_on_average
FROM told
GROUP BY place
HAVING count(*) >= $least
ORDER BY place;
