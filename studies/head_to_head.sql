-- title: Who beats whom
-- question: Among those who played most: who met whom how often, and who won?
-- note: Both views of each meeting are listed, and the percentage is of the games that somebody won. Players stand in the order of
--   all their games.
-- param: game text = arimaa | which game: arimaa or amazons
-- param: players whole = 10 | how many players are compared
-- chart: fields
-- row: player
-- column: opponent
-- value: percent | won by the player of the row (percent)
-- words: score
-- subtitle: Games won and lost by the player of the row; the players with the most games

WITH appearances AS (
    SELECT gold AS player, silver AS opponent, started_at,
           CASE result WHEN 'gold' THEN 1 ELSE 0 END AS won,
           CASE result WHEN 'silver' THEN 1 ELSE 0 END AS lost
    FROM games
    WHERE game = $game AND gold <> silver
    UNION ALL
    SELECT silver AS player, gold AS opponent, started_at,
           CASE result WHEN 'silver' THEN 1 ELSE 0 END AS won,
           CASE result WHEN 'gold' THEN 1 ELSE 0 END AS lost
    FROM games
    WHERE game = $game AND gold <> silver
),
ordered AS (
    SELECT player, row_number() OVER (ORDER BY count(*) DESC, player) AS place
    FROM appearances
    GROUP BY player
)
SELECT
    appearances.player,
    appearances.opponent,
    count(*) AS games,
    sum(won) AS won,
    sum(lost) AS lost,
    count(*) - sum(won) - sum(lost) AS neither,
    round(100.0 * sum(won) / nullif(sum(won) + sum(lost), 0), 1) AS percent,
    concat(sum(won), ':', sum(lost)) AS score,
    min(started_at) AS first_met,
    max(started_at) AS last_met
FROM appearances
JOIN ordered AS one ON one.player = appearances.player
JOIN ordered AS other ON other.player = appearances.opponent
WHERE one.place <= $players AND other.place <= $players
GROUP BY appearances.player, appearances.opponent, one.place, other.place
ORDER BY one.place, other.place;
