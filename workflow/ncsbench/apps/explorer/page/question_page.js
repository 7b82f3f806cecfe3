// A question: its answer, every model's first rank, the top results of one or two models.
(function (ncsbench) {
  "use strict";

  const { make, link, breakable, renew, say } = ncsbench.dom;
  const { choice, models: modelOptions } = ncsbench.controls;
  const { byMrr, label, meaning } = ncsbench.judged;
  const { many } = ncsbench.numbers;
  const { pair, chooseFirst, chooseSecond } = ncsbench.questionFigures;
  const change = (changes) => ncsbench.address.change(changes);
  const NEAR = "300px";

  function neighbours(summary, id, parameters) {
    const wanted = ncsbench.questionFilter.read(summary, ncsbench.address.unpack(parameters.list));
    const questions = ncsbench.questionFilter.choose(summary, wanted);
    const at = questions.findIndex((question) => question.id === id);
    return {
      before: questions[at - 1],
      after: at < 0 ? questions[0] : questions[at + 1],
      at,
      total: questions.length,
    };
  }

  function navigation(summary, id, parameters) {
    const { before, after, at, total } = neighbours(summary, id, parameters);
    const go = (question, text, rel) =>
      question
        ? make(
            "a",
            {
              href: ncsbench.address.write(`question/${question.id}`, parameters),
              rel,
              title: question.title,
            },
            text,
          )
        : make("span", { class: "faint" }, text);
    const list = make(
      "a",
      { href: ncsbench.address.write("questions", ncsbench.address.unpack(parameters.list)) },
      at < 0 ? "The list, which this question is not in" : `${at + 1} of ${total} in the list`,
    );
    return [go(before, "← Previous", "prev"), list, go(after, "Next →", "next")];
  }

  function credits(question) {
    const author = question.author ? [" by ", link(question.author_url, question.author)] : [];
    return make(
      "p",
      { class: "credits" },
      "Asked",
      author,
      " on ",
      link(question.url, `${ncsbench.dom.site(question.url)} (${question.so})`),
      question.licence ? `, ${question.licence}` : "",
    );
  }

  /** Why a text is not here, and what brings it. */
  const missing = () => [
    "The texts are not in this folder, since the pages were made from published rankings alone: ",
    make("code", null, "snakemake --cores 1 data/sources/ncsed/questions.json"),
    ", called in the folder of ncsbench, fetches questions and answers; then make the explorer again. The code is behind the links.",
  ];

  function answer(summary, question) {
    const { answer: given } = question;
    const read =
      given.wrapping === "none"
        ? "The judges could not read this answer as Java: nothing can be right here."
        : `A method is right where its code is similar enough to this answer. ${meaning(summary)} The judges read the answer as ${given.wrapping}, with ${many(given.features, "feature")} to compare.`;
    const by = given.author ? [" by ", link(given.author_url, given.author)] : [];
    const address = given.url || question.url;
    const source = [
      link(address, `Answer on ${ncsbench.dom.site(address)}`),
      by,
      given.licence ? `, ${given.licence}` : "",
    ];
    const code = { label: "Code of the answer", more: given.more, address: given.url };
    return make(
      "section",
      { class: "answer", "aria-labelledby": "answer-title" },
      make("h2", { id: "answer-title" }, "Answer"),
      make("p", { class: "note" }, source),
      given.code ? ncsbench.code.open(given.code, code) : make("p", null, missing()),
      make("h2", null, "What counts as right"),
      make("p", null, read),
    );
  }

  /** The models whose results are shown: one, or two beside each other. */
  function chosen(summary, parameters) {
    const [one, other] = pair(summary, parameters);
    return parameters.alone ? [one] : [one, other];
  }

  function column(summary, question, name, other, watch) {
    const ids = question.results[summary.models.indexOf(name)] || [];
    const others = other ? question.results[summary.models.indexOf(other)] || [] : [];
    const cards = ids.map(function (method, at) {
      const rank = others.indexOf(method) + 1;
      const card = ncsbench.result.open({
        summary,
        question,
        ids,
        rank: at + 1,
        other: rank ? { model: label(summary, other), rank } : null,
      });
      watch(card);
      return card.element;
    });
    const id = `results-${summary.models.indexOf(name)}`;
    const none = make("p", { class: "note" }, `${label(summary, name)} returns nothing for this question.`);
    return make(
      "section",
      { class: "column", "aria-labelledby": id },
      make("h2", { id }, breakable(label(summary, name))),
      cards.length ? cards : none,
    );
  }

  /** Where two columns have no room beside each other: which one is there. */
  function tabButtons(names, columns) {
    const press = function (at) {
      columns.classList.toggle("second", at === 1);
      buttons.forEach((one, place) => one.setAttribute("aria-pressed", String(place === at)));
    };
    const buttons = names.map((name, at) =>
      ncsbench.dom.button(name, () => press(at), { class: "small", "aria-pressed": String(at === 0) }),
    );
    return buttons;
  }

  function resultControls(summary, parameters, shown) {
    const both = pair(summary, parameters);
    return [
      choice("Results of", modelOptions(summary), both[0], (model) => change(chooseFirst(both, model))),
      choice("beside those of", modelOptions(summary, "no other model"), shown[1] || "", (model) =>
        change(model ? { ...chooseSecond(both, model), alone: "" } : { alone: "1" }),
      ),
    ];
  }

  /** The page below the title, once the question's data are there. */
  function content(summary, question, ranks) {
    const firstPlace = make("div", null);
    const controls = make("div", { class: "controls" });
    const columns = make("div", { class: "columns" });
    const tabs = make("div", { class: "tabs", role: "group", "aria-label": "Results of" });
    const cards = new Map();
    const watcher = new IntersectionObserver(
      function (entries) {
        for (const entry of entries.filter((one) => one.isIntersecting)) {
          watcher.unobserve(entry.target);
          cards.get(entry.target)();
        }
      },
      { rootMargin: NEAR },
    );
    const watch = function (card) {
      cards.set(card.element, card.fill);
      watcher.observe(card.element);
    };
    let shownNow = "";

    function update(parameters) {
      const shown = chosen(summary, parameters);
      const both = pair(summary, parameters);
      const press = (model) => change(chooseFirst(both, model));
      renew(firstPlace, ncsbench.questionVerdicts.firstRight(summary, question, ranks, shown, press));
      renew(controls, resultControls(summary, parameters, shown));
      if (shown.join() === shownNow) return;
      const names = shown.map((name) => label(summary, name));
      if (shownNow) say(`Results of ${names.join(" and ")}`);
      shownNow = shown.join();
      watcher.disconnect();
      cards.clear();
      columns.className = `columns of-${shown.length}`;
      tabs.replaceChildren(...(shown.length > 1 ? tabButtons(names, columns) : []));
      columns.replaceChildren(
        ...shown.map((name, at) => column(summary, question, name, shown[1 - at], watch)),
      );
    }

    const help = `The rank of the first right result under each judge, of the first ${summary.depth}; the nearest miss is the most similar of the first ${summary.top} results that neither judge accepts, with its similarity by the strict judge. Press a model to see its results.`;
    const marked = Object.values(question.pairs).some((pair) => pair[2]);
    const note = marked
      ? "Underlined tokens are those that the lenient judge kept as like the answer."
      : "The link of a result leads to the lines of its code.";
    const element = make(
      "div",
      null,
      credits(question),
      make(
        "div",
        { class: "asked" },
        answer(summary, question),
        make(
          "section",
          { "aria-labelledby": "first-title" },
          make("h2", { id: "first-title" }, "First right result of every model"),
          make("p", { class: "help" }, help),
          firstPlace,
        ),
        make(
          "section",
          { "aria-labelledby": "disagree-title" },
          make("h2", { id: "disagree-title" }, "Where the judges disagree"),
          ncsbench.questionVerdicts.disagreements(summary, question),
        ),
      ),
      make(
        "section",
        null,
        make("h2", null, "Results"),
        make("p", { class: "help" }, note),
        controls,
        tabs,
        columns,
      ),
    );
    return { element, update, leave: () => watcher.disconnect() };
  }

  /** Go to the next question or the one before, whose page need not be there yet. */
  function leap(summary, id, which) {
    const { parameters } = ncsbench.address.read();
    const question = neighbours(summary, id, parameters)[which];
    if (question) ncsbench.address.go(ncsbench.address.write(`question/${question.id}`, parameters));
  }

  function keys(summary, id) {
    const models = byMrr(summary);
    const choose = function (key) {
      const { parameters } = ncsbench.address.read();
      change(chooseFirst(pair(summary, parameters), models[Number(key) - 1]));
    };
    const digits = Array.from({ length: Math.min(9, models.length) }, (_, at) => [
      String(at + 1),
      label(summary, models[at]),
      choose,
    ]);
    return [
      ["j", "next question", () => leap(summary, id, "after")],
      ["k", "question before", () => leap(summary, id, "before")],
      ["n", "next result", () => ncsbench.keyboard.step(".result h3", 1)],
      ["p", "result before", () => ncsbench.keyboard.step(".result h3", -1)],
      ...digits,
    ];
  }

  function open(summary, item, parameters) {
    const ranks = summary.questions.find((question) => String(question.id) === item);
    if (!ranks) throw new Error(`This dataset has no question ${item}. “Questions” lists those that it has.`);
    const place = make("div", null, make("p", { class: "wait" }, "Loading the question …"));
    const [above, below] = ["Questions of the list", "Questions of the list, again"].map((label) =>
      make("nav", { class: "neighbours", "aria-label": label }),
    );
    const title = make("h1", { tabindex: "-1" }, ranks.title);
    const element = make("div", { class: "question" }, above, title, place, below);
    let page = null;
    let now = parameters;
    let gone = false;
    ncsbench.data.load(`question-${item}`).then(
      function (question) {
        if (gone) return;
        page = content(summary, question, ranks);
        page.update(now);
        place.replaceChildren(page.element);
      },
      (error) => place.replaceChildren(make("p", { class: "alarm", role: "alert" }, error.message)),
    );
    const update = function (next) {
      now = next;
      for (const links of [above, below]) links.replaceChildren(...navigation(summary, ranks.id, next));
      page?.update(next);
    };
    update(parameters);
    const leave = function () {
      gone = true;
      page?.leave();
    };
    return { element, title: ranks.title, update, leave, keys: keys(summary, ranks.id) };
  }

  ncsbench.questionPage = { open };
})(window.ncsbench);
