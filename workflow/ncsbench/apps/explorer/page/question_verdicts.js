// What the judges say of a question's results: first right ones, nearest misses, disagreements.
(function (ncsbench) {
  "use strict";

  const { make, link, breakable, unseen } = ncsbench.dom;
  const { byMrr, label, verdicts, verdictTexts } = ncsbench.judged;
  const { decimal, many } = ncsbench.numbers;
  const MOST = 6;

  /** Of a model's first results that neither judge accepts, the most similar one by the strict judge. */
  function nearestMiss(summary, question, model) {
    const ids = question.results[summary.models.indexOf(model)] || [];
    return ids
      .map((id, at) => question.pairs[id] && { rank: at + 1, ...verdicts(summary, question.pairs[id]) })
      .filter((one) => one && !one.right && !one.strictly)
      .reduce((best, one) => (best && best.strict >= one.strict ? best : one), null);
  }

  function modelRow(summary, question, ranks, model, role, press) {
    const at = summary.models.indexOf(model);
    const miss = nearestMiss(summary, question, model);
    const value = (ranks.measured || [])[at];
    const rank = (word, found) =>
      make(
        "td",
        { class: found ? "number" : "number faint" },
        unseen(`${word} `),
        found ? make("b", null, String(found)) : "none",
      );
    const name = make(
      "button",
      { type: "button", class: "model", "aria-pressed": String(role >= 0), click: press },
      breakable(label(summary, model)),
    );
    return make(
      "tr",
      { class: role >= 0 ? "chosen" : null },
      make("th", { scope: "row" }, name),
      rank("first rank, strict:", ranks.strict[at]),
      rank("lenient:", ranks.ranks[at]),
      make("td", { class: "number extra" }, typeof value === "number" ? value.toFixed(3) : ""),
      make(
        "td",
        { class: "number" },
        miss ? [decimal(miss.strict), make("span", { class: "interval" }, `rank ${miss.rank}`)] : "",
      ),
    );
  }

  /** Every model's first right result and nearest miss; press(model) chooses a model. */
  function firstRight(summary, question, ranks, shown, press) {
    const heads = ["Strict", "Lenient", summary.measure, "Nearest miss"].map((text, at) =>
      make("th", { scope: "col", class: at === 2 ? "number extra" : "number" }, text),
    );
    const row = (model) =>
      modelRow(summary, question, ranks, model, shown.indexOf(model), () => press(model));
    heads.unshift(make("th", { scope: "col" }, "Model"));
    return ncsbench.dom.table({ class: "first-right" }, heads, byMrr(summary).map(row));
  }

  /** Where a method is found: its best rank, and by how many more models. */
  function foundBy(summary, question, id) {
    const places = byMrr(summary)
      .map((model) => [model, question.results[summary.models.indexOf(model)].indexOf(id) + 1])
      .filter(([, rank]) => rank)
      .sort(([, one], [, other]) => one - other);
    const [[model, rank]] = places;
    const more = places.length > 1 ? ` and of ${places.length - 1} more` : "";
    return { rank, text: `rank ${rank} of ${label(summary, model)}${more}` };
  }

  function disagreement(summary, { id, found, said }) {
    const name = make("span", null, `method ${id}`);
    const show = (method) =>
      name.replaceChildren(
        link(method.u, breakable(method.n)),
        ` (${many(method.e - method.s + 1, "line")})`,
      );
    ncsbench.methods.find(id).then(show, () => null); // the result below says why it cannot be read
    return make("li", null, name, make("span", { class: "note" }, ` ${verdictTexts(said).join(", ")}; ${found.text}`));
  }

  /** The results that one judge accepts and the other does not. */
  function disagreements(summary, question) {
    const all = Object.keys(question.pairs)
      .map((key) => ({ id: Number(key), said: verdicts(summary, question.pairs[key]) }))
      .filter(({ said }) => said.right !== said.strictly)
      .map((one) => ({ ...one, found: foundBy(summary, question, one.id) }))
      .sort((one, other) => one.found.rank - other.found.rank || one.id - other.id);
    if (!all.length) return make("p", null, "Both judges agree on every result shown here.");
    const more = all.length - MOST;
    return make(
      "ul",
      { class: "disagreements" },
      all.slice(0, MOST).map((one) => disagreement(summary, one)),
      more > 0 ? make("li", { class: "note" }, `${more} more among the results below`) : null,
    );
  }

  ncsbench.questionVerdicts = { firstRight, disagreements };
})(window.ncsbench);
