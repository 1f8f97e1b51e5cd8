package store

import (
	"context"
	"crypto/rand"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tenon-bot/tenon/internal/retry"
)

const (
	// newsChannel is the channel of NOTIFY. https://www.postgresql.org/docs/current/sql-notify.html
	newsChannel = "tenon"
	// listenCheck is how often a connection that has nothing to tell is checked.
	listenCheck = 20 * time.Second
	// maxReconnect bounds the wait before the listening connection is opened again.
	maxReconnect = 5 * time.Second
)

// wire tells other processes of news and is told theirs.
type wire struct {
	config *pgx.ConnConfig
	self   string // names this process in what it tells, so that it does not listen to itself
	told   func(context.Context, news)
	send   func(context.Context, string) error
	log    *slog.Logger

	mu      sync.Mutex
	pending map[news]bool
	more    chan struct{} // holds a value when something is pending

	stop context.CancelFunc
	done sync.WaitGroup
}

// newWire starts to send what tell is given with send, and, unless deaf, to listen.
func newWire(config *pgx.ConnConfig, deaf bool, send func(context.Context, string) error,
	told func(context.Context, news), log *slog.Logger) *wire {
	w := &wire{config: config, self: rand.Text(), told: told, send: send, log: log,
		pending: map[news]bool{}, more: make(chan struct{}, 1)}
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	w.done.Go(func() { w.sendPending(ctx) })
	if !deaf {
		w.done.Go(func() { w.listen(ctx) })
	}
	return w
}

// tell tells the other processes, soon. It does not wait for that.
func (w *wire) tell(n news) {
	w.mu.Lock()
	w.pending[n] = true
	w.mu.Unlock()
	select {
	case w.more <- struct{}{}:
	default:
	}
}

// close ends both goroutines, after sending what is pending.
func (w *wire) close() {
	w.stop()
	w.done.Wait()
}

// sendPending sends the pending news, of each kind once, however often it was told meanwhile: in a burst of deliveries,
// not each of them costs a statement.
func (w *wire) sendPending(ctx context.Context) {
	for ended := false; !ended; {
		select {
		case <-ctx.Done():
			ended = true
		case <-w.more:
		}
		w.mu.Lock()
		pending := w.pending
		w.pending = map[news]bool{}
		w.mu.Unlock()
		for n := range pending {
			bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTimeout)
			if err := w.send(bounded, w.self+" "+string(n)); err != nil {
				w.log.DebugContext(ctx, "cannot notify the other processes", "news", n, "error", err)
			}
			cancel()
		}
	}
}

// listen listens until ctx ends. It connects again when the connection breaks.
func (w *wire) listen(ctx context.Context) {
	pause := firstPause
	for ctx.Err() == nil {
		begun := time.Now()
		err := w.listenOnce(ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(begun) > listenCheck {
			pause = firstPause
		}
		w.log.WarnContext(ctx, "not listening to the database; polling the queue instead", "for", pause, "error", err)
		_ = retry.Sleep(ctx, pause) // the loop looks at ctx
		pause = min(2*pause, maxReconnect)
	}
}

// listenOnce listens on one connection until it breaks.
func (w *wire) listenOnce(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, w.config)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "LISTEN "+newsChannel); err != nil {
		return err
	}
	for _, n := range []news{newsReady, newsImmediate, newsFollowing, newsCancelled} { // what was told before
		w.told(ctx, n)
	}
	for {
		bounded, cancel := context.WithTimeout(ctx, listenCheck)
		got, err := conn.WaitForNotification(bounded)
		quiet := bounded.Err() != nil
		cancel()
		switch {
		case err == nil:
			if by, n, _ := strings.Cut(got.Payload, " "); by != w.self {
				w.told(ctx, news(n))
			}
		case ctx.Err() != nil:
			return ctx.Err()
		case quiet && w.ping(ctx, conn) == nil:
		default:
			return err
		}
	}
}

func (w *wire) ping(ctx context.Context, conn *pgx.Conn) error {
	bounded, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	return conn.Ping(bounded)
}
