package web

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/web/chart"
)

// figures add up runs that have ended, by the days or weeks in which they ended, in UTC.
type figures struct {
	// begin is the first day, step the days from one time to the next, and times are how many there are.
	begin       time.Time
	step, times int

	Runs, Committed int
	// Edited counts the runs whose model made edits, Repaired those in which it was asked to correct some.
	Edited, Repaired                     int
	Applied, Failed, Skipped             int
	In, Cached, Out, Nanos, Calls        int64
	Unpriced                             bool
	outcomes, refused, edits, took, cost map[string][]float64
	edited, repaired                     []float64
	people                               map[int64]bool
	repositories                         map[string]*repositoryRow
}

// repositoryRow is the sum of a repository.
type repositoryRow struct {
	Owner, Repo     string
	Runs, Committed int
	Tokens, Nanos   int64
}

// maxDaily is up to how many days figures are by day, and not by week.
const maxDaily = 31

// newFigures returns figures without runs, of so many days up to now.
func newFigures(now time.Time, days int) *figures {
	today := now.UTC().Truncate(24 * time.Hour)
	f := &figures{begin: today.AddDate(0, 0, 1-days), step: 1, outcomes: map[string][]float64{},
		refused: map[string][]float64{}, edits: map[string][]float64{}, took: map[string][]float64{},
		cost: map[string][]float64{}, people: map[int64]bool{}, repositories: map[string]*repositoryRow{}}
	if days > maxDaily { // weeks begin on Monday
		f.begin, f.step = f.begin.AddDate(0, 0, -(int(f.begin.Weekday())+6)%7), 7
	}
	f.times = f.index(today) + 1
	f.edited, f.repaired = make([]float64, f.times), make([]float64, f.times)
	return f
}

// index returns the place of the time to which a moment belongs.
func (f *figures) index(t time.Time) int {
	return int(t.UTC().Truncate(24*time.Hour).Sub(f.begin)/(24*time.Hour)) / f.step
}

// add adds a run.
func (f *figures) add(e port.Ended) {
	i := f.index(e.At)
	if e.At.Before(f.begin) || i >= f.times {
		return
	}
	into := func(m map[string][]float64, name string, n float64) {
		if m[name] == nil {
			m[name] = make([]float64, f.times)
		}
		m[name][i] += n
	}
	f.Runs++
	into(f.outcomes, string(e.Outcome), 1)
	if words := reasonWords[e.Reason]; words != "" {
		into(f.refused, words, 1)
	}
	f.addEdits(e, i, into)
	repo := f.repository(e)
	repo.Runs++
	if e.Outcome == port.EndCommitted {
		f.Committed++
		repo.Committed++
	}
	for _, m := range e.Models {
		name := cmp.Or(m.Model, "model not known")
		into(f.took, name, float64(m.In+m.Out))
		into(f.cost, name, float64(m.Nanos))
		f.In, f.Cached, f.Out, f.Nanos, f.Calls = f.In+m.In, f.Cached+m.Cached, f.Out+m.Out, f.Nanos+m.Nanos, f.Calls+m.Calls
		f.Unpriced = f.Unpriced || m.Unpriced
		repo.Tokens, repo.Nanos = repo.Tokens+m.In+m.Out, repo.Nanos+m.Nanos
	}
	if e.PersonID != 0 {
		f.people[e.PersonID] = true
	}
}

// addEdits adds the edits of a run at the place of a time.
func (f *figures) addEdits(e port.Ended, i int, into func(map[string][]float64, string, float64)) {
	for _, c := range e.Edits {
		switch c.Outcome {
		case "applied":
			f.Applied += c.Count
			continue
		case "failed":
			f.Failed += c.Count
		default:
			f.Skipped += c.Count
		}
		into(f.edits, strings.ReplaceAll(cmp.Or(c.Reason, c.Outcome), "-", " "), float64(c.Count))
	}
	if (len(e.Edits) > 0 || e.Repairs > 0) && len(e.Models) > 0 {
		f.Edited++
		f.edited[i]++
		if e.Repairs > 0 {
			f.Repaired++
			f.repaired[i]++
		}
	}
}

// repository returns the sum of the repository of a run. Names that differ in case alone are one.
func (f *figures) repository(e port.Ended) *repositoryRow {
	name := strings.ToLower(e.Owner + "/" + e.Repo)
	if f.repositories[name] == nil {
		f.repositories[name] = &repositoryRow{Owner: e.Owner, Repo: e.Repo}
	}
	return f.repositories[name]
}

// Repositories returns the sums of the repositories, those with the most runs first.
func (f *figures) Repositories() []*repositoryRow {
	return slices.SortedFunc(maps.Values(f.repositories), func(a, b *repositoryRow) int {
		return cmp.Or(cmp.Compare(b.Runs, a.Runs), strings.Compare(a.Repo, b.Repo))
	})
}

// People counts those who asked.
func (f *figures) People() int { return len(f.people) }

// RepairRate is the part of the runs with edits in which the model was asked to correct some, as a percentage.
func (f *figures) RepairRate() string { return part(float64(f.Repaired), float64(f.Edited)) }

// part is a part of a whole as a percentage.
func part(n, whole float64) string {
	if whole == 0 {
		return "–"
	}
	return percent(n / whole)
}

// labels name the times.
func (f *figures) labels() (all []string) {
	for i := range f.times {
		all = append(all, f.begin.AddDate(0, 0, i*f.step).Format("Jan 2"))
	}
	return all
}

// series returns some figures by their names.
func series(m map[string][]float64) (all []chart.Series) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		all = append(all, chart.Series{Name: short(name), Values: m[name]})
	}
	return chart.Fold(all)
}

// percent writes a part of 1.
func percent(v float64) string { return strconv.Itoa(int(math.Round(v*100))) + " %" }

// reasonWords say in a few words why a command was not carried out.
var reasonWords = map[port.EndReason]string{
	port.ReasonPermission: "no permission",
	port.ReasonOwner:      "the owner is not served",
	port.ReasonApp:        "an App that the settings do not name",
	port.ReasonReplies:    "too many commands in an hour",
	port.ReasonSettings:   "the repository's settings",
	port.ReasonBudget:     "the budget is used up",
	port.ReasonModel:      "no such model",
	port.ReasonUsage:      "not written as a command must be",
	port.ReasonState:      "nothing to do",
	port.ReasonStopped:    "no longer needed",
	port.ReasonWait:       "waited too long",
	port.ReasonError:      "failed too often",
}
