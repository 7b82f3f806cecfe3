// Figures that compare models: Answered@k, differences from the baseline.
(function (ncsbench) {
  "use strict";

  const { ink } = ncsbench.figure;
  const { choice, tick, judge: judgeChoice } = ncsbench.controls;
  const { MEASURES, answered, ours, label, judgeName, measureOf, measureName } = ncsbench.judged;
  const { decimal, signed, interval, many, known } = ncsbench.numbers;
  const change = (changes) => ncsbench.address.change(changes);
  const MOST_CURVES = 4;
  const DIFFERENCES = [
    ...["model", "difference", "difference_low", "difference_high", "p_holm"],
    ...["wins", "ties", "losses", "baseline", "measure", "judge"],
  ];

  /** The models whose curves are shown: those chosen, or the best and the baseline. */
  function chosen(summary, parameters) {
    if (parameters.curves !== undefined)
      return summary.models.filter((model) => parameters.curves.split(",").includes(model));
    const best = ours(summary).filter((model) => model !== summary.baseline);
    const shown = [...best.slice(0, MOST_CURVES), summary.baseline];
    return summary.models.filter((model) => shown.includes(model));
  }

  function curveControls(summary) {
    return function (parameters) {
      const now = chosen(summary, parameters);
      const toggle = (model) => (on) => {
        const kept = summary.models.filter((one) => (one === model ? on : now.includes(one)));
        change({ curves: kept.join(",") || "-" });
      };
      const box = (model) => tick(label(summary, model), now.includes(model), toggle(model));
      const { make } = ncsbench.dom;
      return [
        judgeChoice(summary, parameters.judge),
        make("fieldset", { class: "ticks" }, make("legend", null, "Models"), summary.models.map(box)),
      ];
    };
  }

  const DASHES = [
    [1, 0],
    [7, 3],
    [2, 2],
    [9, 3, 2, 3],
    [12, 4],
    [4, 4],
    [1, 3],
  ];

  function curveSpecification(values, names, depth, questions) {
    // One legend of colour and dash: Vega-Lite merges two that are the same.
    const legend = { symbolType: "stroke", symbolSize: 500, labelLimit: 240 };
    const style = { field: "name", type: "nominal", sort: names, title: null };
    return (width, narrow) => ({
      height: 320,
      data: { values },
      mark: { type: "line", strokeWidth: 2, interpolate: "step-after", tooltip: true },
      encoding: {
        x: {
          field: "k",
          type: "quantitative",
          title: "k: results looked at",
          scale: { type: "log", domain: [1, depth], nice: false },
          axis: { values: [1, 2, 5, 10, 20, 50, 100].filter((k) => k <= depth), format: "d", grid: false },
        },
        y: {
          field: "answered",
          type: "quantitative",
          title: "questions answered",
          scale: { domain: [0, questions] },
          axis: { tickCount: 6, format: "d" },
        },
        color: {
          ...style,
          scale: {
            domain: names,
            range: names.map((_, at) => ink(ncsbench.figure.COLOURS[at % ncsbench.figure.COLOURS.length])),
          },
          legend: { ...legend, columns: narrow ? 1 : 2 },
        },
        strokeDash: {
          ...style,
          scale: { domain: names, range: names.map((_, at) => DASHES[at % DASHES.length]) },
          legend: { ...legend, columns: narrow ? 1 : 2 },
        },
        tooltip: [{ field: "name", title: "model" }, { field: "k" }, { field: "answered" }],
      },
    });
  }

  function curves(summary) {
    const cuts = Array.from({ length: summary.depth }, (_, at) => at + 1);
    function build(parameters) {
      const models = chosen(summary, parameters);
      if (!models.length) return { empty: "No model is chosen: tick one above." };
      const count = (model, k) => answered(summary, summary.models.indexOf(model), k, parameters.judge);
      const names = models.map((model) => label(summary, model));
      const values = models.flatMap((model, at) =>
        cuts.map((k) => ({ model, name: names[at], k, answered: count(model, k) })),
      );
      const total = summary.questions.length;
      const at10 = models
        .map((model, at) => [names[at], count(model, Math.min(10, summary.depth))])
        .sort((one, other) => other[1] - one[1]);
      return {
        drawings: [curveSpecification(values, names, summary.depth, total)],
        says: `Among the first ten results ${at10[0][0]} answers ${at10[0][1]} of ${many(total, "question")}, the most of those shown${at10.length > 1 ? `; ${at10.at(-1)[0]} answers ${at10.at(-1)[1]}, the fewest` : ""}.`,
        columns: ["model", "k", "answered"],
        rows: values.map((one) => [one.model, one.k, one.answered]),
      };
    }
    return {
      name: "answered-at-k",
      title: "Answered@k",
      help: "Each line counts the questions that have a right method among the first k results; higher is better, and the scale of k is logarithmic.",
      controls: curveControls(summary),
      build,
      depends: ["curves", "judge"],
    };
  }

  function intervalLayers(values, title, low, high) {
    const names = values.map((one) => one.name);
    const y = {
      field: "name",
      type: "nominal",
      sort: names,
      title: null,
      axis: { ticks: false, domain: false, grid: false },
    };
    const x = (field) => ({
      field,
      type: "quantitative",
      title,
      scale: { domain: [low, high], nice: true },
      axis: { tickCount: 6 },
    });
    const tip = {
      tooltip: [
        { field: "name", title: "model" },
        { field: "text", title },
        { field: "note", title: "questions" },
      ],
    };
    return [
      {
        data: { values: [{ zero: 0 }] },
        mark: { type: "rule", stroke: ink("--soft"), strokeDash: [4, 3] },
        encoding: { x: { field: "zero", type: "quantitative" } },
      },
      {
        mark: { type: "rule", strokeWidth: 2, stroke: ink("--accent") },
        encoding: { x: x("low"), x2: { field: "high" }, y, ...tip },
      },
      {
        mark: { type: "point", filled: true, size: 70, stroke: ink("--accent"), strokeWidth: 2, opacity: 1 },
        encoding: { x: x("difference"), y, fill: { field: "fill", type: "nominal", scale: null }, ...tip },
      },
    ];
  }

  /** A difference with its interval and, where known, its p. */
  function pairText(one, digits = 3) {
    const p = one.p_holm < 0.001 ? "p below 0.001" : `p = ${decimal(one.p_holm)}`;
    return `${signed(one.difference, digits)} ${interval(one.difference_low, one.difference_high, digits)}${known(one.p_holm) ? `, ${p} after Holm's correction` : ""}`;
  }

  const digitsOf = (measure) => (measure === "mrr" ? 3 : 0);

  function forestValues(summary, measure, judge) {
    const digits = digitsOf(measure);
    return summary.differences
      .filter((one) => one.measure === measure && one.judge === judge && known(one.difference))
      .sort((one, other) => other.difference - one.difference)
      .map((one) => ({
        ...one,
        name: label(summary, one.model),
        low: one.difference_low,
        high: one.difference_high,
        fill: known(one.p_holm) && one.p_holm < 0.05 ? ink("--accent") : ink("--page"),
        text: `${signed(one.difference, digits)} ${interval(one.difference_low, one.difference_high, digits)}`,
        note: `${one.wins} better, ${one.ties} equal, ${one.losses} worse`,
      }));
  }

  function forest(summary) {
    function build(parameters) {
      const measure = measureOf(parameters.difference);
      const digits = digitsOf(measure);
      const judge = judgeName(summary, parameters.judge);
      const values = forestValues(summary, measure, judge);
      if (!values.length)
        return { empty: "No differences are known here: significance.csv has none of this measure." };
      const baseline = label(summary, summary.baseline);
      const sure = values.filter((one) => one.fill === ink("--accent"));
      const better = sure.filter((one) => one.difference > 0);
      const lows = values.map((one) => one.difference_low ?? one.difference);
      const highs = values.map((one) => one.difference_high ?? one.difference);
      const layer = intervalLayers(
        values,
        `${measureName(measure)} minus that of ${baseline}`,
        Math.min(0, ...lows),
        Math.max(0, ...highs),
      );
      return {
        drawings: [() => ({ height: 24 * values.length, data: { values }, layer })],
        says: `${many(better.length, "row")} of ${values.length} ${better.length === 1 ? "is" : "are"} surely above ${baseline} after Holm's correction, ${sure.length - better.length} below; ${values[0].name} is the highest with ${pairText(values[0], digits)}.`,
        columns: DIFFERENCES,
        rows: values.map((one) => DIFFERENCES.map((name) => one[name])),
      };
    }
    const controls = (parameters) => [
      choice("Measure", MEASURES, measureOf(parameters.difference), (difference) => change({ difference })),
      judgeChoice(summary, parameters.judge),
    ];
    return {
      name: "differences",
      title: `Differences from ${label(summary, summary.baseline)}`,
      help: `A dot is a row's difference from ${label(summary, summary.baseline)} on the same questions, the line its 95 % interval; a filled dot differs with p below 0.05 after Holm's correction.`,
      controls,
      build,
      depends: ["difference", "judge"],
    };
  }

  ncsbench.modelFigures = { curves, forest, pairText };
})(window.ncsbench);
