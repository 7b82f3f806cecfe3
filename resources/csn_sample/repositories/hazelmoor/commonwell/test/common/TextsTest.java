package common;

/** Checks of Texts. */
class TextsTest {
  /** Checks that a string is reversed and that an empty one stays empty. */
  void reversesStrings() {
    if (!Texts.reverse("abc").equals("cba") || !Texts.reverse("").isEmpty()) {
      throw new AssertionError("reverse");
    }
  }

  /** Checks that words are counted whatever their case is. */
  void countsWords() {
    if (Texts.countWords("To be or not to be").get("to") != 2) {
      throw new AssertionError("countWords");
    }
  }
}
