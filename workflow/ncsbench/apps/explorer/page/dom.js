// Elements. Text of others becomes text nodes only: nothing in this page parses HTML.
(function (ncsbench) {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";

  function set(element, attributes) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (typeof value === "function") element.addEventListener(name, value);
      else element.setAttribute(name, value === true ? "" : String(value));
    }
  }

  /** An element with attributes (functions are listeners, null and false are left out) and children. */
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    set(element, attributes);
    element.append(
      ...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false),
    );
    return element;
  }

  /** As make, for SVG. */
  function draw(tag, attributes, ...children) {
    const element = document.createElementNS(SVG, tag);
    set(element, attributes);
    element.append(...children);
    return element;
  }

  /** A link out of the page, or plain text where the address is none of the web's. */
  function link(address, ...content) {
    if (!/^https?:\/\//i.test(address || "")) return make("span", null, ...content);
    return make("a", { href: address, rel: "noopener noreferrer", class: "out" }, ...content);
  }

  /** A long name or path that may break after its signs. */
  function breakable(text) {
    return text
      .split(/(?<=[_/.])/)
      .flatMap((part, at) => (at ? [document.createElement("wbr"), part] : [part]));
  }

  /** The name of the site that an address leads to. */
  function site(address) {
    const host = /^https?:\/\/([^/:]+)/i.exec(address || "")?.[1] || "a site that is not named";
    return host === "stackoverflow.com" ? "Stack Overflow" : host;
  }

  /** Text for screen readers alone. */
  function unseen(text) {
    return make("span", { class: "unseen" }, text);
  }

  function button(text, press, attributes) {
    return make("button", { type: "button", click: press, ...attributes }, text);
  }

  /** A table of heading cells and rows, with a caption or nothing. */
  function table(attributes, heads, rows, caption) {
    const head = make("thead", null, make("tr", null, heads));
    return make("table", attributes, caption, head, make("tbody", null, rows));
  }

  /** A part of the page that scrolls sideways by itself, so that the page never does. */
  function scroller(label, ...children) {
    return make(
      "div",
      { class: "scroller", role: "region", tabindex: "0", "aria-label": label },
      ...children,
    );
  }

  /** Say something to screen readers. */
  function say(text) {
    document.getElementById("said").textContent = text;
  }

  /** Put other children into an element; the control that had the focus, by its position, has it again. */
  function renew(element, ...children) {
    const controls = () => [...element.querySelectorAll("a[href], button, input, select, summary")];
    const at = controls().indexOf(document.activeElement);
    element.replaceChildren(...children.flat());
    if (at >= 0) controls()[at]?.focus({ preventScroll: true });
  }

  ncsbench.dom = { make, draw, link, site, breakable, unseen, button, table, scroller, say, renew };
})(window.ncsbench);
