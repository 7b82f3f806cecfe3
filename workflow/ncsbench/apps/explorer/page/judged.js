// What the judges say, in words and counts.
(function (ncsbench) {
  "use strict";

  const ACCEPTED = 1 << 16;
  const STRICTLY = 1 << 17;
  /** The rows of Table 1 that are no models of the papers: what chance and length alone reach. */
  const BASELINES = ["random", "random_long", "longest_first", "ceiling"];

  const entry = (table, key) => (Object.hasOwn(table || {}, key) ? table[key] : "");

  /** A model's name for people; its id where it has none. */
  const label = (summary, model) => entry(summary.names, model) || model;

  /** A model's kind, one of those of model_marks.js; "" where it is not known. */
  const kind = (summary, model) => entry(summary.kinds, model);

  /** What a model does, in one line; "" where it is not known. */
  const about = (summary, model) => entry(summary.about, model);

  /** Measures that figures can be of, with their names. */
  const MEASURES = [
    ["mrr", "MRR"],
    ["answered_1", "Answered@1"],
    ["answered_5", "Answered@5"],
    ["answered_10", "Answered@10"],
  ];

  const measureName = (measure) => MEASURES.find(([key]) => key === measure)[1];
  const measureOf = (text) => (MEASURES.some(([key]) => key === text) ? text : "mrr");

  const describe = (judge) => `${judge.name} above ${judge.threshold}`;

  /** How two judges decide that a method is right, after a sentence that says that similarity decides. */
  const meaning = ({ judge, strict }) =>
    `Two judges measure this: the strict one compares the whole method, so that nothing is won by length (${describe(strict)}); the lenient one, nearest to the one of the paper, first cuts away what the answer does not have (${describe(judge)}).`;

  /** First ranks of a question: all models', under the lenient or, without that word, the strict judge. */
  const ranks = (question, judge) => (judge === "lenient" ? question.ranks : question.strict);

  /** The name of the judge that the address asks for. */
  const judgeName = (summary, judge) => (judge === "lenient" ? summary.judge.name : summary.strict.name);

  const within = (rank, k) => rank > 0 && rank <= k;

  /** A first rank as text; 0 is none. */
  const rankText = (rank, depth) => (rank > 0 ? String(rank) : `none in ${depth}`);

  const reciprocal = (rank) => (rank > 0 ? 1 / rank : 0);

  /** How many questions a model (its position) answers at k. */
  const answered = (summary, model, k, judge) =>
    summary.questions.filter((question) => within(ranks(question, judge)[model], k)).length;

  /** What a pair's verdicts say: of the lenient judge, the strict one, and each at the default threshold. */
  function verdicts(summary, pair) {
    const bits = pair[1];
    const similarity = ({ name }) => pair[0][summary.judges.indexOf(name)] / 10000;
    return {
      right: Boolean(bits & ACCEPTED),
      lenient: similarity(summary.judge),
      strictly: Boolean(bits & STRICTLY),
      strict: similarity(summary.strict),
      similarities: summary.judges.map((name, at) => ({
        name,
        similarity: pair[0][at] / 10000,
        accepted: Boolean(bits & (1 << at)),
      })),
    };
  }

  /** The verdicts of the strict and the lenient judge, each with a sign and the similarity. */
  const verdictTexts = (said) => [
    `${said.strictly ? "✓" : "✗"}\u00a0strict\u00a0${said.strict.toFixed(3)}`,
    `${said.right ? "✓" : "✗"}\u00a0lenient\u00a0${said.lenient.toFixed(3)}`,
  ];

  /** Table rows (texts) by column name, with the interval of the MRR under the strict judge. */
  const tableRows = (summary) =>
    summary.table.rows.map(function (texts) {
      const row = Object.fromEntries(summary.table.columns.map((name, at) => [name, texts[at]]));
      const [strict_mrr_low, strict_mrr_high] = entry(summary.intervals, row.model) || [];
      return { ...row, strict_mrr_low, strict_mrr_high };
    });

  /** Models of the table, the one with the highest MRR under the strict judge first. */
  const byMrr = (summary) =>
    tableRows(summary)
      .filter((row) => summary.models.includes(row.model))
      .sort((one, other) => Number(other.strict_mrr) - Number(one.strict_mrr))
      .map((row) => row.model);

  /** As byMrr, without chance, length and the ceiling. */
  const ours = (summary) => byMrr(summary).filter((model) => !BASELINES.includes(model));

  ncsbench.judged = {
    label,
    about,
    kind,
    byMrr,
    ours,
    MEASURES,
    measureName,
    measureOf,
    BASELINES,
    describe,
    meaning,
    ranks,
    judgeName,
    within,
    rankText,
    reciprocal,
    answered,
    verdicts,
    verdictTexts,
    tableRows,
  };
})(window.ncsbench);
