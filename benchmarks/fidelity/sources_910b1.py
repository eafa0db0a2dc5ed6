"""The sources of the numbers of the 910B1."""

from fidelity.source import assumed, derived, fitted, published, started

ODD_PITCH = "UB 64x1024", "L1 64x256"
SHORT_ROWS = "GM to L1 64x64", "GM to L1 64x64, MTE2", "GM to L1 6144x512 by all, rotated"
HITS = "GM to L1 4 x 4 x 75 MB", "Matmul 8192, case 8, MTE2", "Matmul 8192, case 1, MTE2"
WRITES = "Add 8192x8192, case 1", "910B3 GM to UB to GM, 64 KB"
FIRST_LAUNCHES = "GM to UB 64x64", "GM to UB 64x1024", "Add 8192x8192, case 5"

OF_910B1 = (
    published("clock_mhz, memory.l2_write", "platform file"),
    fitted(
        "paths.gm->l1.rate",
        "hits in rows of 2 KB, 512 B and 128 B",
        *HITS,
        prior=110,
        without="platform file",
    ),
    fitted("paths.gm->l1.row", "the same", *HITS, prior=0, without="none"),
    fitted(
        "memory.request_port", "rows of 128 B, line fetched and past L2", *SHORT_ROWS, prior=0, without="none"
    ),
    fitted("paths.gm->l1.miss_rate", "the same", *SHORT_ROWS, prior=64, without="PTO"),
    derived(
        "paths.gm->l1.issue, paths.gm->ub.issue, paths.ub->gm.issue",
        "copies of 128 B",
        *("GM to UB 1x64", "GM to UB 1x64, MTE2"),
        prior=39.4,
        without="the 950's",
    ),
    derived("paths.gm->ub.rate", "hits", "GM to UB 4 x 4 x 75 MB", prior=59, without="PTO"),
    derived("paths.gm->ub.miss_rate", "one core's reads", "Add 8192x8192, case 1", prior=64, without="PTO"),
    fitted("paths.ub->gm.rate", "one core's writes", *WRITES, prior=64, without="platform file"),
    fitted("paths.ub->gm.miss_latency", "the same", *WRITES, prior=150, without="PTO"),
    started("gm->l1", "910B1 GM to L1", 95, "the 950's"),
    started("gm->ub", "910B3 GM to UB", 170, "the 950's"),
    started("ub->gm", "910B1 UB to GM", 240, "the 950's"),
    published("paths.l1->l0?.rate, paths.l1->l0?.latency", "PERF", "load2d * KB to l0?"),
    published("paths.l1->l0?.*, paths.l1->bt.*, paths.l1->fb.*, paths.l0c->l1.*", "PERF, KPP"),
    derived("paths.l0c->gm.rate", "its tile", "FixPipe 128x256 f32 to f16", prior=72, without="the 950's"),
    derived(
        "paths.l0c->gm.wide_rate",
        "tiles of f32",
        "910B3 L0C to GM, rows of f32*",
        prior=66,
        without="as of f16",
    ),
    assumed("paths.l0c->gm.issue", "as ub->gm"),
    started("l0c->gm", "910B1 L0C to GM", 20, "as to L1"),
    published("paths.ub->ub.*", "DOC"),
    published("cube.fractal.*", "DOC"),
    derived("cube.issue", "products back to back", "mmad 128x256x64 back to back", prior=3, without="KPP"),
    fitted(
        "cube.latency",
        "products alone",
        *("mmad 64x64x64 alone", "mmad 128x256x64 alone"),
        prior=21,
        without="Huawei's roofline script",
    ),
    fitted(
        "cube.contention",
        "MTE1 beside products and without",
        *(
            "Matmul 8192, case 8, MTE1",
            "Matmul 8192, case 1, MTE1",
            "MTE1 of a block 128x256x64, apart",
            "MTE1 of a block 128x256x64, together",
        ),
        prior=0,
        without="none",
    ),
    published("vector.issue", "KPP"),
    derived("vector.latency", "64 repeats", "Add f32 x 64, no conflict", prior=20, without="PTO"),
    fitted(
        "vector.latencies.vmax, vector.latencies.vmin",
        "2 repeats, each waiting",
        *("910B3 10,000 x vmax of 256 f16*", "910B3 10,000 x vmin of 256 f16*"),
        prior=22,
        without="as vadd",
    ),
    derived(
        "vector.latencies.*",
        "2 repeats, each waiting",
        "910B3 10,000 x vexp, vln, vsqrt, vrsqrt of 256 f16*",
        prior=22,
        without="as vadd",
    ),
    published("vector.cycles.*", "DOC, KPP"),
    derived(
        "banks.clash",
        "64 repeats",
        "Add f32 x 64, source and result in one bank",
        prior=1,
        without="DOC: a cycle",
    ),
    derived(
        "banks.restart",
        "64 repeats",
        "Add f32 x 64, one block a repeat, 32 B apart",
        prior=1,
        without="DOC: a cycle",
    ),
    published("scalar.issue, scalar.flag, scalar.queue_depth", "DOC, PTO, BP"),
    derived(
        "scalar.setup", "a tile", "910B3 960 tiles of a product, scalar unit", prior=1, without="DOC: a cycle"
    ),
    fitted(
        "scalar.loop",
        "trips of one call and of four",
        "910B3 10,000 x *, scalar unit",
        prior=1,
        without="DOC: a cycle",
    ),
    fitted(
        "memory.group_read",
        "scanned on the row of the Vector cores' reads",
        "Matmul and GELU, aiv MTE2",
        prior=158,
        without="7 TB/s of L2 by 24 groups (guide)",
    ),
    derived(
        "memory.hbm_chip", "reads past L2", "Add 8192x8192, case 5", prior=865, without="1.6 TB/s (guide)"
    ),
    fitted(
        "memory.hbm_run",
        "lines alone and by fours",
        *("GM to UB 64x64", "GM to UB 64x64, MTE2", "GM to UB 64x1024", "GM to UB 64x1024, MTE2"),
        prior=0,
        without="none",
    ),
    assumed("memory.hbm_channels", "four stacks, as on the 910 (HC31), of HBM2E (JESD235)"),
    published("memory.hbm_queue", "the program that hbm_chip is from: 48 cores, copies of 64 lines"),
    published(
        "memory.sector",
        "L2's counters; what explains rows at an odd pitch",
        *(f"GM to {to}, pitch 24574 B*" for to in ODD_PITCH),
    ),
    derived("memory.miss_latency", "one core's reads", "Add 8192x8192, case 1", prior=150, without="PTO"),
    derived("memory.write_back", "reads beside it", "Add 8192x8192, case 4", prior=1, without="as a read"),
    fitted(
        "memory.same_line",
        "reads past L2",
        *("GM to UB 6144x512 by all, in step", "GM to L1 6144x512 by all, in step"),
        prior=0,
        without="none",
    ),
    fitted(
        "launch_us",
        "task less the core's own time",
        "910B3 product over *, less its Vector core",
        prior=1.205,
        without="the 950's",
    ),
    derived("head_us", "the least kernel", "910B2 matmul 64x64x64*", prior=0.675, without="the 950's launch"),
    assumed("block_us", "as on the 950"),
    fitted("cold_us", "task less MTE2", *FIRST_LAUNCHES, prior=0.7, without="the 950's"),
    derived(
        "cross.latency", "its tail", "910B3 product over 128, handed over", prior=100, without="through L2"
    ),
)
