/* What the theme leaves out for keyboards and screen readers: the search dialog gets a name, and a
   table or figure that scrolls in its own box can be focused, so that keys scroll it. */
(() => {
  const boxes = ".md-typeset__scrollwrap, .md-typeset p:has(img)";
  const mend = () => {
    document.querySelector(".md-search[role=dialog]")?.setAttribute("aria-label", "Search");
    for (const box of document.querySelectorAll(boxes)) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  addEventListener("load", mend);
  addEventListener("resize", mend);
})();
