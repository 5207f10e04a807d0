"""Seconds of collective operations: ring formulas over a bandwidth and a latency.

In: bytes, ranks, bytes/s in one direction, seconds per hop. Out: seconds.
Sources: Thakur et al. 2005, https://doi.org/10.1177/1094342005051521; NCCL's own model (src/graph/tuning.cc at 01afd20a,
https://github.com/NVIDIA/nccl): hops of 3.4 µs over NVLink, 5.7 µs over PCIe, 9.6 µs over a network.
"""

from dataclasses import dataclass

NVLINK_HOP, PCIE_HOP, NETWORK_HOP = 3.4e-6, 5.7e-6, 9.6e-6


@dataclass(frozen=True, slots=True)
class Link:
    """Bytes per second in one direction between the members of a group, and seconds of one hop."""

    bandwidth: float
    hop: float


def all_reduce(size: float, ranks: int, link: Link) -> float:
    """Ring all-reduce: 2(n-1)/n · M / bandwidth + 2(n-1) hops."""
    return 0.0 if ranks <= 1 else 2 * (ranks - 1) / ranks * size / link.bandwidth + 2 * (ranks - 1) * link.hop


def all_gather(size: float, ranks: int, link: Link) -> float:
    """Ring all-gather, or reduce-scatter: (n-1)/n · M / bandwidth + (n-1) hops; M is the whole."""
    return 0.0 if ranks <= 1 else (ranks - 1) / ranks * size / link.bandwidth + (ranks - 1) * link.hop


def all_to_all(size: float, ranks: int, link: Link) -> float:
    """All-to-all: (n-1)/n · M / bandwidth + one hop; M is what one rank sends."""
    return 0.0 if ranks <= 1 else (ranks - 1) / ranks * size / link.bandwidth + link.hop


def send(size: float, link: Link) -> float:
    """Point to point."""
    return size / link.bandwidth + link.hop


@dataclass(frozen=True, slots=True)
class Network:
    """Where the GPUs stand: `inside` a server, and what each server's ports carry together in one direction."""

    inside: Link
    server_bandwidth: float
    server_gpus: int

    def link(self, ranks: int, stride: int) -> Link:
        """The link of a group whose members stand `stride` GPUs apart.

        Inside one server its own link. Across servers a ring crosses each border once, and the groups on a server share
        its ports: server bandwidth x members on the server / GPUs of the server, at most the link inside.
        """
        if ranks * stride <= self.server_gpus:
            return self.inside
        here = max(1, min(ranks, self.server_gpus // stride))
        return Link(min(self.inside.bandwidth, self.server_bandwidth * here / self.server_gpus), NETWORK_HOP)

    def each(self, ranks: int, stride: int) -> Link:
        """The link of one GPU that talks to others one by one: its own share of the ports across servers."""
        if ranks * stride <= self.server_gpus:
            return self.inside
        return Link(min(self.inside.bandwidth, self.server_bandwidth / self.server_gpus), NETWORK_HOP)
