// Published figures beside ours.
(function (ncsbench) {
  "use strict";

  const { ink } = ncsbench.figure;
  const { choice } = ncsbench.controls;
  const { MEASURES, label, tableRows, measureOf, measureName } = ncsbench.judged;
  const { decimal, many, known } = ncsbench.numbers;
  const change = (changes) => ncsbench.address.change(changes);

  /** As table1.md has it: with the outcome without correction where that is another one. */
  const verdictText = (text, alone) =>
    text && alone && !text.startsWith(alone) ? `${text} (alone: ${alone})` : text || "none";

  function publishedValues(summary, measure) {
    const rows = tableRows(summary).filter(
      (row) => row.questions && known(row[`published_${measure}`]) && known(row[measure]),
    );
    const share = (value, of) => (measure === "mrr" ? Number(value) : Number(value) / Number(of));
    return rows
      .map((row) => ({
        model: row.model,
        system: row.published_as,
        ours: share(row[measure], row.questions),
        published: share(row[`published_${measure}`], row.published_questions),
        verdict: verdictText(row[`verdict_${measure}`], row[`verdict_alone_${measure}`]),
      }))
      .sort((one, other) => other.ours - one.ours);
  }

  function dumbbellLayers(values, title, percent) {
    const names = values.map((one) => one.label);
    const y = {
      field: "label",
      type: "nominal",
      sort: names,
      title: null,
      axis: { ticks: false, domain: false },
    };
    const tip = {
      tooltip: [
        { field: "label", title: "model" },
        { field: "system" },
        { field: "ours_text", title: "ours" },
        { field: "published_text", title: "published" },
        { field: "verdict" },
      ],
    };
    const x = (field) => ({
      field,
      type: "quantitative",
      title,
      scale: { zero: true },
      axis: { format: percent ? ".0%" : ".1f", tickCount: 5 },
    });
    const kind = {
      field: "kind",
      type: "nominal",
      title: null,
      scale: { domain: ["ours", "published"], range: [ink("--accent"), ink("--second")] },
    };
    const shape = { ...kind, scale: { domain: ["ours", "published"], range: ["circle", "diamond"] } };
    return [
      {
        mark: { type: "rule", stroke: ink("--strong-line"), strokeWidth: 2 },
        encoding: { x: x("ours"), x2: { field: "published" }, y, ...tip },
      },
      {
        transform: [{ fold: ["ours", "published"], as: ["kind", "value"] }],
        mark: { type: "point", filled: true, size: 110, opacity: 1 },
        encoding: { x: x("value"), y, color: kind, shape, ...tip },
      },
    ];
  }

  function dumbbell(summary) {
    function build(parameters) {
      const measure = measureOf(parameters.published);
      const percent = measure !== "mrr";
      const text = (value) => (percent ? `${decimal(100 * value, 1)} %` : decimal(value));
      const values = publishedValues(summary, measure).map((one) => ({
        ...one,
        label: label(summary, one.model),
        ours_text: text(one.ours),
        published_text: text(one.published),
      }));
      if (!values.length)
        return { empty: "No figure of a row here is published on these questions." };
      const title = percent ? `${measureName(measure)}, share of questions` : "MRR";
      const above = values.filter((one) => one.ours > one.published).length;
      const gap = (one) => Math.abs(one.ours - one.published);
      const widest = values.reduce((one, other) => (gap(other) > gap(one) ? other : one));
      return {
        drawings: [
          () => ({
            height: 30 * values.length,
            data: { values },
            layer: dumbbellLayers(values, title, percent),
          }),
        ],
        says: `Ours is above the published figure in ${above} of ${many(values.length, "row")}; furthest apart is ${widest.label} with ${widest.ours_text}, published for ${widest.system} as ${widest.published_text}.`,
        columns: ["model", "published_as", "measure", "ours", "published", "verdict"],
        rows: values.map((one) => [one.model, one.system, measure, one.ours, one.published, one.verdict]),
      };
    }
    const some = tableRows(summary).some((row) => row.questions && row.published_as);
    const controls = (parameters) =>
      some && [
        choice("Measure", MEASURES, measureOf(parameters.published), (published) => change({ published })),
      ];
    return {
      name: "published",
      title: "Published and ours",
      help: "The circle is our figure by the lenient judge, the diamond the published one of the system that the row rebuilds or is compared with; the line is the difference.",
      controls,
      build,
      depends: ["published"],
    };
  }

  ncsbench.publishedFigures = { dumbbell };
})(window.ncsbench);
