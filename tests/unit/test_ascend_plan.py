"""`ascend-plan`: what it writes, what it says, its exit codes."""

import csv
import io
import re
from pathlib import Path

import pytest

from ascend_opt.tools.ascend_plan import main

TABLE = "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\nb4,9,21,4\nb5,0,21,4\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "buffers.csv"
    path.write_text(TABLE)
    return path


def test_offsets_go_to_stdout(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(table), "--capacity", "12"]) == 0
    printed = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(printed.out)))
    assert [row["id"] for row in rows] == ["b1", "b2", "b3", "b4", "b5"]
    assert {int(row["offset"]) for row in rows} == {0, 4, 8}
    assert printed.err.startswith("peak 12 B (the least of all), 5 buffers")


def test_a_buffer_that_never_lives_takes_no_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.csv"
    path.write_text("id,lower,upper,size\na,0,4,10\nz,2,2,100\n")
    assert main([str(path), "--capacity", "50"]) == 0
    assert capsys.readouterr().err.startswith("peak 10 B (the least of all)")


def test_columns_may_be_in_any_order_with_comments_between(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other.csv"
    path.write_text(
        "# made by hand\nsize, alignment, start, note, end, id\n\n3,8,0,x,4,a\n# and one more\n5,,2,y,6,b\n"
    )
    assert main([str(path), "-o", str(tmp_path / "out.csv")]) == 0
    assert (tmp_path / "out.csv").read_text().splitlines()[0] == "id,lower,upper,size,alignment,offset"
    rows = list(csv.DictReader((tmp_path / "out.csv").open()))
    assert [(r["id"], r["lower"], r["upper"], r["size"], r["alignment"]) for r in rows] == [
        ("a", "0", "4", "3", "8"),
        ("b", "2", "6", "5", "1"),
    ]
    assert capsys.readouterr().err.startswith("peak 8 B (the least of all)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,lower,upper,size\na,0,3,x\n", "2:7: size is 'x', not a whole number"),
        ("id,lower,upper,size\na,0,3,4\nb, 5 ,3,4\n", "3:7: upper 3 is below lower 5"),
        ("id,lower,upper,size\n#\na,0,3\n", "3:6: no size; the row has 3 cells"),
        ("id,lower,upper,size,alignment\na,0,3,4,0\n", "2:9: alignment is 0, must be at least 1"),
        ("id,lower,upper,size\na,0,3,-4\n", "2:7: size is -4, must be at least 0"),
        ("id,lower,upper,size\na,0,3,4\na,0,3,4\n", "3:1: id 'a' is that of line 2"),
        ("a,0,3,4\n", "1:1: no column 'lower' in the header 'a,0,3,4'"),
        ("", "1:1: no header; expected columns id,lower,upper,size[,alignment]"),
    ],
)
def test_a_wrong_table_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    path = tmp_path / "wrong.csv"
    path.write_text(text)
    assert main([str(path)]) == 1
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", f"error: {path}:{message}\n")


def test_what_does_not_fit_is_refused_with_who_is_alive(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(table), "--capacity", "11"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == (
        "does not fit: memory needs 12 B at time 0, the capacity is 11 B: 1 B too many\n"
        "  b1: 4 B\n  b3: 4 B\n  b5: 4 B\n"
    )


def test_a_limit_leaves_it_undecided(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = repository / "benchmarks" / "data" / "minimalloc" / "E.1048576.csv"
    assert main([str(path), "--capacity", "1048576", "--steps", "100"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("undecided: the limit ended the search; the best layout found needs")


def test_the_plot_shows_every_buffer(table: Path, tmp_path: Path) -> None:
    assert main([str(table), "--plot", str(tmp_path / "map.svg"), "-o", str(tmp_path / "out.csv")]) == 0
    image = (tmp_path / "map.svg").read_text()
    assert image.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert len(re.findall(r'class="buffer"', image)) == 5
    assert "b4, slot 0: 4 B at" in image


def test_missing_files_are_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing.csv"
    assert main([str(missing)]) == 1
    assert capsys.readouterr().err == f"error: {missing}: No such file or directory\n"
    assert main([]) == 1
    assert "see ascend-plan --help" in capsys.readouterr().err
