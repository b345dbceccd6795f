-- title = "The setups that Gold plays most"
-- question = "Which setups does gold play most, by how many players, and with what success?"
-- notes = ["""\
--   A setup and its left-right mirror image have the same key; `example` is one that was played. The rating is the mean of \
--   Gold's. The stroke is the interval \
--   in which the true share lies with 95 % confidence (Wilson)."""]
-- param = [
--   { name = "least", kind = "whole", default = 3, min = 1, max = 1000000, meaning = "the fewest games of a setup" },
--   { name = "most", kind = "whole", default = 25, min = 1, max = 100000, meaning = "how many setups are listed" },
-- ]
-- [chart.dots]
-- x = "games"
-- x_axis = { name = "games with the setup" }
-- y = [{ column = "gold_percent", name = "won by Gold", band = ["wilson_low", "wilson_high"] }]
-- y_axis = { name = "games won by Gold (percent)", rule = 50 }
-- label = "example"

WITH by_player AS (
    SELECT
        turns.key,
        min(turns.steps) AS example,
        count(*) AS games,
        count(*) FILTER (WHERE games.result = 'gold') AS won,
        count(*) FILTER (WHERE games.result IN ('gold', 'silver')) AS decided,
        sum(games.gold_rating) AS ratings,
        count(games.gold_rating) AS rated
    FROM turns
    JOIN games ON games.game_id = turns.game_id
    WHERE turns.ply = 1 AND turns.setup
    GROUP BY turns.key, games.gold
),
by_setup AS (
    SELECT
        key AS setup,
        min(example) AS example,
        CAST(sum(games) AS BIGINT) AS games,
        count(*) AS players,
        CAST(sum(won) AS BIGINT) AS won,
        CAST(sum(decided) AS BIGINT) AS decided,
        1.0 * sum(ratings) / nullif(sum(rated), 0) AS rating
    FROM by_player
    GROUP BY key
)
SELECT
    setup,
    example,
    games,
    players,
    round(100.0 * won / nullif(decided, 0), 1) AS gold_percent,
    round(100.0 * wilson_low(won, decided), 1) AS wilson_low,
    round(100.0 * wilson_high(won, decided), 1) AS wilson_high,
    round(rating, 0) AS rating_on_average
FROM by_setup
WHERE games >= $least
ORDER BY games DESC, setup
LIMIT $most;
