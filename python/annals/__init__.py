"""Query a record of board-game championships from Python: rows in Arrow, pandas and polars, boards and charts.

>>> import annals
>>> home = annals.open("annals-demo")
>>> home.sql("SELECT termination, count(*) AS games FROM games GROUP BY 1").pandas()
>>> home.board("cup r1.1", turn="12w")

Every answer is one run of the program `annals`, so it is the answer of the command line.
"""

from .error import Error
from .home import Home, board, open
from .picture import Picture
from .result import Result
from .stream import Stream
from .tables import Column, Table

__all__ = ["Column", "Error", "Home", "Picture", "Result", "Stream", "Table", "board", "open"]
