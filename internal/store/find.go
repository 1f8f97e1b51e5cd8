package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/tenon-bot/tenon/bot"
)

// FindRun reads the record of a run, and the event it was for, from the data folder of a server, which may be running.
// bot.ErrNotFound when there is no such run, or none any more.
func FindRun(ctx context.Context, dir, id string) (bot.Event, bot.Run, error) {
	file := filepath.Join(dir, databaseFile)
	if _, err := os.Stat(file); err != nil {
		return bot.Event{}, bot.Run{}, fmt.Errorf("looking for the database of a server in the data folder %s: %w", dir, err)
	}
	db, err := sql.Open("sqlite", dsn(dir, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(10000)"}}))
	if err != nil {
		return bot.Event{}, bot.Run{}, fmt.Errorf("opening %s: %w", file, err)
	}
	defer func() { _ = db.Close() }()
	ev, run, err := readRun(ctx, db, id)
	if err != nil {
		return bot.Event{}, bot.Run{}, fmt.Errorf("reading run %.40q from %s: %w", id, file, err)
	}
	return ev, run, nil
}

func readRun(ctx context.Context, db *sql.DB, id string) (bot.Event, bot.Run, error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return bot.Event{}, bot.Run{}, err
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	var r row
	err = tx.QueryRowContext(ctx, findEventOfRun, id).Scan(&r.delivery, &r.thread, &r.installation, &r.version, &r.body)
	if errors.Is(err, sql.ErrNoRows) {
		return bot.Event{}, bot.Run{}, bot.ErrNotFound
	}
	if err != nil {
		return bot.Event{}, bot.Run{}, err
	}
	ev, err := decodeEvent(r)
	if err != nil {
		return bot.Event{}, bot.Run{}, err
	}
	run, err := loadRun(ctx, tx, r.delivery)
	return ev, run, err
}
