// What the judges say, in words and counts.
(function (ncsbench) {
  "use strict";

  const ACCEPTED = 1 << 16;
  const STRICTLY = 1 << 17;
  /** The rows of Table 1 that are no models of the papers: what chance and length alone reach. */
  const BASELINES = ["random", "random_long", "longest_first", "ceiling"];

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

  /** First ranks of a question: all models', under the default or the strict judge. */
  const ranks = (question, judge) => (judge === "strict" ? question.strict : question.ranks);

  const within = (rank, k) => rank > 0 && rank <= k;

  /** A first rank as text; 0 is none. */
  const rankText = (rank, depth) => (rank > 0 ? String(rank) : `none in ${depth}`);

  const reciprocal = (rank) => (rank > 0 ? 1 / rank : 0);

  /** How many questions a model (its position) answers at k. */
  const answered = (summary, model, k, judge) =>
    summary.questions.filter((question) => within(ranks(question, judge)[model], k)).length;

  /** What a pair's verdicts say: under the lenient judge, the strict one, and each at the default threshold. */
  function verdicts(summary, pair) {
    const bits = pair[1];
    return {
      right: Boolean(bits & ACCEPTED),
      strictly: Boolean(bits & STRICTLY),
      similarities: summary.judges.map((name, at) => ({
        name,
        similarity: pair[0][at] / 10000,
        accepted: Boolean(bits & (1 << at)),
      })),
    };
  }

  /** A table row (texts) by column name. */
  const tableRows = (summary) =>
    summary.table.rows.map((row) =>
      Object.fromEntries(summary.table.columns.map((name, at) => [name, row[at]])),
    );

  ncsbench.judged = {
    MEASURES,
    measureName,
    measureOf,
    BASELINES,
    describe,
    ranks,
    within,
    rankText,
    reciprocal,
    answered,
    verdicts,
    tableRows,
  };
})(window.ncsbench);
