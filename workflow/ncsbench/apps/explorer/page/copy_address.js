// A button that copies the part of the address that says what is shown: it works in every copy of the folder.
(function (ncsbench) {
  "use strict";

  const { make, say } = ncsbench.dom;

  /** Where the browser lets a page from disk copy nothing: the text, selected, to be copied by hand. */
  function offer(text) {
    const id = "view-address";
    const field = make("input", { type: "text", id, readonly: true, value: text });
    const dialog = make(
      "dialog",
      { "aria-labelledby": "view-address-title", close: () => dialog.remove() },
      make("h2", { id: "view-address-title" }, "Address of this view"),
      make("p", null, "Whoever has this folder opens index.html and puts this behind its address."),
      make("div", { class: "field" }, make("label", { for: id }, "Copy this"), field),
      make("form", { method: "dialog" }, make("button", { type: "submit" }, "Close")),
    );
    document.body.append(dialog);
    dialog.showModal();
    field.focus();
    field.select();
  }

  async function copy(button) {
    const text = window.location.hash || "#/";
    try {
      await window.navigator.clipboard.writeText(text);
    } catch {
      offer(text);
      return;
    }
    const before = button.textContent;
    button.textContent = "Copied";
    say(`${text} was copied.`);
    window.setTimeout(() => (button.textContent = before), 1500);
  }

  ncsbench.copyAddress = { copy };
})(window.ncsbench);
