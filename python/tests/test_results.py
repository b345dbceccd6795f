"""Rows of queries as Arrow, pandas, polars, HTML and values."""

import tempfile
import unittest
from pathlib import Path

import pyarrow
from demonstration import OfDemonstration


class Results(OfDemonstration):
    """Queries that succeed."""

    def test_every_form_has_the_same_rows(self) -> None:
        """Arrow, the C stream, batches, pandas and polars."""
        result = self.home.sql("SELECT game_id, gold, board, at FROM games JOIN turns USING (game_id) ORDER BY game_id, ply")
        table = result.arrow()
        self.assertEqual(len(result), 28770)
        self.assertEqual(result.columns, ["game_id", "gold", "board", "at"])
        self.assertIn(b"SELECT game_id", table.schema.metadata[b"annals.command"])
        self.assertEqual(pyarrow.table(result), table)
        self.assertEqual(sum(batch.num_rows for batch in result), len(result))
        gold = table.column("gold").to_pylist()
        self.assertEqual([row["gold"] for row in result.rows()], gold)
        self.assertEqual(result.pandas()["gold"].tolist(), gold)
        self.assertEqual(result.polars()["gold"].to_list(), gold)

    def test_a_stream_has_the_rows_of_the_result(self) -> None:
        """Several batches come, in order, and once."""
        statement = "SELECT game_id, ply FROM turns ORDER BY game_id, ply"
        batches = list(self.home.stream(statement))
        self.assertGreater(len(batches), 1)
        self.assertEqual(pyarrow.Table.from_batches(batches).to_pydict(), self.home.sql(statement).arrow().to_pydict())
        self.assertEqual(pyarrow.table(self.home.stream("SELECT 1 AS one WHERE false")).to_pydict(), {"one": []})

    def test_a_result_without_rows_has_its_columns(self) -> None:
        """As a table, a frame and HTML."""
        result = self.home.sql("SELECT gold, plies FROM games WHERE false")
        self.assertEqual((len(result), list(result.pandas().columns)), (0, ["gold", "plies"]))
        self.assertIn("0 rows", result._repr_html_())

    def test_a_table_of_ones_own_is_joined(self) -> None:
        """A CSV file by its name."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "mine.csv")
            file.write_text("termination,weight\ngoal,2\n")
            statement = "SELECT count(*) AS games, max(weight) AS weight FROM games JOIN mine USING (termination)"
            self.assertEqual(self.home.sql(statement, tables={"mine": file}).rows(), [{"games": 369, "weight": 2}])

    def test_html_has_the_first_rows_and_the_count_and_is_escaped(self) -> None:
        """A value is never markup."""
        page = self.home.sql("SELECT '<b>' AS \"<i>\", NULL AS none, ply FROM turns")._repr_html_()
        self.assertIn('<th scope="col">&lt;i&gt;</th>', page)
        self.assertIn('<td style="text-align: left">&lt;b&gt;</td><td></td>', page)
        self.assertEqual(page.count("<tr>"), 21)
        self.assertIn("28,770 rows, of which the first 20 are shown", page)
        self.assertIn("1 row<", self.home.sql("SELECT 1")._repr_html_())

    def test_a_text_names_rows_and_columns(self) -> None:
        """What a prompt shows."""
        self.assertEqual(repr(self.home.sql("SELECT 1 AS a, 2 AS b")), "<annals.Result: 1 rows of a, b>")

    def test_a_statement_may_begin_with_a_comment(self) -> None:
        """Two dashes are no option."""
        self.assertEqual(self.home.sql("-- the games\nSELECT count(*) AS n FROM games").rows(), [{"n": 386}])


class Answers(OfDemonstration):
    """Questions that are not SQL."""

    def test_standings_at_two_times(self) -> None:
        """As of a round, and as recorded by a time."""
        places = self.home.standings("cup", as_of="round:3").rows()
        self.assertEqual([(row["player"], row["won"]) for row in places[:2]], [("annals-n8000", 3), ("annals-n3000", 2)])
        self.assertNotEqual(places, self.home.standings("cup").rows())
        self.assertNotEqual(places, self.home.standings("cup", as_of="round:1", known_at="2015-03-01").rows())

    def test_a_study_with_a_parameter(self) -> None:
        """Its rows, and its chart."""
        months = self.home.study("growth", game="arimaa").rows()
        self.assertEqual(sum(row["games"] for row in months), 386)
        self.assertTrue(self.home.study_chart("growth", game="arimaa").svg.startswith("<svg"))

    def test_a_command_as_json(self) -> None:
        """Words and options."""
        game = self.home.json("game", "show", "cup r1.1", as_of="round:3")
        played = f"SELECT ply FROM turns JOIN games USING (game_id) WHERE stream = '{game['name']}' ORDER BY ply"
        plies = [row["ply"] for row in self.home.sql(played).rows()]
        self.assertEqual([turn["ply"] for turn in game["turns"]], plies)

    def test_tables_have_columns_with_meanings(self) -> None:
        """Of the dataset and of the log."""
        tables = {table.name: table for table in self.home.tables()}
        self.assertLessEqual({"games", "turns", "events", "tournaments"}, tables.keys())
        ply = next(column for column in tables["turns"].columns if column.name == "ply")
        self.assertTrue(ply.meaning and ply.type, ply)
        self.assertTrue(str(tables["turns"]).startswith("turns(game_id, ply, "))


if __name__ == "__main__":
    unittest.main()
