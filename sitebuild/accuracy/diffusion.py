"""Cases of image and video generation -> the value that the project's own functions give. In: inputs. Out: a number."""

from collections.abc import Callable

from calculators.diffusion import buffers, shapes
from sitebuild.accuracy.fields import Inputs

MIB = 2**20


def _dit_mib(i: Inputs) -> float:
    tokens = shapes.image_tokens(i.integer("width"), i.integer("height"), i.integer("token_pixels", 16))
    return (
        buffers.dit_buffer_bytes(
            tokens + i.integer("text_tokens", 0),
            i.integer("heads"),
            i.integer("d"),
            i.number("lin"),
            flash_attention=i.flag("flash"),
        )
        / MIB
    )


FORMULAS: dict[str, Callable[[Inputs], float]] = {"dit_buffer_mib": _dit_mib}
