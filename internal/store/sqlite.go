package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const (
	databaseFile = "tenon.db"
	// applicationID marks a database file as tenon's (SQLite's application_id): "tenn".
	applicationID = 0x74656e6e
)

// Exists reports whether there is an SQLite database in a folder.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, databaseFile))
	return err == nil
}

// sqliteDatabase is an SQLite database in a folder that this process has locked.
type sqliteDatabase struct {
	db   *sql.DB
	dir  string
	lock io.Closer
	now  func() time.Time
	// checkup checks the database for damage.
	checkup checkup
}

// openSQLite locks the folder, opens the database in it, and releases what was leased: the process that leased it had
// locked the folder, and is dead.
func openSQLite(ctx context.Context, s *Store, opts Options) (err error) {
	d := &sqliteDatabase{now: opts.Now}
	if d.now == nil {
		d.now = time.Now
	}
	if opts.Dir == "" {
		return errors.New("no data folder is given")
	}
	if d.dir, err = filepath.Abs(opts.Dir); err != nil {
		return fmt.Errorf("finding the data folder: %w", err)
	}
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return folderError(d.dir, err)
	}
	if d.lock, err = lockFolder(d.dir); err != nil {
		return err
	}
	if err = checkOwner(ctx, d.dir); err == nil {
		d.db, err = connect(ctx, d.dir)
	}
	if err == nil {
		wait := checkWait
		if opts.unwaited {
			wait = 0
		}
		err = d.checkup.begin(ctx, d, wait, func(err error) {
			s.damage.Store(&err)
			s.log.ErrorContext(ctx, "not ready: the check of the database failed", "error", err)
		})
		if err == nil {
			err = d.resume(ctx, s.log)
		}
		if err != nil {
			d.checkup.end()
			err = errors.Join(err, d.db.Close())
		}
	}
	if err != nil {
		err = fmt.Errorf("opening %s: %w", filepath.Join(d.dir, databaseFile), d.explain(err))
		return errors.Join(err, d.lock.Close())
	}
	s.db, s.database = d.db, d
	return nil
}

// transact runs fn once.
func (d *sqliteDatabase) transact(ctx context.Context, fn func(tx) error) error {
	begun, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx{Tx: begun, now: d.now()}); err != nil {
		_ = begun.Rollback() // the error of fn is the one to return
		return err
	}
	return begun.Commit()
}

// claim is transact: there is one transaction at a time.
func (d *sqliteDatabase) claim(ctx context.Context, fn func(tx) error) error {
	return d.transact(ctx, fn)
}

// tell does nothing: there is no other process.
func (d *sqliteDatabase) tell(news) {}

func (d *sqliteDatabase) skipLocked() string { return "" }

// Close closes the database and unlocks the folder.
func (d *sqliteDatabase) Close() error {
	d.checkup.end()
	return errors.Join(d.db.Close(), d.lock.Close())
}

// resume sets the queue's time, and releases the events and the sweep that a dead process had leased.
func (d *sqliteDatabase) resume(ctx context.Context, log *slog.Logger) error {
	var seen int64
	if err := d.db.QueryRowContext(ctx, latestTime).Scan(&seen); err != nil {
		return fmt.Errorf("reading the queue's time: %w", err)
	}
	latest := time.UnixMilli(seen)
	if behind := latest.Sub(d.now()); behind > warnBehind {
		log.WarnContext(ctx, "the clock was set back: the queue continues from the latest time that it has seen",
			"behind", behind.Round(time.Second))
	}
	d.now = newQueueClock(d.now, latest).Now
	err := d.transact(ctx, func(tx tx) error {
		dead, err := collect(ctx, tx, scanDied, findLeased)
		if err != nil {
			return err
		}
		released, err := release(ctx, tx, dead, math.MaxInt64)
		if err == nil {
			_, err = tx.execAll(ctx, released)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("releasing leased events: %w", err)
	}
	if _, err := d.db.ExecContext(ctx, releaseSweep); err != nil {
		return fmt.Errorf("releasing the sweep of deliveries: %w", err)
	}
	return nil
}

// warnBehind is how far the clock may be behind the database without a line in the log.
const warnBehind = 5 * time.Second

// checkOwner returns an error for the file of another program, before anything is changed in it, and marks a new file
// as tenon's.
func checkOwner(ctx context.Context, dir string) error {
	db, err := sql.Open("sqlite", dsn(dir, url.Values{}))
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	var id, tables int
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&tables); err != nil {
		return err
	}
	if id == applicationID {
		return checkVersions(ctx, db)
	}
	if id != 0 || tables != 0 {
		return errors.New("this is a database of another program: use an empty data folder")
	}
	_, err = db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID))
	return err
}

// checkVersions reads the table of the migrations, if there is one. The library of the migrations takes a table that it
// cannot read for none.
func checkVersions(ctx context.Context, db *sql.DB) error {
	var tables int
	err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master WHERE name = 'goose_db_version'").Scan(&tables)
	if err != nil || tables == 0 {
		return err
	}
	var newest sql.NullInt64
	return db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version").Scan(&newest)
}

// connect opens the database and upgrades its schema. A commit with synchronous=FULL returns when the write-ahead log
// is on the disk.
func connect(ctx context.Context, dir string) (*sql.DB, error) {
	connector, err := sqlite.NewConnector(dsn(dir, url.Values{
		"_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)"},
		"_txlock": {"immediate"},
	}))
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(keeper{connector})
	// SQLite writes one transaction at a time. With one connection they wait here, in order, and not in busy loops.
	db.SetMaxOpenConns(1)
	var journal string
	err = db.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&journal)
	if err == nil && journal != "wal" {
		err = fmt.Errorf("the file system does not support SQLite's write-ahead log (the journal mode is %s): "+
			"use a local disk for the data folder", journal)
	}
	if err == nil {
		err = migrate(ctx, db, goose.DialectSQLite3, dialectMigrations{migrations, false})
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// readSQLite opens an existing database for reading only.
func readSQLite(opts Options) (*sql.DB, func(error) error, error) {
	if _, err := os.Stat(opts.Place()); err != nil {
		return nil, nil, fmt.Errorf("looking for the database of a server in the data folder %s: %w", opts.Dir, err)
	}
	db, err := sql.Open("sqlite", dsn(opts.Dir, url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(10000)"}}))
	if err != nil {
		return nil, nil, fmt.Errorf("opening %s: %w", opts.Place(), err)
	}
	return db, (&sqliteDatabase{dir: opts.Dir}).explain, nil
}

// dsn returns the URI of the database file, with the settings of each connection to it.
func dsn(dir string, settings url.Values) string {
	return fileURL(filepath.Join(dir, databaseFile), settings)
}

// fileURL returns the URI of a file. A path that is not absolute is one in the working directory.
func fileURL(path string, settings url.Values) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter of Windows; SQLite removes the slash again
	}
	file := url.URL{Scheme: "file", OmitHost: true, Path: path}
	return file.String() + "?" + settings.Encode()
}

// explain adds to an error of SQLite what a person can do about it.
func (d *sqliteDatabase) explain(err error) error {
	advice := ""
	var se *sqlite.Error
	switch {
	case errors.As(err, &se):
		advice = sqliteAdvice[se.Code()&0xff] // an extended code has more bits
	case errors.Is(err, errDamaged):
		advice = sqliteAdvice[sqlite3.SQLITE_CORRUPT]
	}
	if advice == "" {
		return err
	}
	return &advised{advice, d.dir, err}
}

// notWritable is what a person can do about a database that cannot be opened for writing.
const notWritable = "the database in %s cannot be written: let the user that runs tenon write the folder and " +
	"the files in it"

// sqliteAdvice is what a person can do about an error code; %s is the data folder.
// https://www.sqlite.org/rescode.html
var sqliteAdvice = map[int]string{
	sqlite3.SQLITE_FULL:     "the disk of %s is full: free some space, nothing else is needed",
	sqlite3.SQLITE_READONLY: notWritable,
	sqlite3.SQLITE_CANTOPEN: notWritable,
	sqlite3.SQLITE_PERM:     notWritable,
	sqlite3.SQLITE_NOTADB:   "the file is not a database: move it away, or use another data folder",
	sqlite3.SQLITE_CORRUPT: "the database in %s is damaged: restore it from a backup, or start with an empty data " +
		"folder if there is none",
	sqlite3.SQLITE_BUSY: "another program keeps the database in %s busy, such as a backup or an open sqlite3 shell: " +
		"end it",
	sqlite3.SQLITE_IOERR: "the disk of %s reports an error: check it",
}

// folderError returns the error for a data folder that cannot be used.
func folderError(dir string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err // without the path, which the text below names
	}
	return fmt.Errorf("the data folder %s cannot be written: "+
		"make it a folder of the user that runs tenon, or name another: %w", dir, err)
}
