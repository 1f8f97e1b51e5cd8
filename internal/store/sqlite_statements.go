package store

import (
	"context"
	"database/sql/driver"
	"errors"
)

// maxKept bounds the statements that a connection keeps: there are fewer, but lists by filters have many forms.
const maxKept = 300

// keeper is a connector of SQLite whose connections keep the statements that they have prepared. To prepare a statement
// takes several times as long as to execute it.
type keeper struct{ driver.Connector }

// Connect opens a connection.
func (k keeper) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := k.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &keepingConn{conn.(sqliteConn), map[string]statement{}}, nil
}

// sqliteConn is what a connection of the driver is.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// statement is what a prepared statement of the driver is.
type statement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// keepingConn is a connection that keeps prepared statements. One goroutine at a time uses it, by database/sql.
type keepingConn struct {
	sqliteConn
	kept map[string]statement // those that are not in use
}

// ExecContext executes a statement. Those without arguments are not kept: they change the schema or the settings.
func (c *keepingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if len(args) == 0 {
		return c.sqliteConn.ExecContext(ctx, query, args)
	}
	stmt, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	res, err := stmt.ExecContext(ctx, args)
	return res, errors.Join(err, c.keep(query, stmt))
}

// QueryContext executes a query. Its statement is in use until its rows are closed.
func (c *keepingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	stmt, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := stmt.QueryContext(ctx, args)
	if err != nil {
		return nil, errors.Join(err, c.keep(query, stmt))
	}
	return keptRows{rows, func() error { return c.keep(query, stmt) }}, nil
}

// keptRows are the rows of a statement that is kept.
type keptRows struct {
	driver.Rows
	keep func() error
}

func (r keptRows) Close() error { return errors.Join(r.Rows.Close(), r.keep()) }

// take returns a prepared statement that nobody else uses.
func (c *keepingConn) take(ctx context.Context, query string) (statement, error) {
	if stmt, ok := c.kept[query]; ok {
		delete(c.kept, query)
		return stmt, nil
	}
	stmt, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.(statement), nil
}

// keep keeps a statement that is not in use any more.
func (c *keepingConn) keep(query string, stmt statement) error {
	if _, ok := c.kept[query]; ok || len(c.kept) >= maxKept {
		return stmt.Close()
	}
	c.kept[query] = stmt
	return nil
}

// Close closes the statements, without which the file would stay open, and the connection.
func (c *keepingConn) Close() error {
	var errs []error
	for _, stmt := range c.kept {
		errs = append(errs, stmt.Close())
	}
	clear(c.kept)
	return errors.Join(append(errs, c.sqliteConn.Close())...)
}
