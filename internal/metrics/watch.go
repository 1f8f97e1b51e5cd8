package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tenon-bot/tenon/bot/port"
)

// Figures are read at each scrape. All processes that share a database have the same ones.
type Figures struct {
	// Ready, Leased, DeadLetters and Followed count the events of the queue: to be handled, now or when a retry is due;
	// being handled; failed for good; and commits that are followed until CI reports.
	Ready, Leased, DeadLetters, Followed int
	// Oldest is when the oldest ready event was accepted; zero when none is ready.
	Oldest time.Time
	// Waiting counts the events that sleep, by what they wait for.
	Waiting map[port.WaitReason]int
	// ServerTokens are the tokens of today on this server, ServerTokensLimit how many there may be; 0 means any number.
	ServerTokens, ServerTokensLimit int64
}

// Disk is the file system of the data folder, in bytes.
type Disk struct {
	Free, Size uint64
	// Database is the size of the database's files.
	Database uint64
}

// Sources are what is read at each scrape.
type Sources struct {
	// Figures reads the queue.
	Figures func(context.Context) (Figures, error)
	// Load reads how busy this process is.
	Load func() port.Load
	// Disk reads the disk; nil if there is no data folder.
	Disk func() (Disk, error)
}

// scrapeTimeout bounds reading the queue for a scrape. Prometheus gives up after 10 seconds, unless it is told
// otherwise.
const scrapeTimeout = 5 * time.Second

// Watch reads figures at each scrape. It is called once.
func (m *Metrics) Watch(from Sources) {
	w := &watch{from: from, failed: m.scrapesDiscarded,
		up: m.gauge("tenon_database_up", "1 if the database could be read and written for this scrape, else 0."),
		events: m.gauge("tenon_queue_events", "Events in the queue by `state`: `ready`: to be handled, now or later; "+
			"`running`; `dead_letter`: failed for good, and waiting for an operator; `followed`: commits that are "+
			"followed until "+
			"CI reports.", "state"),
		oldest: m.gauge("tenon_queue_oldest_seconds", "How long ago the oldest ready event was accepted; 0 if none is "+
			"ready."),
		waiting: m.gauge("tenon_queue_waiting_events", "Events that sleep, by the `reason`: `github_limit`, "+
			"`github_outage`, "+
			"`github_lag`, `app_refused` (GitHub does not accept the App's key), "+
			"`model_limit`, `model_outage`, `model_break`, `database`, `too_many_commands` (they are held by a "+
			"limit), `verify` (a workflow tests the edits).", "reason"),
		tokens: m.gauge("tenon_server_budget_tokens", "Tokens that all commands of today took or have reserved, on all "+
			"processes that share the database."),
		limit: m.gauge("tenon_server_budget_limit_tokens", "The setting `budget_server_tokens`; absent if it is `off`."),
	}
	m.registry.MustRegister(w)
	m.watchLoad(from.Load)
	if from.Disk != nil {
		m.registry.MustRegister(&disk{read: from.Disk, failed: m.scrapesDiscarded,
			free: m.gauge("tenon_disk_free_bytes", "Free space on the disk of the data folder. Absent with PostgreSQL."),
			size: m.gauge("tenon_disk_size_bytes", "Size of the disk of the data folder. Absent with PostgreSQL."),
			database: m.gauge("tenon_database_size_bytes",
				"Size of the files of the SQLite database. Absent with PostgreSQL."),
		})
	}
}

// watch is the collector of the queue's figures.
type watch struct {
	from                                       Sources
	failed                                     prometheus.Counter
	up, events, oldest, waiting, tokens, limit *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (w *watch) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{w.up, w.events, w.oldest, w.waiting, w.tokens, w.limit} {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (w *watch) Collect(ch chan<- prometheus.Metric) {
	set := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	f, err := w.from.Figures(ctx)
	if err != nil {
		w.failed.Inc()
		set(w.up, 0)
		return
	}
	set(w.up, 1)
	set(w.events, float64(f.Ready), "ready")
	set(w.events, float64(f.Leased), "running")
	set(w.events, float64(f.DeadLetters), "dead_letter")
	set(w.events, float64(f.Followed), "followed")
	age := 0.0
	if !f.Oldest.IsZero() {
		age = max(0, time.Since(f.Oldest).Seconds())
	}
	set(w.oldest, age)
	counts := map[string]int{}
	for reason, name := range waits {
		if reason != port.CIReport { // these are followed
			counts[name] = 0
		}
	}
	for reason, n := range f.Waiting {
		counts[waitName(reason)] += n
	}
	for name, n := range counts {
		set(w.waiting, float64(n), name)
	}
	set(w.tokens, float64(f.ServerTokens))
	if f.ServerTokensLimit > 0 {
		set(w.limit, float64(f.ServerTokensLimit))
	}
}

// disk is the collector of the disk's figures.
type disk struct {
	read                 func() (Disk, error)
	failed               prometheus.Counter
	free, size, database *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (d *disk) Describe(ch chan<- *prometheus.Desc) { ch <- d.free; ch <- d.size; ch <- d.database }

// Collect implements prometheus.Collector.
func (d *disk) Collect(ch chan<- prometheus.Metric) {
	now, err := d.read()
	if err != nil {
		d.failed.Inc()
		return
	}
	ch <- prometheus.MustNewConstMetric(d.free, prometheus.GaugeValue, float64(now.Free))
	ch <- prometheus.MustNewConstMetric(d.size, prometheus.GaugeValue, float64(now.Size))
	ch <- prometheus.MustNewConstMetric(d.database, prometheus.GaugeValue, float64(now.Database))
}
