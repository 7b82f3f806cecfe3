// Figures of the dataset and of the run: funnel, lengths retrieved, time and memory.
(function (ncsbench) {
  "use strict";

  const { ink } = ncsbench.figure;
  const { count, known, many, duration } = ncsbench.numbers;
  const bare = { ticks: false, domain: false, grid: false };
  const LOG = { type: "log", nice: false };
  const MOST_STAGES = 12;
  const WIDE = 50;

  function funnelDrawing(part) {
    const values = part.steps.map((one, at) => ({
      ...one,
      at,
      shown: Math.max(1, one.count),
      text: count(one.count),
      published_text: one.published === null ? "not known" : count(one.published),
    }));
    const counts = values.flatMap((one) => [one.shown, one.published || one.shown]);
    const highest = Math.max(10, ...counts);
    const wide = highest > WIDE * Math.min(...counts); // steps of some per cent say nothing on a logarithmic scale
    const scale = wide
      ? { ...LOG, domain: [1, highest ** 1.35] }
      : { domain: [0, 1.3 * highest], nice: false };
    const y = {
      field: "step",
      type: "nominal",
      sort: values.map((one) => one.step),
      title: null,
      axis: bare,
    };
    const x = (field) => ({
      field,
      type: "quantitative",
      title: `${part.name}: left after each step${wide ? " (logarithmic)" : ""}`,
      scale,
      axis: { format: "~s", tickCount: 5, grid: true },
    });
    const tip = {
      tooltip: [
        { field: "step" },
        { field: "text", title: "ours" },
        { field: "published_text", title: "published" },
      ],
    };
    const published = [{ filter: "isValid(datum.published) && datum.published > 0" }];
    return (width, narrow) => ({
      height: (narrow ? 38 : 26) * values.length,
      data: { values },
      encoding: { y },
      layer: [
        {
          mark: { type: "bar", height: 14, color: ink("--accent"), opacity: 0.85 },
          encoding: { x: x("shown"), x2: { datum: wide ? 1 : 0 }, ...tip },
        },
        {
          transform: published,
          mark: { type: "tick", thickness: 3, size: 20, color: ink("--second") },
          encoding: { x: x("published"), ...tip },
        },
        {
          mark: { type: "text", align: "left", dx: 6 },
          encoding: { x: x("shown"), text: { field: "text" } },
        },
      ],
    });
  }

  function funnel(summary) {
    const parts = summary.funnel.filter((part) => part.steps.length);
    function build() {
      if (!parts.length)
        return { empty: "How questions and methods were chosen is not recorded for this dataset." };
      const says = parts
        .map(
          (part) =>
            `${part.name}: from ${count(part.steps[0].count)} (${part.steps[0].step}) to ${count(part.steps.at(-1).count)} (${part.steps.at(-1).step})`,
        )
        .join("; ");
      return {
        drawings: parts.map(funnelDrawing),
        says: `${says[0].toUpperCase()}${says.slice(1)}.`,
        columns: ["of", "step", "count", "published"],
        rows: parts.flatMap((part) =>
          part.steps.map((one) => [part.name, one.step, one.count, one.published]),
        ),
      };
    }
    return {
      name: "funnel",
      title: "How the dataset came about",
      help: "Each bar is what is left after a step; a tick in the second colour is the published number where one is known.",
      build,
      depends: [],
    };
  }

  function lengthLayers(values, names) {
    const y = { field: "name", type: "nominal", sort: names, title: null, axis: bare };
    const x = (field) => ({
      field,
      type: "quantitative",
      title: "lines of a method (logarithmic)",
      scale: { ...LOG, domain: [1, Math.max(10, ...values.map((one) => one.upmost))] },
      axis: { tickCount: 6, format: "~s" },
    });
    const tip = {
      tooltip: [
        { field: "name" },
        { field: "low", title: "5 %" },
        { field: "lower", title: "25 %" },
        { field: "median" },
        { field: "upper", title: "75 %" },
        { field: "high", title: "95 %" },
      ],
    };
    const colour = { field: "colour", type: "nominal", scale: null };
    return [
      {
        mark: { type: "rule", strokeWidth: 1.5 },
        encoding: { x: x("lowest"), x2: { field: "upmost" }, y, stroke: colour, ...tip },
      },
      {
        mark: { type: "bar", height: 12, cornerRadius: 2, opacity: 0.55 },
        encoding: { x: x("from"), x2: { field: "to" }, y, fill: colour, ...tip },
      },
      {
        mark: { type: "tick", thickness: 3, size: 16, color: ink("--ink") },
        encoding: { x: x("middle"), y, ...tip },
      },
    ];
  }

  function lengths(summary) {
    function build() {
      if (!summary.lengths.length) return { empty: "Lengths of retrieved methods are not known here." };
      const atLeastOne = (value) => Math.max(1, value);
      const values = summary.lengths
        .map((one) => ({
          ...one,
          lowest: atLeastOne(one.low),
          from: atLeastOne(one.lower),
          middle: atLeastOne(one.median),
          to: atLeastOne(one.upper),
          upmost: atLeastOne(one.high),
          colour: one.name === "corpus" ? ink("--second") : ink("--accent"),
        }))
        .sort((one, other) =>
          one.name === "corpus" ? -1 : other.name === "corpus" ? 1 : one.median - other.median,
        );
      const corpus = values.find((one) => one.name === "corpus");
      const longest = values.filter((one) => one !== corpus).at(-1);
      return {
        drawings: [
          () => ({
            height: 24 * values.length,
            data: { values },
            layer: lengthLayers(
              values,
              values.map((one) => one.name),
            ),
          }),
        ],
        says: `${longest ? `${longest.name} retrieves the longest methods, ${many(longest.median, "line")} at the median` : "No model is shown"}${corpus ? `; half of the corpus's methods have at most ${corpus.median} lines` : ""}.`,
        columns: ["name", "low", "lower", "median", "upper", "high"],
        rows: values.map((one) => [one.name, one.low, one.lower, one.median, one.upper, one.high]),
      };
    }
    return {
      name: "lengths",
      title: "Lengths retrieved",
      help: `Lines of the first ${summary.top} results: the thick part holds half of them, the thin line nine in ten, the mark is the median. All methods of the corpus stand on top, in the second colour. A judge that long methods please is easily pleased by such rows.`,
      build,
      depends: [],
    };
  }

  function usageDrawing(values, field, title, text, format) {
    const rows = values
      .filter((one) => one[field] > 0)
      .sort((one, other) => other[field] - one[field])
      .slice(0, MOST_STAGES);
    const y = {
      field: "stage",
      type: "nominal",
      sort: rows.map((one) => one.stage),
      title: null,
      axis: bare,
    };
    return (width, narrow) => ({
      height: 22 * rows.length,
      data: { values: rows.map((one) => ({ ...one, text: text(one[field]) })) },
      encoding: {
        y,
        x: {
          field,
          type: "quantitative",
          title,
          scale: { domain: [0, 1.3 * rows[0][field]], nice: false },
          axis: { format, tickCount: narrow ? 3 : 6 },
        },
        tooltip: [{ field: "stage" }, { field: "jobs" }, { field: "text", title }],
      },
      layer: [
        { mark: { type: "bar", height: 12, color: ink("--accent"), opacity: 0.85 } },
        { mark: { type: "text", align: "left", dx: 6 }, encoding: { text: { field: "text" } } },
      ],
    });
  }

  function usage() {
    async function build() {
      const numbers = ["jobs", "seconds", "processor_seconds", "peak_mib", "written_mib"];
      const { stages: rows } = await ncsbench.data.load("usage");
      const stages = rows.map((row) => ({
        stage: row.stage,
        ...Object.fromEntries(numbers.map((name) => [name, known(row[name]) ? Number(row[name]) : null])),
      }));
      const timed = stages.filter((one) => one.seconds > 0);
      if (!timed.length) return { empty: "Time and memory were not recorded for this dataset." };
      const slowest = timed.reduce((one, other) => (other.seconds > one.seconds ? other : one));
      const largest = stages.reduce((one, other) =>
        (other.peak_mib || 0) > (one.peak_mib || 0) ? other : one,
      );
      const total = timed.reduce((sum, one) => sum + one.seconds, 0);
      const memory = largest.peak_mib > 0;
      return {
        drawings: [
          usageDrawing(stages, "seconds", "time of all jobs together, in seconds", duration, "~s"),
          ...(memory
            ? [
                usageDrawing(
                  stages,
                  "peak_mib",
                  "most memory of a job, in MiB",
                  (value) => `${count(Math.round(value))} MiB`,
                  "~s",
                ),
              ]
            : []),
        ],
        says: `${slowest.stage} takes the longest, ${duration(slowest.seconds)} of ${duration(total)}${memory ? `; ${largest.stage} needs the most memory, ${count(Math.round(largest.peak_mib))} MiB` : ""}.`,
        columns: ["stage", "jobs", "seconds", "processor_seconds", "peak_mib", "written_mib"],
        rows: stages.map((one) => [
          one.stage,
          one.jobs,
          one.seconds,
          one.processor_seconds,
          one.peak_mib,
          one.written_mib,
        ]),
      };
    }
    return {
      name: "usage",
      title: "Time and memory",
      help: "What each stage of the workflow took on the machine that made this dataset, all its jobs together, and the most memory that one of them had; the largest twelve, all in the numbers.",
      build,
      depends: [],
      late: true,
    };
  }

  ncsbench.datasetFigures = { funnel, lengths, usage };
})(window.ncsbench);
