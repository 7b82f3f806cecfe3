// The list of questions, filtered and sorted as the address says.
(function (ncsbench) {
  "use strict";

  const { make, breakable, button, unseen, scroller, say, renew } = ncsbench.dom;
  const { choice, tick, models, judge: judgeChoice, sortCell, nextSort } = ncsbench.controls;
  const { label, ranks } = ncsbench.judged;
  const { signed, many } = ncsbench.numbers;
  const { chooseFirst, chooseSecond } = ncsbench.questionFigures;
  const filter = ncsbench.questionFilter;
  const change = (changes, replace) => ncsbench.address.change(changes, replace);

  /** Columns of the list; that of published ranks only where model A has some. */
  function columns(summary, wanted) {
    const published = summary.questions.some((question) => question.published[wanted.first] !== null);
    const [one, other] = [wanted.one, wanted.other].map((model) => label(summary, model));
    return [
      { key: "id", label: "No.", numeric: true, extra: true },
      { key: "title", label: "Question" },
      { key: "one", label: breakable(one), hint: `first rank of ${one}`, numeric: true },
      { key: "other", label: breakable(other), hint: `first rank of ${other}`, numeric: true },
      {
        key: "difference",
        label: "Difference",
        hint: "difference of 1 / first rank",
        numeric: true,
        extra: true,
      },
      ...(published
        ? [
            {
              key: "published",
              label: "Published",
              hint: `first rank on the score sheet of the published system that ${one} rebuilds`,
              numeric: true,
            },
          ]
        : []),
    ];
  }

  function rankCell(rank, depth) {
    if (rank === null || rank === undefined) return make("td", { class: "number" }, unseen("not published"));
    const none = [make("span", { "aria-hidden": "true", class: "faint" }, "–"), unseen(`none in ${depth}`)];
    return make("td", { class: "number" }, rank > 0 ? String(rank) : none);
  }

  function row(summary, question, wanted, shown, parameters) {
    const found = ranks(question, wanted.judge);
    const address = ncsbench.address.ofQuestion(question.id, parameters, [wanted.one, wanted.other]);
    const near = question.near[wanted.first] ? [" ", make("span", { class: "badge" }, "near copy")] : null;
    const cells = {
      id: () => make("td", { class: "number faint extra" }, String(question.id)),
      title: () =>
        make(
          "th",
          { scope: "row" },
          make("a", { href: address, "data-question": question.id }, question.title),
          near,
          question.title.includes(question.so)
            ? null
            : make("span", { class: "so" }, `Stack Overflow ${question.so}`),
        ),
      one: () => rankCell(found[wanted.first], summary.depth),
      other: () => rankCell(found[wanted.second], summary.depth),
      difference: () => make("td", { class: "number extra" }, signed(filter.difference(question, wanted), 2)),
      published: () => rankCell(question.published[wanted.first], summary.depth),
    };
    return make(
      "tr",
      null,
      shown.map((column) => cells[column.key]()),
    );
  }

  function table(summary, questions, wanted, parameters) {
    const shown = columns(summary, wanted);
    const press = (key) => change({ sort: nextSort(wanted.sort, key, key === "difference") });
    const heads = shown.map((column) => sortCell(column, wanted.sort, press));
    const body = questions.map((question) => row(summary, question, wanted, shown, parameters));
    const caption = make(
      "caption",
      { class: "unseen" },
      `Questions with the first rank of two models`,
    );
    return scroller("Questions", ncsbench.dom.table({ class: "questions" }, heads, body, caption));
  }

  /** What to do where nothing is found. */
  function nothing(summary, wanted) {
    const ways = filter.loosen(summary, wanted);
    const entries = ways.map(([text, count, changes]) =>
      make(
        "li",
        null,
        button(`${text[0].toUpperCase()}${text.slice(1)}`, () => change(changes), { class: "small" }),
        ` ${many(count, "question")}`,
      ),
    );
    const all = button("Show all questions", () => change({ only: "", q: "" }), { class: "small" });
    return make(
      "div",
      { class: "nothing" },
      make("p", null, "No question passes all of these filters."),
      make("ul", null, entries),
      make("p", null, all),
    );
  }

  function csvRows(summary, wanted) {
    const rows = filter.choose(summary, wanted).map((question) => {
      const published = question.published[wanted.first];
      const both = [question.ranks, question.strict].flatMap((found) => [
        found[wanted.first],
        found[wanted.second],
      ]);
      return [
        question.id,
        question.so,
        question.title,
        ...both.map((rank) => rank || ""),
        published || "",
        question.near[wanted.first],
      ];
    });
    const names = ["rank", "strict_rank"].flatMap((kind) => [
      `${kind} ${wanted.one}`,
      `${kind} ${wanted.other}`,
    ]);
    return {
      columns: [
        "question",
        "stackoverflow_id",
        "title",
        ...names,
        `published_rank ${wanted.one}`,
        `near_copy ${wanted.one}`,
      ],
      rows,
    };
  }

  function controls(summary, wanted) {
    const toggle = (name) => (on) => {
      const kept = wanted.conditions
        .map((one) => one.name)
        .filter((one) => (one === name ? on : wanted.only.includes(one)));
      change({ only: kept.join(",") });
    };
    const boxes = wanted.conditions.map((one) =>
      tick(
        one.needs === false ? `${one.text} (no score sheet)` : one.text,
        wanted.only.includes(one.name),
        toggle(one.name),
        { disabled: one.needs === false && !wanted.only.includes(one.name) },
      ),
    );
    return [
      choice("Model A", models(summary), wanted.one, (model) =>
        change(chooseFirst([wanted.one, wanted.other], model)),
      ),
      choice("Model B", models(summary), wanted.other, (model) =>
        change(chooseSecond([wanted.one, wanted.other], model)),
      ),
      judgeChoice(summary, wanted.judge),
      choice(
        "Answered at",
        filter.CUTS.map((k) => [String(k), `k = ${k}`]),
        String(wanted.k),
        (k) => change({ k: k === "10" ? "" : k }),
      ),
      make("fieldset", { class: "ticks" }, make("legend", null, "Only questions where"), boxes),
    ];
  }

  function searchField() {
    const type = (event) => change({ q: event.target.value }, true);
    const field = make("input", {
      type: "search",
      id: "search",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "words, a number, or a Stack Overflow id",
      input: type,
    });
    return {
      field,
      element: make("div", { class: "field search" }, make("label", { for: "search" }, "Search"), field),
    };
  }

  const KEYS = [
    ["/", "search", () => document.getElementById("search").focus()],
    ["j", "next question", () => ncsbench.keyboard.step("[data-question]", 1)],
    ["k", "question before", () => ncsbench.keyboard.step("[data-question]", -1)],
    ["Enter", "open the question that has the focus", null],
  ];

  function open(summary, item, parameters, from) {
    const search = searchField();
    const choices = make("div", { class: "controls" });
    const count = make("p", { class: "count" });
    const list = make("div", null);
    let wanted = null;

    function update(now) {
      wanted = filter.read(summary, now);
      const questions = filter.choose(summary, wanted);
      if (document.activeElement !== search.field || search.field.value.trim() !== wanted.text)
        search.field.value = now.q || "";
      renew(choices, controls(summary, wanted));
      count.textContent = `${many(questions.length, "question")} of ${summary.questions.length}`;
      say(count.textContent);
      renew(list, questions.length ? table(summary, questions, wanted, now) : nothing(summary, wanted));
    }

    update(parameters);
    const save = ncsbench.csv.saveButton(
      `questions-${summary.dataset}`,
      () => csvRows(summary, wanted),
      "The questions shown",
    );
    const open = window.matchMedia("(min-width: 40rem)").matches || wanted.only.length > 0;
    const title = make("summary", null, "Models and filters");
    const filters = make("details", { class: "filters", open }, title, choices);
    const element = make(
      "div",
      null,
      make("h1", { tabindex: "-1" }, "Questions"),
      make("p", { class: "help" }, "The rank of the first right result of two models, question by question; – where none is right."),
      make("div", { class: "row" }, search.element),
      filters,
      make("div", { class: "title" }, count, save),
      list,
    );
    const focus = function () {
      const row =
        from?.name === "question"
          ? element.querySelector(`[data-question="${CSS.escape(from.item)}"]`)
          : null;
      row?.scrollIntoView({ block: "center" });
      row?.focus({ preventScroll: true });
      return row !== null;
    };
    return { element, title: "Questions", update, focus, keys: KEYS };
  }

  ncsbench.questionList = { open };
})(window.ncsbench);
