// Which questions a view shows, in which order: read from the address, the same for list and question page.
(function (ncsbench) {
  "use strict";

  const { label, ranks, within, reciprocal } = ncsbench.judged;
  const CUTS = [1, 5, 10];
  const ANSWERED = 10; // results that the score sheet looks at

  /** The conditions of questions: name, text, test(question), and what they need. */
  function conditions(summary, wanted) {
    const { one, other, first, second, k, judge } = wanted;
    const rank = (question, model) => ranks(question, judge)[model];
    const [name, others] = [one, other].map((model) => label(summary, model));
    return [
      {
        name: "gap",
        text: `answered by ${name} and not by ${others}, within the first ${k}`,
        test: (question) => within(rank(question, first), k) && !within(rank(question, second), k),
      },
      {
        name: "flip",
        text: `${name} and the score sheet disagree at ${ANSWERED}`,
        needs: summary.questions.some((question) => question.published[first] !== null),
        test: (question) =>
          question.published[first] !== null &&
          within(question.ranks[first], ANSWERED) !== within(question.published[first], ANSWERED),
      },
      {
        name: "near",
        text: `${name} returns a near copy of the answer`,
        test: (question) => Boolean(question.near[first]),
      },
      {
        name: "lenient",
        text: `${name} is right under the lenient judge only`,
        test: (question) => within(question.ranks[first], k) && !within(question.strict[first], k),
      },
      {
        name: "nobody",
        text: `no model is right within ${summary.depth}`,
        test: (question) => ranks(question, judge).every((found) => !found),
      },
    ];
  }

  /** What the address asks for, complete: models and their positions, judge, k, conditions, text, order. */
  function read(summary, parameters) {
    const [one, other] = ncsbench.questionFigures.pair(summary, parameters);
    const k = CUTS.includes(Number(parameters.k)) ? Number(parameters.k) : 10;
    const judge = parameters.judge === "lenient" ? "lenient" : "strict";
    const only = (parameters.only || "").split(",").filter(Boolean);
    const wanted = {
      one,
      other,
      first: summary.models.indexOf(one),
      second: summary.models.indexOf(other),
      k,
      judge,
    };
    return {
      ...wanted,
      only,
      text: (parameters.q || "").trim(),
      sort: ncsbench.controls.readSort(parameters.sort || "id"),
      conditions: conditions(summary, wanted),
    };
  }

  function hasText(question, text) {
    const title = question.title.toLowerCase();
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return (
      question.so === text || String(question.id) === text || words.every((word) => title.includes(word))
    );
  }

  const difference = (question, wanted) => {
    const found = ranks(question, wanted.judge);
    return reciprocal(found[wanted.first]) - reciprocal(found[wanted.second]);
  };

  const last = (rank) => (rank > 0 ? rank : Infinity);

  /** What a column sorts by. */
  const KEYS = {
    id: (question) => question.id,
    title: (question) => question.title.toLowerCase(),
    one: (question, wanted) => last(ranks(question, wanted.judge)[wanted.first]),
    other: (question, wanted) => last(ranks(question, wanted.judge)[wanted.second]),
    difference,
    published: (question, wanted) => last(question.published[wanted.first]),
  };

  function sorted(questions, wanted) {
    const key = KEYS[wanted.sort.key] || KEYS.id;
    const sign = wanted.sort.down ? -1 : 1;
    const compare = (one, other) => (one === other ? 0 : one < other ? -sign : sign);
    return [...questions].sort(
      (one, other) => compare(key(one, wanted), key(other, wanted)) || one.id - other.id,
    );
  }

  const passes = (question, wanted, except) =>
    wanted.conditions.every(
      (condition) =>
        condition.name === except || !wanted.only.includes(condition.name) || condition.test(question),
    );

  /** The questions to show, in order. */
  const choose = (summary, wanted) =>
    sorted(
      summary.questions.filter((question) => hasText(question, wanted.text) && passes(question, wanted)),
      wanted,
    );

  /** For an empty list: what is found with one filter less, as [text, count, changes of the address]. */
  function loosen(summary, wanted) {
    const ways = wanted.conditions
      .filter((condition) => wanted.only.includes(condition.name))
      .map((condition) => [
        `without “${condition.text}”`,
        summary.questions.filter(
          (question) => hasText(question, wanted.text) && passes(question, wanted, condition.name),
        ).length,
        { only: wanted.only.filter((name) => name !== condition.name).join(",") },
      ]);
    if (wanted.text)
      ways.push([
        `without the text “${wanted.text}”`,
        summary.questions.filter((question) => passes(question, wanted)).length,
        { q: "" },
      ]);
    return ways;
  }

  ncsbench.questionFilter = { CUTS, read, choose, loosen, difference };
})(window.ncsbench);
