// The frame around the views: which one is shown, its heading, its errors.
(function (ncsbench) {
  "use strict";

  const { make } = ncsbench.dom;
  const FORMAT = 2;
  const VIEWS = {
    "": ["Overview", "overview"],
    questions: ["Questions", "questionList"],
    question: [null, "questionPage"],
  };
  const place = document.getElementById("view");

  let shown = null; // {name, item, view}: what update() may be called on
  let summary = null;

  function alarm(error) {
    place.replaceChildren(
      make("h1", { tabindex: "-1" }, "This cannot be shown"),
      make("p", { class: "alarm", role: "alert" }, error.message),
    );
  }

  function check(found) {
    if (!found)
      throw new Error(
        "data/summary.js cannot be read: it is missing or not whole. Make the folder again with “make explorer”, or copy all of it.",
      );
    if (found.format !== FORMAT) {
      throw new Error(
        `data/summary.js has format ${String(found.format)}, and this page reads format ${FORMAT}: page and data are of different versions. Make the folder again with “make explorer”.`,
      );
    }
    return found;
  }

  function header() {
    const trial = summary.trial ? `, trial ${summary.trial}` : "";
    document.getElementById("dataset").textContent = `${summary.dataset}${trial}`;
    const entries = Object.entries(VIEWS).filter(([, [title]]) => title);
    document
      .getElementById("views")
      .replaceChildren(
        ...entries.map(([name, [title]]) => make("a", { href: `#/${name}`, "data-view": name }, title)),
      );
    const version = summary.version ? ` ${summary.version}` : "";
    const corpus = summary.corpus ? `, corpus ${summary.corpus}` : "";
    document
      .getElementById("about")
      .replaceChildren(
        make(
          "p",
          null,
          `Made by ncsbench${version} from dataset ${summary.dataset}${trial}${corpus}. Code, questions and answers belong to their authors, under the licences named beside them.`,
        ),
      );
  }

  function mark(name) {
    const current = name === "question" ? "questions" : name;
    for (const entry of document.querySelectorAll("#views a")) {
      if (entry.dataset.view === current) entry.setAttribute("aria-current", "page");
      else entry.removeAttribute("aria-current");
    }
  }

  // A view is {element, title, keys, update(parameters), leave()}: the same view with other parameters is
  // updated, so that controls keep the focus; another view is built anew and its heading gets the focus.
  function open(name, item, parameters, first) {
    shown?.view.leave?.();
    const from = shown;
    shown = null;
    const view = ncsbench[VIEWS[name][1]].open(summary, item, parameters, from);
    shown = { name, item, view };
    place.replaceChildren(view.element);
    document.title = `${view.title} · ${summary.dataset} · ncsbench`;
    ncsbench.keyboard.bind(view.keys || []);
    mark(name);
    if (first) return;
    if (view.focus?.()) return;
    window.scrollTo(0, 0);
    place.querySelector("h1")?.focus({ preventScroll: true });
  }

  function route(first) {
    const { view: name, item, parameters } = ncsbench.address.read();
    try {
      if (!Object.hasOwn(VIEWS, name))
        throw new Error(`There is no view “${name}” here. The views are in the line above.`);
      if (shown && shown.name === name && shown.item === item) shown.view.update(parameters);
      else open(name, item, parameters, first);
    } catch (error) {
      shown = null;
      alarm(error);
      if (error.name !== "Error") throw error; // a fault of this page's: the console names its line
    }
  }

  function themeButton() {
    const press = document.getElementById("theme");
    const tell = () => (press.textContent = `Theme: ${ncsbench.theme.current()}`);
    press.addEventListener("click", function () {
      ncsbench.theme.next();
      tell();
    });
    tell();
  }

  function start() {
    themeButton();
    document.getElementById("help").addEventListener("click", ncsbench.keyboard.show);
    document
      .getElementById("copy")
      .addEventListener("click", (event) => ncsbench.copyAddress.copy(event.currentTarget));
    document.getElementById("skip").addEventListener("click", function (event) {
      event.preventDefault(); // the hash is the address of the view
      place.focus();
    });
    try {
      summary = check(ncsbench.data.now("summary"));
    } catch (error) {
      alarm(error);
      return;
    }
    header();
    window.addEventListener("hashchange", () => route(false));
    route(true);
    window.performance.mark("ncsbench-shown");
  }

  start();
})(window.ncsbench);
