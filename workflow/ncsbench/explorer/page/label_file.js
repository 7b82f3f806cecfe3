// Files of labels: the columns of CodeSearchNet's annotations, as "ncsbench labels" reads and writes them.
(function (ncsbench) {
  "use strict";

  /** A question's text as labels are matched by it: lower case, single blanks, a formula's apostrophe. */
  const matchQuery = (text) =>
    ncsbench.csv.guard(text.trim()).toLowerCase().split(/\s+/).filter(Boolean).join(" ");

  /** What says that two labels are of the same question and method. */
  const pairOf = (query, document) => `${matchQuery(query)}\n${document}`;

  /** The text of a file; scale has the columns and grades (data/label.js). */
  const format = (scale, labels) =>
    ncsbench.csv.format(
      scale.columns,
      labels.map((label) => [label.language, label.query, label.document, label.grade, label.notes]),
    );

  function readRecord(scale, where, cells) {
    const { columns, grades } = scale;
    if (cells.length !== columns.length)
      throw new Error(`${where}: has ${cells.length} cells, not ${columns.length}`);
    const [language, query, document, grade, notes] = cells.map((cell) => cell.trim());
    if (!grades.map(String).includes(grade))
      throw new Error(`${where}: ${columns[3]} “${grade.slice(0, 60)}” is none of ${grades.join(", ")}`);
    for (const [at, cell] of [language, query, document].entries()) {
      if (!cell) throw new Error(`${where}: ${columns[at]} is empty`);
    }
    return { language, query, document, grade, notes };
  }

  /** Labels of a text; an error names the file, the record and what is wrong with it. */
  function parse(scale, name, text) {
    const records = ncsbench.csv.parse(text);
    if (!records) throw new Error(`${name}: is not a valid CSV file (a quoted cell never ends)`);
    if (!records.length || records[0].join() !== scale.columns.join())
      throw new Error(`${name}: the header must be ${scale.columns.join(",")}`);
    return records.slice(1).map((cells, at) => readRecord(scale, `${name}, record ${at + 1}`, cells));
  }

  /** Promise of the labels of a file that the reader chose. */
  async function read(scale, file) {
    let text = "";
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    } catch {
      throw new Error(`${file.name}: is not UTF-8 text or cannot be read`);
    }
    return parse(scale, file.name, text);
  }

  ncsbench.labelFile = { matchQuery, pairOf, format, parse, read };
})(window.ncsbench);
