// Labelling: one pooled result after the other, without the model's name, a grade for each.
(function (ncsbench) {
  "use strict";

  const { make, button, say } = ncsbench.dom;
  const { many, count } = ncsbench.numbers;
  const { format, read } = ncsbench.labelFile;
  const { order, gather, find, recognise } = ncsbench.labelPool;
  const LONGEST_NOTE = 1000; // as the command keeps them
  const FOLDED = 60;
  let store = null; // outlives the view: another view and back loses nothing

  /** Each grade with its name, from the lowest: the instructions have a line for each. */
  const nameGrades = (scale) =>
    scale.grades.map((grade) => [
      String(grade),
      new RegExp(`^${grade}  ([^:\\n]+)`, "m").exec(scale.instructions)?.[1] || "",
    ]);

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
      make(
        "p",
        null,
        "The results of all models are pooled and shuffled; which model found a method is not shown. What the fewest people judged comes first.",
      ),
    );
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
      const code = ncsbench.code.open(method.c, {
        label: `Code of ${method.n}`,
        more: method.more,
        address: method.u,
        fold: FOLDED,
      });
      place.replaceChildren(
        make("h2", { class: "name" }, method.n),
        make("p", { class: "where" }, `${method.repository.name}/${method.p}:${method.s}`),
        ...[comment, code].filter(Boolean),
      );
      return method;
    } catch (error) {
      place.replaceChildren(make("p", { class: "alarm", role: "alert" }, error.message));
      return null;
    }
  }

  /** The elements of a session; act holds what its buttons do. */
  function layout(scale, act) {
    const small = { class: "small" };
    const parts = {
      instructions: instructions(scale.instructions),
      state: make("p", { class: "count", role: "status" }),
      warning: make("p", { class: "note" }),
      problem: make("p", { class: "alarm", role: "alert", hidden: true }),
      query: make("p", { class: "query", tabindex: "-1" }),
      method: make("div", { class: "judging" }),
      note: make("input", {
        type: "text",
        id: "note",
        maxlength: LONGEST_NOTE,
        autocomplete: "off",
        keydown: act.endNote,
      }),
      undo: button("Undo", act.undo, small),
      save: button("Save file", act.save, { class: "small primary" }),
      done: make(
        "p",
        { class: "lead", hidden: true },
        "Every result of the pool has a label of yours. Save the file.",
      ),
    };
    const press = ([grade, name]) => button([make("kbd", null, grade), ` ${name}`], () => act.give(grade));
    const grading = make(
      "div",
      { class: "grading", role: "group", "aria-label": "Grade" },
      nameGrades(scale).map(press),
    );
    const note = make(
      "div",
      { class: "field note-field" },
      make("label", { for: "note" }, "Note (kept with the grade)"),
      parts.note,
    );
    parts.work = make(
      "div",
      null,
      make("p", { class: "faint" }, "Question"),
      parts.query,
      parts.method,
      note,
      grading,
    );
    const files = make(
      "details",
      { class: "files" },
      make("summary", null, "Files"),
      fileField("Go on with my file", false, act.goOn),
      fileField("Files of others: what they judged comes last", true, act.addOthers),
      button("Remove my labels from this page", act.forget, small),
    );
    const bar = make(
      "div",
      { class: "row bar" },
      parts.state,
      parts.undo,
      button("Skip", act.skip, small),
      parts.save,
    );
    const kept = `${many(store.restored, "label")} of an earlier session were kept by this browser.`;
    const restored = store.restored ? make("p", { class: "note" }, kept) : null;
    parts.element = make(
      "div",
      null,
      parts.instructions,
      files,
      parts.problem,
      restored,
      bar,
      parts.warning,
      parts.work,
      parts.done,
    );
    return parts;
  }

  /** What a session shows of itself: how far it is, and whether anything would be lost. */
  function tell(parts, pool, left) {
    const unsaved = `${many(store.unsaved(), "label")} not saved to a file`;
    parts.state.textContent = `${count(pool.length - left)} of ${many(pool.length, "result")} judged, ${unsaved}`;
    parts.warning.textContent = store.kept()
      ? ""
      : "This browser keeps nothing for this page: save the file before you close it.";
    parts.undo.disabled = !store.undoable();
    parts.save.disabled = !store.labels().length;
  }

  /** The labelling of a pool: what the buttons and keys do. */
  function session(summary, pool, scale) {
    const skipped = new Set();
    const act = { give, undo, skip, save, goOn, addOthers, forget, endNote };
    const parts = layout(scale, act);
    let item = null;
    let seen = null; // the method of the item, once it is shown: nobody grades what was not there to see
    let file = `labels-${summary.dataset}.csv`;

    async function show(wanted) {
      const left = order(pool, store, skipped);
      item = (wanted && left.find((one) => one.key === wanted)) || left[0] || null;
      seen = null;
      parts.work.hidden = !item;
      parts.done.hidden = Boolean(item);
      parts.note.value = "";
      tell(parts, pool, left.length);
      if (!item) return;
      parts.query.textContent = item.query;
      const found = await showMethod(parts.method, item);
      if (found) seen = found;
    }

    function give(grade) {
      if (!seen) return;
      if (!store.labels().length) parts.instructions.open = false; // read by now; the code needs the room
      const notes = parts.note.value.trim();
      store.grade({
        language: scale.language,
        query: item.query,
        document: seen.document,
        grade,
        notes,
        item: item.key,
      });
      say(`Grade ${grade} given.`);
      show();
    }

    function undo() {
      const label = store.undo();
      if (!label) return;
      show(label.item);
      parts.note.value = label.notes;
      say(`Grade ${label.grade} taken back.`);
    }

    function skip() {
      if (!item) return;
      skipped.add(item.key);
      show();
    }

    function save() {
      if (!store.labels().length) return;
      ncsbench.csv.save(file, format(scale, store.labels()));
      store.saved();
      tell(parts, pool, order(pool, store, skipped).length);
    }

    async function use(files, take) {
      parts.problem.hidden = true;
      try {
        for (const chosen of files) {
          const labels = await read(scale, chosen);
          parts.state.textContent = "Looking for the results that the file judges …";
          take(await recognise(labels, pool), chosen.name);
        }
      } catch (error) {
        parts.problem.textContent = error.message;
        parts.problem.hidden = false;
      }
      show();
    }

    function join(found, name) {
      store.join(found);
      file = name;
    }

    function goOn(files) {
      use(files, join);
    }

    function addOthers(files) {
      use(files, store.addOthers);
    }

    function forget() {
      const labels = many(store.labels().length, "label");
      if (!window.confirm(`Remove ${labels} from this page? Files that you saved stay.`)) return;
      store.clear();
      show();
    }

    function endNote(event) {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      parts.query.focus({ preventScroll: true });
    }

    show();
    return { element: parts.element, ...act, note: () => parts.note.focus() };
  }

  function open(summary) {
    store = store || ncsbench.labelStore.open(`ncsbench.labels.${summary.dataset}.${summary.trial || ""}`);
    const place = make("div", null, make("p", { class: "wait" }, "Loading the pool …"));
    let now = null;
    const keys = [
      ["n", "write a note", () => now?.note()],
      ["u", "undo the last grade", () => now?.undo()],
      ["j", "skip for now", () => now?.skip()],
      ["s", "save the file", () => now?.save()],
    ];

    function start(scale) {
      now = session(summary, gather(summary, scale), scale);
      place.replaceChildren(now.element);
      const grades = nameGrades(scale).map(([grade, name]) => [grade, name, () => now.give(grade)]);
      if (place.isConnected) ncsbench.keyboard.bind([...grades, ...keys]);
    }

    ncsbench.data
      .load("label")
      .then(start)
      .catch((error) =>
        place.replaceChildren(make("p", { class: "alarm", role: "alert" }, error.message)),
      );
    return {
      element: make("div", { class: "labelling" }, make("h1", { tabindex: "-1" }, "Labelling"), place),
      title: "Labelling",
      update() {},
      keys,
    };
  }

  ncsbench.labelling = { open };
})(window.ncsbench);
