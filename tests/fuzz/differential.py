"""Random graphs of all ops against onnxruntime (docs/testing.md).

python tests/fuzz/differential.py --programs 2500 --chip ascend910 --seed 1     a run, appended to differential.log
python tests/fuzz/differential.py --draw-only --coverage pairs.json            what 10,000 graphs would cover
python tests/fuzz/differential.py --chip ascend910 --program 'SEED/MODE/OPS'    one graph again, reduced
"""

# pyright: basic

import argparse
import json
import multiprocessing
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))


def run(chip: str, seed: int, programs: int, options: argparse.Namespace) -> bool:
    """A campaign; whether nothing failed. Failures are printed and appended to the log's name + ".failures"."""
    from differential.campaign import Campaign, Failure
    from differential.generators import GENERATORS
    from differential.steering import Coverage

    def found(failure: Failure) -> None:
        print(failure.text(), flush=True)
        with Path(f"{options.log}.failures").open("a", encoding="utf-8") as file:
            file.write(failure.text() + "\n")

    coverage = Coverage(GENERATORS, options.coverage)
    campaign = Campaign(chip, seed, found, options.reduce, coverage)
    try:
        campaign.run(programs, options.seconds, options.draw_only)
    finally:
        campaign.log(Path(options.log))
        print(json.dumps(campaign.summary(), indent=1))
        print(coverage.table())
    return not campaign.failures


def again(chip: str, name: str, reduce_for: float) -> bool:
    from differential.campaign import Campaign, Failure, Named

    program = Named.of(name).program(chip)
    if program is None:
        print("draws nothing")
        return False
    print(program.text())

    def found(failure: Failure) -> None:
        print(failure.text())

    print(Campaign(chip, 0, found, reduce_for).one(Named.of(name), program))
    return True


def main() -> int:
    from differential.campaign import CHIPS

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--chip", action="append", choices=CHIPS, help="default: all, one after the other")
    parser.add_argument("--programs", type=int, default=2500, help="graphs for each chip")
    parser.add_argument("--seconds", type=float, help="for each chip and job, at most")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(31))
    parser.add_argument(
        "--jobs", type=int, default=1, help="processes; each draws its share from a seed of its own"
    )
    parser.add_argument("--log", default="differential.log")
    parser.add_argument("--reduce", type=float, default=20, help="seconds to reduce a failure")
    parser.add_argument("--coverage", type=Path, help="a file of pairs covered, to which runs add")
    parser.add_argument("--draw-only", action="store_true", help="compile nothing: what would be covered")
    parser.add_argument("--program", help="one graph by its name")
    options = parser.parse_args()
    chips = options.chip or CHIPS
    if options.program:
        results = [again(chip, options.program, options.reduce) for chip in chips]
        return 0 if all(results) else 1
    print(f"seed {options.seed}")
    share = -(-options.programs // options.jobs)
    work = [(chip, options.seed + job, share, options) for chip in chips for job in range(options.jobs)]
    if options.jobs == 1:
        results = [run(*one) for one in work]
        return 0 if all(results) else 1
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        return 0 if all(pool.starmap(run, work, chunksize=1)) else 1


if __name__ == "__main__":
    sys.exit(main())
