// Rank differences of two models, question by question.
(function (ncsbench) {
  "use strict";

  const { ink } = ncsbench.figure;
  const { choice, models, judge: judgeChoice } = ncsbench.controls;
  const { judgeName, ours, label, ranks, reciprocal, rankText } = ncsbench.judged;
  const { signed, many } = ncsbench.numbers;

  /** The two models compared: those of the address, else the best one and the baseline. */
  function pair(summary, parameters) {
    const best = ours(summary);
    const known = (model) => summary.models.includes(model);
    const one = known(parameters.model) ? parameters.model : best[0] || summary.models[0];
    const fallback =
      [summary.baseline, ...best, ...summary.models].find((model) => known(model) && model !== one) || one;
    return [one, known(parameters.with) && parameters.with !== one ? parameters.with : fallback];
  }

  /** What the address becomes when a model is chosen: the two are exchanged rather than be the same. */
  const chooseFirst = ([one, other], model) => ({ model, with: model === other ? one : other });
  const chooseSecond = ([one, other], model) => ({ model: model === one ? other : one, with: model });

  const listOf = ([one, other], { judge }) => ({ model: one, with: other, judge, sort: "-difference" });

  function differences(summary, one, other, judge) {
    const [first, second] = [one, other].map((model) => summary.models.indexOf(model));
    return summary.questions
      .map((question) => ({
        id: question.id,
        so: question.so,
        title: question.title,
        one: ranks(question, judge)[first],
        other: ranks(question, judge)[second],
      }))
      .map((row) => ({ ...row, difference: reciprocal(row.one) - reciprocal(row.other) }))
      .sort((left, right) => right.difference - left.difference || left.id - right.id)
      .map((row, at) => ({ ...row, at: at + 1 }));
  }

  function specification(summary, rows, one, other) {
    const text = (rank) => rankText(rank, summary.depth);
    const [first, second] = [one, other].map((model) => label(summary, model));
    const values = rows.map((row) => ({
      ...row,
      ones: text(row.one),
      others: text(row.other),
      better: row.difference > 0 ? first : second,
      text: signed(row.difference),
    }));
    return (width) => ({
      height: 260,
      data: { values },
      mark: {
        type: "bar",
        cursor: "pointer",
        width: Math.max(1, Math.min(14, (0.8 * (width - 60)) / values.length)),
        minBandSize: 1,
      },
      encoding: {
        x: {
          field: "at",
          type: "quantitative",
          scale: { domain: [0.5, values.length + 0.5], nice: false },
          axis: { title: "questions, sorted", labels: false, ticks: false, grid: false },
        },
        y: {
          field: "difference",
          type: "quantitative",
          stack: null,
          title: "difference of 1 / first rank",
          scale: { domain: [-1, 1] },
          axis: { values: [-1, -0.5, 0, 0.5, 1] },
        },
        color: {
          field: "better",
          type: "nominal",
          title: null,
          scale: { domain: [first, second], range: [ink("--accent"), ink("--second")] },
          legend: {
            symbolType: "square",
            labelLimit: width - 60,
            columns: 1,
            labelExpr: "'first right method earlier by ' + datum.label",
          },
        },
        tooltip: [
          { field: "title", title: "question" },
          { field: "ones", title: first },
          { field: "others", title: second },
          { field: "text", title: "difference" },
        ],
      },
    });
  }

  /** The mean difference of two models with interval and p, or the command that gives them. */
  function meanText(summary, one, other, judge, mean) {
    const name = judgeName(summary, judge);
    const find = (model, baseline) =>
      summary.differences.find(
        (row) =>
          row.model === model &&
          row.baseline === baseline &&
          row.measure === "mrr" &&
          row.judge === name &&
          ncsbench.numbers.known(row.difference_low),
      );
    const [there, back] = [find(one, other), find(other, one)];
    const row = there || (back && {
      ...back,
      difference: -back.difference,
      difference_low: -back.difference_high,
      difference_high: -back.difference_low,
    });
    if (row) return ncsbench.modelFigures.pairText(row);
    return `${signed(mean)}, and “ncsbench compare ${one} ${other} --dataset ${summary.dataset}${summary.trial ? ` --trial ${summary.trial}` : ""}” gives its interval and p`;
  }

  function rankDifferences(summary) {
    function build(parameters) {
      const [one, other] = pair(summary, parameters);
      if (one === other) return { empty: "There is one model only." };
      const rows = differences(summary, one, other, parameters.judge);
      const better = rows.filter((row) => row.difference > 0).length;
      const worse = rows.filter((row) => row.difference < 0).length;
      const mean = rows.reduce((sum, row) => sum + row.difference, 0) / Math.max(1, rows.length);
      return {
        drawings: [specification(summary, rows, one, other)],
        says: `${label(summary, one)} has its first right method earlier on ${many(better, "question")}, ${label(summary, other)} on ${worse}, and ${rows.length - better - worse} are equal; the mean difference is ${meanText(summary, one, other, parameters.judge, mean)}.`,
        columns: ["question", "stackoverflow_id", "title", `rank ${one}`, `rank ${other}`, "difference"],
        rows: rows.map((row) => [
          row.id,
          row.so,
          row.title,
          row.one || null,
          row.other || null,
          row.difference,
        ]),
      };
    }
    const controls = (parameters) => {
      const [one, other] = pair(summary, parameters);
      const list = ncsbench.address.write("questions", listOf([one, other], parameters));
      return [
        choice("Model", models(summary), one, (model) =>
          ncsbench.address.change(chooseFirst([one, other], model)),
        ),
        choice("Compared with", models(summary), other, (model) =>
          ncsbench.address.change(chooseSecond([one, other], model)),
        ),
        judgeChoice(summary, parameters.judge),
        ncsbench.dom.make("a", { href: list, class: "beside" }, "The same as a list of questions"),
      ];
    };
    const press = function (datum) {
      if (datum.id === undefined) return;
      const { parameters } = ncsbench.address.read();
      const both = pair(summary, parameters);
      ncsbench.address.go(ncsbench.address.ofQuestion(datum.id, listOf(both, parameters), both));
    };
    return {
      name: "rank-differences",
      title: "Two models, question by question",
      help: "One bar per question: up where the first model finds a right method earlier, down where the second does. Press a bar to open its question.",
      controls,
      build,
      press,
      depends: ["model", "with", "judge"],
    };
  }

  ncsbench.questionFigures = { rankDifferences, pair, chooseFirst, chooseSecond };
})(window.ncsbench);
