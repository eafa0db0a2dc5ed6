"""The sources of the numbers of the 950PR."""

from fidelity.source import assumed, derived, fitted, published, started
from fidelity.sources_910b1 import ODD_PITCH

SHORT_LAUNCHES = tuple(f"950: empty kernel, {blocks}" for blocks in ("1 block", "64 blocks", "1024 blocks"))
L1_MISSES = "950: GM to L1 64x64", "950: GM to L1 64x64, MTE2", "950: GM to L1 8192x512 by all, rotated"
OF_950 = (
    published("clock_mhz, memory.l2_write, memory.l2_read, memory.hbm_read", "platform file, BP data_copy"),
    fitted(
        "paths.gm->l1.rate",
        "16 and 32 KB in a row",
        "950: GM to L1, * KB in a row",
        prior=125,
        without="the 910B1's",
    ),
    fitted(
        "paths.gm->l1.row",
        "hits in rows of 128 B and 512 B",
        *("950: Matmul 8192, case 2, MTE2", "950: Matmul 8192, case 5, MTE2"),
        prior=1.8,
        without="the 910B1's",
    ),
    fitted("paths.gm->l1.miss_rate", "rows of 128 B", *L1_MISSES, prior=61, without="the rate to UB"),
    fitted("memory.request_port", "the same", *L1_MISSES, prior=0, without="none"),
    derived(
        "paths.gm->l1.same_line",
        "reads past L2",
        "950: GM to L1 8192x512 by all, in step",
        prior=0.4,
        without="the 910B1's",
    ),
    derived(
        "paths.gm->l1.issue, paths.gm->ub.issue, paths.ub->gm.issue",
        "copies of 128 B",
        *("950: GM to UB 1x64", "950: GM to UB 1x64, MTE2"),
        prior=20.6,
        without="the 910B1's",
    ),
    fitted(
        "paths.gm->ub.rate",
        "hits in rows of 128 B and 2 KB",
        *("950: GM to UB 64x64", "950: GM to UB 64x64, MTE2", "950: GM to UB 4 x 4 x 75 MB"),
        prior=61,
        without="KPP",
    ),
    fitted(
        "paths.gm->ub.miss_rate",
        "16 and 32 KB in a row",
        "950: GM to UB, * KB in a row",
        prior=64,
        without="PTO",
    ),
    fitted(
        "paths.ub->gm.rate",
        "16 and 32 KB in a row",
        "950: UB to GM, * KB in a row",
        prior=128,
        without="platform file",
    ),
    started("gm->l1", "950: GM to L1", 180, "the 910B1's"),
    started("gm->ub", "950: GM to UB", 180, "the 910B1's"),
    started("ub->gm", "950: UB to GM", 90, "the 910B1's"),
    published("paths.l1->l0?.rate, paths.l1->l0?.latency", "PERF", "950: load2d * KB to l0?"),
    published("paths.l0c->l1.*, paths.l0c->ub.*", "PERF", "950: FixPipe *"),
    published("paths.l1->l0?.*, paths.l1->bt.*, paths.l1->fb.*", "PERF"),
    derived(
        "paths.l0c->gm.rate", "its tiles", "950: Matmul 8192, case 5, FIX", prior=66, without="the 910B1's"
    ),
    assumed("paths.l0c->gm.*", "as on the 910B1"),
    published("paths.ub->l1.*, paths.l1->ub.*, paths.ub->ub.*", "platform file, KPP, DOC"),
    published("cube.fractal.*", "DOC"),
    derived("cube.issue", "4096 products a core", "950: Matmul 8192, case 8, M", prior=0.26, without="KPP"),
    assumed("cube.latency", "as on the 910B1"),
    fitted(
        "cube.contention",
        "MTE1 beside products and without",
        *("950: Matmul 8192, case 8, MTE1", "950: Matmul 8192, case 2, MTE1"),
        prior=0.19,
        without="the 910B1's",
    ),
    derived(
        "vector.operation.vexp.f32, vector.operation.vdiv.f32, vector.cycles.vexp.f32, vector.cycles.vdiv.f32",
        "6.4 cycles a repeat of GELU in one function",
        "950: GELU 8192x8192 f32, case 1, V",
        prior=2,
        without="PTO",
    ),
    derived("vector.depth", "BP gelu_eltwise, loops of 13, 8 and 5 operations"),
    published("vector.*", "PTO, DOC"),
    assumed(
        "scalar.*",
        "DOC, PTO; what loops and structured instructions cost is not published: no more than issue",
    ),
    fitted(
        "memory.hbm_chip",
        "long rows",
        *("950: GM to UB 64x1024", "950: GM to UB 64x1024, MTE2", "950: GM to UB 4 x 302 MB"),
        prior=970,
        without="1.6 TB/s (guide)",
    ),
    fitted(
        "memory.write_back",
        "reads and writes of 268 MB",
        *("950: GELU 8192x8192 f32, case 0", "950: GELU 8192x8192 f32, case 1"),
        prior=1.66,
        without="the 910B1's",
    ),
    published(
        "memory.sector, memory.l2_line",
        "what explains rows at an odd pitch",
        *(f"950: GM to {to}, pitch 24574 B*" for to in ODD_PITCH),
    ),
    assumed("memory.miss_latency", "PTO's L2 model of the 910B"),
    assumed("cross.latency", "through L2; the tail of a product that the 910B1's is from is not published"),
    fitted("launch_us", "empty kernels", *SHORT_LAUNCHES, prior=1.4, without="the 910B1's"),
    fitted("block_us", "empty kernels", *SHORT_LAUNCHES, prior=0, without="none"),
    fitted(
        "cold_us",
        "task less MTE2",
        *("950: GM to UB 64x64", "950: GM to UB 64x1024"),
        prior=0,
        without="none",
    ),
)
