// Table 1: models, baselines and published systems, each group sorted by itself.
(function (ncsbench) {
  "use strict";

  const { make, draw, breakable, unseen, scroller } = ncsbench.dom;
  const { known, decimal, interval } = ncsbench.numbers;
  const { BASELINES, tableRows, describe } = ncsbench.judged;
  const CUTS = ["1", "5", "10"];
  const SIGNS = { equivalent: "≈", different: "≠", inconclusive: "?" };

  function figureColumns(prefix, kind) {
    const counts = CUTS.map((k) => ({
      key: `${prefix}answered_${k}`,
      label: `@${k}`,
      hint: `Answered@${k}: questions with a right method among the first ${k}`,
      kind,
    }));
    return [
      ...counts,
      {
        key: `${prefix}mrr`,
        label: "MRR",
        hint: "mean reciprocal rank of the first right method",
        kind: prefix ? kind : "interval",
      },
    ];
  }

  /** Groups of columns: those of published figures only where some are there. */
  function groups(summary, rows) {
    const published = rows.some((row) => row.published_as);
    const all = [
      { title: "", columns: [{ key: "model", label: "Model, trained on", kind: "model" }] },
      { title: `Answered, lenient judge (${describe(summary.judge)})`, columns: figureColumns("", "figure") },
      { title: `Strict judge (${describe(summary.strict)})`, columns: figureColumns("strict_", "figure") },
      {
        title: "",
        columns: [
          {
            key: "median_lines",
            label: "Lines",
            hint: "median length of the first ten results, in lines",
            kind: "figure",
          },
        ],
      },
      ...(published
        ? [
            {
              title: "Published",
              columns: [
                { key: "published_as", label: "System", kind: "text" },
                ...figureColumns("published_", "published"),
              ],
            },
          ]
        : []),
    ];
    for (const group of all.slice(1)) group.columns[0].first = true;
    return all;
  }

  function sorted(rows, sort) {
    const number = rows.some((row) => known(row[sort.key])) && sort.key !== "model";
    const sign = sort.down ? -1 : 1;
    const compare = (one, other) =>
      number
        ? sign * (Number(one[sort.key]) - Number(other[sort.key]))
        : sign * one[sort.key].localeCompare(other[sort.key]);
    const empty = (row) => row[sort.key] === "";
    return [...rows].sort(
      (one, other) => empty(one) - empty(other) || (empty(one) ? 0 : compare(one, other)),
    );
  }

  /** A bar of the interval with a tick at the figure, on a scale that all rows share. */
  function whisker(row, highest) {
    const at = (value) => (100 * Number(value)) / highest;
    return draw(
      "svg",
      {
        class: "whisker",
        viewBox: "0 0 100 10",
        preserveAspectRatio: "none",
        "aria-hidden": "true",
        focusable: "false",
      },
      draw("line", { x1: 0, x2: 100, y1: 5, y2: 5, class: "track" }),
      draw("rect", {
        x: at(row.mrr_low),
        width: at(row.mrr_high) - at(row.mrr_low),
        y: 3,
        height: 4,
        class: "range",
      }),
      draw("rect", { x: at(row.mrr) - 0.9, width: 1.8, y: 0, height: 10, class: "value" }),
    );
  }

  /** The verdict, with the outcome without correction where that is another one. */
  function verdict(text, alone) {
    if (!text) return null;
    const [word, reason] = text.split(/:\s*(.*)/s);
    const sign = SIGNS[word] || "";
    return make(
      "span",
      { class: "verdict" },
      `${sign} ${word}`,
      reason ? make("span", { class: "reason" }, reason) : null,
      alone && !text.startsWith(alone) ? make("span", { class: "reason" }, `alone: ${alone}`) : null,
    );
  }

  const figureText = (key, value) => (key.endsWith("mrr") ? decimal(value) : value);

  function cell(summary, row, column, highest) {
    const value = row[column.key] || "";
    const attributes = { class: column.kind === "text" ? "text" : "number" };
    if (column.kind === "model") {
      const content = summary.models.includes(value)
        ? make("a", { href: ncsbench.address.write("questions", { model: value }) }, breakable(value))
        : breakable(value);
      const training =
        row.trained_on && row.trained_on !== "none"
          ? make("span", { class: "training" }, row.trained_on)
          : null;
      const names = summary.names || {};
      const name = Object.hasOwn(names, value) ? names[value] : "";
      return make("th", { scope: "row" }, name ? [name, " ", content] : content, training);
    }
    if (column.kind === "interval" && known(value)) {
      return make(
        "td",
        { class: "number mrr" },
        decimal(value),
        make("span", { class: "interval" }, interval(row.mrr_low, row.mrr_high)),
        Number(row.mrr_high) <= highest ? whisker(row, highest) : null,
      );
    }
    if (column.kind === "published")
      return make(
        "td",
        attributes,
        figureText(column.key, value),
        verdict(row[`verdict_${column.key.slice(10)}`], row[`verdict_alone_${column.key.slice(10)}`]),
      );
    if (column.kind === "text") return make("td", attributes, value === row.model ? "" : breakable(value));
    return make("td", attributes, figureText(column.key, value) || unseen("not known"));
  }

  function split(rows) {
    const ours = rows.filter((row) => row.questions);
    return [
      { title: "Models", rows: ours.filter((row) => !BASELINES.includes(row.model)) },
      {
        title: "Baselines of chance and length, and the ceiling",
        rows: ours.filter((row) => BASELINES.includes(row.model)),
        class: "baselines",
      },
      {
        title: "Published systems that no model here stands for",
        rows: rows.filter((row) => !row.questions),
        class: "others",
      },
    ].filter((part) => part.rows.length);
  }

  /** Parts with their rows in the order shown. */
  const order = (summary, sort) =>
    split(tableRows(summary)).map((part) => ({ ...part, rows: sorted(part.rows, sort) }));

  // Space before a group of columns is that of its first cells.
  function space(columns, cells) {
    columns.forEach((column, at) => column.first && cells[at].classList.add("first"));
    return cells;
  }

  function head(columnGroups, sort, press) {
    const titles = columnGroups.map((group) =>
      group.title
        ? make(
            "th",
            { scope: "colgroup", colspan: group.columns.length, class: "first" },
            make("span", null, group.title),
          )
        : make("td", { colspan: group.columns.length }),
    );
    const cells = columnGroups.flatMap((group) =>
      group.columns.map((column) =>
        ncsbench.controls.sortCell(
          { ...column, numeric: !["text", "model"].includes(column.kind) },
          sort,
          press,
        ),
      ),
    );
    return make(
      "thead",
      null,
      make("tr", { class: "groups" }, titles),
      make(
        "tr",
        null,
        space(
          columnGroups.flatMap((group) => group.columns),
          cells,
        ),
      ),
    );
  }

  function body(summary, part, columns, highest) {
    const title = make(
      "tr",
      { class: "part" },
      make("th", { scope: "rowgroup", colspan: columns.length }, make("span", null, part.title)),
    );
    return make(
      "tbody",
      { class: part.class || null },
      title,
      part.rows.map((row) =>
        make(
          "tr",
          null,
          space(
            columns,
            columns.map((column) => cell(summary, row, column, highest)),
          ),
        ),
      ),
    );
  }

  /** The table, sorted as the address says. */
  function table(summary, sort, press) {
    const rows = tableRows(summary);
    const columnGroups = groups(summary, rows);
    const columns = columnGroups.flatMap((group) => group.columns);
    const highest = Math.max(
      0.1,
      ...rows.filter((row) => row.model !== "ceiling").map((row) => Number(row.mrr_high) || 0),
    );
    return make(
      "table",
      { class: "table1", "aria-labelledby": "table1-title", "aria-describedby": "table1-help" },
      head(columnGroups, sort, press),
      order(summary, sort).map((part) => body(summary, part, columns, highest)),
    );
  }

  /** What the table shows, for a CSV file: the columns of table1.csv, in the order of the page. */
  function shown(summary, sort) {
    const columns = summary.table.columns;
    const rows = order(summary, sort).flatMap((part) => part.rows);
    return { columns, rows: rows.map((row) => columns.map((name) => row[name])) };
  }

  /** The section of Table 1; update(parameters) sorts it anew. */
  function open(summary, parameters) {
    const place = scroller("Table 1: rows and columns");
    let sort = null;
    const numeric = (key) => !["model", "published_as"].includes(key);
    const press = (key) =>
      ncsbench.address.change({ sort: ncsbench.controls.nextSort(sort, key, numeric(key)) });
    function update(now) {
      const known = summary.table.columns.includes((now.sort || "").replace(/^-/, ""));
      const wanted = ncsbench.controls.readSort(known ? now.sort : "-mrr");
      if (sort && wanted.key === sort.key && wanted.down === sort.down) return;
      const had = place.contains(document.activeElement);
      sort = wanted;
      place.replaceChildren(table(summary, sort, press));
      if (had) place.querySelector("th:not([aria-sort=none])[aria-sort] button")?.focus();
    }
    update(parameters);
    const save = ncsbench.csv.saveButton(`table1-${summary.dataset}`, () => shown(summary, sort), "Table 1");
    const help = `Of ${summary.questions.length} questions, how many have a right method among the first 1, 5 and 10 results, and the mean reciprocal rank (MRR) with its 95 % interval over questions.`;
    const element = make(
      "section",
      { "aria-labelledby": "table1-title" },
      make("div", { class: "title" }, make("h2", { id: "table1-title" }, "Table 1"), save),
      make("p", { class: "help", id: "table1-help" }, help),
      place,
    );
    return { element, update };
  }

  ncsbench.table1 = { open, split };
})(window.ncsbench);
