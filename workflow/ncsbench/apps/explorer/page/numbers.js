// Numbers as text.
(function (ncsbench) {
  "use strict";

  const grouped = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });

  /** 1234567 as 1,234,567. */
  const count = (value) => grouped.format(value);

  const known = (value) =>
    value !== null && value !== undefined && value !== "" && Number.isFinite(Number(value));

  /** A decimal of three digits, the minus sign a real one and before no 0; "" where it is not known. */
  const decimal = (value, digits = 3) =>
    known(value)
      ? Number(value)
          .toFixed(digits)
          .replace(/^-(?=[0.]*$)/, "")
          .replace("-", "\u2212")
      : "";

  /** As decimal, with a plus. */
  const signed = (value, digits = 3) => (Number(value) > 0 ? "+" : "") + decimal(value, digits);

  const interval = (low, high, digits = 3) =>
    known(low) && known(high) ? `[${decimal(low, digits)}, ${decimal(high, digits)}]` : "";

  /** A number as a table or a file has it: at most six decimals, of one that is next to nothing six digits. */
  const plain = (value) =>
    typeof value === "number" ? Number(value.toFixed(6)) || Number(value.toPrecision(6)) : value;

  /** "1 question", "2 questions". */
  const many = (value, noun, nouns = `${noun}s`) => `${count(value)} ${value === 1 ? noun : nouns}`;

  ncsbench.numbers = { count, known, decimal, signed, interval, plain, many };
})(window.ncsbench);
