// Package sync keeps copies of a diary elsewhere.
package sync

import (
	"context"
	"crypto/rand"
	"crypto/sha512"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// FetchWithRetry does an http request and repeats it until the server answers.
//
// An answer that says that the client is wrong is not asked for again.
func FetchWithRetry(client *http.Client, request *http.Request, most int) ([]byte, error) {
	for try := 1; ; try++ {
		response, err := client.Do(request)
		if err == nil && response.StatusCode < http.StatusInternalServerError {
			defer response.Body.Close()
			return io.ReadAll(response.Body)
		}
		if try == most {
			return nil, errors.Join(errors.New("gave up"), err)
		}
		time.Sleep(time.Duration(try) * time.Second)
	}
}

// Upload sends the text of a diary to a server by an http put request.
func Upload(ctx context.Context, address, diary string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, address, strings.NewReader(diary))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// IsOnline tells whether a server answers a request within a time limit.
func IsOnline(address string, limit time.Duration) bool {
	client := http.Client{Timeout: limit}
	answer, err := client.Head(address)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// EncryptPassword hashes a password together with a random salt.
func EncryptPassword(password string) (string, error) {
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	hash := sha512.Sum512(append(salt, password...))
	encode := base64.StdEncoding.EncodeToString
	return encode(salt) + ":" + encode(hash[:]), nil
}

// CheckPassword compares a password with the hash that was stored for it.
func CheckPassword(password, stored string) bool {
	salt, expected, _ := strings.Cut(stored, ":")
	raw, err := base64.StdEncoding.DecodeString(salt)
	if err != nil {
		return false
	}
	hash := sha512.Sum512(append(raw, password...))
	actual := base64.StdEncoding.EncodeToString(hash[:])
	return subtle.ConstantTimeCompare([]byte(actual), []byte(expected)) == 1
}

// RandomPassword makes up a password of letters and digits.
func RandomPassword(length int) (string, error) {
	const alphabet = "abcdefghjkmnpqrstuvwxyz23456789"
	password := make([]byte, length)
	if _, err := rand.Read(password); err != nil {
		return "", err
	}
	for i, number := range password {
		password[i] = alphabet[int(number)%len(alphabet)]
	}
	return string(password), nil
}

// ConnectDatabase connects to the database of the copies within ten seconds.
func ConnectDatabase(driver, address string) (*sql.DB, error) {
	connection, err := sql.Open(driver, address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err = connection.PingContext(ctx); err != nil {
		return nil, fmt.Errorf("no database at %s: %w", address, err)
	}
	return connection, nil
}

// CreateTables creates the tables of an empty database unless they exist.
func CreateTables(connection *sql.DB, names ...string) error {
	for _, name := range names {
		statement := "CREATE TABLE IF NOT EXISTS " + name + " (day TEXT, body TEXT)"
		if _, err := connection.Exec(statement); err != nil {
			return fmt.Errorf("table %s: %w", name, err)
		}
	}
	return nil
}

// SaveCopy inserts the text of one day into the database.
func SaveCopy(connection *sql.DB, day time.Time, body string) (id int64, err error) {
	result, err := connection.Exec("INSERT INTO copies (day, body) VALUES (?, ?)", day, body)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// Differences lists the days of which two copies of a diary hold other texts.
func Differences(ours, theirs map[string]string) (days []string) {
	for day, text := range ours {
		if other, present := theirs[day]; !present || other != text {
			days = append(days, day)
		}
	}
	return days
}

// testConnection sends one statement to a database to see that it works.
func testConnection(connection *sql.DB) error {
	var answer int
	row := connection.QueryRow("SELECT 1")
	return row.Scan(&answer)
}

func describe(err error) string {
	if err == nil {
		return "in step"
	}
	return err.Error()
}

func withSlash(address string) string {
	return strings.TrimRight(address, "/") + "/"
}
