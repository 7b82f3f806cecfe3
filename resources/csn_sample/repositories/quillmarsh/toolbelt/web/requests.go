// Package web sends requests and reads addresses.
package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// GetWithRetry sends an http request again after a failure, a few times at most.
//
// Between two attempts it waits, each time twice as long.
func GetWithRetry(address string, attempts int) (response *http.Response, err error) {
	pause := 100 * time.Millisecond
	for attempt := 0; attempt < attempts; attempt++ {
		response, err = http.Get(address)
		if err == nil && response.StatusCode < 500 {
			return response, nil
		}
		time.Sleep(pause)
		pause *= 2
	}
	return nil, fmt.Errorf("%s: no answer after %d attempts", address, attempts)
}

// PostJSON sends a value as json in the body of an http post request.
func PostJSON(address string, value any) (*http.Response, error) {
	var body bytes.Buffer
	if err := json.NewEncoder(&body).Encode(value); err != nil {
		return nil, err
	}
	return http.Post(address, "application/json", &body)
}

// Download saves the body of a web page to a local file.
func Download(address, path string) error {
	response, err := http.Get(address)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	local, err := os.Create(path)
	if err != nil {
		return err
	}
	defer local.Close()
	_, err = io.Copy(local, response.Body)
	return err
}

// BuildQuery joins parameters to an address as an encoded query string.
func BuildQuery(address string, parameters map[string]string) string {
	query := url.Values{}
	for name, value := range parameters {
		query.Set(name, value)
	}
	return address + "?" + query.Encode()
}

// HostOf parses a url and returns its host without the port.
func HostOf(address string) (string, error) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return "", fmt.Errorf("no host in %q", address)
	}
	return strings.ToLower(parsed.Hostname()), nil
}

// ReadCookie returns the value of a named cookie of a request or a default.
func ReadCookie(request *http.Request, name, otherwise string) string {
	cookie, err := request.Cookie(name)
	if err != nil {
		return otherwise
	}
	return cookie.Value
}

// LogRequests wraps a handler and prints the time that every request took.
func LogRequests(next http.Handler, out io.Writer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		next.ServeHTTP(w, r)
		fmt.Fprintf(out, "%s %s took %s\n", r.Method, r.URL.Path, time.Since(began))
	})
}

// WriteError answers a request with a status code and a json message.
func WriteError(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": message})
}

func isSecure(address string) bool {
	return strings.HasPrefix(address, "https://")
}
