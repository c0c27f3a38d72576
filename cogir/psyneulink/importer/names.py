"""
Names of PsyNeuLink's components as names of nodes.
"""

from __future__ import annotations


def name_in_paths(name: str) -> str:
    """A name without the characters that paths use, and without halves of characters, which no text file holds."""
    return "".join("_" if character in '/:"\\\n\r\t' or "\ud800" <= character <= "\udfff" else character for character in name)
