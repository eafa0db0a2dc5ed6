"""Large weights are read past protobuf: the model is the one that onnx-ir reads, and so are the errors."""

import os
import random
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from declared_models import FLOAT, array, helper, model, node, onnx

from ascend_opt.compiler.onnx import UnsupportedModel, import_model, large_weights, model_file
from ascend_opt.compiler.onnx.large_weights import model_of_file
from ascend_opt.compiler.onnx.model_file import read_model
from ascend_opt.compiler.onnx.wire_format import FLOATS, LARGE, RAW, OtherFormat, without_weights

ir: Any = pytest.importorskip("onnx_ir")
TENSOR = onnx.TensorProto
COUNT = LARGE // 4
"""So many floats are just large enough."""


def raw(name: str, kind: int, shape: list[int], data: bytes) -> Any:
    return helper.make_tensor(name, kind, shape, data, raw=True)


def with_tensors(*tensors: Any, nodes: Any = ()) -> Any:
    """A model of one node with these initializers."""
    made = model([node("Relu", "x", "y"), *nodes], [("x", FLOAT, [2])], [("y", FLOAT, [2])])
    made.graph.initializer.extend(tensors)
    return made


def branches() -> Any:
    """An If whose branches have large weights of their own, and one in a Constant."""
    yes, no = (
        helper.make_graph(
            [helper.make_node("Constant", [], [f"{one}c"], value=raw("", FLOAT, [512], bytes(2048))),
             helper.make_node("Add", [f"{one}w", f"{one}c"], [f"{one}y"])],
            one, [], [helper.make_tensor_value_info(f"{one}y", FLOAT, [512])],
            [raw(f"{one}w", FLOAT, [512], array(512).tobytes())],
        ) for one in ("yes", "no")
    )  # fmt: skip
    return helper.make_node("If", ["c"], ["z"], then_branch=yes, else_branch=no)


def several_types() -> list[Any]:
    sizes = {
        "FLOAT": 4,
        "DOUBLE": 8,
        "FLOAT16": 2,
        "BFLOAT16": 2,
        "INT64": 8,
        "INT32": 4,
        "INT8": 1,
        "UINT8": 1,
    }
    sizes |= {"FLOAT8E4M3FN": 1, "UINT16": 2, "COMPLEX64": 8}
    bits = np.random.default_rng(0).integers(0, 64, 8 * 2 * LARGE).astype(np.uint8).tobytes()
    found = [raw(n, TENSOR.DataType.Value(n), [2, LARGE], bits[: 2 * LARGE * s]) for n, s in sizes.items()]
    found.append(raw("BOOL", TENSOR.BOOL, [LARGE], bytes(1 for _ in range(LARGE))))
    found.append(raw("INT4", TENSOR.INT4, [4 * LARGE], bits[: 2 * LARGE]))
    for name, kind in (("floats", FLOAT), ("doubles", TENSOR.DOUBLE), ("ints", TENSOR.INT64)):
        found.append(helper.make_tensor(name, kind, [2 * LARGE], list(range(2 * LARGE))))
    found.append(helper.make_tensor("complex", TENSOR.COMPLEX64, [LARGE], [1j * n for n in range(LARGE)]))
    found.append(helper.make_tensor("texts", TENSOR.STRING, [LARGE], ["some"] * LARGE))
    found[0].doc_string = "what it is"
    found[0].metadata_props.add(key="k", value="v")
    return found


MODELS = {
    "types": lambda: with_tensors(*several_types()),
    "none": lambda: with_tensors(),
    "small and large": lambda: with_tensors(
        raw("s", FLOAT, [COUNT - 1], array(COUNT - 1).tobytes()), raw("l", FLOAT, [COUNT], array(COUNT).tobytes())
    ),
    "no dimensions": lambda: with_tensors(raw("e", FLOAT, [0, 4], b"")),
    "one name": lambda: with_tensors(*(raw("w", FLOAT, [512], bytes([n] * 2048)) for n in (1, 2))),
    "no name": lambda: with_tensors(raw("", FLOAT, [512], bytes(2048)), raw("w", FLOAT, [512], bytes(2048))),
    "nested": lambda: with_tensors(
        raw("c", TENSOR.BOOL, [], b"\1"), raw("w", FLOAT, [512], array(512).tobytes()), nodes=[branches()]
    ),
}  # fmt: skip


def shown(model: Any) -> list[Any]:
    """A model, and the numbers of its weights as they are imported."""
    numbers: list[Any] = []
    for graph in model.graphs():
        for name, value in graph.initializers.items():
            tensor = value.const_value
            array = tensor.numpy()
            numbers.append((name, tensor.name, tensor.doc_string or "", tensor.metadata_props, tensor.dtype))
            numbers.append((array.dtype, array.shape, tensor.shape, array.tobytes(), value.shape, value.type))
    proto = ir.to_proto(model)
    for tensor in proto.graph.initializer:  # how it is stored is for who writes it
        for field in ("raw_data", "float_data", "double_data", "metadata_props"):
            tensor.ClearField(field)
    return [numbers, proto.SerializeToString(deterministic=True)]


@pytest.mark.parametrize("mapped", [False, True], ids=["read", "mapped"])
@pytest.mark.parametrize("name", MODELS)
def test_the_model_is_that_of_onnx_ir(name: str, mapped: bool, tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(MODELS[name](), path)
    found = model_of_file(path, mapped)
    assert found is not None
    assert shown(found) == shown(ir.load(path))


def test_what_is_left_out() -> None:
    """Each large tensor of the graph but those whose bytes are no array; the rest is a message."""
    whole = with_tensors(*several_types(), raw("s", FLOAT, [4], bytes(16)), nodes=[branches()])
    data = whole.SerializeToString()
    rest, left_out = without_weights(BytesIO(data), len(data))
    proto = onnx.ModelProto.FromString(rest)
    names = [tensor.name for tensor in proto.graph.initializer]
    assert names == [tensor.name for tensor in whole.graph.initializer]
    assert {names[f.initializer] for f in left_out} == set(names) - {"ints", "texts", "s"}
    assert {f.field for f in left_out if names[f.initializer] == "floats"} == {FLOATS}
    for field in left_out:
        tensor = proto.graph.initializer[field.initializer]
        assert not tensor.raw_data and not tensor.float_data
        content = data[field.offset : field.offset + field.length]
        if field.field == RAW:
            assert content == whole.graph.initializer[field.initializer].raw_data
        tensor.MergeFromString(field.key + content)
    assert proto == whole


def test_parts_of_one_graph(tmp_path: Path) -> None:
    """Fields that are given twice are merged, as protobuf does: graphs add up, the last bytes count."""
    first = with_tensors(raw("v", FLOAT, [512], array(512).tobytes()))
    tensor = raw("w", FLOAT, [512], bytes([1] * 2048)), onnx.TensorProto(raw_data=bytes([2] * 2048))
    twice = onnx.ModelProto()
    twice.graph.initializer.add().ParseFromString(b"".join(one.SerializeToString() for one in tensor))
    data = first.SerializeToString()
    content = b"".join(one.SerializeToString() for one in tensor)
    second = b"\x3a" + length(b"\x2a" + length(content) + content) + b"\x2a" + length(content) + content
    (tmp_path / "m.onnx").write_bytes(data + second)
    found = model_of_file(tmp_path / "m.onnx")
    assert found is not None and list(found.graph.initializers) == ["v", "w"]
    assert shown(found) == shown(ir.load(tmp_path / "m.onnx"))
    numbers: Any = found.graph.initializers["w"].const_value
    assert numbers.tobytes() == bytes([2] * 2048)


def length(content: bytes) -> bytes:
    """How many bytes, as a varint of two bytes."""
    assert 128 <= len(content) < 1 << 14
    return bytes([len(content) & 0x7F | 0x80, len(content) >> 7])


def not_read(*_: object) -> None:
    """What leaves a file to onnx-ir."""


def outcome(path: Path) -> Any:
    try:
        return shown(read_model(path, "m"))
    except UnsupportedModel as error:
        return str(error)
    except (ValueError, TypeError, ir.serde.SerdeError) as error:  # of who shows it
        return type(error), str(error)


def test_damaged_files_are_read_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are cut off, or with other bytes: the same model, or the same message."""
    path, weight = tmp_path / "m.onnx", array(16, 16).tobytes()
    data = with_tensors(
        raw("w", FLOAT, [16, 16], weight), raw("s", FLOAT, [2], array(2).tobytes())
    ).SerializeToString()
    draw = random.Random(0)
    start = data.index(weight)
    places = [*range(start), *range(start + LARGE, len(data)), *draw.sample(range(start, start + LARGE), 20)]
    files = [data[:n] for n in places if n]
    files += [data[:n] + bytes([draw.randrange(256)]) + data[n + 1 :] for n in places for _ in range(3)]
    refused = 0
    for one in files:
        path.write_bytes(one)
        found = outcome(path)
        with monkeypatch.context() as patch:
            patch.setattr(model_file, "model_of_file", not_read)
            assert found == outcome(path)
        refused += isinstance(found, str)
    assert len(files) / 4 < refused < len(files)


@pytest.mark.parametrize(
    "data", [b"\0" * 64, b"\x08\x0b\x3a\x05ab", b"\x0b" + b"a" * 60, b"\xff" * 30, b"\x08"]
)
def test_bytes_of_another_format(data: bytes) -> None:
    with pytest.raises(OtherFormat):
        without_weights(BytesIO(data), len(data))


def test_a_file_that_got_shorter() -> None:
    data = with_tensors(raw("w", FLOAT, [512], bytes(2048))).SerializeToString()
    with pytest.raises(OtherFormat):
        without_weights(BytesIO(data[:-1500]), len(data))


@pytest.mark.parametrize("shape, kind", [([511], FLOAT), ([512], 0), ([512], 99), ([-1, -512], FLOAT)])
def test_data_that_do_not_fit_their_tensor(
    shape: list[int], kind: int, tmp_path: Path, monkeypatch: Any
) -> None:
    tensor = raw("w", FLOAT, [512], bytes(2048))
    tensor.data_type = kind
    tensor.dims[:] = shape
    given = model([node("Add", "x w", "y")], [("x", FLOAT, [512])], [("y", FLOAT, [512])])
    given.graph.initializer.append(tensor)
    onnx.save(given, tmp_path / "m.onnx")

    def message() -> str:
        try:
            import_model(tmp_path / "m.onnx")
        except UnsupportedModel as error:
            return str(error)
        return ""

    found = message()
    monkeypatch.setattr(model_file, "model_of_file", not_read)
    assert found == message()
    assert found


def test_data_in_other_files_stay_there(tmp_path: Path) -> None:
    """Some tensors in a file of their own, some in the model's."""
    given = with_tensors(
        raw("far", FLOAT, [600], array(600).tobytes()), raw("near", FLOAT, [512], array(512).tobytes())
    )
    path = tmp_path / "m.onnx"
    onnx.save(given, path, save_as_external_data=True, location="w.bin", size_threshold=2300)
    found = model_of_file(path)
    assert found is not None
    far, near = (found.graph.initializers[name].const_value for name in ("far", "near"))
    assert isinstance(far, ir.ExternalTensor) and not isinstance(near, ir.ExternalTensor)
    assert shown(found) == shown(ir.load(path))
    (tmp_path / "w.bin").unlink()
    with pytest.raises(UnsupportedModel, match=r"the data of 'far' are in '.*w\.bin', which is not there"):
        read_model(path, "m")


@pytest.mark.parametrize("extension", ["onnxtxt", "json", "textproto"])
def test_text_is_read_by_the_onnx_package(extension: str, tmp_path: Path) -> None:
    path = tmp_path / f"m.{extension}"
    onnx.save(with_tensors(), path)
    assert model_of_file(path) is None
    assert read_model(path, "m").graph.outputs[0].name == "y"


def test_files_larger_than_a_message_are_left_to_protobuf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(with_tensors(), path)
    monkeypatch.setattr(large_weights, "MOST", path.stat().st_size)
    assert model_of_file(path) is not None
    monkeypatch.setattr(large_weights, "MOST", path.stat().st_size - 1)
    assert model_of_file(path) is None


@pytest.mark.parametrize("then", ["removed", "emptied", "replaced"])
def test_a_file_may_change_after_it_was_read(then: str, tmp_path: Path) -> None:
    weight = array(32, 32)
    given = model(
        [node("Add", "x w", "y")], [("x", FLOAT, [32, 32])], [("y", FLOAT, [32, 32])], weights={"w": weight}
    )
    path = tmp_path / "m.onnx"
    onnx.save(given, path)
    imported = import_model(path)
    assert not open_files(path)
    if then == "removed":
        path.unlink()
    else:
        path.write_bytes(b"" if then == "emptied" else bytes(path.stat().st_size))
    np.testing.assert_array_equal(imported.weights["w"], weight.astype(np.float16))


def open_files(path: Path) -> list[str]:
    """The handles of the process on `path`; nothing where the system does not tell.

    Asked for one file alone: other tests' handles close when their garbage is collected.
    """
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        return []
    links = (os.readlink(one) for one in folder.iterdir() if one.is_symlink())
    return [link for link in links if link.removesuffix(" (deleted)") == str(path.resolve())]
