-- title = "Who beats whom"
-- question = "Among those who played most: who met whom how often, and who won?"
-- notes = ["""\
--   Both views of each meeting are listed, and the percentage is of the games that somebody won. Players stand in the order of \
--   all their games. Every pair has a row, those who never met too, so that the table is square."""]
-- param = [
--   { name = "game", kind = "text", default = "arimaa", one_of = ["arimaa", "amazons"], meaning = "which game: arimaa or amazons" },
--   { name = "players", kind = "whole", default = 10, min = 2, max = 100, meaning = "how many players are compared" },
-- ]
-- [chart.fields]
-- subtitle = "Games won and lost by the player of the row against the player of that number; the players with the most games"
-- row = "row_name"
-- column = "opponent_place"
-- cells = { value = "percent", measured = "won by the player of the row (percent)", words = "score" }

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
),
compared AS (
    SELECT array_agg(player ORDER BY place) AS names, count(*) AS players
    FROM ordered
    WHERE place <= $players
),
rows AS (
    SELECT names, players, unnest(range(1, players + 1)) AS place
    FROM compared
),
squares AS (
    SELECT names, place, unnest(range(1, players + 1)) AS opponent_place
    FROM rows
),
pairs AS (
    SELECT names[place] AS player, place, names[opponent_place] AS opponent, opponent_place
    FROM squares
)
SELECT
    pairs.player,
    pairs.opponent,
    count(appearances.player) AS games,
    coalesce(sum(won), 0) AS won,
    coalesce(sum(lost), 0) AS lost,
    count(appearances.player) - coalesce(sum(won), 0) - coalesce(sum(lost), 0) AS neither,
    round(100.0 * sum(won) / nullif(sum(won) + sum(lost), 0), 1) AS percent,
    CASE WHEN count(appearances.player) > 0 THEN concat(sum(won), ':', sum(lost)) END AS score,
    min(started_at) AS first_met,
    max(started_at) AS last_met,
    concat(pairs.place, '  ', pairs.player) AS row_name,
    CAST(pairs.place AS INTEGER) AS player_place,
    CAST(pairs.opponent_place AS INTEGER) AS opponent_place
FROM pairs
LEFT JOIN appearances ON appearances.player = pairs.player AND appearances.opponent = pairs.opponent
GROUP BY pairs.player, pairs.place, pairs.opponent, pairs.opponent_place
ORDER BY player_place, opponent_place;
