"""The documentation, run as a reader would."""

import ast
import doctest
import os
import re
from pathlib import Path

import papamu
import pytest

HERE = Path(__file__).parent
NOTEBOOKS = sorted((HERE.parent / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("page", ["../../../docs/python.md", "../../../docs/tutorials/analyse.md", "../README.md"])
def test_the_examples_of_a_page(page, capsys):
    for package in ("pandas", "pettingzoo", "gymnasium"):
        pytest.importorskip(package)
    text = (HERE / page).read_text(encoding="utf-8")
    blocks = re.findall(r"(<!-- not run -->\n)?^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    blocks = [block for skipped, block in blocks if not skipped]
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)  # noqa: S102


@pytest.mark.parametrize("module", ["", ".pettingzoo", ".gymnasium"])
def test_the_examples_of_a_module(module):
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    name = f"papamu{module}"
    tested = doctest.testmod(__import__(name, fromlist=["_"]))
    assert tested.attempted > 0 and tested.failed == 0


def test_there_are_five_notebooks():
    assert [path.stem for path in NOTEBOOKS] == ["analyse", "learn", "play", "proof", "strength"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook(path, tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    for package in ("ipykernel", "matplotlib", "pandas"):
        pytest.importorskip(package)
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        assert not cell.get("outputs"), f"{path.name} has outputs: strip them"
    client = nbclient.NotebookClient(
        notebook, timeout=600, startup_timeout=600, kernel_name="python3"
    )
    client.execute(cwd=str(tmp_path), env={**os.environ, "MPLBACKEND": "agg"})


STUB = ast.parse((Path(papamu.__file__).parent / "_native.pyi").read_text(encoding="utf-8"))


def documented(name, node, found):
    """What the stub says of something is what `help` says of it."""
    if text := ast.get_docstring(node):
        assert " ".join(text.split()) == " ".join((found.__doc__ or "").split()), name


def test_the_stubs_say_what_there_is():
    for node in STUB.body:
        if isinstance(node, ast.FunctionDef):
            documented(node.name, node, getattr(papamu._native, node.name))
        elif isinstance(node, ast.ClassDef):
            found = getattr(papamu, node.name)
            documented(node.name, node, found)
            functions = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
            there = {name for name in vars(found) if not name.startswith("__")}
            assert there == {name for name in functions if not name.startswith("__")}
            for name in there:
                documented(f"{node.name}.{name}", functions[name], getattr(found, name))
    names = {node.name for node in STUB.body if hasattr(node, "name")}
    assert {name for name in dir(papamu._native) if not name.startswith("_")} <= names
