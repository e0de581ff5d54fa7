"""What the comments at the top of archives must keep to, whoever wrote them."""

import re

CHECKS = set("""
    device-missing device-count device-open device-hung kernel-modules rails port-state link-layer link-rate link-width netdev
    netdev-mtu active-mtu pfc global-pause trust dscp-map ets receive-buffer dcbx ecn roce-mode gid gid-duplicate
    gid-netdev gid-moved pkey sm firmware driver board pcie-link pcie-errors acs relaxed-ordering read-request
    link-errors packet-loss corruption pause-storm counter-saturated link-flaps bond-members virtual-function
    switch-pfc switch-mtu switch-port sm-changed mtu-path shared-subnet gpudirect memlock guid-duplicate fec sysctl gpu-count""".split())
FINDING = re.compile(r"# (fault|follows|unknown): (\S+) (\S+)")
OTHER_ARCHIVE = re.compile(r"# (base|earlier|profile): (\S+)")


def header(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return lines[:next(number for number, line in enumerate(lines) if not line.startswith("#"))]


def problems_of(path, names):
    lines = header(path)
    if lines[0] != f"# machine: {path.stem}":
        yield "its first line does not name it"
    found = set()
    for line in lines:
        other, finding = OTHER_ARCHIVE.fullmatch(line), FINDING.fullmatch(line)
        if other and other[2] not in names:
            yield f"no such archive: {line}"
        if re.match("# (fault|follows|unknown):", line) and (not finding or finding[2] not in CHECKS):
            yield f"no finding: {line}"
        if finding and finding.groups()[1:] in found:
            yield f"twice: {line}"
        if finding:
            found.add(finding.groups()[1:])


def problems(folder):
    """One text for each problem in the archives' comments, and for each archive that README.md does not list."""
    paths = sorted(folder.glob("*.machine"))
    names = {path.stem for path in paths}
    listed = re.findall(r"^\| ([\w-]+) \|", (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    for path in paths:
        yield from (f"{path.name}: {problem}" for problem in problems_of(path, names))
    yield from (f"README.md does not list {name} once" for name in sorted(names) if listed.count(name) != 1)
