-- Which two players met most often, and who beat whom?
-- The one whose name comes first in the alphabet is `a`.
WITH meetings AS (
    SELECT
        CASE WHEN gold < silver THEN gold ELSE silver END AS a,
        CASE WHEN gold < silver THEN silver ELSE gold END AS b,
        CASE WHEN result NOT IN ('gold', 'silver') THEN 'neither'
             WHEN (result = 'gold') = (gold < silver) THEN 'a'
             ELSE 'b' END AS winner,
        started_at
    FROM games
    WHERE gold <> silver
)
SELECT
    a,
    b,
    count(*) AS games,
    count(*) FILTER (WHERE winner = 'a') AS a_won,
    count(*) FILTER (WHERE winner = 'b') AS b_won,
    count(*) FILTER (WHERE winner = 'neither') AS neither,
    min(started_at) AS first_met,
    max(started_at) AS last_met
FROM meetings
GROUP BY a, b
ORDER BY games DESC, a, b
LIMIT 50;
