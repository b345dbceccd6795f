-- title = "Games of each month"
-- question = "How many games were played each month, and how many of them were rated?"
-- notes = ["""\
--   Months without a game are told as 0: what is counted are the games that the dataset holds. Games whose start is not \
--   known are left out."""]
-- param = [
--   { name = "game", kind = "text", default = "arimaa", one_of = ["arimaa", "amazons"], meaning = "which game: arimaa or amazons" },
-- ]
-- [chart.lines]
-- x = "month"
-- x_axis = { name = "month of the start (UTC)" }
-- y = [{ column = "games", name = "all games" }, { column = "rated", name = "rated games" }]
-- y_axis = { name = "games (a month)" }

WITH counted AS (
    SELECT
        12 * CAST(date_part('year', started_at) AS INTEGER) + CAST(date_part('month', started_at) AS INTEGER) - 1
            AS number,
        count(*) AS games,
        count(*) FILTER (WHERE rated) AS rated
    FROM games
    WHERE game = $game AND started_at IS NOT NULL
    GROUP BY number
),
months AS (
    SELECT
        unnest(range(number, coalesce(lead(number) OVER (ORDER BY number), number + 1))) AS month,
        number,
        games,
        rated
    FROM counted
)
SELECT
    make_date(CAST((month - month % 12) / 12 AS INTEGER), CAST(month % 12 AS INTEGER) + 1, 1) AS month,
    CASE WHEN month = number THEN games ELSE 0 END AS games,
    CASE WHEN month = number THEN rated ELSE 0 END AS rated
FROM months
ORDER BY month;
