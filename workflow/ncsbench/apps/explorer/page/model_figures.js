// Figures that compare models: Answered@k, differences from the baseline, judges.
(function (ncsbench) {
  "use strict";

  const { ink } = ncsbench.figure;
  const { choice, tick, judges } = ncsbench.controls;
  const { BASELINES, MEASURES, answered, tableRows, measureOf, measureName } = ncsbench.judged;
  const { decimal, signed, interval, many, known } = ncsbench.numbers;
  const change = (changes) => ncsbench.address.change(changes);
  const MOST_CURVES = 4;
  const ours = (summary) => summary.models.filter((model) => !BASELINES.includes(model));

  /** Models of the table, the one with the highest MRR first. */
  function byMrr(summary) {
    const rows = tableRows(summary).filter((row) => summary.models.includes(row.model));
    return rows.sort((one, other) => Number(other.mrr) - Number(one.mrr)).map((row) => row.model);
  }

  /** The models whose curves are shown: those chosen, or the best and the baseline. */
  function chosen(summary, parameters) {
    if (parameters.curves !== undefined)
      return summary.models.filter((model) => parameters.curves.split(",").includes(model));
    const best = byMrr(summary).filter(
      (model) => ours(summary).includes(model) && model !== summary.baseline,
    );
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
      const boxes = summary.models.map((model) => tick(model, now.includes(model), toggle(model)));
      const fields = ncsbench.dom.make(
        "fieldset",
        { class: "ticks" },
        ncsbench.dom.make("legend", null, "Models"),
        boxes,
      );
      return [
        choice("Judge", judges(summary), parameters.judge || "default", (judge) =>
          change({ judge: judge === "default" ? "" : judge }),
        ),
        fields,
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

  function curveSpecification(values, models, depth, questions) {
    // One legend of colour and dash: Vega-Lite merges two that are the same.
    const legend = { symbolType: "stroke", symbolSize: 500, labelLimit: 240 };
    const style = { field: "model", type: "nominal", sort: models, title: null };
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
            domain: models,
            range: models.map((_, at) => ink(ncsbench.figure.COLOURS[at % ncsbench.figure.COLOURS.length])),
          },
          legend: { ...legend, columns: narrow ? 1 : 2 },
        },
        strokeDash: {
          ...style,
          scale: { domain: models, range: models.map((_, at) => DASHES[at % DASHES.length]) },
          legend: { ...legend, columns: narrow ? 1 : 2 },
        },
        tooltip: [{ field: "model" }, { field: "k" }, { field: "answered" }],
      },
    });
  }

  function curves(summary) {
    const cuts = Array.from({ length: summary.depth }, (_, at) => at + 1);
    function build(parameters) {
      const models = chosen(summary, parameters);
      if (!models.length) return { empty: "No model is chosen: tick one above." };
      const count = (model, k) => answered(summary, summary.models.indexOf(model), k, parameters.judge);
      const values = models.flatMap((model) => cuts.map((k) => ({ model, k, answered: count(model, k) })));
      const total = summary.questions.length;
      const at10 = models
        .map((model) => [model, count(model, Math.min(10, summary.depth))])
        .sort((one, other) => other[1] - one[1]);
      return {
        drawings: [curveSpecification(values, models, summary.depth, total)],
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
    const names = values.map((one) => one.model);
    const y = {
      field: "model",
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
      tooltip: [{ field: "model" }, { field: "text", title }, { field: "note", title: "questions" }],
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
      const judge = parameters.judge === "strict" ? summary.strict.name : summary.judge.name;
      const values = forestValues(summary, measure, judge);
      if (!values.length)
        return { empty: "No differences are known here: significance.csv has none of this measure." };
      const sure = values.filter((one) => one.fill === ink("--accent"));
      const better = sure.filter((one) => one.difference > 0);
      const lows = values.map((one) => one.difference_low ?? one.difference);
      const highs = values.map((one) => one.difference_high ?? one.difference);
      const layer = intervalLayers(
        values,
        `${measureName(measure)} minus that of ${summary.baseline}`,
        Math.min(0, ...lows),
        Math.max(0, ...highs),
      );
      return {
        drawings: [() => ({ height: 24 * values.length, data: { values }, layer })],
        says: `${many(better.length, "row")} of ${values.length} ${better.length === 1 ? "is" : "are"} surely above ${summary.baseline} after Holm's correction, ${sure.length - better.length} below; ${values[0].model} is the highest with ${pairText(values[0], digits)}.`,
        columns: [
          "model",
          "difference",
          "difference_low",
          "difference_high",
          "p_holm",
          "wins",
          "ties",
          "losses",
          "baseline",
          "measure",
          "judge",
        ],
        rows: values.map((one) => [
          one.model,
          one.difference,
          one.difference_low,
          one.difference_high,
          one.p_holm,
          one.wins,
          one.ties,
          one.losses,
          one.baseline,
          one.measure,
          one.judge,
        ]),
      };
    }
    const controls = (parameters) => [
      choice("Measure", MEASURES, measureOf(parameters.difference), (difference) => change({ difference })),
      choice("Judge", judges(summary), parameters.judge || "default", (judge) =>
        change({ judge: judge === "default" ? "" : judge }),
      ),
    ];
    return {
      name: "differences",
      title: `Differences from ${summary.baseline}`,
      help: `A dot is a row's difference from ${summary.baseline} on the same questions, the line its 95 % interval; a filled dot differs with p below 0.05 after Holm's correction.`,
      controls,
      build,
      depends: ["difference", "judge"],
    };
  }

  function sensitivityLayers(values, names) {
    const y = {
      field: "model",
      type: "nominal",
      sort: names,
      title: null,
      axis: { ticks: false, domain: false, grid: true },
    };
    const x = (field) => ({
      field,
      type: "quantitative",
      title: "MRR",
      scale: { zero: true },
      axis: { tickCount: 5, format: ".1f" },
    });
    const tip = { tooltip: [{ field: "model" }, { field: "judge" }, { field: "text", title: "MRR" }] };
    const only = (role) => [{ filter: { field: "role", equal: role } }];
    return [
      {
        transform: [
          {
            aggregate: [
              { op: "min", field: "mrr", as: "low" },
              { op: "max", field: "mrr", as: "high" },
            ],
            groupby: ["model"],
          },
        ],
        mark: { type: "rule", stroke: ink("--strong-line"), strokeWidth: 2 },
        encoding: { x: x("low"), x2: { field: "high" }, y },
      },
      {
        transform: only("other"),
        mark: { type: "tick", thickness: 2, size: 12, color: ink("--soft") },
        encoding: { x: x("mrr"), y, ...tip },
      },
      {
        transform: only("strict"),
        mark: { type: "point", shape: "diamond", filled: true, size: 90, opacity: 1, color: ink("--second") },
        encoding: { x: x("mrr"), y, ...tip },
      },
      {
        transform: only("default"),
        mark: { type: "point", filled: true, size: 80, opacity: 1, color: ink("--accent") },
        encoding: { x: x("mrr"), y, ...tip },
      },
    ];
  }

  function sensitivity(summary) {
    const role = (judge) =>
      judge === summary.judge.name ? "default" : judge === summary.strict.name ? "strict" : "other";
    function build() {
      const values = summary.models
        .flatMap((model, row) =>
          summary.judges
            .map((judge, at) => ({ model, judge, mrr: summary.sensitivity[row]?.[at], role: role(judge) }))
            .filter((one) => known(one.mrr)),
        )
        .map((one) => ({ ...one, text: decimal(one.mrr) }));
      if (!values.length) return { empty: "The judgements of other judges are not known here." };
      const names = byMrr(summary);
      const winner = (judge) =>
        values.filter((one) => one.judge === judge).sort((one, other) => other.mrr - one.mrr)[0]?.model;
      const first = winner(summary.judge.name);
      const same = summary.judges.filter((judge) => winner(judge) === first).length;
      return {
        drawings: [
          () => ({ height: 24 * names.length, data: { values }, layer: sensitivityLayers(values, names) }),
        ],
        says: `${first} has the highest MRR under the lenient judge, and under ${same} of ${summary.judges.length} judges.`,
        columns: ["model", "judge", "mrr"],
        rows: values.map((one) => [one.model, one.judge, one.mrr]),
      };
    }
    return {
      name: "judges",
      title: "What the choice of the judge does",
      help: `A line spans a model's MRR under all judges at a threshold of ${summary.judge.threshold}: the circle is the lenient judge, the diamond the strict one, ticks the others. Long lines are figures to be careful with.`,
      build,
      depends: [],
    };
  }

  ncsbench.modelFigures = { curves, forest, sensitivity, pairText, byMrr, ours };
})(window.ncsbench);
