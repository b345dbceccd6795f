-- title = "Turns that two games of a player share"
-- question = "Which two games of one player have the same turns, one after the other?"
-- notes = ["""\
--   Of postal games, or of the games that the parameters name. `both` are turns of both sides, `own` those of the player \
--   whatever the opponents answered. A turn is the same that changes the same on the board, in whatever order. A sequence cannot \
--   be made longer at either end. Many games begin alike, so nothing here is proof of imitation."""]
-- param = [
--   { name = "least", kind = "whole", default = 10, min = 1, max = 1000000, meaning = "the fewest turns of a sequence" },
--   { name = "player", kind = "text", default = "*", meaning = "the players, with commas between their names; * for every player" },
--   { name = "kind", kind = "text", default = "*", meaning = "human or bot: the kind of the player; * for both" },
--   { name = "event", kind = "text", default = "*", meaning = "the event of the games; * for every event" },
--   { name = "games", kind = "text", default = "*", meaning = "numbers of games, with commas; all for every game; * for those named above, or all postal games" },
-- ]

WITH chosen AS (
    SELECT game_id, gold, silver, gold_kind, silver_kind
    FROM games
    WHERE ($event = '*' OR event = $event)
      AND ($games IN ('*', 'all')
           OR array_has(string_to_array(replace($games, ' ', ''), ','), CAST(game_id AS VARCHAR)))
      AND (postal OR $player <> '*' OR $event <> '*' OR $games <> '*')
),
every_side AS (
    SELECT game_id, gold AS player, 'gold' AS side, gold_kind AS kind FROM chosen
    UNION ALL
    SELECT game_id, silver AS player, 'silver' AS side, silver_kind AS kind FROM chosen
),
sides AS (
    SELECT game_id, player, side
    FROM every_side
    WHERE ($player = '*' OR array_has(string_to_array($player, ','), player))
      AND ($kind = '*' OR kind = $kind)
),
changes AS (
    SELECT game_id, CAST(ply AS BIGINT) AS ply, side, hash_before ^ hash_after AS change
    FROM turns
    WHERE game_id IN (SELECT game_id FROM sides)
),
same AS (
    SELECT
        one.player,
        one.game_id AS one,
        other.game_id AS other,
        a.ply,
        b.ply - a.ply AS shift,
        a.side = one.side AND b.side = other.side AS own
    FROM sides AS one
    JOIN sides AS other ON other.player = one.player AND other.game_id > one.game_id
    JOIN changes AS a ON a.game_id = one.game_id
    JOIN changes AS b ON b.game_id = other.game_id AND b.change = a.change
),
kinds AS (
    SELECT unnest(['both', 'own']) AS whose, unnest([1, 2]) AS step
),
runs AS (
    SELECT
        whose, player, one, other, ply, shift,
        ply - step * row_number() OVER (PARTITION BY whose, player, one, other, shift ORDER BY ply) AS run
    FROM same
    JOIN kinds ON whose = 'both' OR own
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
