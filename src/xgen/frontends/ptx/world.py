"""What the threads of a launch share while they are read: the layout, what was found in rounds, what is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence

from xgen.errors import Position, ProgramError, UnsupportedError, nearest
from xgen.frontends.ptx.launch import Address, Buffer, Request, Three
from xgen.frontends.ptx.layout import OF_BLOCK, OF_FRAME, SHARED, WORKSPACE, Layout, Placed, Values, readable, with_size
from xgen.frontends.ptx.module import Function, Module, Object
from xgen.frontends.ptx.numbers import Nothing
from xgen.program import automaton as xcfa

FUNCTIONS = 0x1_0000
"""Where the addresses of functions begin."""
BLOCKS = 512
"""So many have a window of shared memory each."""
STATES = 60_000
"""So many states of all threads are followed."""


class World:
    """Raises ProgramError and UnsupportedError for a launch that the text does not fit."""

    def __init__(self, module: Module, request: Request) -> None:
        self.module, self.request = module, request
        self.layout = Layout()
        self.symbols: dict[str, int] = {}
        self.values = Values(self.symbols)
        self.vectors: str = request.vectors
        launch = request.launch
        if launch.grid[0] * launch.grid[1] * launch.grid[2] > BLOCKS:
            raise UnsupportedError(f"more than {BLOCKS} blocks are not supported", None, launch.position)
        self.block_size = launch.block[0] * launch.block[1] * launch.block[2]
        self.blocks = launch.grid[0] * launch.grid[1] * launch.grid[2]
        self.clusters: list[list[int]] = []
        """The blocks of each cluster, by their ranks."""
        self.in_cluster: dict[int, tuple[int, int]] = {}
        """Of each block, the number of its cluster, and its rank there."""
        for found in module.objects.values():
            if found.space in ("global", "const"):
                self._global(found)
        for function in module.functions.values():
            for found in function.objects:
                if found.space in ("global", "const"):
                    self._global(found)
        self.functions = {FUNCTIONS + 16 * number: each for number, each in enumerate(module.functions.values())}
        self.symbols.update({each.name: address for address, each in self.functions.items()})
        self._workspace: Placed | None = None
        self.kernel = self._kernel()
        self.cluster = self._cluster()
        self.buffers = {each.name: self._buffer(each) for each in launch.buffers}
        self.arguments = self._arguments()
        self.shared_size = launch.shared
        self.shared = [self._shared(block) for block in range(self.blocks)]
        self._depots: dict[str, dict[str, int]] = {}
        self._initial()
        self.without_value: dict[tuple[str, int, int], Nothing] = {}
        self.remarks: dict[str, None] = {}
        self.found_apart: set[int] = set()
        """The threads that do something between their arrival at a barrier of a cluster and their wait there, or return
        before others have come for the last time."""
        self.at_clusters: dict[str, int] = {}
        """How often threads wait at the barrier of a cluster, at most, as the rounds so far have found."""
        self.barriers: dict[str, int] = {}
        """How often threads come to barriers that are for all of a block that have not returned, at most."""
        self.order: dict[tuple[str, int], set[tuple[str, int]]] = {}
        """What threads have been at before they come to a round of such a barrier."""
        self.comes: dict[str, dict[int, tuple[int, bool]]] = {}
        self.arriving: dict[str, set[int]] = {}
        self.active: dict[tuple[tuple[str, int], ...], int] = {}
        """The calls in which threads ask for the active lanes of their warp, numbered."""
        self.begin()

    def begin(self) -> None:
        """A new round begins."""
        self.layout.forget()
        self.refused: list[UnsupportedError] = []
        self.remarks.clear()
        self.apart = frozenset(self.found_apart)
        """Those that the rounds before have found."""
        self.known_rounds, self.known_barriers = dict(self.at_clusters), dict(self.barriers)
        """So often they do these as the rounds before have found."""
        self.cells: dict[str, int] = {}
        self.rounds: dict[str, int] = {}
        self.meetings: dict[str, str] = {}
        self.whole: set[tuple[int, int]] = set()
        self.mbarriers: set[int] = set()
        self.plain: dict[int, Position] = {}
        self.states = 0

    def size(self) -> object:
        """What was found so far: rounds end when it stays the same."""
        values = self.values
        came = sum(len(each) for each in self.comes.values()) + sum(self.at_clusters.values())
        came += sum(self.barriers.values()) + sum(len(each) for each in self.order.values())
        return (
            len(values.written),
            len(values.reached),
            values.anywhere,
            len(self.without_value),
            self.vectors,
            came,
            len(self.found_apart),
        )

    def note(self, text: str) -> None:
        self.remarks[text] = None

    def hidden(self, name: str, index: xcfa.Expression, size: int, position: Position) -> xcfa.Place:
        """A cell of an array of xgen's own."""
        self.cells[name] = max(size, 2)
        return xcfa.Place(xcfa.Name(name, position), (index,))

    def name_of(self, number: int) -> str:
        """What results call a thread."""
        return f"b{number // self.block_size}t{number % self.block_size}"

    @property
    def workspace(self) -> int:
        """The address of what cooperative groups have for barriers of a grid."""
        if self._workspace is None:
            self._workspace = self.layout.add(WORKSPACE, Object(WORKSPACE, "global", 16, 4, 16))
        return self._workspace.address

    def window(self, block: int) -> int:
        """Where the shared memory of a block begins. Those of a cluster are beside each other, by their ranks."""
        cluster, rank = self.in_cluster[block]
        return SHARED + (cluster * len(self.clusters[cluster]) + rank) * OF_BLOCK

    @property
    def is_explicit(self) -> bool:
        """Whether somebody has said how many blocks a cluster has."""
        return bool(self.request.launch.cluster or self.kernel.cluster)

    # ---- objects

    def _global(self, found: Object) -> None:
        self.symbols[found.name] = self.layout.add(readable(found.name), found).address

    def _shared(self, block: int) -> dict[str, int]:
        """The shared memory of a block: the addresses of names. What has no size is what the launch says of it."""
        start = at = self.window(block)
        symbols = {}
        functions = self.module.functions.values()
        objects = [*self.module.objects.values(), *(each for function in functions for each in function.objects)]
        named = [each for each in objects if each.space == "shared"]
        for found in sorted(named, key=lambda each: each.size == 0):
            sized = found if found.size else with_size(found, self.request.launch.shared)
            at = (at + found.align - 1) // found.align * found.align
            self.layout.add(f"{readable(found.name)}@b{block}", sized, at)
            symbols[found.name] = at
            at += sized.size if found.size else 0  # all that the launch gives begin at the same place
            self.shared_size = at - start + self.request.launch.shared
            if at > start + OF_BLOCK // 2:
                raise UnsupportedError(f"the block has more than {OF_BLOCK // 2} bytes of shared memory")
        return symbols

    def depots(self, function: Function) -> dict[str, int]:
        """Where the local memory of a function is, from where that of a call begins, by name."""
        found = self._depots.get(function.name)
        if found is None:
            found, at = {}, 0
            for each in function.objects:
                if each.space == "local":
                    at = (at + each.align - 1) // each.align * each.align
                    found[each.name] = at
                    at += each.size
            if at > OF_FRAME:
                raise UnsupportedError(
                    f"`{function.name}` has {at} bytes of local memory", self.module.source, function.position
                )
            self._depots[function.name] = found
        return found

    def depot_size(self, function: Function) -> int:
        offsets = self.depots(function)
        return max((offsets[each.name] + each.size for each in function.objects if each.name in offsets), default=0)

    # ---- the launch

    def _kernel(self) -> Function:
        wanted = self.request.launch.kernel
        kernels = {name: each for name, each in self.module.functions.items() if each.entry}
        if wanted in kernels:
            return kernels[wanted]
        plain = wanted.partition("<")[0]
        found = [each for name, each in kernels.items() if qualified(name) == plain or readable(name) == plain]
        position = self.request.launch.position
        if len(found) > 1:
            raise ProgramError(
                f"there are {len(found)} kernels `{wanted}`", None, position, f"one is called `{found[0].name}`"
            )
        if not found:
            names = {readable(name) for name in kernels}
            hint = nearest(wanted, names) or f"kernels: {', '.join(sorted(names))}" if names else "it has no kernel"
            raise ProgramError(f"there is no kernel `{wanted}`", None, position, hint)
        return found[0]

    def _cluster(self) -> Three:
        """The blocks of a cluster, as the launch or the kernel says; 1 if neither does."""
        launch = self.request.launch
        told = self.kernel.cluster
        found = launch.cluster or told or (1, 1, 1)
        if told is not None and found != told:
            message = f"the kernel says that a cluster has {_times(told)} blocks, and the launch {_times(found)}"
            raise ProgramError(message, None, launch.position, "leave `cluster(..)` out of the launch")
        for blocks, size in zip(launch.grid, found, strict=True):
            if size < 1 or blocks % size:
                message = f"a grid of {_times(launch.grid)} blocks does not consist of clusters of {_times(found)}"
                raise ProgramError(message, None, launch.position)
        counts = [blocks // size for blocks, size in zip(launch.grid, found, strict=True)]
        self.clusters = [[0] * (found[0] * found[1] * found[2]) for _ in range(counts[0] * counts[1] * counts[2])]
        for block in range(self.blocks):
            at = index_of(block, launch.grid)
            cluster = number_of([each // size for each, size in zip(at, found, strict=True)], counts)
            rank = number_of([each % size for each, size in zip(at, found, strict=True)], found)
            self.clusters[cluster][rank], self.in_cluster[block] = block, (cluster, rank)
        return found

    def _buffer(self, buffer: Buffer) -> Placed:
        size = buffer.size
        values = tuple((index * size, size, value) for index, value in enumerate(buffer.values or ()) if value)
        found = Object(buffer.name, "global", buffer.cells * size, size, 256, values, None)
        return self.layout.add(buffer.name, found)

    def _arguments(self) -> list[int]:
        launch, kernel = self.request.launch, self.kernel
        position = launch.position
        if len(launch.arguments) != len(kernel.parameters):
            count = len(kernel.parameters)
            takes = f"{count} argument{'' if count == 1 else 's'}"
            message = f"the kernel `{launch.kernel}` takes {takes}, not {len(launch.arguments)}"
            raise ProgramError(message, None, position)
        found = []
        for index, (argument, (_, size)) in enumerate(zip(launch.arguments, kernel.parameters, strict=True)):
            here = launch.places[index] if index < len(launch.places) else position
            if size not in (1, 2, 4, 8):
                message = f"this argument is a structure of {size} bytes, which is not supported"
                raise UnsupportedError(message, None, here)
            if isinstance(argument, Buffer | Address) and size != 8:
                raise ProgramError(f"this argument is a number of {size} bytes, no address", None, here)
            if isinstance(argument, Buffer):
                found.append(self.buffers[argument.name].address)
            elif isinstance(argument, Address):
                found.append(self.named(argument.name, here).address)
            else:
                found.append(argument)
        return found

    def named(self, name: str, position: Position | None) -> Placed:
        """The buffer, or else the global variable, that a launch calls so. Raises ProgramError."""
        if name in self.buffers:
            return self.buffers[name]
        placed = [each for each in self.layout.placed if each.object.space != "shared"]
        last = name.rpartition("::")[2]
        found = [each for each in placed if each.object.name == name or readable(each.object.name) == last]
        if len(found) != 1:
            names = {readable(each.object.name) for each in placed if not each.object.name.startswith("_ZN4cuda")}
            hint = nearest(name, names) or (f"there are {', '.join(sorted(names)[:12])}" if names else None)
            count = "several variables" if found else "no buffer and no global variable"
            raise ProgramError(f"there {'are' if found else 'is'} {count} `{name}`", None, position, hint)
        return found[0]

    def _initial(self) -> None:
        """What the launch says is in globals at first."""
        for each in self.request.init:
            placed = self.named(each.name, each.position)
            found = placed.object
            size = found.element or min(found.size, 4)
            offset = (each.index or 0) * size
            if offset + size > found.size:
                raise ProgramError(f"`{each.name}` has {found.size // size} cells", None, each.position)
            kept = tuple(part for part in found.initial if part[0] + part[1] <= offset or offset + size <= part[0])
            changed = Object(
                *(found.name, found.space, found.size, found.element, found.align),
                (*kept, (offset, size, each.value)),
                found.position,
            )
            new = Placed(placed.name, placed.address, changed)
            self.layout.placed[self.layout.placed.index(placed)] = new
            if each.name in self.buffers:
                self.buffers[each.name] = new


def index_of(number: int, sizes: Three) -> Three:
    """The index that a number is, where there are so many in each direction."""
    return number % sizes[0], number // sizes[0] % sizes[1], number // (sizes[0] * sizes[1])


def number_of(index: Sequence[int], sizes: Sequence[int]) -> int:
    """The number that an index is."""
    return index[0] + sizes[0] * (index[1] + sizes[1] * index[2])


def _times(sizes: Three) -> str:
    return "x".join(str(each) for each in sizes)


def qualified(name: str) -> str:
    """What the source calls a function whose name is mangled, with its namespaces."""
    found = re.match(r"_Z(N?)(\d+.*)\Z", name)
    if found is None:
        return name
    parts, text = [], found[2]
    while part := re.match(r"(\d+)", text):
        length = int(part[1])
        parts.append(text[part.end() : part.end() + length])
        text = text[part.end() + length :]
        if not found[1]:
            break
    return "::".join(parts)
