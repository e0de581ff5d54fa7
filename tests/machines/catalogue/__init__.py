"""Every full machine, by family."""

from catalogue import clouds, guests, infiniband, makers, oci, roce, sockets

MACHINES = [build for family in (infiniband, roce, guests, makers, oci, clouds, sockets) for build in family.MACHINES]
