-- title: Turns that two games of a player share
-- question: Which two games of one player have the same turns, one after the other?
-- note: Of postal games, or of all games of the player that is named. `both` are turns of both sides, `own` those of the player
--   whatever the opponents answered. A sequence cannot be made longer at either end. Many games begin alike, so nothing here is proof
--   of imitation.
-- param: least whole = 10 | the fewest turns of a sequence
-- param: player text = * | the player; * for the postal games of every player

WITH sides AS (
    SELECT game_id, gold AS player, 'gold' AS side
    FROM games
    WHERE gold = $player OR ($player = '*' AND postal)
    UNION ALL
    SELECT game_id, silver AS player, 'silver' AS side
    FROM games
    WHERE silver = $player OR ($player = '*' AND postal)
),
same AS (
    SELECT
        one.player,
        one.game_id AS one,
        other.game_id AS other,
        CAST(a.ply AS BIGINT) AS ply,
        CAST(b.ply AS BIGINT) - CAST(a.ply AS BIGINT) AS shift,
        a.side = one.side AND b.side = other.side AS own
    FROM sides AS one
    JOIN sides AS other ON other.player = one.player AND other.game_id > one.game_id
    JOIN turns AS a ON a.game_id = one.game_id
    JOIN turns AS b ON b.game_id = other.game_id AND b.steps = a.steps
),
runs AS (
    SELECT
        'both' AS whose, player, one, other, ply, shift,
        ply - row_number() OVER (PARTITION BY player, one, other, shift ORDER BY ply) AS run
    FROM same
    UNION ALL
    SELECT
        'own' AS whose, player, one, other, ply, shift,
        ply - 2 * row_number() OVER (PARTITION BY player, one, other, shift ORDER BY ply) AS run
    FROM same
    WHERE own
)
SELECT
    player,
    whose,
    count(*) AS turns,
    one,
    min(ply) AS one_from,
    other,
    min(ply) + shift AS other_from,
    min(ply) <= 2 AND shift = 0 AS from_the_start
FROM runs
GROUP BY player, whose, one, other, shift, run
HAVING count(*) >= $least
ORDER BY turns DESC, player, whose, one, other, one_from;
