// Table 1: models, baselines and published systems, each group sorted by itself; a row opens for the rest.
(function (ncsbench) {
  "use strict";

  const { make, breakable, unseen, scroller } = ncsbench.dom;
  const { known, decimal, interval } = ncsbench.numbers;
  const { BASELINES, MEASURES, about, describe, label, tableRows } = ncsbench.judged;
  const { kindMark, bar } = ncsbench.marks;
  const SIGNS = { equivalent: "≈", different: "≠", inconclusive: "?" };
  const ORDER = "-strict_mrr";

  /** The columns of a judge, by the prefix of their names. */
  function judgeColumns(prefix, name) {
    const mean = "mean reciprocal rank: 1 for a first result that is right, ½ for a second, averaged";
    const counts = ["1", "5", "10"].map((k) => ({
      key: `${prefix}answered_${k}`,
      label: `@${k}`,
      hint: `questions with a right method among the first ${k}`,
    }));
    const columns = [{ key: `${prefix}mrr`, label: "MRR", hint: mean, prefix, first: true }, ...counts];
    return columns.map((column) => ({ ...column, name: `${name}: ${column.label}`, numeric: true }));
  }

  const columnGroups = (summary) => [
    { title: "", columns: [{ key: "model", label: "Model" }] },
    { title: `Strict judge (${describe(summary.strict)})`, columns: judgeColumns("strict_", "strict judge") },
    { title: `Lenient judge (${describe(summary.judge)})`, columns: judgeColumns("", "lenient judge") },
    {
      title: "",
      columns: [
        {
          key: "median_lines",
          label: "Lines",
          name: "lines of the first ten results, median",
          hint: "median length of the first ten results, in lines",
          numeric: true,
          first: true,
        },
      ],
    },
  ];

  function sorted(rows, sort) {
    const number = sort.key !== "model" && rows.some((row) => known(row[sort.key]));
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

  /** A published figure with its verdict and, where that is another one, the outcome without correction. */
  function publishedFigure(row, [measure, name]) {
    const value = row[`published_${measure}`];
    if (!known(value)) return null;
    const [word, reason] = (row[`verdict_${measure}`] || "").split(/:\s*(.*)/s);
    const alone = row[`verdict_alone_${measure}`];
    const said = [
      word && `${SIGNS[word] || ""} ${word}`.trim(),
      reason,
      alone && !row[`verdict_${measure}`].startsWith(alone) ? `alone: ${alone}` : "",
    ].filter(Boolean);
    const text = `${name} ${measure === "mrr" ? decimal(value) : value}`;
    return said.length ? `${text} (${said.join("; ")})` : text;
  }

  /** The published figures of a row as a sentence; "" where there are none. */
  function publishedText(row) {
    const figures = MEASURES.map((measure) => publishedFigure(row, measure)).filter(Boolean);
    const of = row.published_questions ? `, of ${row.published_questions} questions` : "";
    return figures.length ? `Published for ${row.published_as || row.model}: ${figures.join(", ")}${of}.` : "";
  }

  /** What a row has beside its figures. */
  function rest(summary, row) {
    const trained = row.trained_on && row.trained_on !== "none" ? `Trained on: ${row.trained_on}.` : "";
    const questions = make(
      "a",
      { href: ncsbench.address.write("questions", { model: row.model }) },
      `First right results of ${label(summary, row.model)}, question by question`,
    );
    const does = about(summary, row.model);
    const lines = [
      does && `${does[0].toUpperCase()}${does.slice(1)}.`,
      trained,
      publishedText(row),
      summary.models.includes(row.model) ? questions : "",
    ];
    return lines.filter(Boolean).map((line) => make("p", null, line));
  }

  function figure(summary, row, column, highest) {
    const value = row[column.key] || "";
    const attributes = { class: column.first ? "number first" : "number", "data-label": column.name };
    if (column.prefix === undefined || !known(value))
      return make("td", attributes, value || unseen("not known"));
    const bounds = [row[`${column.key}_low`], row[`${column.key}_high`]];
    return make(
      "td",
      { ...attributes, class: `number first mrr ${column.prefix}mrr` },
      make("b", null, decimal(value)),
      make("span", { class: "interval" }, interval(...bounds)),
      Number(value) <= highest ? bar(summary, row.model, [value, ...bounds], highest) : null,
    );
  }

  /** The two lines of a row: its figures, and what the press of its name shows. */
  function rowLines(summary, row, columns, highest) {
    const more = make(
      "tr",
      { class: "rest", hidden: true },
      make("td", { colspan: columns.length }, rest(summary, row)),
    );
    function toggle(event) {
      more.hidden = !more.hidden;
      main.classList.toggle("open", !more.hidden);
      event.currentTarget.setAttribute("aria-expanded", String(!more.hidden));
    }
    const opens = { type: "button", "aria-expanded": "false", class: "opens", click: toggle };
    const name = label(summary, row.model);
    const head = make(
      "th",
      { scope: "row" },
      make("button", opens, breakable(name)),
      kindMark(summary, row.model),
      name === row.model ? null : make("code", { class: "id" }, breakable(row.model)),
    );
    const figures = columns.slice(1).map((column) => figure(summary, row, column, highest));
    const main = make("tr", { class: "main" }, head, figures);
    return [main, more];
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
      { title: "Published systems without a row here", rows: rows.filter((row) => !row.questions) },
    ].filter((part) => part.rows.length);
  }

  /** Parts with their rows in the order shown. */
  const order = (summary, sort) =>
    split(tableRows(summary)).map((part) => ({ ...part, rows: sorted(part.rows, sort) }));

  function head(groups, sort, press) {
    const title = ({ title, columns }) =>
      title
        ? make("th", { scope: "colgroup", colspan: columns.length, class: "first" }, title)
        : make("td", { colspan: columns.length });
    const columns = groups.flatMap((group) => group.columns);
    const cells = columns.map((column) => ncsbench.controls.sortCell(column, sort, press));
    columns.forEach((column, at) => column.first && cells[at].classList.add("first"));
    return make(
      "thead",
      null,
      make("tr", { class: "groups" }, groups.map(title)),
      make("tr", null, cells),
    );
  }

  function body(summary, part, columns, highest) {
    const title = make("th", { scope: "rowgroup", colspan: columns.length }, part.title);
    const published = (row) =>
      make(
        "tr",
        null,
        make("th", { scope: "row" }, breakable(row.model)),
        make(
          "td",
          { colspan: columns.length - 1, class: "first" },
          publishedText(row) || "No figure on these questions is published.",
        ),
      );
    const lines = (row) => (row.questions ? rowLines(summary, row, columns, highest) : [published(row)]);
    return make(
      "tbody",
      { class: part.class || null },
      make("tr", { class: "part" }, title),
      part.rows.flatMap(lines),
    );
  }

  /** The table, sorted as the address says. */
  function table(summary, sort, press) {
    const groups = columnGroups(summary);
    const columns = groups.flatMap((group) => group.columns);
    const rows = tableRows(summary).filter((row) => row.model !== "ceiling");
    const highest = Math.max(
      0.1,
      ...rows.flatMap((row) => ["mrr", "mrr_high", "strict_mrr_high"].map((key) => Number(row[key]) || 0)),
    );
    return make(
      "table",
      { class: "table1", "aria-labelledby": "table1-title", "aria-describedby": "table1-help" },
      head(groups, sort, press),
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
    const press = (key) =>
      ncsbench.address.change({ sort: ncsbench.controls.nextSort(sort, key, key !== "model") });
    function update(now) {
      const known = summary.table.columns.includes((now.sort || "").replace(/^-/, ""));
      const wanted = ncsbench.controls.readSort(known ? now.sort : ORDER);
      if (sort && wanted.key === sort.key && wanted.down === sort.down) return;
      const had = place.contains(document.activeElement);
      sort = wanted;
      place.replaceChildren(table(summary, sort, press));
      if (had) place.querySelector("th:not([aria-sort=none])[aria-sort] button")?.focus();
    }
    update(parameters);
    const save = ncsbench.csv.saveButton(`table1-${summary.dataset}`, () => shown(summary, sort), "Table 1");
    const help = `The first 1, 5 and 10 results (@1, @5, @10): of ${summary.questions.length} questions, how many have a right method among them. The bars and [brackets] are the mean reciprocal rank (MRR) and its 95 % interval over questions. Press a name for what the model does.`;
    const element = make(
      "section",
      { "aria-labelledby": "table1-title" },
      make("div", { class: "title" }, make("h2", { id: "table1-title" }, "Table 1: all rows"), save),
      make("p", { class: "help", id: "table1-help" }, help),
      place,
    );
    return { element, update };
  }

  ncsbench.table1 = { open };
})(window.ncsbench);
