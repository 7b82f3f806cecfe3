package fieldnotes;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URL;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Talks to servers and databases. */
public class Station {
  private static final Logger LOG = Logger.getLogger("station");

  /** Opens an http request and tries it again until the server answers. */
  public static HttpURLConnection request(URL url, int retries) throws IOException {
    for (int retry = 0; retry <= retries; retry++) {
      HttpURLConnection http = (HttpURLConnection) url.openConnection();
      http.setConnectTimeout(1000 * (retry + 1));
      if (http.getResponseCode() != HttpURLConnection.HTTP_UNAVAILABLE) {
        return http;
      }
      http.disconnect();
    }
    throw new IOException(retries + " retries failed");
  }

  /** Sends a note to a server in the body of an http request. */
  public static int send(URL server, String note) throws IOException {
    HttpURLConnection http = (HttpURLConnection) server.openConnection();
    http.setRequestMethod("POST");
    http.setDoOutput(true);
    http.getOutputStream().write(note.getBytes("UTF-8"));
    return http.getResponseCode();
  }

  /** Runs an action again after failures, at most a number of times. */
  public static boolean repeat(Runnable action, int times) {
    for (int time = 1; time <= times; time++) {
      try {
        action.run();
        return true;
      } catch (IllegalStateException failure) {
        LOG.log(Level.WARNING, "attempt " + time, failure);
      }
    }
    return false;
  }

  /** Tells whether something listens at a port of a host. */
  public static boolean listens(String host, int port) {
    try (Socket socket = new Socket(host, port)) {
      return socket.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }

  /** Hashes the password of an observer with salt and many iterations. */
  public static String hash(char[] password, byte[] salt) throws GeneralSecurityException {
    PBEKeySpec key = new PBEKeySpec(password, salt, 65536, 256);
    SecretKeyFactory factory = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256");
    byte[] hashed = factory.generateSecret(key).getEncoded();
    return Base64.getEncoder().encodeToString(hashed);
  }

  /** Checks whether a password belongs to a hash from before. */
  public static boolean verify(char[] password, byte[] salt, String known)
      throws GeneralSecurityException {
    String computed = hash(password, salt);
    Arrays.fill(password, ' ');
    return computed.equals(known);
  }

  /** Makes random bytes that serve as the salt of a hash. */
  public static byte[] salt(int length) {
    byte[] salt = new byte[length];
    SecureRandom random = new SecureRandom();
    random.nextBytes(salt);
    return salt;
  }

  /** Connects to the database of a station, after a pause once more. */
  public static Connection open(String host, String database)
      throws SQLException, InterruptedException {
    String url = "jdbc:postgresql://" + host + "/" + database;
    try {
      return DriverManager.getConnection(url);
    } catch (SQLException busy) {
      Thread.sleep(500);
      return DriverManager.getConnection(url);
    }
  }

  /** Creates the table of notes in a database that lacks it. */
  public static void createTable(Connection database, Map<String, String> columns)
      throws SQLException {
    StringBuilder sql = new StringBuilder("CREATE TABLE IF NOT EXISTS notes (id INTEGER");
    columns.forEach((name, type) -> sql.append(", ").append(name).append(' ').append(type));
    try (Statement statement = database.createStatement()) {
      statement.executeUpdate(sql.append(")").toString());
    }
  }

  /** Closes the connection to a database and writes problems to the log. */
  public static void close(Connection database) {
    try {
      database.close();
    } catch (SQLException problem) {
      LOG.log(Level.SEVERE, "not closed", problem);
    }
  }

  static void quiet() {
    LOG.setLevel(Level.OFF);
  }
}
