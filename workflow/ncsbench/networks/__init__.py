"""What trainings of networks share: bits that repeat, lists of ids, Adam, epochs, arrays, files."""
