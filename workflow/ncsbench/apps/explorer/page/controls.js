// Controls that several views have.
(function (ncsbench) {
  "use strict";

  const { make } = ncsbench.dom;

  let made = 0;
  const newId = () => `control-${(made += 1)}`;

  /** A labelled choice. options: [value, text] pairs; change gets the value. */
  function choice(label, options, value, change) {
    const id = newId();
    const select = make(
      "select",
      { id, change: (event) => change(event.target.value) },
      options.map(([key, text]) => make("option", { value: key, selected: key === value }, text)),
    );
    select.value = value;
    select.title = select.selectedOptions[0]?.textContent || ""; // a narrow one cuts it
    return make("div", { class: "field" }, make("label", { for: id }, label), select);
  }

  /** A labelled box to tick; change gets true or false. */
  function tick(label, value, change, attributes) {
    const box = make("input", {
      type: "checkbox",
      change: (event) => change(event.target.checked),
      ...attributes,
    });
    box.checked = value;
    return make("label", { class: "tick" }, box, make("span", null, label));
  }

  /** Models as options of a choice. */
  const models = (summary, none) => [
    ...(none ? [["", none]] : []),
    ...summary.models.map((model) => [model, ncsbench.judged.label(summary, model)]),
  ];

  /** A choice of one of the two judges, which the address keeps. */
  const judge = (summary, value) =>
    choice(
      "Judge",
      [
        ["strict", `strict: ${ncsbench.judged.describe(summary.strict)}`],
        ["lenient", `lenient: ${ncsbench.judged.describe(summary.judge)}`],
      ],
      value === "lenient" ? value : "strict",
      (chosen) => ncsbench.address.change({ judge: chosen === "strict" ? "" : chosen }),
    );

  /** A heading cell that sorts by its column. column: {key, label, hint, numeric, extra: left out where there is no room}. */
  function sortCell(column, sort, press) {
    const active = sort.key === column.key;
    const mark = active ? (sort.down ? "▼" : "▲") : "";
    const label = make(
      "button",
      { type: "button", class: "sort", click: () => press(column.key), title: column.hint || null },
      column.label,
      make("span", { class: "mark", "aria-hidden": "true" }, mark),
    );
    const order = active ? (sort.down ? "descending" : "ascending") : "none";
    return make(
      "th",
      {
        scope: "col",
        class: [column.numeric && "number", column.extra && "extra"].filter(Boolean).join(" ") || null,
        "aria-sort": order,
      },
      label,
    );
  }

  /** The address's sort parameter: "mrr" ascending, "-mrr" descending. */
  const readSort = (text) => ({ key: text.replace(/^-/, ""), down: text.startsWith("-") });

  /** What a press on a heading asks for: figures first from the top, texts from A. */
  function nextSort(sort, key, numeric) {
    const down = sort.key === key ? !sort.down : numeric;
    return `${down ? "-" : ""}${key}`;
  }

  ncsbench.controls = { choice, tick, models, judge, sortCell, readSort, nextSort };
})(window.ncsbench);
