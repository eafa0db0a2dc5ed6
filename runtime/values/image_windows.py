"""Which part of an image an image-to-column load reads, and how many rows and columns of it. Decoding asks for both."""

from typing import Any

from ..machine.memory import Box, View


def transposed_window(destination: View) -> tuple[int, int]:
    """Rows and fractal columns of the window that a transposing image-to-column load turns over into `[M1, K1, 16, c0]`
    in l0a or `[K1, N1, 16, c0]` in l0b: its rows are K."""
    first, second, rows, c0 = destination.sizes
    k1, other = (second, first) if destination.space == "l0a" else (first, second)
    return k1 * c0, other * rows // c0


def image_pixels(source: View, geometry: tuple[Any, ...], window: tuple[int, int]) -> tuple[Box, ...]:
    """Bytes of the map that a load of `window` (rows, fractal columns) reads, one box per run of pixels."""
    (kh, kw), (row_step, column_step), dilations, (top, left, bottom, right), m_start, k_start = geometry
    rows, columns = window
    blocks, height, width = source.sizes[:3]
    ho = (height + top + bottom - (kh - 1) * dilations[0] - 1) // row_step + 1
    wo = (width + left + right - (kw - 1) * dilations[1] - 1) // column_step + 1
    end = min(m_start + rows, ho * wo)
    by_block, by_row, by_pixel = source.strides[:3]
    starts = set[int]()
    for k in range(k_start, k_start + columns):
        block, place = divmod(k, kh * kw)
        if block >= blocks or end <= m_start:
            continue
        up, aside = place // kw * dilations[0] - top, place % kw * dilations[1] - left
        for line in range(m_start // wo, -(-end // wo)):
            y = line * row_step + up
            if 0 <= y < height:
                # columns of the result in this line, those that fall into the padding left out
                first = max(m_start - line * wo, 0, -(aside // column_step))
                last = min(end - line * wo, wo, -(-(width - aside) // column_step))
                base = source.address + block * by_block + y * by_row + aside * by_pixel
                step = column_step * by_pixel
                if by_pixel and first < last:
                    starts.update(range(base + first * step, base + last * step, step))
                elif first < last:
                    starts.add(base)
    return _runs(sorted(starts), source.sizes[3] * source.itemsize)


def _runs(starts: list[int], size: int) -> tuple[Box, ...]:
    """Boxes of pixels of so many bytes, those that follow each other in one."""
    found: list[Box] = []
    for i, start in enumerate(starts):
        if i and start - starts[i - 1] == size:
            continue
        end = i
        while end + 1 < len(starts) and starts[end + 1] - starts[end] == size:
            end += 1
        found.append(Box(start, (), (), starts[end] - start + size))
    return tuple(found)
