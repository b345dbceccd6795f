-- title = "Where the pieces are set up"
-- question = "On which squares do the players set up each kind of piece?"
-- notes = ["""\
--   Gold sets up on the ranks 1 and 2, Silver on 7 and 8, after Gold. A share is of all setups of the side that match the \
--   parameters."""]
-- param = [
--   { name = "from", kind = "whole", default = 0, min = 0, max = 9999, meaning = "the first year that counts" },
--   { name = "rating", kind = "whole", default = 0, min = 0, max = 4000, meaning = "the lowest rating of a player whose setups count; 0 counts those without a rating too" },
-- ]
-- [chart.board]
-- subtitle = "Below (ranks 1 and 2) the setups of Gold, above (ranks 7 and 8) those of Silver"
-- square = "square"
-- cells = { value = "percent", measured = "setups with the piece there (percent)", panel = "piece", beside = 3 }

WITH squares AS (
    SELECT square FROM (VALUES
        ('a1'), ('b1'), ('c1'), ('d1'), ('e1'), ('f1'), ('g1'), ('h1'),
        ('a2'), ('b2'), ('c2'), ('d2'), ('e2'), ('f2'), ('g2'), ('h2'),
        ('a7'), ('b7'), ('c7'), ('d7'), ('e7'), ('f7'), ('g7'), ('h7'),
        ('a8'), ('b8'), ('c8'), ('d8'), ('e8'), ('f8'), ('g8'), ('h8')) AS named (square)
),
pieces AS (
    SELECT place, letter, piece FROM (VALUES
        (1, 'E', 'elephant'), (2, 'M', 'camel'), (3, 'H', 'horses'), (4, 'D', 'dogs'), (5, 'C', 'cats'), (6, 'R', 'rabbits')) AS named (place, letter, piece)
),
boards AS (
    SELECT turns.side, turns.board
    FROM turns
    JOIN games ON games.game_id = turns.game_id
    WHERE turns.setup
      AND games.game = 'arimaa'
      AND games.year >= $from
      AND coalesce(CASE turns.side WHEN 'gold' THEN games.gold_rating ELSE games.silver_rating END, 0) >= $rating
),
standing AS (
    SELECT boards.side, squares.square, upper(piece_at(boards.board, squares.square)) AS letter
    FROM boards
    CROSS JOIN squares
    WHERE (boards.side = 'gold') = (substr(squares.square, 2, 1) <= '2')
),
counted AS (
    SELECT side, square, letter, count(*) AS setups
    FROM standing
    GROUP BY side, square, letter
),
totals AS (
    SELECT side, count(*) AS setups
    FROM boards
    GROUP BY side
)
SELECT
    pieces.piece,
    squares.square,
    totals.side,
    coalesce(counted.setups, 0) AS setups,
    round(100.0 * coalesce(counted.setups, 0) / totals.setups, 2) AS percent
FROM pieces
CROSS JOIN squares
JOIN totals ON (totals.side = 'gold') = (substr(squares.square, 2, 1) <= '2')
LEFT JOIN counted ON counted.side = totals.side AND counted.square = squares.square AND counted.letter = pieces.letter
ORDER BY pieces.place, squares.square;
