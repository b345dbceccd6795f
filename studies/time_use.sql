-- How long do players think at each move of the game?
-- Seconds as the server's log gives them. Postal games are left out: there a move takes days.
SELECT
    turns.number AS move,
    count(*) AS turns,
    round(avg(turns.used), 1) AS mean_seconds,
    median(turns.used) AS median_seconds,
    max(turns.used) AS longest_seconds
FROM turns
JOIN games ON games.game_id = turns.game_id
WHERE turns.used IS NOT NULL
  AND NOT games.postal
  AND turns.number <= 80
GROUP BY turns.number
ORDER BY move;
