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
    assert (tmp_path / "out.csv").read_text() == (
        "# made by hand\nsize, alignment, start, note, end, id,offset\n\n"
        "3,8,0,x,4,a,0\n# and one more\n5,,2,y,6,b,3\n"
    )
    assert capsys.readouterr().err.startswith("peak 8 B (the least of all)")


@pytest.mark.parametrize(
    ("text", "message", "carets"),
    [
        ("id,lower,upper,size\na,0,3,xy\n", "2:7: error: size is 'xy', not a whole number", "^~"),
        ("id,lower,upper,size\na,0,3,4\nb, 5 ,3,4\n", "3:7: error: upper 3 is below lower 5", "^"),
        ("id,lower,upper,size\n#\na,0,3\n", "3:6: error: no size; the row has 3 cells", "^"),
        (
            "id,lower,upper,size,alignment\na,0,3,4,0\n",
            "2:9: error: alignment is 0, must be at least 1",
            "^",
        ),
        ("id,lower,upper,size\na,0,3,-4\n", "2:7: error: size is -4, must be at least 0", "^~"),
        (
            "id,lower,upper,size,Size\na,0,3,4,5\n",
            "1:21: error: a second column 'size'; the first is 'size'",
            "^~~~",
        ),
        (
            "begin,upper,size, lower\n0,3,4,5\n",
            "1:19: error: a second column 'lower'; the first is 'begin'",
            "^~~~~",
        ),
        (
            "id,lower,upper,size\na,0,3,4\nb,0,3,4, 9\n",
            "3:10: error: the row has 5 cells, the header 4",
            "^",
        ),
        ("size,lower,upper\n1\n", "2:2: error: no lower; the row has 1 cell", "^"),
        ("id,lower,upper,size\na,0,3,4\na,0,3,4\n", "3:1: error: id 'a' is that of line 2", "^"),
        ("a,0,3,4\n", "1:1: error: no column 'lower' in the header 'a,0,3,4'", "^~~~~~~"),
        ("", "1:1: error: no header; expected columns id,lower,upper,size[,alignment]", "^"),
    ],
)
def test_a_wrong_table_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str, carets: str
) -> None:
    path = tmp_path / "wrong.csv"
    path.write_text(text)
    assert main([str(path)]) == 1
    printed = capsys.readouterr()
    line, column = map(int, message.split(":")[:2])
    shown = [*text.splitlines(), ""][line - 1]
    assert (printed.out, printed.err) == (
        "",
        f"{path}:{message}\n{shown}\n{' ' * (column - 1)}{carets}\n",
    )


def test_a_byte_that_is_no_text_is_pointed_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wrong.csv"
    path.write_bytes(b"id,lower,upper,size\na,0,\xff,4\n")
    assert main([str(path)]) == 1
    head, *_ = capsys.readouterr().err.splitlines()
    assert head == f"{path}:2:5: error: found byte 0xFF, which is not UTF-8 text"


@pytest.mark.parametrize("option", ["-o", "--plot"])
def test_a_table_is_not_overwritten(table: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    before = table.read_text()
    assert main([str(table), option, str(table)]) == 1
    assert capsys.readouterr().err == f"error: {option} would overwrite the input {table}\n"
    assert table.read_text() == before


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


def test_a_result_can_be_read_again(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Cells with commas stay whole, missing ones of other columns too; a column `offset` is written anew."""
    table.write_text('offset,id,lower,upper,size,note\n7,a,0,4,5,"x, y"\n,b,1,2,3\n')
    first = tmp_path / "first.csv"
    assert main([str(table), "-o", str(first)]) == 0
    assert first.read_text() == 'offset,id,lower,upper,size,note\n0,a,0,4,5,"x, y"\n5,b,1,2,3,\n'
    assert main([str(first)]) == 0
    assert capsys.readouterr().out == first.read_text()


def test_short_rows_get_their_offset_in_the_last_column(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.write_text("lower,upper,size,note,more\n0,4,5\n0,4,5,x,y\n")
    assert main([str(table)]) == 0
    printed = capsys.readouterr()
    assert printed.out == "lower,upper,size,note,more,offset\n0,4,5,,,0\n0,4,5,x,y,5\n"


def test_an_empty_table_has_a_plot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, image = tmp_path / "empty.csv", tmp_path / "map.svg"
    path.write_text("id,lower,upper,size\n")
    assert main([str(path), "--plot", str(image)]) == 0
    assert image.read_text().startswith("<svg ")
    printed = capsys.readouterr()
    assert printed.out == "id,lower,upper,size,offset\n"
    assert printed.err.startswith("peak 0 B (the least of all), 0 buffers,")


def test_one_is_said_as_one(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.write_text("id,lower,upper,size\na,0,1,4\n")
    assert main([str(table)]) == 0
    assert ", 1 buffer, " in capsys.readouterr().err


@pytest.mark.parametrize("other", ["same.svg", "./same.svg", "-"])
def test_offsets_and_plot_do_not_go_to_one_file(
    table: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    other: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    output = [] if other == "-" else ["-o", "same.svg"]
    assert main([str(table), *output, "--plot", other]) == 1
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", f"error: -o and --plot are one file: {other}\n")
    assert not Path("same.svg").exists()


@pytest.mark.parametrize(
    ("option", "value", "wanted"),
    [
        ("--capacity", "abc", "a whole number, 0 or more"),
        ("--capacity", "-1", "a whole number, 0 or more"),
        ("--steps", "1.5", "a whole number, 0 or more"),
        ("--time-limit", "soon", "a number of seconds, 0 or more"),
        ("--time-limit", "inf", "a number of seconds, 0 or more"),
    ],
)
def test_wrong_numbers_are_told_from_right_ones(
    table: Path, capsys: pytest.CaptureFixture[str], option: str, value: str, wanted: str
) -> None:
    assert main([str(table), f"{option}={value}"]) == 1
    message = f"error: argument {option}: {value!r} is not {wanted}; see ascend-plan --help\n"
    assert capsys.readouterr().err == message


def test_the_label_of_the_peak_is_not_cut(table: Path, tmp_path: Path) -> None:
    table.write_text("id,lower,upper,size\na,0,1,123456789012\n")
    assert main([str(table), "--plot", str(tmp_path / "map.svg"), "-o", str(tmp_path / "out.csv")]) == 0
    right = re.search(
        r'<text x="(\d+)" y="14" text-anchor="end">123456789012 B<', (tmp_path / "map.svg").read_text()
    )
    assert right is not None and int(right[1]) >= 7 * len("123456789012 B")


def test_missing_files_are_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing.csv"
    assert main([str(missing)]) == 1
    assert capsys.readouterr().err == f"error: cannot open '{missing}': No such file or directory\n"
    assert main([]) == 1
    assert "see ascend-plan --help" in capsys.readouterr().err
