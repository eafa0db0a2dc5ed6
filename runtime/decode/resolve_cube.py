"""Resolves the instructions around the Cube: loads from L1 to L0, and products."""

from typing import TYPE_CHECKING

from ...dialects.ascend import (
    Load2dOp,
    Load3dOp,
)
from ...dialects.attributes import integers
from ..machine.costs import (
    ceil_div,
    load2d_cost,
    load3d_cost,
    mmad_cost,
)
from ..machine.memory import Footprint, View
from ..machine.unit_flags import NONE, Blocks
from ..program.checks import (
    check_blocks,
    check_fractals,
    check_rows,
    require,
)
from ..program.instruction import (
    LOCAL,
    SPILLS,
    UNIT,
    UNIT_SETS,
    UNIT_WAITS,
    Effects,
    Instruction,
)
from ..program.kernel_program import Site
from ..support.late import LateFunctions, LateSpreads
from ..values.image_windows import image_pixels, transposed_window
from .binding import on_core, with_padding
from .resolve_dma import Key
from .resolve_scalar import ScalarResolver

if TYPE_CHECKING:
    from ..poison import shadow_values
    from ..values import product_values, values
else:
    product_values, values = LateFunctions("values.product_values"), LateFunctions("values.values")
    shadow_values = LateSpreads("poison.shadow_values")
from typing import TYPE_CHECKING

from ..machine.memory import Box
from ..support.late import LateFunctions, LateSpreads


class CubeResolver(ScalarResolver):
    """Resolves these beside what moves data and what has masks."""

    def load2d(self, site: Site, key: Key, views: list[View]) -> Instruction:
        op = site.op
        assert isinstance(op, Load2dOp)
        source, destination = views
        path = self.target.path(source.space, destination.space)
        require(source.space == "l1", "no-path", f"load2d loads from l1, not {source.space}", source)
        reason = f"source {source.sizes} and destination {destination.sizes} differ"
        require(source.sizes == destination.sizes, "shape", reason, source, destination)
        if source.empty:
            return self.nothing(site, path.pipe)
        limit = self.target.vector.max_repeat
        require(source.sizes[0] <= limit, "limit", f"{source.sizes[0]} fractals, at most {limit}", source)
        check_fractals(source, 2)
        check_fractals(destination, 2)
        cost = load2d_cost(self.target, destination.space, source.sizes[0])
        transpose = op.transpose is not None
        square = source.sizes[1] == source.sizes[2]
        require(square or not transpose, "shape", f"load2d does not transpose {source.dtype}", source)
        return self.make(
            site, LOCAL, path.pipe, cost=cost, contended=self.target.cube.contention > 0,
            effects=lambda: Effects((Footprint.of(source),), (Footprint.of(destination),)),
            bind=on_core(values.bind_load2d, source, destination, transpose),
            check="move",
        )  # fmt: skip

    def load3d(self, site: Site, key: Key, views: list[View]) -> Instruction:
        op = site.op
        assert isinstance(op, Load3dOp)
        source, destination = views
        path = self.target.path(source.space, destination.space)
        if source.empty or destination.empty:
            return self.nothing(site, path.pipe)
        top, left, bottom, right, m_start, k_start = (key[i] for i in site.scalars)
        m1, k1, rows, c0 = destination.sizes
        transpose, blocks = op.transpose is not None, self.target.dma.image2col_blocks
        reason = f"{self.target.name} loads one row or column of fractals, not {m1}x{k1}"
        require(blocks or m1 == 1 or k1 == 1, "limit", reason, destination)
        if transpose:
            require(blocks, "no-path", f"load3d of {self.target.name} does not transpose", destination)
            m1, k1 = transposed_window(destination)
            reason = f"{m1} rows of K in {destination.sizes} are no whole blocks of 16 x 16"
            require(m1 % 16 == 0, "shape", reason, destination)
            m1 //= 16
        require(
            min(top, left, bottom, right) >= 0, "limit", f"negative pads {(top, left, bottom, right)}", source
        )
        require(
            m_start >= 0 and k_start >= 0, "out-of-bounds", f"window starts at ({m_start}, {k_start})", source
        )
        check_fractals(destination, 2)
        check_blocks(source)
        reason = f"lanes of source {source.sizes} and destination {destination.sizes} differ"
        require(source.sizes[3] == c0, "shape", reason, source, destination)
        kernel, strides, dilations = (integers(p) for p in (op.kernel, op.strides, op.dilations))
        columns = source.sizes[0] * kernel[0] * kernel[1]
        reason = f"fractal columns [{k_start}, {k_start + k1}) of {columns}"
        require(k_start + k1 <= columns, "out-of-bounds", reason, source)
        geometry = (kernel, strides, dilations, (top, left, bottom, right), m_start, k_start)
        cost = load3d_cost(self.target, destination.space, *destination.sizes[:2])

        def effects() -> Effects:
            pixels = image_pixels(source, geometry, (m1 * rows, k1))
            read = (
                (Footprint(source.space, pixels, source.label, source.owner, source.mark),) if pixels else ()
            )
            return Effects(read, (Footprint.of(destination),))

        return self.make(
            site, LOCAL, path.pipe, cost=cost, contended=self.target.cube.contention > 0, effects=effects,
            bind=with_padding(values.bind_load3d, source, destination, geometry, transpose),
            check="move",
        )  # fmt: skip

    def mmad(self, site: Site, key: Key, views: list[View]) -> Instruction:
        a, b, c, *biases = views
        m, n, k, init, *unit = (key[i] for i in site.scalars)
        cube = self.target.cube
        fractal = cube.fractal.get(a.dtype)
        supported = fractal is not None and b.dtype == a.dtype and c.dtype == fractal.acc
        reason = f"the Cube of {self.target.name} has no {a.dtype} x {b.dtype} -> {c.dtype}"
        require(supported, "no-path", reason, a, b, c)
        require(not unit or cube.unit_flag, "no-path", f"{self.target.name} has no unit flag", c)
        for name, extent in (("m", m), ("n", n), ("k", k)):
            require(
                0 <= extent <= cube.max_extent, "limit", f"{name} = {extent}, at most {cube.max_extent}", c
            )
        if 0 in (m, n, k):
            return self.nothing(site, "M")
        assert fractal is not None
        shape = 16, fractal.k0
        reason = f"fractals of {a.dtype} are {shape}, not {a.sizes[2:]} and {b.sizes[2:]}"
        require(a.sizes[2:] == b.sizes[2:] == shape, "shape", reason, a, b)
        m1, n1, k1 = ceil_div(m, 16), ceil_div(n, 16), ceil_div(k, fractal.k0)
        check_fractals(a, 2)
        check_fractals(b, 2)
        check_rows(c)
        fractal_bytes = 256 * c.itemsize
        reason = f"address {c.address} of l0c is not a multiple of a fractal, {fractal_bytes}"
        require(c.address % fractal_bytes == 0, "misaligned", reason, c)
        sizes = (a.sizes[:2], b.sizes[:2], c.sizes[:2])
        enough = a.sizes[0] >= m1 and a.sizes[1] >= k1 and b.sizes[0] >= k1 and b.sizes[1] >= n1
        enough = enough and c.sizes[0] >= n1 and c.sizes[1] >= m1 * 16
        require(enough, "out-of-bounds", f"m, n, k = {m}, {n}, {k} exceed the operands {sizes}", a, b, c)
        used: tuple[View, ...] = tuple(bias.part(n) for bias in biases if init)
        for bias in biases:
            require(bias.sizes[0] >= n, "out-of-bounds", f"{bias.sizes[0]} biases for {n} columns", bias)
            packed = bias.strides[0] == bias.itemsize
            require(packed, "shape", "biases are not contiguous", bias)
        cost = mmad_cost(self.target, a.dtype, m, n, k)
        return self.make(
            site, UNIT if unit else LOCAL, "M", cost=cost,
            unit=(UNIT_WAITS if init else 0) | (UNIT_SETS if any(unit) else 0),
            flagged=Blocks.of(c.part(n1, m, 16)) if unit else NONE,
            effects=lambda: Effects(
                reads=(used_lanes(a, m, k, swap=False), used_lanes(b, n, k, swap=True))
                + (tuple(map(Footprint.of, used)) if init else (Footprint.of(c.part(n1, m1 * 16, 16)),)),
                writes=(Footprint.of(c.part(n1, m1 * 16, 16)),),
                overlaps=m1 * n1 >= cube.accumulate_overlap,
                accumulates=not init,
            ),
            bind=on_core(product_values.bind_mmad, a, b, c, m, n, k, bool(init), *used),
            spread=shadow_values.of_product(a, b, c, m, n, k, bool(init), *used),
            labels=SPILLS if m % 16 or n % 16 else 0,
            check="exact",
        )  # fmt: skip


def used_lanes(view: View, rows: int, k: int, *, swap: bool) -> Footprint:
    """Bytes of the lanes below `rows` and `k` of [M1, K1, 16, k0] fractals ([K1, N1, 16, k0] with `swap`)."""
    k0 = view.sizes[3]
    boxes: list[Box] = []
    for r0, r1, inner in ((0, rows // 16, 16), (rows // 16, ceil_div(rows, 16), rows % 16)):
        for c0, c1, lanes in ((0, k // k0, k0), (k // k0, ceil_div(k, k0), k % k0)):
            if r1 > r0 and c1 > c0:
                outer, at = ((c1 - c0, r1 - r0), (c0, r0)) if swap else ((r1 - r0, c1 - c0), (r0, c0))
                boxes.append(view.part(*outer, inner, lanes, at=(*at, 0, 0)).box())
    return Footprint(view.space, tuple(boxes), view.label, view.owner, view.mark)
