package fieldnotes.testing;

/** Sample notes for checks. */
class Samples {
  /** Makes up a note of several words about a bird. */
  static String note(String bird) {
    return "Seen at noon: one " + bird + " #birds";
  }

  /** Makes up a register of species in alphabetical order. */
  static String[] register() {
    return new String[] {"heron", "owl", "wren"};
  }
}
