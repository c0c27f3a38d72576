"""`model.stages()`: the texts of the compiler's stages, and how notebooks show them."""

import re

import pytest

import cogir
from cogir import library
from cogir.dialects.text import parse_text
from cogir.frontend.stages import NAMES
from cogir.lowering.pipeline import lower_to
from cogir.pictures.levels import MOST_LINES, highlighted, levels_html


def model() -> cogir.Model:
    m = cogir.Model("squash")
    m.project(m.node("stimulus", input=2), m.node("answer", library.logistic, input=2))
    return m


def test_each_stage_is_what_the_pipeline_leaves() -> None:
    stages = model().stages()
    assert tuple(stages) == NAMES
    module = model().ir()
    since = "cog"
    for stage in ("cog", "machine", "loops"):
        lower_to(module, stage, since=since)
        since = stage
        assert str(parse_text(stages[stage])) == str(module)
        parse_text(stages[stage]).verify()
    assert "define" in stages["llvm-ir"]
    assert "ret" in stages["asm"]


def test_some_stages_are_not_lowered_further() -> None:
    stages = model().stages("machine", "cog")
    assert tuple(stages) == ("machine", "cog")
    with pytest.raises(cogir.InputError, match=r"'loops' is not among machine, cog; model\.stages"):
        stages["loops"]
    with pytest.raises(cogir.InputError, match=r'there is no stage "machin"; did you mean "machine"\?'):
        model().stages("machin")


def test_models_from_text_have_stages() -> None:
    assert "cog.model" in cogir.Model.from_ir(str(model().ir())).stages("cog")["cog"]


def test_terminals_show_names_and_print_shows_texts() -> None:
    stages = model().stages("cog", "machine")
    assert re.fullmatch(r'<stages of "squash": cog \(\d+ lines\), machine \(\d+ lines\); print\(stages\["cog"\]\) shows one>', repr(stages))
    assert str(stages).count("// squash: ") == 2
    assert stages["machine"].strip() in str(stages)


def test_notebooks_show_a_tab_for_each_stage() -> None:
    stages = model().stages("cog", "machine")
    html = stages._repr_html_()
    assert len(re.findall(r'<input type="radio"', html)) == html.count('<div class="level">') == 2
    (key,) = set(re.findall(r'name="(\w+)"', html))
    assert html.count(" checked>") == 1
    assert f"#{key} > input:nth-of-type(2):checked ~ .level:nth-of-type(2)" in html
    shown = re.findall(r"<pre>(.*?)</pre>", html, re.DOTALL)
    for text, stage in zip(shown, stages, strict=True):
        plain = re.sub(r"<[^>]*>", "", text).replace("&gt;", ">").replace("&lt;", "<").replace("&quot;", '"').replace("&amp;", "&")
        assert plain == stages[stage].rstrip()
    assert "<script" not in html


def test_a_model_that_is_shown_twice_has_tabs_of_its_own() -> None:
    one, two = (levels_html({"cog": "a", "machine": "b"}) for _ in range(2))
    ids = re.findall(r' id="([\w-]+)"', one + two)
    assert len(ids) == len(set(ids)) == 6
    assert set(re.findall(r'name="(\w+)"', one)).isdisjoint(re.findall(r'name="(\w+)"', two))


def test_stages_are_a_mapping() -> None:
    stages = model().stages("cog", "machine")
    assert "cog" in stages
    assert "asm" not in stages
    assert stages.get("cog") == stages["cog"]
    assert stages.get("asm") is None
    assert stages.get("asm", "nothing") == "nothing"
    assert dict(stages) == dict(stages.items())
    with pytest.raises(cogir.InputError, match="is not among cog, machine"):
        stages["asm"]


def test_long_texts_are_cut_and_say_so() -> None:
    assert "// and 5 more lines" in levels_html({"cog": "x\n" * (MOST_LINES + 5)})


def test_tokens_are_coloured_and_nothing_is_lost() -> None:
    html = highlighted('%x = arith.addf %a, %b : f64  // "a < b"')
    assert '<span class="v">%x</span>' in html
    assert '<span class="o">arith.addf</span>' in html
    assert '<span class="t">f64</span>' in html
    assert html.endswith('<span class="c">// &quot;a &lt; b&quot;</span>')
    assert highlighted("ret double 0.0 ; <done>").endswith('<span class="t">double</span> 0.0 <span class="c">; &lt;done&gt;</span>')
