// The results to label: which are left, in which order, and what their names in a file of labels are.
(function (ncsbench) {
  "use strict";

  const { pairOf } = ncsbench.labelFile;

  /** What is left to judge, the least judged first; equal ones in the order of the pool, which is shuffled. */
  function order(pool, store, skipped) {
    const done = store.done();
    const left = pool.filter((one) => !done.has(one.key));
    const judged = (one) => (store.counts.get(one.key) || 0) + (skipped.has(one.key) ? 1e9 : 0);
    return left.sort((one, other) => judged(one) - judged(other));
  }

  /** Results of the pool, each with its question's text and a key of its own. */
  function gather(summary, label) {
    const titles = new Map(summary.questions.map((question) => [question.id, question.title]));
    const known = label.pool.filter(([question]) => titles.has(question));
    return known.map(([question, method]) => ({
      key: `${question}:${method}`,
      query: titles.get(question),
      method,
    }));
  }

  /** The method of a result; its name in a file of labels is its link, or else what stands in its place. */
  async function find(item) {
    const method = await ncsbench.methods.find(item.method);
    return { ...method, document: method.l || method.u };
  }

  /** Labels of a file with the results that they are of, which needs the names of all methods of the pool. */
  async function recognise(labels, pool) {
    const keys = new Map();
    await Promise.all(
      pool.map(async (item) => keys.set(pairOf(item.query, (await find(item)).document), item.key)),
    );
    return labels.map((label) => ({ ...label, item: keys.get(pairOf(label.query, label.document)) || "" }));
  }

  ncsbench.labelPool = { order, gather, find, recognise };
})(window.ncsbench);
