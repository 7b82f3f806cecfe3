// A question: its answer, every model's first rank, the top results of one or two models.
(function (ncsbench) {
  "use strict";

  const { make, link, breakable, unseen, renew, say } = ncsbench.dom;
  const { choice, models } = ncsbench.controls;
  const { rankText, within } = ncsbench.judged;
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
      at < 0 ? "The list, which this question is not in" : `Question ${at + 1} of ${total} in the list`,
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

  function answer(question) {
    const { answer: given } = question;
    const read =
      given.wrapping === "none"
        ? "The judge could not read this answer as Java: nothing can be right here."
        : `The judge read it as ${given.wrapping}, with ${many(given.features, "feature")}.`;
    const by = given.author ? [" by ", link(given.author_url, given.author)] : [];
    return make(
      "section",
      { class: "answer", "aria-labelledby": "answer-title" },
      make("h2", { id: "answer-title" }, "Answer"),
      make(
        "p",
        { class: "note" },
        link(given.url, `Answer on ${ncsbench.dom.site(given.url)}`),
        by,
        given.licence ? `, ${given.licence}` : "",
        `. ${read}`,
      ),
      ncsbench.code.open(given.code, { label: "Code of the answer", more: given.more, address: given.url }),
    );
  }

  /** A question's value of the measure that the pages show, for a model (its position). */
  function measured(summary, ranks, at) {
    const value = (ranks.measured || [])[at];
    const text = typeof value === "number" ? `${summary.measure}: ${value.toFixed(3)}` : "";
    return text ? [make("span", { class: "strict" }, text)] : [];
  }

  function stripEntry(summary, ranks, at, shown, pair) {
    const name = summary.models[at];
    const role = shown.indexOf(name);
    const state = within(ranks.ranks[at], summary.top) ? "found" : ranks.ranks[at] ? "late" : "none";
    const text = rankText(ranks.ranks[at], summary.depth);
    const press = () => change(chooseFirst(pair, name));
    const choose = make(
      "button",
      {
        type: "button",
        class: `model ${state}${role === 1 ? " second" : ""}`,
        "aria-pressed": String(role >= 0),
        click: press,
      },
      make("span", { class: "name" }, breakable(name)),
      make("span", { class: "rank" }, unseen("first rank "), text),
      make("span", { class: "strict" }, `strict: ${ranks.strict[at] || "none"}`),
      ...measured(summary, ranks, at),
    );
    return make("li", null, choose);
  }

  function strip(summary, ranks, shown, pair) {
    return make(
      "ul",
      { class: "strip" },
      summary.models.map((_, at) => stripEntry(summary, ranks, at, shown, pair)),
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
    const cards = ids.map(function (id, at) {
      const rank = others.indexOf(id) + 1;
      const card = ncsbench.result.open({
        summary,
        question,
        ids,
        rank: at + 1,
        other: rank ? { model: other, rank } : null,
      });
      watch(card);
      return card.element;
    });
    const label = `results-${summary.models.indexOf(name)}`;
    const none = make("p", { class: "note" }, `${name} returns nothing for this question.`);
    return make(
      "section",
      { class: "column", "aria-labelledby": label },
      make("h2", { id: label }, breakable(name)),
      cards.length ? cards : none,
    );
  }

  /** Where two columns have no room beside each other: which one is there. */
  function tabButtons(shown, columns) {
    const press = function (at) {
      columns.classList.toggle("second", at === 1);
      buttons.forEach((one, place) => one.setAttribute("aria-pressed", String(place === at)));
    };
    const buttons = shown.map((name, at) =>
      ncsbench.dom.button(name, () => press(at), { class: "small", "aria-pressed": String(at === 0) }),
    );
    return buttons;
  }

  function resultControls(summary, parameters, shown) {
    const both = pair(summary, parameters);
    return [
      choice("Results of", models(summary), both[0], (model) => change(chooseFirst(both, model))),
      choice("beside those of", models(summary, "no other model"), shown[1] || "", (model) =>
        change(model ? { ...chooseSecond(both, model), alone: "" } : { alone: "1" }),
      ),
    ];
  }

  /** The page below the title, once the question's data are there. */
  function content(summary, question, ranks) {
    const stripPlace = make("div", null);
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
      renew(stripPlace, strip(summary, ranks, shown, pair(summary, parameters)));
      renew(controls, resultControls(summary, parameters, shown));
      if (shown.join() === shownNow) return;
      if (shownNow) say(`Results of ${shown.join(" and ")}`);
      shownNow = shown.join();
      watcher.disconnect();
      cards.clear();
      columns.className = `columns of-${shown.length}`;
      tabs.replaceChildren(...(shown.length > 1 ? tabButtons(shown, columns) : []));
      columns.replaceChildren(
        ...shown.map((name, at) => column(summary, question, name, shown[1 - at], watch)),
      );
    }

    const heading = make("h2", null, "First right method of every model");
    const help = make(
      "p",
      { class: "help" },
      `The first rank under the lenient judge, of the first ${summary.depth}, and below it under the strict one. Press a model to see its results.`,
    );
    const element = make(
      "div",
      null,
      credits(question),
      answer(question),
      make("section", null, heading, help, stripPlace),
      make(
        "section",
        null,
        make("h2", null, "Results"),
        make(
          "p",
          { class: "help" },
          "Underlined tokens are those that the lenient judge kept as like the answer.",
        ),
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
    const choose = function (key) {
      const { parameters } = ncsbench.address.read();
      change(chooseFirst(pair(summary, parameters), summary.models[Number(key) - 1]));
    };
    const digits = Array.from({ length: Math.min(9, summary.models.length) }, (_, at) => [
      String(at + 1),
      summary.models[at],
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
