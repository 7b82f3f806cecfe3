// CSV files, with the quoting and the guards of the project's own tables (text/safe_text.show_cell).
(function (ncsbench) {
  "use strict";

  const FORMULA = /^[=+\-@\t\r]/;
  const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]?(?:inf|nan))$/i;
  const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

  const name = (character) => `<U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}>`;

  /** The text as a spreadsheet may open it: what looks like a formula gets an apostrophe. */
  function guard(text) {
    const shown = text.replace(/\r\n/g, "\n").replace(CONTROL, name);
    return FORMULA.test(shown) && !NUMBER.test(shown) ? `'${shown}` : shown;
  }

  function quote(cell) {
    const text = guard(cell === null || cell === undefined ? "" : String(ncsbench.numbers.plain(cell)));
    return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  }

  /** The text of a CSV file: LF line ends, as Python's csv module writes it. */
  function format(columns, rows) {
    return [columns, ...rows].map((row) => `${row.map(quote).join(",")}\n`).join("");
  }

  /** Save a text as a file of the reader's; no server is asked. */
  function save(file, text) {
    const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
    const anchor = ncsbench.dom.make("a", { href: address, download: file });
    document.body.append(anchor);
    anchor.click();
    anchor.remove();
    window.setTimeout(() => URL.revokeObjectURL(address), 10000);
    ncsbench.dom.say(`${file} was saved.`);
  }

  /** A button that saves what a function gives: {columns, rows}. */
  function saveButton(file, table, label) {
    const press = function () {
      const { columns, rows } = table();
      save(`${file}.csv`, format(columns, rows));
    };
    return ncsbench.dom.button("CSV", press, { class: "small csv", "aria-label": `${label} as a CSV file` });
  }

  ncsbench.csv = { saveButton };
})(window.ncsbench);
