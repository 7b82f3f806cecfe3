// One result of a model for a question: where it stands, what the judges say, its code.
(function (ncsbench) {
  "use strict";

  const { make, link, breakable, unseen } = ncsbench.dom;
  const { decimal, many } = ncsbench.numbers;
  const { verdicts, verdictTexts } = ncsbench.judged;
  const OPENED = 3;

  const verdict = (accepted, text) =>
    make("span", { class: accepted ? "badge right" : "badge wrong" }, text);

  function similarities(summary, said) {
    const kind = (name) =>
      name === summary.judge.name ? " (lenient)" : name === summary.strict.name ? " (strict)" : "";
    const row = (one) =>
      make(
        "tr",
        null,
        make("th", { scope: "row" }, `${one.name}${kind(one.name)}`),
        make("td", { class: "number" }, decimal(one.similarity, 3)),
        make("td", null, one.accepted ? "✓ above" : "✗ not above"),
      );
    const heads = [
      make("th", { scope: "col" }, "Judge"),
      make("th", { scope: "col", class: "number" }, "Similarity"),
      make("th", { scope: "col" }, `Above ${summary.judge.threshold}?`),
    ];
    const table = ncsbench.dom.table(null, heads, said.similarities.map(row));
    return make(
      "details",
      { class: "more" },
      make("summary", null, "Similarity under every judge"),
      make("div", { class: "scroller" }, table),
    );
  }

  function place(method) {
    const { repository } = method;
    const lines = `${method.p}:${method.s}`;
    return [
      link(method.u, breakable(`${repository.name}/${lines}`)),
      ` · licence: ${repository.licence || "not known"} · ${many(method.e - method.s + 1, "line")}`,
    ];
  }

  /** What is known before the method is read: rank and verdicts. */
  function judgedLine(summary, question, id) {
    const pair = question.pairs[id];
    if (!pair)
      return {
        line: make("p", { class: "judged" }, make("span", { class: "faint" }, "not judged")),
        said: null,
      };
    const said = verdicts(summary, pair);
    const [strict, lenient] = verdictTexts(said);
    const near = said.lenient > summary.near;
    const line = make(
      "p",
      { class: "judged" },
      verdict(said.strictly, strict),
      verdict(said.right, lenient),
      near ? make("span", { class: "badge" }, "near copy of the answer") : null,
    );
    return { line, said };
  }

  /** Ranks before this one whose method has the same features. */
  async function copyOf(ids, rank, method) {
    const earlier = await Promise.all(ids.slice(0, rank - 1).map((id) => ncsbench.methods.find(id)));
    return earlier.findIndex((one) => one.t === method.t) + 1;
  }

  function javadoc(text) {
    return text
      ? make(
          "details",
          { class: "more" },
          make("summary", null, "Javadoc"),
          make("p", { class: "javadoc" }, text),
        )
      : null;
  }

  /**
   * A result that reads its method when it comes near, and shows its code when it is opened.
   *
   * @param {object} about summary, question, ids (of the model, in rank order), rank (from 1), model, other
   *   ({model, rank} where the other model shown returns it, too).
   */
  function open(about) {
    const { summary, question, ids, rank } = about;
    const id = ids[rank - 1];
    const { line, said } = judgedLine(summary, question, id);
    const name = make("span", { class: "name" }, `method ${id}`);
    const where = make("p", { class: "where" }, make("span", { class: "wait" }, "…"));
    const notes = make("p", { class: "notes" });
    const body = make("div", { class: "body" }, make("p", { class: "wait" }, "Loading the method …"));
    const details = make(
      "details",
      { class: "method", open: rank <= OPENED, hidden: summary.texts === false },
      make("summary", null, "Code"),
      body,
    );
    const heading = make(
      "h3",
      { tabindex: "-1" },
      make("span", { class: "rank" }, unseen("rank "), String(rank)),
      " ",
      name,
    );
    const element = make(
      "article",
      { class: "result" },
      heading,
      line,
      where,
      notes,
      details,
      said ? similarities(summary, said) : null,
    );
    if (about.other)
      notes.append(make("span", { class: "badge" }, `rank ${about.other.rank} of ${about.other.model}`));
    let filled = null;

    function fill() {
      filled =
        filled ||
        read().catch(function (error) {
          filled = null;
          body.replaceChildren(make("p", { class: "alarm" }, error.message));
          where.replaceChildren();
        });
      return filled;
    }

    async function read() {
      const method = await ncsbench.methods.find(id);
      name.replaceChildren(...breakable(method.n));
      where.replaceChildren(...place(method));
      const marks = question.pairs[id] ? ncsbench.java.offsets(question.pairs[id][2]) : [];
      const code = ncsbench.code.open(method.c, {
        label: `Code of ${method.n}`,
        marks,
        more: method.more,
        address: method.u,
      });
      body.replaceChildren(...[javadoc(method.d), code].filter(Boolean));
      details.hidden = !method.c; // the link above leads to it
      const first = await copyOf(ids, rank, method);
      if (first) notes.append(make("span", { class: "badge" }, `copy of rank ${first}`));
    }

    details.addEventListener("toggle", () => details.open && fill());
    return { element, fill };
  }

  ncsbench.result = { open };
})(window.ncsbench);
