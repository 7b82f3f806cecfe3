// Package store keeps values in memory and in databases.
package store

import (
	"database/sql"
	"errors"
	"fmt"
	"time"
)

type entry struct {
	value   string
	expires time.Time
}

// Cache keeps values until they expire.
type Cache struct {
	entries  map[string]entry
	capacity int
	life     time.Duration
}

// Get returns the value of a key from the cache unless it has expired.
func (c *Cache) Get(key string) (string, bool) {
	found, ok := c.entries[key]
	if !ok || time.Now().After(found.expires) {
		delete(c.entries, key)
		return "", false
	}
	return found.value, true
}

// Put stores a value in the cache and removes the oldest where it is full.
func (c *Cache) Put(key, value string) {
	if len(c.entries) >= c.capacity {
		oldest := ""
		for candidate, item := range c.entries {
			if oldest == "" || item.expires.Before(c.entries[oldest].expires) {
				oldest = candidate
			}
		}
		delete(c.entries, oldest)
	}
	c.entries[key] = entry{value, time.Now().Add(c.life)}
}

// GetOrCompute returns a cached value or computes and keeps it.
func (c *Cache) GetOrCompute(key string, compute func(string) string) string {
	if value, ok := c.Get(key); ok {
		return value
	}
	value := compute(key)
	c.Put(key, value)
	return value
}

// Sweep removes all expired entries of the cache and tells how many.
func (c *Cache) Sweep(now time.Time) int {
	before := len(c.entries)
	for key, item := range c.entries {
		if now.After(item.expires) {
			delete(c.entries, key)
		}
	}
	return before - len(c.entries)
}

func (c *Cache) reset() {
	c.entries = make(map[string]entry)
}

// Queue is a line of waiting jobs.
type Queue struct {
	jobs []string
}

// Push adds a job to the end of the queue unless it waits already.
func (q *Queue) Push(job string) bool {
	for _, waiting := range q.jobs {
		if waiting == job {
			return false
		}
	}
	q.jobs = append(q.jobs, job)
	return true
}

// Pop removes the first job of the queue and returns it.
func (q *Queue) Pop() (string, error) {
	if len(q.jobs) == 0 {
		return "", errors.New("the queue is empty")
	}
	first := q.jobs[0]
	q.jobs = q.jobs[1:]
	return first, nil
}

// Drain calls a function for every waiting job and empties the queue.
func (q *Queue) Drain(work func(job string) error) (failed []string) {
	for _, job := range q.jobs {
		if err := work(job); err != nil {
			failed = append(failed, job)
		}
	}
	q.jobs = nil
	return failed
}

// OpenDatabase connects to a database and checks that the connection works.
func OpenDatabase(driver, user, password, host, name string) (*sql.DB, error) {
	source := fmt.Sprintf("%s:%s@tcp(%s)/%s", user, password, host, name)
	database, err := sql.Open(driver, source)
	if err != nil {
		return nil, err
	}
	if err := database.Ping(); err != nil {
		database.Close()
		return nil, fmt.Errorf("cannot connect to %s: %w", host, err)
	}
	return database, nil
}

// CountRows asks a database how many rows a table has.
func CountRows(database *sql.DB, table string) (count int, err error) {
	row := database.QueryRow("SELECT COUNT(*) FROM " + table)
	if err = row.Scan(&count); err != nil {
		err = fmt.Errorf("counting %s: %w", table, err)
	}
	return count, err
}

// InTransaction runs a function inside a database transaction, undone after an error.
func InTransaction(database *sql.DB, work func(*sql.Tx) error) error {
	transaction, err := database.Begin()
	if err != nil {
		return err
	}
	if err := work(transaction); err != nil {
		transaction.Rollback()
		return err
	}
	return transaction.Commit()
}
