// The overview: what the dataset is, Table 1, the figures.
(function (ncsbench) {
  "use strict";

  const { make } = ncsbench.dom;
  const { count } = ncsbench.numbers;
  const REST = 1000; // milliseconds after which figures out of sight are drawn, too

  const facts = (summary) =>
    make("p", { class: "facts" }, summary.facts.map(([name, value]) => `${count(value)} ${name}`).join(", "));

  const meaning = (summary) =>
    make(
      "p",
      null,
      "A method is ",
      make("em", null, "right"),
      ` where its code is similar enough to the code of the question's answer. ${ncsbench.judged.meaning(summary)}`,
    );

  /** Draw figures that nobody scrolled to: a printed page has them, and printing waits for nothing. */
  function drawRest(figures) {
    const drawAll = () => figures.forEach((figure) => figure.draw());
    let waiting = 0;
    async function drawNext(at) {
      if (at === figures.length) return;
      await figures[at].draw();
      if (waiting) waiting = window.setTimeout(drawNext, 20, at + 1); // the reader comes first
    }
    waiting = window.setTimeout(drawNext, REST, 0);
    window.addEventListener("beforeprint", drawAll);
    return function () {
      window.clearTimeout(waiting);
      waiting = 0;
      window.removeEventListener("beforeprint", drawAll);
    };
  }

  function open(summary, item, parameters) {
    const table = ncsbench.table1.open(summary, parameters);
    const figures = [
      ncsbench.modelFigures.curves(summary),
      ncsbench.modelFigures.forest(summary),
      ncsbench.publishedFigures.dumbbell(summary),
      ncsbench.questionFigures.rankDifferences(summary),
    ].map((figure) => ncsbench.figure.open(figure, parameters));
    const rest = drawRest(figures);
    const element = make(
      "div",
      { class: "overview" },
      make(
        "h1",
        { tabindex: "-1" },
        summary.dataset,
        summary.trial ? make("span", { class: "faint" }, `, trial ${summary.trial}`) : null,
      ),
      facts(summary),
      ncsbench.answer.open(summary),
      meaning(summary),
      table.element,
      make(
        "section",
        { "aria-labelledby": "figures-title" },
        make("h2", { id: "figures-title" }, "Figures"),
        make(
          "div",
          { class: "figures" },
          figures.map((figure) => figure.element),
        ),
      ),
    );
    return {
      element,
      title: "Overview",
      update(now) {
        table.update(now);
        for (const figure of figures) figure.update(now);
      },
      leave() {
        rest();
        for (const figure of figures) figure.leave();
      },
      keys: [
        ["j", "next figure", () => ncsbench.keyboard.step(".figure h3", 1)],
        ["k", "figure before", () => ncsbench.keyboard.step(".figure h3", -1)],
      ],
    };
  }

  ncsbench.overview = { open };
})(window.ncsbench);
