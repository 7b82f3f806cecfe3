package common;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;

/** Connections, statements and hashes. */
public class Database {
  /** Connects to a database with the name and the password of a user. */
  public static Connection connect(String url, String user, String password)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    Connection connection = DriverManager.getConnection(url, properties);
    connection.setAutoCommit(false);
    return connection;
  }

  /** Runs a query and returns the first column of all rows. */
  public static List<String> queryColumn(Connection connection, String sql)
      throws SQLException {
    List<String> column = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        column.add(rows.getString(1));
      }
    }
    return column;
  }

  /** Tells whether the database has a table of this name. */
  public static boolean hasTable(Connection connection, String table) throws SQLException {
    try (ResultSet tables =
        connection.getMetaData().getTables(null, null, table, new String[] {"TABLE"})) {
      return tables.next();
    }
  }

  /** Hashes a password with a salt so that it can be stored. */
  public static String hashPassword(String password, byte[] salt)
      throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(salt);
    byte[] hash = digest.digest(password.getBytes());
    return HexFormat.of().formatHex(hash);
  }

  /** Computes a checksum of the bytes of a message in hexadecimal digits. */
  public static String checksum(byte[] message, String algorithm)
      throws NoSuchAlgorithmException {
    StringBuilder hexadecimal = new StringBuilder();
    for (byte part : MessageDigest.getInstance(algorithm).digest(message)) {
      hexadecimal.append(String.format("%02x", part));
    }
    return hexadecimal.toString();
  }

  /** Spreads keys over a number of buckets by their hash. */
  public static int bucketOf(String key, int buckets) {
    int hash = 7;
    for (int i = 0; i < key.length(); i++) {
      hash = hash * 31 + key.charAt(i);
    }
    return Math.floorMod(hash, buckets);
  }

  static void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception ignored) {
      return;
    }
  }
}
