"""
The function by which lowered models count what searches of boxes did (`lowering/pruning/boxes.py`); interpreters count nothing.

    @cogir_count_search(%is_done, %boxes, %points)    // 1 if the search found the optimum, and how many boxes and points it took
"""

COUNT_SEARCH = "cogir_count_search"
ARGUMENTS = 3
"""Each of them is an i64."""
