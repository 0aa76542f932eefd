"""Experiments of `papamu arena`: played, and read from their store.

Examples:
    >>> import papamu.arena
    >>> report = papamu.arena.report("arena.db")                    # doctest: +SKIP
    >>> report.frame(report.names[0])                               # doctest: +SKIP
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Union

from . import _native
from ._errors import StoreError
from ._objects import _frame

if TYPE_CHECKING:
    import pandas

Store = Union[str, "os.PathLike[str]"]
"""Where games are kept: the path of a file."""


@dataclass(frozen=True)
class Experiment:
    """An experiment of a store."""

    id: str
    name: str
    scale: str
    file: str = field(repr=False)
    """The TOML file that defines the experiment."""


@dataclass(frozen=True)
class Report:
    """The results of an experiment: the figures and tables of `papamu arena report`, with every number as a number."""

    title: str
    description: str = field(repr=False)
    facts: dict[str, str] = field(repr=False)
    """Games, machine, versions."""
    items: list[dict[str, Any]] = field(repr=False)
    """Figures, tables and texts, as the program writes them with `--format json`."""

    @property
    def names(self) -> list[str]:
        """The names of the figures and tables."""
        return [item["name"] for item in self.items if item["kind"] != "text"]

    def frame(self, name: str) -> pandas.DataFrame:
        """A figure or a table as a data frame. A figure has a row for each point; a number with an interval has two
        more columns, `low` and `high`."""
        for item in self.items:
            if item.get("name") == name:
                return _of_figure(item) if item["kind"] == "figure" else _of_table(item)
        raise StoreError(f"no figure or table {name!r}; there are: {', '.join(self.names)}")


def _of_figure(figure: dict[str, Any]) -> pandas.DataFrame:
    rows = []
    for line in figure["lines"]:
        for point in line["points"]:
            low, high = point["interval"] or (None, None)
            measured = {"value": point["value"], "low": low, "high": high, "games": point["games"]}
            rows.append({"line": line["name"], "kind": "measured", "x": point["x"], **measured})
        for x, value in line["published"]["points"]:
            rows.append({"line": line["name"], "kind": "published", "x": x, "value": value})
    return _frame(rows, ["line", "kind", "x", "value", "low", "high", "games"])


def _of_table(table: dict[str, Any]) -> pandas.DataFrame:
    columns: list[str] = []
    rows = []
    titles = [column["title"] for column in table["columns"]]
    estimates = {title for row in table["rows"] for title, cell in zip(titles, row) if isinstance(cell, dict)}
    for title in titles:
        columns.append(title)
        if title in estimates:
            columns += [f"{title} low", f"{title} high"]
    for cells in table["rows"]:
        row: dict[str, Any] = {}
        for title, cell in zip(titles, cells):
            if isinstance(cell, dict):
                row[title] = cell["value"]
                row[f"{title} low"] = cell["low"]
                row[f"{title} high"] = cell["high"]
            else:
                row[title] = cell
        rows.append(row)
    return _frame(rows, columns)


def run(file: Store, store: Store, *, scale: str = "full", concurrency: int | None = None) -> str:
    """Plays an experiment on this machine, or what is left of it, and returns its identifier. `scale` is `full` or
    `quick`; `concurrency` is the number of games at a time, one for each core by default. Every game is stored when it
    ends; Ctrl-C waits for the running games, and the same call continues. A file can name other programs as players,
    which are started: play files that you trust."""
    return _native.arena_run(file, store, scale, concurrency)


def experiments(store: Store) -> list[Experiment]:
    """The experiments of a store."""
    return [Experiment(**each) for each in json.loads(_native.arena_experiments(store))]


def report(store: Store, experiment: str | None = None) -> Report:
    """The results of an experiment: the only one of the store, or the one with this name or beginning of its identifier."""
    found = json.loads(_native.arena_report(store, experiment))
    return Report(found["title"], found["description"], dict(found["facts"]), found["items"])


def games(store: Store, experiment: str | None = None) -> pandas.DataFrame:
    """The games of an experiment, a row each. `score` is the player's: 1 for a win, 0.5 for a draw, 0 for a loss.
    `papamu.read_games` reads what is in `sgf`."""
    columns = ["pair", "game", "player", "against", "score", "reason", "fault", "plies", "seconds", "worker"]
    found = json.loads(_native.arena_games(store, experiment))
    return _frame(found, [*columns, "finished", "sgf"])
