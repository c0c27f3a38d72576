"""
The interface of results: a mapping from `node/port` to arrays that becomes a table, an xarray Dataset, a file, a summary, or a picture.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, NoReturn, cast

from cogir.callers import methods_end_at_caller
from cogir.errors import InputError, shown
from cogir.labelled.dataset import Array, Dataset
from cogir.labelled.names import find, path_of
from cogir.labelled.plots import plot
from cogir.labelled.summary import Summary, summary_of
from cogir.labelled.to_dataframe import to_dataframe
from cogir.labelled.to_xarray import to_xarray

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes
    from pandas import DataFrame  # pyright: ignore[reportMissingTypeStubs]


@methods_end_at_caller
class Labelled(Mapping[str, Array]):
    """
    Arrays by name, in order: iteration, `keys()`, `items()` and `values()` go over `node/port`, and `len` is their number. Indexing and
    `in` also take a node, for its first array, a pair (node, port), and handles of the builder.

    Two of them are equal only if they are the same object. Subclasses define `dataset`.
    """

    __slots__ = ()

    @abstractmethod
    def dataset(self) -> Dataset:
        """The data as plain records: axes, variables, attributes."""

    @property
    def outputs(self) -> list[str]:
        """The names of the arrays in order, as `node/port`."""
        return list(self.dataset().variables)

    def _column(self, path: str) -> Array:
        """The array of that name."""
        return self.dataset().variables[path].values

    def _output(self, wanted: str) -> str | None:
        """The first output of that name, or of the node of that name."""
        return next((path for path in self.outputs if path == wanted or path.startswith(wanted + "/")), None)

    def __getitem__(self, key: Any) -> Array:
        """The array of an output, by node or by (node, port), given as names or handles. Raises `InputError` if there is none."""
        wanted = path_of(key)
        path = self._output(wanted)
        if path is None:
            names = dict.fromkeys((*(path.rpartition("/")[0] for path in self.outputs if "/" in path), *self.outputs))
            find(wanted, names, "result")
            raise InputError(f'result: "{wanted}" is not an output')
        return self._column(path)

    def __contains__(self, key: object) -> bool:
        """True if the object can be indexed with `key`."""
        try:
            return self._output(path_of(key)) is not None
        except InputError:
            return False

    def get(self, key: Any, default: Any = None) -> Any:
        """The array of an output, or `default` if there is none."""
        return self[key] if key in self else default

    def __iter__(self) -> Iterator[str]:
        """The names of the outputs in order, as `node/port`."""
        return iter(self.outputs)

    def __len__(self) -> int:
        """The number of output ports."""
        return len(self.outputs)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        """Refuses to become one array, which is also what `pandas.DataFrame(result)` asks for."""
        first = next(iter(self), "node")
        raise InputError(
            f'result: the model has {len(self)} outputs; index one of them, such as result["{first}"], or make a table of all of '
            "them: result.to_dataframe()"
        )

    @property
    def attributes(self) -> Mapping[str, Any]:
        """The model and its text, the parameters, the seeds, the versions of cogir and NumPy, and how the run ended."""
        return self.dataset().attributes

    def to_xarray(self) -> xarray.Dataset:
        """
        The data as an `xarray.Dataset`: a variable for each array, called `node.port`, with named dimensions, labels as coordinates,
        units, and the attributes. Flags are bool variables such as `unfinished:decision`.

        xarray and the formats of its files treat a slash in a name as a folder; names have a dot instead.
        Raises `CogirError` if xarray is not installed.
        """
        return to_xarray(self.dataset())

    def to_dataframe(self, *, tidy: bool = False) -> DataFrame:
        """
        The arrays as a pandas DataFrame: a row per trial and a column per element.

        Columns are named after `node/port`, with the indices or the labels of an element in brackets: `decision/value[0]`,
        `stimulus/value[left]`, `decision/time`. They keep the dtype of the output. The index is `trial`; of replicates it is (`replicate`,
        `trial`), of a sweep its parameters come first. Trials that a replicate did not have are left out.
        `tidy`: a row per element instead, with the columns `output`, `element` and `value` after those of the index.
        Raises `CogirError` if pandas is not installed.
        """
        return to_dataframe(self.dataset(), tidy)

    def save(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """
        Writes the data with all axes, flags and attributes to a file, which `cogir.load` reads.

        The ending says the format: `.npz` (NumPy), `.nc` (netCDF) or `.zarr` (a folder); the last two need `pip install 'cogir[study]'`.
        `.csv` is the table of `to_dataframe`, without units, flags and attributes, which pandas reads and `cogir.load` does not.
        The file is there as a whole or not at all. A file that exists is refused unless `overwrite` is True.
        """
        from cogir.labelled.files import save  # zipfile and shutil take longer to load than a short run

        save(self.dataset(), path, overwrite=overwrite)

    def summary(self) -> Summary:
        """A table of the mean, the spread and the quartiles of each element, the shares of flags, and how the run ended; print it."""
        return summary_of(self.dataset())

    def plot(self, variable: Any = None, *, kind: str | None = None, axes: Axes | None = None, label: str | None = None) -> Axes:
        """
        Draws the usual picture of the data with matplotlib and returns its axes: response times by choice, trajectories, the lines or the
        map of a sweep, or a learning curve.

        `variable`: the array to show, as for indexing, or an element such as "decision/value[left]" (default: a response time if there is
        one, else the first). `kind`: "response_times", "trajectories", "histogram", "line", "map" or "curve" instead of the usual one.
        Over two swept parameters, "line" draws a line for each label, or each value of the shorter axis, and "map" colours; where one of
        them has labels, lines are usual. `axes`: where to draw (default: a new figure, `plot().figure`); what is drawn into axes that have
        a picture takes the next colours. `label`: what the legend calls the data. Raises `CogirError` if matplotlib is not installed.
        """
        if label is not None and not isinstance(cast(object, label), str):
            raise InputError(f"plot: label is {shown(label)}; give a text")
        return plot(self.dataset(), None if variable is None else path_of(variable), kind, axes, label)

    def _repr_html_(self) -> str:
        """The dimensions, the arrays and the status, for notebooks."""
        from cogir.labelled.html import html_of

        return html_of(self.dataset())
