// A figure: heading, how to read it, drawing, its numbers as a table and as a CSV file.
(function (ncsbench) {
  "use strict";

  const { make, renew } = ncsbench.dom;
  const NEAR = "400px"; // drawn before it is scrolled to
  const COLOURS = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6", "--series-7"];
  const ink = (name) => `var(${name})`;

  // Colours are the variables of style.css: an SVG follows light and dark by itself, on the screen and in print.
  const THEME = {
    background: "transparent",
    aria: false, // one label says what the figure shows; marks one by one say nothing
    view: { stroke: null },
    axis: { labelColor: ink("--soft"), titleColor: ink("--soft"), gridColor: ink("--line"), domainColor: ink("--strong-line"), tickColor: ink("--strong-line"), labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", labelPadding: 6, titlePadding: 10 },
    legend: { labelColor: ink("--ink"), titleColor: ink("--soft"), labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", orient: "bottom", symbolStrokeWidth: 2.5 },
    text: { fill: ink("--ink"), fontSize: 12 },
    range: { category: COLOURS.map(ink) },
  };
  // Long names in two lines: cut off, two models could look like one.
  const NARROW_LABELS = { labelLimit: 132, labelFontSize: 11, labelLineHeight: 11, labelExpr: "length(datum.label) > 20 ? [slice(datum.label, 0, 20), slice(datum.label, 20)] : datum.label" };
  const OPTIONS = { mode: "vega-lite", renderer: "svg", actions: false, defaultStyle: false, ast: true, logLevel: 1 };

  /** The little table beside the pointer. */
  function tooltip(handler, event, item, value) {
    document.querySelector(".tooltip")?.remove();
    if (!value || typeof value !== "object") return;
    const rows = Object.entries(value).map(([name, text]) => make("tr", null, make("th", null, name), make("td", null, String(text))));
    const box = make("div", { class: "tooltip", "aria-hidden": "true" }, make("table", null, make("tbody", null, rows)));
    document.body.append(box);
    const left = Math.max(8, Math.min(event.clientX + 14, window.innerWidth - box.offsetWidth - 8));
    const above = event.clientY + 14 + box.offsetHeight > window.innerHeight;
    box.style.left = `${left}px`;
    box.style.top = `${above ? event.clientY - box.offsetHeight - 14 : event.clientY + 14}px`;
  }

  function numbers(columns, rows) {
    const headings = columns.map((name) => make("th", { scope: "col" }, name));
    const cells = (row) => row.map((value) => make("td", { class: typeof value === "number" ? "number" : null }, value === null ? "" : String(value)));
    return make("table", null, make("thead", null, make("tr", null, headings)), make("tbody", null, rows.map((row) => make("tr", null, cells(row)))));
  }

  /** A drawing of one specification in a box as wide as the page lets it be. */
  async function draw(box, specification, press) {
    const embed = await ncsbench.data.loadCharts();
    const width = Math.floor(box.clientWidth);
    if (width < 50) return null;
    const narrow = width < 520;
    const axisY = narrow ? NARROW_LABELS : { labelLimit: 260 };
    const full = { ...specification(width, narrow), width, autosize: { type: "fit-x", contains: "padding" } };
    const result = await embed(box, full, { ...OPTIONS, tooltip, config: { ...THEME, font: window.getComputedStyle(document.body).fontFamily, axisY } });
    if (press) result.view.addEventListener("click", (event, item) => item?.datum && press(item.datum));
    return result;
  }

  /**
   * A figure that is drawn when it comes near.
   *
   * @param {object} figure name (of its files), title, help, controls(parameters) as elements or null, and
   *   build(parameters), which gives {drawings: functions of the width that return Vega-Lite, says: its main
   *   finding, columns, rows} or {empty: a sentence}; press(datum) for a mark that is pressed.
   */
  function open(figure, parameters) {
    const boxes = make("div", { class: "drawing", role: "img" });
    const controls = make("div", { class: "controls" });
    const finding = make("p", { class: "finding" });
    const table = make("div", { class: "scroller", role: "region", tabindex: "0", "aria-label": `${figure.title}: numbers` });
    const details = make("details", { class: "numbers", toggle: fill }, make("summary", null, "Numbers"), table);
    const save = ncsbench.csv.saveButton(figure.name, () => ({ columns: built.columns, rows: built.rows }), figure.title);
    const id = `figure-${figure.name}`;
    const element = make("section", { class: "figure", "aria-labelledby": id }, make("div", { class: "title" }, make("h3", { id, tabindex: "-1" }, figure.title), save), make("p", { class: "help" }, figure.help), controls, boxes, finding, details);
    let built = { columns: [], rows: [] };
    let key = null;
    let near = false;
    let turn = 0;
    let drawn = [];

    function fill() {
      if (details.open && built.rows) table.replaceChildren(numbers(built.columns, built.rows));
    }

    function forget() {
      for (const result of drawn) result?.finalize();
      drawn = [];
    }

    async function paint() {
      if (!near || !built.drawings) return;
      const mine = (turn += 1);
      const height = boxes.offsetHeight;
      boxes.style.minHeight = `${height}px`; // the page must not jump while a figure is drawn anew
      forget();
      const places = built.drawings.map(() => make("div", { "aria-hidden": "true" })); // the label says it
      boxes.replaceChildren(...places);
      try {
        for (const [at, specification] of built.drawings.entries()) {
          const result = await draw(places[at], specification, figure.press);
          if (mine !== turn) return result?.finalize();
          drawn.push(result);
        }
        boxes.classList.add("drawn");
      } catch (error) {
        boxes.replaceChildren(make("p", { class: "alarm" }, `This figure cannot be drawn: ${error.message}`));
      }
      boxes.style.minHeight = "";
      return undefined;
    }

    function show(result) {
      built = result;
      const empty = Boolean(result.empty);
      boxes.hidden = empty;
      details.hidden = empty;
      save.hidden = empty;
      finding.textContent = result.empty || result.says;
      boxes.setAttribute("aria-label", `${figure.title}. ${result.says || ""}`);
      if (empty) forget();
      fill();
      paint();
    }

    async function update(now) {
      const wanted = JSON.stringify((figure.depends || []).map((name) => now[name] || ""));
      if (wanted === key) return;
      key = wanted;
      if (figure.controls) renew(controls, ...figure.controls(now));
      try {
        show(await figure.build(now));
      } catch (error) {
        show({ empty: error.message });
      }
    }

    const watch = new IntersectionObserver(function (entries) {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      near = true;
      if (figure.late) update(parameters);
      else paint();
    }, { rootMargin: NEAR });
    watch.observe(element);

    let width = 0;
    let waiting = 0;
    const resized = new ResizeObserver(function () {
      if (boxes.clientWidth === width) return;
      const before = width;
      width = boxes.clientWidth;
      window.clearTimeout(waiting);
      if (before && near) waiting = window.setTimeout(paint, 150);
    });
    resized.observe(boxes);
    if (!figure.late) update(parameters);

    function leave() {
      watch.disconnect();
      resized.disconnect();
      window.clearTimeout(waiting);
      turn += 1;
      forget();
      tooltip();
    }
    return { element, leave, update: (now) => ((parameters = now), figure.late && !near ? undefined : update(now)) };
  }

  ncsbench.figure = { open, ink, COLOURS };
})(window.ncsbench);
