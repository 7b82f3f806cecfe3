// The address holds the whole view: #/questions?model=ncs&with=bm25
(function (ncsbench) {
  "use strict";

  const unpack = (query) => Object.fromEntries(new URLSearchParams(query || ""));

  /** Parameters as a query; empty ones are left out. */
  function pack(parameters) {
    const kept = Object.entries(parameters || {}).filter(
      ([, value]) => value !== "" && value !== null && value !== undefined,
    );
    return new URLSearchParams(kept).toString();
  }

  /** View ("" is the overview), its item and its parameters. */
  function read() {
    const [path, query = ""] = window.location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
    const [view, item = ""] = path.split("/");
    return { view, item, parameters: unpack(query) };
  }

  /** The address of a view; parameters that are empty are left out. */
  function write(path, parameters) {
    const query = pack(parameters);
    return `#/${path}${query ? `?${query}` : ""}`;
  }

  function go(address) {
    window.location.hash = address;
  }

  /** Change parameters of the view shown; typing replaces the entry of the history, choosing adds one. */
  function change(changes, replace = false) {
    const { view, item, parameters } = read();
    const address = write(item ? `${view}/${item}` : view, { ...parameters, ...changes });
    if (address === window.location.hash) return;
    if (replace) window.location.replace(address);
    else go(address);
  }

  /** The address of a question, which remembers the list it was opened from, and two models to look at. */
  const ofQuestion = (id, list, models) =>
    write(`question/${id}`, { model: models[0], with: models[1], list: pack(list) });

  ncsbench.address = { read, write, ofQuestion, unpack, go, change };
})(window.ncsbench);
