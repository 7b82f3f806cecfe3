// A piece of code: coloured, long ones folded, what was cut said.
(function (ncsbench) {
  "use strict";

  const { make, button, link } = ncsbench.dom;
  const { count, many } = ncsbench.numbers;
  const FOLDED = 20;
  const SPARED = 5; // folding away fewer lines than this saves nothing

  /** The code's first lines, as text. */
  function head(code) {
    let end = -1;
    for (let line = 0; line < FOLDED; line += 1) {
      end = code.indexOf("\n", end + 1);
      if (end < 0) return code;
    }
    const left = code.slice(end + 1).split("\n").length;
    return left <= SPARED ? code : code.slice(0, end);
  }

  /** Code with marks. about: {label, marks (offsets), more: characters that were cut, address: of the whole}. */
  function open(code, about) {
    const marks = about.marks || [];
    const body = make("code", null);
    const pre = make("pre", { tabindex: "0", role: "group", "aria-label": about.label }, body);
    const shown = head(code);
    body.append(...ncsbench.java.nodes(shown, marks));
    const parts = [pre];
    if (shown.length < code.length) {
      const lines = code.split("\n").length;
      const whole = button(
        `Show all ${many(lines, "line")}`,
        function () {
          body.replaceChildren(...ncsbench.java.nodes(code, marks));
          whole.remove();
          pre.focus();
        },
        { class: "small" },
      );
      parts.push(whole);
    }
    if (about.more > 0) {
      const rest = [
        `${count(about.more)} more characters are left out here`,
        about.address ? ": " : ".",
        about.address ? link(about.address, "the whole method") : null,
      ];
      parts.push(make("p", { class: "note" }, rest));
    }
    return make("div", { class: "code" }, parts);
  }

  ncsbench.code = { open };
})(window.ncsbench);
