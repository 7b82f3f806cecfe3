package inkstand;

/** Checks of the office. */
class OfficeChecks {
  /** Checks that a hundred copies are ten per cent cheaper. */
  void discount() {
    if (Office.price(100, 10) != 900) {
      throw new AssertionError("discount");
    }
  }

  /** Checks that no job waits twice in the queue. */
  void noJobTwice() {
    Office office = new Office();
    if (!office.submit("cards") || office.submit("cards")) {
      throw new AssertionError("queue");
    }
  }
}
