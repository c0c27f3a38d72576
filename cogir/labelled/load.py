"""
`cogir.load`: the data of a file, with the interface of what was saved.
"""

from __future__ import annotations

from os import PathLike

from cogir.callers import ends_at_caller
from cogir.labelled.loaded import KINDS, Loaded


@ends_at_caller
def load(path: str | PathLike[str]) -> Loaded:
    """
    The data of a file that `save` has written, with the same interface: arrays by `node/port`, `to_xarray`, `to_dataframe`, `summary`,
    `plot`, `save`, `unfinished`, `out_of_range`, `attributes`.

    `path`: a name that ends in `.npz`, `.nc` or `.zarr`. Raises `InputError` if there is no such file, or if it holds something else.
    """
    from cogir.labelled.files import load as load_dataset

    dataset = load_dataset(path)
    if dataset.kind == "fit":
        from cogir.labelled.fits import LoadedFit  # which few need

        return LoadedFit(dataset)
    return KINDS.get(dataset.kind, Loaded)(dataset)
