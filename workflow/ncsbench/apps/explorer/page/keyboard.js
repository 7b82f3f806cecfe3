// Keys, and the dialog that lists them.
(function (ncsbench) {
  "use strict";

  const { make, button } = ncsbench.dom;
  const EVERYWHERE = [
    ["g o", "overview", () => ncsbench.address.go("#/")],
    ["g q", "questions", () => ncsbench.address.go("#/questions")],
    ["t", "theme: system, light, dark", () => document.getElementById("theme").click()],
    ["c", "CSV of the table shown", () => document.querySelector("main button.csv")?.click()],
    ["?", "these keys", () => show()],
  ];
  const LONGEST_WAIT = 1500;

  // People who dictate press keys without meaning to: single keys can be switched off (WCAG 2.1.4).
  const KEY = "ncsbench.keys";
  let on = ncsbench.storage.recall(KEY) !== "off";
  let bound = [];
  let first = "";
  let pressed = 0;

  /** The keys of the view shown: [keys, what they do, function]. */
  function bind(keys) {
    bound = keys;
  }

  const typing = (target) => target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  const takesText = (target) => typing(target) && !/^(checkbox|radio|button)$/.test(target.type);

  function find(keys) {
    return [...bound, ...EVERYWHERE].find(([name]) => name === keys);
  }

  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (takesText(event.target) || document.querySelector("dialog[open]")) return;
    const after = event.timeStamp - pressed < LONGEST_WAIT ? first : "";
    const entry = (after && find(`${after} ${event.key}`)) || find(event.key);
    first = event.key;
    pressed = event.timeStamp;
    if (!entry?.[2] || (!on && event.key !== "?")) return; // a key of the browser is only listed
    first = "";
    event.preventDefault();
    entry[2](event.key);
  }

  function rows(keys) {
    return keys.map(([name, says]) =>
      make(
        "tr",
        null,
        make(
          "th",
          { scope: "row" },
          name.split(" ").map((key) => make("kbd", null, key)),
        ),
        make("td", null, says),
      ),
    );
  }

  function turn(value) {
    on = value;
    ncsbench.storage.keep(KEY, value ? "on" : "off");
  }

  /** Open the dialog of keys. */
  function show() {
    const close = button("Close", () => dialog.close(), { autofocus: true });
    const table = make("table", { class: "keys" }, make("tbody", null, rows(bound), rows(EVERYWHERE)));
    const use = ncsbench.controls.tick("Use these keys", on, turn);
    const dialog = make(
      "dialog",
      { "aria-labelledby": "keys-title", close: () => dialog.remove() },
      make("h2", { id: "keys-title" }, "Keys"),
      table,
      make("p", { class: "row" }, use, close),
    );
    document.body.append(dialog);
    dialog.showModal();
  }

  /** Move the focus among elements: to the one after, or before, the one that has it. */
  function step(selector, by) {
    const all = [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length);
    const at = all.findIndex((one) => one === document.activeElement || one.contains(document.activeElement));
    const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("keydown", press);
  ncsbench.keyboard = { bind, show, step };
})(window.ncsbench);
