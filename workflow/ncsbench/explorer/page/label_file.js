// Files of labels: the columns of CodeSearchNet's annotations, as "ncsbench labels" reads and writes them.
(function (ncsbench) {
  "use strict";

  const COLUMNS = ["Language", "Query", "GitHubUrl", "Relevance", "Notes"];
  const LANGUAGE = "Java";
  const GRADES = ["0", "1", "2", "3"];

  /** A question's text as labels are matched by it: lower case, single blanks, a formula's apostrophe. */
  const matchQuery = (text) =>
    ncsbench.csv.guard(text.trim()).toLowerCase().split(/\s+/).filter(Boolean).join(" ");

  /** What says that two labels are of the same question and method. */
  const pairOf = (query, document) => `${matchQuery(query)}\n${document}`;

  const format = (labels) =>
    ncsbench.csv.format(
      COLUMNS,
      labels.map((label) => [label.language, label.query, label.document, label.grade, label.notes]),
    );

  function readRecord(where, cells) {
    if (cells.length !== COLUMNS.length)
      throw new Error(`${where}: has ${cells.length} cells, not ${COLUMNS.length}`);
    const [language, query, document, grade, notes] = cells.map((cell) => cell.trim());
    if (!GRADES.includes(grade))
      throw new Error(`${where}: Relevance “${grade.slice(0, 60)}” is none of ${GRADES.join(", ")}`);
    for (const [at, cell] of [language, query, document].entries()) {
      if (!cell) throw new Error(`${where}: ${COLUMNS[at]} is empty`);
    }
    return { language, query, document, grade, notes };
  }

  /** Labels of a text; an error names the file, the record and what is wrong with it. */
  function parse(name, text) {
    const records = ncsbench.csv.parse(text);
    if (!records) throw new Error(`${name}: is not a valid CSV file (a quoted cell never ends)`);
    if (!records.length || records[0].join() !== COLUMNS.join())
      throw new Error(`${name}: the header must be ${COLUMNS.join(",")}`);
    return records.slice(1).map((cells, at) => readRecord(`${name}, record ${at + 1}`, cells));
  }

  /** Promise of the labels of a file that the reader chose. */
  async function read(file) {
    let text = "";
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    } catch {
      throw new Error(`${file.name}: is not UTF-8 text or cannot be read`);
    }
    return parse(file.name, text);
  }

  ncsbench.labelFile = { LANGUAGE, GRADES, matchQuery, pairOf, format, parse, read };
})(window.ncsbench);
