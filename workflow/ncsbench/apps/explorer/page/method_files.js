// Methods, read from the files that hold them when they are wanted.
(function (ncsbench) {
  "use strict";

  const { load } = ncsbench.data;

  /** Promise of a method, with the repository it stands in. */
  async function find(id) {
    const [places, repositories] = await Promise.all([load("places"), load("repositories")]);
    const place = places[id];
    const methods = place === undefined ? {} : await load(`methods-${place}`);
    const method = methods[id];
    if (!method)
      throw new Error(
        `Method ${id} is in none of the data files. Make the folder again with “make explorer”.`,
      );
    return {
      ...method,
      id,
      repository: repositories[method.r] || { name: "unknown repository", licence: "", url: "", commit: "" },
    };
  }

  ncsbench.methods = { find };
})(window.ncsbench);
