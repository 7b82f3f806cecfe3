// Labelling: one pooled result after the other, without the model's name, a grade for each.
(function (ncsbench) {
  "use strict";

  const { make, button, say } = ncsbench.dom;
  const { many, count } = ncsbench.numbers;
  const { LANGUAGE, pairOf, format, read } = ncsbench.labelFile;
  const LONGEST_NOTE = 1000; // as the command keeps them
  const FOLDED = 60;
  const GRADES = [
    ["0", "something else"],
    ["1", "related"],
    ["2", "close"],
    ["3", "what was asked for"],
  ];

  let store = null; // outlives the view: another view and back loses nothing

  /** Paragraphs of a text that was wrapped for a terminal; a line that begins with a grade stays one. */
  function paragraphs(text) {
    const join = (part) => part.replace(/\n(?!\d)/g, " ");
    return text.split(/\n{2,}/).map((part) => make("p", { class: "words" }, join(part)));
  }

  /** The words of the command, which come with the pool; the grades stand on the buttons, too. */
  function instructions(text) {
    return make(
      "details",
      { class: "instructions", open: !store.labels().length },
      make("summary", null, "Instructions"),
      paragraphs(text),
      make("p", null, "The results of all models are pooled and shuffled; which model found a method is not shown. What the fewest people judged comes first."),
    );
  }

  /** What is left to judge, the least judged first; equal ones in the order of the pool, which is shuffled. */
  function order(pool, skipped) {
    const done = store.done();
    const left = pool.filter((one) => !done.has(one.key));
    const judged = (one) => (store.counts.get(one.key) || 0) + (skipped.has(one.key) ? 1e9 : 0);
    return left.sort((one, other) => judged(one) - judged(other));
  }

  /** Results of the pool, each with its question's text and a key of its own. */
  function gather(summary, label) {
    const titles = new Map(summary.questions.map((question) => [question.id, question.title]));
    const known = label.pool.filter(([question]) => titles.has(question));
    return known.map(([question, method]) => ({ key: `${question}:${method}`, query: titles.get(question), method }));
  }

  /** The method of a result; its name in a file of labels is its link, or else what stands in its place. */
  async function find(item) {
    const method = await ncsbench.methods.find(item.method);
    return { ...method, document: method.l || method.u };
  }

  /** Labels of a file with the results that they are of, which needs the names of all methods of the pool. */
  async function recognise(labels, pool) {
    const keys = new Map();
    await Promise.all(pool.map(async (item) => keys.set(pairOf(item.query, (await find(item)).document), item.key)));
    return labels.map((label) => ({ ...label, item: keys.get(pairOf(label.query, label.document)) || "" }));
  }

  function fileField(label, multiple, use) {
    const field = make("input", { type: "file", accept: ".csv,text/csv", multiple });
    field.addEventListener("change", function () {
      use([...field.files]);
      field.value = "";
    });
    return make("label", { class: "file" }, make("span", null, label), field);
  }

  /** Show the method of a result; null where another result was shown meanwhile or it cannot be read. */
  async function showMethod(place, item) {
    place.dataset.item = item.key;
    place.replaceChildren(make("p", { class: "wait" }, "Loading the method …"));
    try {
      const method = await find(item);
      if (place.dataset.item !== item.key) return null;
      const comment = method.d ? make("p", { class: "javadoc" }, method.d) : null;
      const code = ncsbench.code.open(method.c, { label: `Code of ${method.n}`, more: method.more, address: method.u, fold: FOLDED });
      place.replaceChildren(make("h2", { class: "name" }, method.n), make("p", { class: "where" }, `${method.repository.name}/${method.p}:${method.s}`), ...[comment, code].filter(Boolean));
      return method;
    } catch (error) {
      place.replaceChildren(make("p", { class: "alarm", role: "alert" }, error.message));
      return null;
    }
  }

  /** The labelling of a pool. */
  function session(summary, pool, words) {
    const skipped = new Set();
    const state = make("p", { class: "count", role: "status" });
    const warning = make("p", { class: "note" });
    const query = make("p", { class: "query", tabindex: "-1" });
    const method = make("div", { class: "judging" });
    const note = make("input", { type: "text", id: "note", maxlength: LONGEST_NOTE, autocomplete: "off" });
    const problem = make("p", { class: "alarm", role: "alert", hidden: true });
    const grades = make("div", { class: "grading", role: "group", "aria-label": "Grade" }, GRADES.map(([grade, name]) => button([make("kbd", null, grade), ` ${name}`], () => give(grade))));
    const undoButton = button("Undo", undo, { class: "small" });
    const saveButton = button("Save file", save, { class: "small primary" });
    const work = make("div", null, make("p", { class: "faint" }, "Question"), query, method, make("div", { class: "field note-field" }, make("label", { for: "note" }, "Note (kept with the grade)"), note), grades);
    const done = make("p", { class: "lead", hidden: true }, "Every result of the pool has a label of yours. Save the file.");
    let item = null;
    let seen = null; // the method of the item, once it is shown: nobody grades what was not there to see
    let file = `labels-${summary.dataset}.csv`;

    function tell() {
      const judged = pool.length - order(pool, skipped).length;
      state.textContent = `${count(judged)} of ${many(pool.length, "result")} judged, ${many(store.unsaved(), "label")} not saved to a file`;
      warning.textContent = store.kept() ? "" : "This browser keeps nothing for this page: save the file before you close it.";
      undoButton.disabled = !store.undoable();
      saveButton.disabled = !store.labels().length;
    }

    async function show(wanted) {
      const left = order(pool, skipped);
      item = (wanted && left.find((one) => one.key === wanted)) || left[0] || null;
      seen = null;
      work.hidden = !item;
      done.hidden = Boolean(item);
      note.value = "";
      tell();
      if (!item) return;
      query.textContent = item.query;
      const found = await showMethod(method, item);
      if (found) seen = found;
    }

    function give(grade) {
      if (!seen) return;
      store.grade({ language: LANGUAGE, query: item.query, document: seen.document, grade, notes: note.value.trim(), item: item.key });
      say(`Grade ${grade} given.`);
      show();
    }

    function undo() {
      const label = store.undo();
      if (!label) return;
      show(label.item);
      note.value = label.notes;
      say(`Grade ${label.grade} taken back.`);
    }

    function skip() {
      if (!item) return;
      skipped.add(item.key);
      show();
    }

    function save() {
      if (!store.labels().length) return;
      ncsbench.csv.save(file, format(store.labels()));
      store.saved();
      tell();
    }

    async function use(files, take) {
      problem.hidden = true;
      try {
        for (const chosen of files) {
          const labels = await read(chosen);
          state.textContent = "Looking for the results that the file judges …";
          take(await recognise(labels, pool), chosen.name);
        }
      } catch (error) {
        problem.textContent = error.message;
        problem.hidden = false;
      }
      show();
    }

    function forget() {
      if (window.confirm(`Remove ${many(store.labels().length, "label")} from this page? Files that you saved stay.`)) {
        store.clear();
        show();
      }
    }

    const goOn = fileField("Go on with my file", false, (files) => use(files, function (found, name) {
      store.join(found);
      file = name;
    }));
    const others = fileField("Files of others: what they judged comes last", true, (files) => use(files, (found) => store.addOthers(found)));
    const files = make("details", { class: "files" }, make("summary", null, "Files"), goOn, others, button("Remove my labels from this page", forget, { class: "small" }));
    note.addEventListener("keydown", function (event) {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      query.focus({ preventScroll: true });
    });
    const restored = store.restored ? make("p", { class: "note" }, `${many(store.restored, "label")} of an earlier session were kept by this browser.`) : null;
    const element = make("div", null, instructions(words), files, problem, restored, make("div", { class: "row bar" }, state, undoButton, button("Skip", skip, { class: "small" }), saveButton), warning, work, done);
    show();
    return { element, give, undo, skip, save, note: () => note.focus() };
  }

  function open(summary) {
    store = store || ncsbench.labelStore.open(`ncsbench.labels.${summary.dataset}.${summary.trial || ""}`);
    const place = make("div", null, make("p", { class: "wait" }, "Loading the pool …"));
    let now = null;
    ncsbench.data.load("label").then(
      function (label) {
        now = session(summary, gather(summary, label), label.instructions || "");
        place.replaceChildren(now.element);
      },
      (error) => place.replaceChildren(make("p", { class: "alarm", role: "alert" }, error.message)),
    );
    const keys = [
      ...GRADES.map(([grade, name]) => [grade, name, () => now?.give(grade)]),
      ["n", "write a note", () => now?.note()],
      ["u", "undo the last grade", () => now?.undo()],
      ["j", "skip for now", () => now?.skip()],
      ["s", "save the file", () => now?.save()],
    ];
    return { element: make("div", { class: "labelling" }, make("h1", { tabindex: "-1" }, "Labelling"), place), title: "Labelling", update() {}, keys };
  }

  ncsbench.labelling = { open };
})(window.ncsbench);
