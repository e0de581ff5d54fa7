#!/usr/bin/env python3
"""Writes the machine archives of this directory.

  build_archives.py           rewrites every archive
  build_archives.py --check   exits 1 if a committed archive differs from what would be written, or has comments that
                              say nothing

Overlays, which are written by hand, and captures are left alone.  README.md describes the format, catalogue holds the
machines, tree_writer.py knows the layout of sysfs.
"""

import pathlib
import sys

sys.dont_write_bytecode = True

import headers
from catalogue import MACHINES

HERE = pathlib.Path(__file__).resolve().parent


def is_of_others(path):
    text = path.read_text(encoding="utf-8")
    return "\n# base: " in text or "\n# origin: captured" in text


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    wanted = {}
    for build in MACHINES:
        machine = build().finish()
        if f"{machine.name}.machine" in wanted:
            raise ValueError(f"two machines are called {machine.name}")
        wanted[f"{machine.name}.machine"] = machine.render()
    stale = sorted(path.name for path in HERE.glob("*.machine")
                   if path.name not in wanted and not is_of_others(path))
    if not arguments:
        for name, text in wanted.items():
            (HERE / name).write_text(text, encoding="utf-8", newline="\n")
        for name in stale:
            print(f"not written by this program: {name}", file=sys.stderr)
        return 0
    differing = [name for name, text in wanted.items()
                 if not (HERE / name).is_file() or (HERE / name).read_bytes() != text.encode()]
    for name in differing + stale:
        print(f"differs: {name}", file=sys.stderr)
    problems = list(headers.problems(HERE))
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if differing or stale or problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
