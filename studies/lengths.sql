-- title = "Length of games, year by year"
-- question = "How many turns do games last, and has that changed?"
-- notes = ["""\
--   Turns of both sides, setups included. Only games that were won on the board or by resignation count: a game that was lost \
--   on the clock or broken off says little about its length. A game whose end its own \
--   moves do not confirm (`ending_check`) is left out, and so is one that starts from another position, such as one that resumes another."""]
-- param = [
--   { name = "game", kind = "text", default = "arimaa", one_of = ["arimaa", "amazons"], meaning = "which game: arimaa or amazons" },
--   { name = "least", kind = "whole", default = 5, min = 1, max = 1000000, meaning = "the fewest games of a year" },
-- ]
-- [chart.bars]
-- subtitle = "The bar is the median; half of the games lie within the stroke (quartiles). Won on the board or by resignation."
-- x = "year"
-- x_axis = { name = "year of the start (UTC)", scale = "words" }
-- y = [{ column = "median", name = "median and quartiles", band = ["lower", "upper"] }]
-- y_axis = { name = "turns of both sides" }

SELECT
    year,
    count(*) AS games,
    percentile_cont(0.25) WITHIN GROUP (ORDER BY plies) AS lower,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY plies) AS median,
    percentile_cont(0.75) WITHIN GROUP (ORDER BY plies) AS upper,
    round(avg(plies), 1) AS mean,
    max(plies) AS longest
FROM games
WHERE year > 0
  AND start IS NULL
  AND game = $game
  AND result IN ('gold', 'silver')
  AND (termination = 'resignation' OR ending_check = 'agrees')
GROUP BY year
HAVING count(*) >= $least
ORDER BY year;
