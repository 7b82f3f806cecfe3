// A figure: heading, how to read it, drawing, its numbers as a table and as a CSV file.
(function (ncsbench) {
  "use strict";

  const { make, renew } = ncsbench.dom;
  const NEAR = "400px"; // drawn before it is scrolled to
  const COLOURS = [
    "--series-1",
    "--series-2",
    "--series-3",
    "--series-4",
    "--series-5",
    "--series-6",
    "--series-7",
  ];
  const ink = (name) => `var(${name})`;

  // Colours are the variables of style.css: an SVG follows light and dark by itself, on the screen and in print.
  const THEME = {
    background: "transparent",
    aria: false, // one label says what the figure shows; marks one by one say nothing
    view: { stroke: null },
    axis: {
      labelColor: ink("--soft"),
      titleColor: ink("--soft"),
      gridColor: ink("--line"),
      domainColor: ink("--strong-line"),
      tickColor: ink("--strong-line"),
      labelFontSize: 12,
      titleFontSize: 12,
      titleFontWeight: "normal",
      labelPadding: 6,
      titlePadding: 10,
    },
    legend: {
      labelColor: ink("--ink"),
      titleColor: ink("--soft"),
      labelFontSize: 12,
      titleFontSize: 12,
      titleFontWeight: "normal",
      orient: "bottom",
      symbolStrokeWidth: 2.5,
    },
    text: { fill: ink("--ink"), fontSize: 12 },
    range: { category: COLOURS.map(ink) },
  };
  // Long names in lines that end at a sign: cut off, two models could look like one.
  const NARROW_LABELS = {
    labelLimit: 132,
    labelFontSize: 11,
    labelLineHeight: 11,
    labelExpr: `split(replace(datum.label, regexp("(?!.{1,20}$)(.{1,19}[ _/.-]|.{20})", "g"), "$1\\n"), "\\n")`,
  };
  const OPTIONS = {
    mode: "vega-lite",
    renderer: "svg",
    actions: false,
    defaultStyle: false,
    ast: true,
    logLevel: 1,
  };

  /** The little table beside the pointer. */
  function tooltip(handler, event, item, value) {
    document.querySelector(".tooltip")?.remove();
    if (!value || typeof value !== "object") return;
    const rows = Object.entries(value).map(([name, text]) =>
      make("tr", null, make("th", null, name), make("td", null, String(text))),
    );
    const box = make(
      "div",
      { class: "tooltip", "aria-hidden": "true" },
      make("table", null, make("tbody", null, rows)),
    );
    document.body.append(box);
    const left = Math.max(8, Math.min(event.clientX + 14, window.innerWidth - box.offsetWidth - 8));
    const above = event.clientY + 14 + box.offsetHeight > window.innerHeight;
    box.style.left = `${left}px`;
    box.style.top = `${above ? event.clientY - box.offsetHeight - 14 : event.clientY + 14}px`;
  }

  function numbers(columns, rows) {
    const headings = columns.map((name) => make("th", { scope: "col" }, name));
    const cells = (row) =>
      row.map((value) =>
        make(
          "td",
          { class: typeof value === "number" ? "number" : null },
          value === null ? "" : String(ncsbench.numbers.plain(value)),
        ),
      );
    const line = (row) => make("tr", null, cells(row));
    return ncsbench.dom.table(null, headings, rows.map(line));
  }

  /** A drawing of one specification in a box as wide as the page lets it be. */
  async function draw(box, specification, press) {
    const embed = await ncsbench.data.loadCharts();
    const width = Math.floor(box.clientWidth);
    if (width < 50) return null;
    const narrow = width < 520;
    const axisY = narrow ? NARROW_LABELS : { labelLimit: 260 };
    const full = { ...specification(width, narrow), width, autosize: { type: "fit-x", contains: "padding" } };
    const result = await embed(box, full, {
      ...OPTIONS,
      tooltip,
      config: { ...THEME, font: window.getComputedStyle(document.body).fontFamily, axisY },
    });
    if (press) result.view.addEventListener("click", (event, item) => item?.datum && press(item.datum));
    return result;
  }

  /** Call a function when an element's width changes, once it has settled; returns what ends that. */
  function onResize(element, act) {
    let width = 0;
    let waiting = 0;
    const observer = new ResizeObserver(function () {
      if (element.clientWidth === width) return;
      window.clearTimeout(waiting);
      if (width) waiting = window.setTimeout(act, 150);
      width = element.clientWidth;
    });
    observer.observe(element);
    return function () {
      window.clearTimeout(waiting);
      observer.disconnect();
    };
  }

  /** Call a function once, when an element comes near the view; returns what ends that. */
  function onNear(element, act) {
    const observer = new IntersectionObserver(
      function (entries) {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        act();
      },
      { rootMargin: NEAR },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }

  /** The place of a figure's drawings: paint draws them anew, fail is told why they cannot be drawn. */
  function canvas(press, fail) {
    const element = make("div", { class: "drawing", role: "img" });
    let drawn = [];
    let turn = 0; // a later painting ends the ones before

    function forget() {
      turn += 1;
      for (const result of drawn) result?.finalize();
      drawn = [];
    }

    async function paint(drawings) {
      element.style.minHeight = `${element.offsetHeight}px`; // the page must not jump meanwhile
      forget();
      const mine = turn;
      const places = drawings.map(() => make("div", { "aria-hidden": "true" })); // the label says it
      element.replaceChildren(...places);
      try {
        for (const [at, specification] of drawings.entries()) {
          const result = await draw(places[at], specification, press);
          if (mine === turn) drawn.push(result);
          else result?.finalize();
        }
      } catch (error) {
        if (mine === turn) fail(`This figure cannot be drawn: ${error.message}`);
      }
      element.classList.add("drawn");
      element.style.minHeight = "";
    }
    return { element, paint, forget };
  }

  /** The elements of a figure: what show() of open() fills. */
  function layout(figure, box, table) {
    const id = `figure-${figure.name}`;
    const controls = make("div", { class: "controls" });
    const finding = make("p", { class: "finding" });
    const rows = make("div", {
      class: "scroller",
      role: "region",
      tabindex: "0",
      "aria-label": `${figure.title}: numbers`,
    });
    const fill = () => details.open && rows.replaceChildren(numbers(table().columns, table().rows));
    const details = make(
      "details",
      { class: "numbers", toggle: fill },
      make("summary", null, "Numbers"),
      rows,
    );
    const save = ncsbench.csv.saveButton(figure.name, table, figure.title);
    const title = make("div", { class: "title" }, make("h3", { id, tabindex: "-1" }, figure.title), save);
    const element = make(
      "section",
      { class: "figure", "aria-labelledby": id },
      title,
      make("p", { class: "help" }, figure.help),
      controls,
      box,
      finding,
      details,
    );

    /** Show what was built; a figure without data is a sentence. */
    function show(built) {
      for (const part of [box, details, save]) part.hidden = Boolean(built.empty);
      finding.textContent = built.empty || built.says;
      box.setAttribute("aria-label", `${figure.title}. ${built.says || ""}`);
      if (!built.empty) fill();
    }
    return { element, controls, show };
  }

  /**
   * A figure that is drawn when it comes near.
   *
   * @param {object} figure name (of its files), title, help, depends (parameters that it is made of),
   *   controls(parameters) as elements or nothing, and build(parameters), which gives {drawings: functions of
   *   the width that return Vega-Lite, says: its main finding, columns, rows} or {empty: a sentence};
   *   press(datum) for a mark that is pressed.
   * @param {object} parameters of the address.
   */
  function open(figure, parameters) {
    let built = { columns: [], rows: [] };
    let now = parameters;
    let key = null;
    let near = false;
    const place = canvas(figure.press, (message) => show({ empty: message }));
    const parts = layout(figure, place.element, () => built);
    const paint = () => near && built.drawings && place.paint(built.drawings);

    function show(result) {
      built = result;
      parts.show(result);
      if (result.empty) place.forget();
      else return paint();
      return null;
    }

    async function refresh() {
      const wanted = JSON.stringify(figure.depends.map((name) => now[name] || ""));
      if (wanted === key) return;
      key = wanted;
      if (figure.controls) renew(parts.controls, figure.controls(now) || []);
      try {
        await show(await figure.build(now));
      } catch (error) {
        show({ empty: error.message });
      }
    }

    /** Draw it now, wherever it is; a figure that is drawn stays as it is. */
    async function draw() {
      if (near) return;
      near = true;
      await paint();
    }

    const ends = [
      onNear(parts.element, draw),
      onResize(place.element, paint),
      place.forget,
      tooltip,
    ];
    refresh();
    const update = function (changed) {
      now = changed;
      refresh();
    };
    return { element: parts.element, update, draw, leave: () => ends.forEach((end) => end()) };
  }

  ncsbench.figure = { open, ink, COLOURS };
})(window.ncsbench);
