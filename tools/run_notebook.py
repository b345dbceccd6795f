#!/usr/bin/env python3
"""Runs the cells of a notebook in the present folder, and compares what they show with what the notebook has.

    tools/run_notebook.py NOTEBOOK [--update]

`--update` writes the present outputs into the notebook. Needs nbclient and ipykernel.
"""

import argparse
import copy
import difflib
import json
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def outputs(notebook):
    """What each cell of code shows, without the numbers of the run and the HTML of pandas, which differs by version."""
    cells = [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for output in (output for cell in cells for output in cell):
        output.pop("execution_count", None)
        if 'class="dataframe"' in output.get("data", {}).get("text/html", ""):
            del output["data"]["text/html"]
    return cells


def main():
    """Runs, then compares or writes."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("notebook", type=Path, metavar="NOTEBOOK")
    arguments.add_argument("--update", action="store_true", help="Write the present outputs into the notebook")
    given = arguments.parse_args()
    notebook = nbformat.read(given.notebook, as_version=4)
    shown = outputs(copy.deepcopy(notebook))
    NotebookClient(notebook, timeout=300, record_timing=False).execute()
    if given.update:
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                for numbered in (cell, *cell["outputs"]):
                    if "execution_count" in numbered:
                        numbered["execution_count"] = None
        # The version of Python that ran it is not a part of the document.
        notebook["metadata"].pop("language_info", None)
        nbformat.write(notebook, given.notebook)
        return 0
    lines = [json.dumps(cells, indent=1, sort_keys=True).splitlines() for cells in (shown, outputs(notebook))]
    differences = list(difflib.unified_diff(*lines, str(given.notebook), "this run", lineterm=""))
    print("\n".join(line[:300] for line in differences), file=sys.stderr, end="")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
