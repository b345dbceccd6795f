-- How many games were played each year, and how did they end?
-- Percentages are of the year's games; endings are those that the records state.
SELECT
    year,
    count(*) AS games,
    count(*) FILTER (WHERE rated) AS rated,
    round(100.0 * count(*) FILTER (WHERE termination = 'goal') / count(*), 1) AS goal,
    round(100.0 * count(*) FILTER (WHERE termination = 'elimination') / count(*), 1) AS elimination,
    round(100.0 * count(*) FILTER (WHERE termination = 'immobilization') / count(*), 1) AS immobilization,
    round(100.0 * count(*) FILTER (WHERE termination = 'time') / count(*), 1) AS out_of_time,
    round(100.0 * count(*) FILTER (WHERE termination = 'resignation') / count(*), 1) AS resignation,
    round(avg(plies), 1) AS turns_on_average
FROM games
WHERE year > 0
GROUP BY year
ORDER BY year;
