"""The entries of one tree, and how they become the text described in README.md."""

import os
import re

ORIGIN = "synthetic, written from public dumps and the kernel's ABI documents"

PCI_NAME = re.compile(r"(pci)?[0-9a-f]{4}:[0-9a-f]{2}(:[0-9a-f]{2}\.[0-9a-f])?")
# Where an archive starts and how it goes on: first what a reviewer asks first.
TOP_ORDER = ["ferrule/", "etc/", "proc/", "dev/", "sys/class/", "sys/bus/", "sys/kernel/", "sys/module/",
             "sys/devices/"]


def natural_key(path):
    """Sorts mlx5_2 before mlx5_10, a range {4..255} after the single numbers, and PCI addresses as text."""
    def component_key(component):
        if PCI_NAME.fullmatch(component):
            return [(1, 0, component)]
        chunks = re.findall(r"\d+|\D+", component)
        return [(0, int(chunk), "") if chunk.isdigit() else (1, 0, chunk) for chunk in chunks]
    top = next(rank for rank, prefix in enumerate(TOP_ORDER) if path.startswith(prefix))
    return top, [component_key(component) for component in path.split("/")]


class Archive:
    """Entries of one tree; render() gives the text described in README.md."""

    def __init__(self, name, odd):
        self.name, self.odd, self.entries = name, odd, {}
        # What is wrong with it: "port-state mlx5_4/1"; profile names the archive that knows what should be there.
        self.faults, self.profile = [], None

    def file(self, path, text):
        self.entries[path] = ("file", str(text))

    def files(self, directory, **texts):
        for name, text in texts.items():
            if text is not None:
                self.file(f"{directory}/{name}", text)

    def lines(self, path, lines):
        self.entries[path] = ("lines", list(lines))

    def empty_file(self, path):
        self.entries[path] = ("empty", None)

    def empty_directory(self, path):
        self.entries[path] = ("directory", None)

    def remove(self, path):
        """Takes back an entry that a more general step made."""
        del self.entries[path]

    def link(self, path, target_path):
        """Symbolic link; target_path is relative to the tree root, as path is.

        As in the kernel, the link always ends in the target's name, also where the target is a
        directory above the link: "device -> ../../../0000:18:00.0".
        """
        parent, name = os.path.split(target_path)
        up = os.path.relpath(parent, os.path.dirname(path))
        self.entries[path] = ("link", os.path.normpath(f"{up}/{name}") if up == "." else f"{up}/{name}")

    def rows(self, directory, first, last, text):
        """One file for each number of an inclusive range."""
        if first <= last:
            name = str(first) if first == last else f"{{{first}..{last}}}"
            self.file(f"{directory}/{name}", text)

    def render(self):
        out = [f"# machine: {self.name}", f"# origin: {ORIGIN}"]
        out += [f"# odd: {remark}" for remark in self.odd]
        out += [f"# profile: {self.profile}"] if self.profile else []
        out += [f"# fault: {fault}" for fault in self.faults]
        for path in sorted(self.entries, key=natural_key):
            kind, value = self.entries[path]
            if kind == "file":
                out.append(f"{path} = {value}")
            elif kind == "empty":
                out.append(f"{path} =")
            elif kind == "directory":
                out.append(f"{path}/")
            elif kind == "link":
                out.append(f"{path} -> {value}")
            else:
                out.append(f"{path} <<")
                out += [f"|{line}" for line in value]
        return "\n".join(out) + "\n"
