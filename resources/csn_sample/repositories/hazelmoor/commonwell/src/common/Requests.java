package common;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;

/** Sends requests and reads addresses. */
public class Requests {
  private final HttpClient client = HttpClient.newHttpClient();

  /**
   * Sends an http request and repeats it after errors of the server.
   *
   * <p>The pause between attempts doubles every time.
   */
  public String getWithRetry(String address, int attempts)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
    for (int attempt = 0; attempt < attempts; attempt++) {
      HttpResponse<String> response =
          client.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() < 500) return response.body();
      Thread.sleep(200L << attempt);
    }
    throw new IOException("no answer from " + address);
  }

  /** Posts a json text to an address and returns the status of the response. */
  public int postJson(String address, String json) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  /** Downloads a web page into a file and returns where it lies. */
  public Path download(String address, Path file) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(30)).build();
    return client.send(request, HttpResponse.BodyHandlers.ofFile(file)).body();
  }

  /** Encodes parameters as the query string of an address. */
  public static String encodeQuery(Map<String, String> parameters) {
    StringJoiner query = new StringJoiner("&", "?", "");
    parameters.forEach(
        (name, value) -> {
          String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8);
          query.add(name + "=" + encoded);
        });
    return query.toString();
  }

  /** Parses the query string of an address into a map of parameters. */
  public static Map<String, String> parseQuery(String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String pair : query.split("&")) {
      String[] parts = pair.split("=", 2);
      String value = parts.length > 1 ? parts[1] : "";
      parameters.put(parts[0], URLDecoder.decode(value, StandardCharsets.UTF_8));
    }
    return parameters;
  }

  /** Reads the cookies of a request header into names and values. */
  public static Map<String, String> parseCookies(String header) {
    Map<String, String> cookies = new HashMap<>();
    for (String cookie : header.split(";")) {
      int equals = cookie.indexOf('=');
      if (equals > 0) {
        cookies.put(cookie.substring(0, equals).strip(), cookie.substring(equals + 1));
      }
    }
    return cookies;
  }

  /** Tells whether an answer with a status code means success. */
  public static boolean isSuccess(HttpResponse<?> response) {
    int status = response.statusCode();
    return status >= 200 && status < 300;
  }

  private static String withoutSlash(String address) {
    return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
  }
}
