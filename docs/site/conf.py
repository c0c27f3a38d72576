"""
The settings of the site, which `make docs` builds with the network off: styles, scripts, fonts and formulas are files of the site.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT), str(HERE)]
# Kernels of notebooks are processes of their own, which import what this process does.
os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")

import cogir  # noqa: E402

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "cogir"
author = "The cogir developers"
version = release = cogir.__version__
extensions = ["myst_nb", "sphinx_gallery.gen_gallery", "sphinx_design", "formulas", "kernels", "lexers"]
# The notebooks that the gallery writes for download are no pages.
exclude_patterns = ["files", "gallery/*.ipynb", "gallery/**/*.ipynb", "gallery/**/*.json"]
default_role = "code"
highlight_language = "python"
pygments_style = "default"
smartquotes = False  # docstrings quote names as code does
# LLVM IR and assembly have more syntax than their lexers know.
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
nitpicky = False

# Pages: Markdown; those with cells are executed, and what they print is kept until they change.
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "attrs_inline"]
myst_heading_anchors = 4
nb_execution_mode = "cache"
nb_execution_cache_path = str(ROOT / "build" / "cells")
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True
# Progress bars.
nb_output_stderr = "remove"
nb_ipywidgets_js: dict[str, dict[str, str]] = {}
html_math_renderer = "mathml"

# The gallery: the scripts of examples/gallery, executed.
sphinx_gallery_conf = {
    "examples_dirs": ["../../examples/gallery"],  # as seen from build/pages
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"/(?!figures)[a-z_0-9]+\.py$",
    "subsection_order": [f"../../examples/gallery/{name}" for name in ("decisions", "networks", "learning", "studies", "compiler")],
    "within_subsection_order": "FileNameSortKey",
    "capture_repr": ("_repr_html_", "__repr__"),
    "ignore_repr_types": r"matplotlib.*|builtins.*|numpy.*",
    "download_all_examples": False,
    "show_memory": False,
    # That page fetches scripts from elsewhere.
    "write_computation_times": False,
    "min_reported_time": 0,
    "show_signature": False,
    "abort_on_example_error": False,
    "image_scrapers": ("matplotlib",),
    "matplotlib_animations": False,
    "remove_config_comments": True,
    "plot_gallery": "True",
    "nested_sections": False,
}

html_theme = "pydata_sphinx_theme"
html_title = f"cogir {release}"
html_static_path = [str(HERE / "static")]
html_css_files = ["cogir.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "cogir"},
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": True,
    "use_edit_page_button": False,
}
html_sidebars: dict[str, list[str]] = {"index": [], "performance": []}
copyright = "The cogir developers; Apache License 2.0"


def say_time_of_gallery(before: tuple[float, float]) -> None:
    """Prints the time that the gallery has taken, which has a bound of five minutes on two processors."""
    elapsed, used = (now - then for now, then in zip((time.perf_counter(), time.process_time()), before, strict=True))
    print(f"gallery executed: {elapsed:.0f} s, {used:.0f} s of processor time", flush=True)


def setup(app: Sphinx) -> None:
    """Figures without a screen, and the time of the gallery."""
    import matplotlib

    matplotlib.use("Agg")
    # The gallery is executed when the builder is ready, with the usual priority of 500.
    begun: list[tuple[float, float]] = []
    app.connect("builder-inited", lambda _: begun.append((time.perf_counter(), time.process_time())), priority=499)
    app.connect("builder-inited", lambda _: say_time_of_gallery(begun[-1]), priority=501)
