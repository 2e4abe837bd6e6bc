"""`make attack`: hostile requests and documents, and kills, against a real service, as figures.

Every figure that is a fault should be zero; one that is not is marked, and the exit code is 1.
`make attack` takes half an hour, `SHORT=1` about two minutes. REDRAFT_SEED chooses other damage.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable

from scripts import attack_documents, attack_http, counted, soak_kills
from scripts.counted import Count


def parts(*, is_short: bool) -> dict[str, Callable[[], list[Count]]]:
    """Returns what is done, by its title."""
    seed = int(os.environ.get("REDRAFT_SEED", "1"))
    sent, documents, kills, clients = (500, 100, 5, 6) if is_short else (10_000, 5_000, 150, 30)
    return {
        f"{sent} requests with damaged bytes": lambda: attack_http.run(sent, seed),
        f"{documents} damaged documents": lambda: attack_documents.run(documents, seed),
        f"{kills} kills under {clients} clients": lambda: soak_kills.run(kills, clients=clients),
    }


def main() -> int:
    """Runs the parts that the command line names, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a little of each part")
    parser.add_argument("words", nargs="*", help="only the parts whose title has one of these")
    given = parser.parse_args()
    faults = 0
    for title, part in parts(is_short=given.short).items():
        if given.words and not any(word in title for word in given.words):
            continue
        print(title, flush=True)
        counts = part()
        faults += counted.faults(counts)
        print("\n".join(counted.lines(counts)), flush=True)
    print(f"faults in all: {faults}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
