// Java as coloured tokens, those that the judge matched marked. Offsets are UTF-16, as JavaScript counts.
(function (ncsbench) {
  "use strict";

  const { make } = ncsbench.dom;
  const KEYWORDS = new Set(
    (
      "abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally float for goto if " +
      "implements import instanceof int interface long native new null package private protected public record return short static strictfp super switch " +
      "synchronized this throw throws transient true try var void volatile while yield"
    ).split(" "),
  );
  // Comments and texts may be cut in the middle: they end with the code then.
  const TOKEN =
    /(\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))|("""[^]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|([\p{L}_$][\p{L}\p{N}_$]*)|(\d[\w.]*)|(\s+)|([=!<>+\-*/%&|^]=|&&|\|\||\+\+|--|->|::|[^])/gu;
  const KINDS = ["comment", "string", "word", "number-literal", "blank", "sign"];

  /** Tokens of a code: [start, text, kind]. Never fails, whatever the text is. */
  function tokens(code) {
    const found = [];
    let annotation = false;
    for (const match of code.matchAll(TOKEN)) {
      const kind = KINDS[match.slice(1).findIndex((part) => part !== undefined)];
      const word = annotation ? "annotation" : KEYWORDS.has(match[0]) ? "keyword" : "name";
      found.push([match.index, match[0], kind === "word" ? word : kind]);
      annotation = match[0] === "@" || (annotation && match[0] === ".");
    }
    return found;
  }

  /** Offsets of marks, given as base-36 steps between them. */
  function offsets(marks) {
    const found = [];
    let at = 0;
    for (const step of marks.split(" ").filter(Boolean)) found.push((at += parseInt(step, 36)));
    return found;
  }

  const PLAIN = new Set(["blank", "sign", "name"]);

  /** Nodes of a code; tokens that begin at one of the offsets are marked. */
  function nodes(code, marked) {
    const marks = new Set(marked);
    const made = [];
    let plain = "";
    const flush = function () {
      if (plain) made.push(document.createTextNode(plain));
      plain = "";
    };
    for (const [start, text, kind] of tokens(code)) {
      const isMarked = marks.has(start) && kind !== "blank";
      if (!isMarked && PLAIN.has(kind)) {
        plain += text;
        continue;
      }
      flush();
      made.push(make(isMarked ? "mark" : "span", { class: PLAIN.has(kind) ? null : kind }, text));
    }
    flush();
    return made;
  }

  ncsbench.java = { tokens, offsets, nodes };
})(window.ncsbench);
