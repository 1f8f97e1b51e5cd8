package killtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
	"github.com/tenon-bot/tenon/internal/retry"
)

// Options say what is run and how it is broken.
type Options struct {
	// Program is the program and its first arguments; "serve" is added to them. Env is added to its environment.
	Program, Env []string
	// Dir is an empty folder for everything that is written: repositories, the database, logs.
	Dir string
	// Pulls and Commands are how many pull requests there are, and commands in all.
	Pulls, Commands int
	// Kills is how many processes are killed.
	Kills int
	// Replicas is how many processes run at a time. More than one need a database that they share.
	Replicas int
	// Every other kill comes after a random number of requests to GitHub, from 1 to Between: counting what is done, and
	// not time, asks the same of a slow machine. The others come after a random time of up to Longest since the last
	// restart. A command takes about 15 requests.
	Between int
	Longest time.Duration
	// Calls is how long a call of the model takes at most.
	Calls time.Duration
	// Halfway is called when half of the kills were made, for instance to restart the database; nil does nothing.
	Halfway func(context.Context) error
	// Progress gets a line now and then; nil discards it.
	Progress func(format string, args ...any)
	// GitHub are the options of the simulated GitHub.
	GitHub simhttp.Options
}

// Figures are what a run of the kill test comes to.
type Figures struct {
	Commands, Kills, Commits, Comments int
	// Double counts the commits and answers that were made for a command that had one. Lost counts the commands without
	// one of them.
	Double, Lost int
	// ExtraCalls counts calls of the model that were made though the answer to an earlier one was there. CutCalls counts
	// those that had to be repeated because the process was killed before it had recorded the answer.
	ExtraCalls, CutCalls int
	// Recovery is the longest time that a thread whose command was interrupted waited for another process: from the kill
	// or, if there is only one process, from the restart.
	Recovery time.Duration
	// Duplicates and Refused count the deliveries that were sent twice, and the attempts that were not accepted.
	Duplicates, Refused int
	Took                time.Duration
	// Problems describe lost commands.
	Problems []string
}

// String returns the figures in one line.
func (f Figures) String() string {
	return fmt.Sprintf("commands=%d kills=%d commits=%d comments=%d double=%d lost=%d model_calls_extra=%d "+
		"max_recovery_s=%.1f model_calls_cut=%d duplicates=%d refused=%d took_s=%.0f",
		f.Commands, f.Kills, f.Commits, f.Comments, f.Double, f.Lost, f.ExtraCalls,
		f.Recovery.Seconds(), f.CutCalls, f.Duplicates, f.Refused, f.Took.Seconds())
}

// Run gives all commands while it kills processes, waits until all are done, and returns the figures. Commands that are
// not done when ctx ends count as lost.
func Run(ctx context.Context, opts Options) (Figures, error) {
	if opts.Progress == nil {
		opts.Progress = func(string, ...any) {}
	}
	begun := time.Now()
	e, err := newExperiment(ctx, opts)
	if err != nil {
		return Figures{}, err
	}
	defer e.close()
	if err := e.breakIt(ctx); err != nil {
		return Figures{}, err
	}
	f, err := e.finish(ctx)
	f.Took = time.Since(begun)
	return f, err
}

// experiment is a run of the kill test.
type experiment struct {
	opts      Options
	world     *world
	model     *model
	modelHTTP *httptest.Server
	relay     *relay
	relayHTTP *httptest.Server
	launcher  *launcher
	seen      *sightings
	running   []*process
	started   int
	kills     map[string]time.Time
	posted    int
}

func newExperiment(ctx context.Context, opts Options) (e *experiment, err error) {
	e = &experiment{opts: opts, seen: newSightings(), kills: map[string]time.Time{},
		model: newModel(opts.Calls)}
	if err := folders(opts.Dir); err != nil {
		return nil, err
	}
	e.world, err = newWorld(filepath.Join(opts.Dir, "repositories"), opts.Pulls, opts.Commands, opts.GitHub)
	if err != nil {
		return nil, err
	}
	e.modelHTTP = httptest.NewServer(e.model)
	e.relay = newRelay(ctx, 300*time.Millisecond, 0.3)
	e.relayHTTP = httptest.NewServer(e.relay)
	e.world.github.SetHookURL(e.relayHTTP.URL)
	e.launcher = &launcher{program: opts.Program, dir: filepath.Join(opts.Dir, "logs"), world: e.world,
		env:      append(limitless("TENON_DATA_DIR="+DataDir(opts.Dir)), opts.Env...),
		modelURL: e.modelHTTP.URL, seen: e.seen}
	for range max(opts.Replicas, 1) {
		p, err := e.start(ctx)
		if err != nil {
			e.close()
			return nil, err
		}
		e.running = append(e.running, p)
	}
	return e, nil
}

// DataDir returns the data folder of the processes of an experiment in dir.
func DataDir(dir string) string { return filepath.Join(dir, "data") }

func folders(dir string) error {
	for _, name := range []string{DataDir(dir), filepath.Join(dir, "repositories"), filepath.Join(dir, "logs")} {
		if err := os.MkdirAll(name, 0o700); err != nil {
			return err
		}
	}
	return nil
}

// limitless adds settings of budgets that one person's commands do not use up.
func limitless(env ...string) []string {
	for _, name := range []string{"USER_COMMANDS", "REPOSITORY_COMMANDS", "REPOSITORY_TOKENS", "OWNER_TOKENS"} {
		env = append(env, "TENON_BUDGET_"+name+"=1_000_000_000")
	}
	return append(env, "TENON_BUDGET_SERVER_TOKENS=off", "TENON_LIMIT_SENDER_COMMANDS=off",
		"TENON_LIMIT_INSTALLATION_COMMANDS=off")
}

func (e *experiment) close() {
	for _, p := range e.running {
		p.kill()
	}
	e.relayHTTP.Close()
	e.modelHTTP.Close()
	_ = e.world.close()
}

// start starts a process as a further target of deliveries.
func (e *experiment) start(ctx context.Context) (*process, error) {
	e.started++
	p, err := e.launcher.start(ctx, fmt.Sprintf("process-%03d", e.started))
	if err != nil {
		return nil, err
	}
	e.relay.add(p.name, p.url)
	return p, nil
}

// breakIt gives the commands a few at a time, and kills a process after each few.
func (e *experiment) breakIt(ctx context.Context) error {
	for kill := range e.opts.Kills {
		if err := e.post(e.opts.Commands * (kill + 1) / e.opts.Kills); err != nil {
			return err
		}
		if err := e.await(ctx, kill); err != nil {
			return err
		}
		if kill == e.opts.Kills/2 && e.opts.Halfway != nil {
			if err := e.opts.Halfway(ctx); err != nil {
				return err
			}
		}
		if err := e.killOne(ctx); err != nil {
			return err
		}
		if kill%10 == 9 {
			e.opts.Progress("%d kills, %d commands given", kill+1, e.posted)
		}
	}
	return e.post(e.opts.Commands)
}

// idle is how long nothing is asked of GitHub when all is done.
const idle = 2 * time.Second

// await returns at the random moment of a kill.
func (e *experiment) await(ctx context.Context, kill int) error {
	if kill%2 == 0 {
		return e.awaitRequests(ctx, 1+rand.IntN(e.opts.Between)) //nolint:gosec // no secret
	}
	return retry.Sleep(ctx, rand.N(e.opts.Longest+1)) //nolint:gosec // no secret
}

// awaitRequests returns at a random moment after so many requests to GitHub, or when there are no more.
func (e *experiment) awaitRequests(ctx context.Context, requests int) error {
	upTo := e.seen.count() + requests
	last, since := e.seen.count(), time.Now()
	for n := last; n < upTo && time.Since(since) < idle; n = e.seen.count() {
		if n != last {
			last, since = n, time.Now()
		}
		if err := retry.Sleep(ctx, 5*time.Millisecond); err != nil {
			return err
		}
	}
	return retry.Sleep(ctx, rand.N(50*time.Millisecond)) //nolint:gosec // no secret
}

func (e *experiment) post(upTo int) error {
	for ; e.posted < upTo; e.posted++ {
		if err := e.world.post(e.world.commands[e.posted]); err != nil {
			return err
		}
	}
	return nil
}

// killOne kills a process and starts another.
func (e *experiment) killOne(ctx context.Context) error {
	i := rand.IntN(len(e.running)) //nolint:gosec // no secret
	p := e.running[i]
	select {
	case <-p.ended:
		return fmt.Errorf("%s ended by itself: %s", p.name, p.lastLine())
	default:
	}
	e.relay.remove(p.name)
	p.kill()
	e.kills[p.name] = time.Now()
	o, err := e.world.look()
	if err != nil {
		return err
	}
	e.seen.interrupt(p.name, o.unfinished)
	if len(e.running) == 1 {
		e.seen.restart()
	}
	e.running[i], err = e.start(ctx)
	return err
}

// finish waits until every command is done, stops the processes and counts.
func (e *experiment) finish(ctx context.Context) (Figures, error) {
	for {
		o, err := e.world.look()
		if err != nil {
			return Figures{}, err
		}
		if len(o.lost) == 0 || retry.Sleep(ctx, 300*time.Millisecond) != nil {
			break
		}
	}
	for _, p := range e.running {
		p.stop()
	}
	o, err := e.world.look()
	if err != nil {
		return Figures{}, err
	}
	extra, cut := extraCalls(e.model, o, e.kills)
	duplicates, refused := e.relay.counts()
	return Figures{Commands: len(e.world.commands), Kills: len(e.kills), Commits: o.commits, Comments: o.comments,
		Double: o.double, Lost: len(o.lost), ExtraCalls: extra, CutCalls: cut, Recovery: e.seen.recovery(),
		Duplicates: duplicates, Refused: refused, Problems: o.lost}, nil
}

// Check returns an error that says what the figures should not be, or nil.
func (f Figures) Check() error {
	var wrong []string
	for name, n := range map[string]int{"double": f.Double, "lost": f.Lost, "model_calls_extra": f.ExtraCalls,
		"commits missing": f.Commands - f.Commits, "comments missing": f.Commands - f.Comments} {
		if n != 0 {
			wrong = append(wrong, fmt.Sprintf("%s: %d", name, n))
		}
	}
	if wrong == nil {
		return nil
	}
	return errors.New(strings.Join(append(wrong, f.Problems...), "\n"))
}
