package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/internal/text"
)

// errDamaged is the error of a database in which SQLite finds damage without reporting an error.
var errDamaged = errors.New("the database is damaged")

// checkWait is how long a start waits for the check of the database. It is enough for about half a gigabyte; what takes
// longer goes on while the server works.
const checkWait = 2 * time.Second

// checkup is the check of an SQLite database for damage, beside the server's connection.
type checkup struct {
	stop    context.CancelFunc
	running sync.WaitGroup
}

// begin begins to check a database, and returns its damage if that is found within a time. found is called with damage
// that is found later.
func (c *checkup) begin(ctx context.Context, d *sqliteDatabase, wait time.Duration, found func(error)) error {
	ctx, c.stop = context.WithCancel(context.WithoutCancel(ctx))
	result := make(chan error)
	waiting, waited := context.WithTimeout(ctx, wait)
	defer waited()
	c.running.Go(func() {
		err := quickCheck(ctx, filepath.Join(d.dir, databaseFile))
		select {
		case result <- err:
		case <-waiting.Done():
			if err = d.explain(err); err != nil && ctx.Err() == nil {
				found(err)
			}
		}
	})
	if waiting.Err() != nil {
		return nil
	}
	select {
	case err := <-result:
		return err
	case <-waiting.Done():
		return nil
	}
}

// end ends the check.
func (c *checkup) end() {
	if c.stop != nil {
		c.stop()
	}
	c.running.Wait()
}

// quickCheck returns an error if an SQLite file is damaged. It reads all of it.
// https://www.sqlite.org/pragma.html#pragma_quick_check
func quickCheck(ctx context.Context, file string) (err error) {
	db, err := sql.Open("sqlite", fileURL(file, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(10000)"}}))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var result string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&result); err != nil {
		return err
	}
	if result != "ok" {
		return fmt.Errorf("%w: %s", errDamaged, text.OneLine(result)) // it may have several lines
	}
	return nil
}
