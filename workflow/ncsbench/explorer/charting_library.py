"""Vega, Vega-Lite and Vega-Embed as one script that a page loads; a package ships them."""

from __future__ import annotations


def bundle_charting_library() -> str:
    """A classic script that sets ``ncsbench.embed``, Vega-Embed; equal bytes each time.

    The bundle holds the interpreter of expressions too, so that a page may forbid ``eval``.
    """
    import vl_convert

    bundle = vl_convert.javascript_bundle("window.ncsbench.embed = vegaEmbed;")
    notice = (
        "/* Vega, Vega-Lite, Vega-Embed: copyright University of Washington Interactive Data Lab, "
        "BSD-3-Clause. D3: copyright Mike Bostock, ISC. */"
    )
    return f'{notice}\n(function () {{"use strict";\n{bundle}\n}})();\n'
