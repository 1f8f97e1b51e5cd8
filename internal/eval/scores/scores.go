// Package scores sums up what models did with tasks: shares and means with 95 % intervals, and whether a difference
// between two measurements is more than chance.
package scores

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"
)

// Version is that of the form of a Report.
const Version = 1

// Report is a measurement.
type Report struct {
	Version int       `json:"version"`
	Tenon   string    `json:"tenon"`
	Made    time.Time `json:"made"`
	// Complete is false if the measurement was ended before all tasks were done.
	Complete bool `json:"complete"`
	// Models are the figures of each model, in the order in which they were named. All are those of all results.
	Models  []Figures `json:"models"`
	All     Figures   `json:"all"`
	Results []Result  `json:"results"`
}

// Result is what one model did with one task, in one run.
type Result struct {
	Task  string `json:"task"`
	Model string `json:"model"`
	// Run is which of the runs of the task it is, from 1.
	Run int `json:"run"`
	// Digest identifies the content of the task. It is empty for a task that was never measured.
	Digest string `json:"digest"`

	// Judged is false if nothing says whether the task was solved; Why says why it was not judged or not solved.
	Judged bool   `json:"judged"`
	Solved bool   `json:"solved"`
	Why    string `json:"why,omitempty"`
	// Error is why the bot could not finish; empty if it did.
	Error string `json:"error,omitempty"`

	// Blocks are the edit blocks of the first reply that has any, WellFormed those of them that could be read, First
	// those that were applied as they were, and Applied those that were applied in the end.
	Blocks     int `json:"blocks"`
	WellFormed int `json:"well_formed"`
	First      int `json:"applied_at_first"`
	Applied    int `json:"applied"`
	// Failed is true if a block of that reply was not applied as it was, Repaired if the model then repaired all of them.
	Failed   bool `json:"failed_at_first"`
	Repaired bool `json:"repaired"`

	// Gold is how many files the right change edits, Shown how many of these the first prompt shows.
	Gold  int `json:"gold"`
	Shown int `json:"shown"`

	Calls int `json:"calls"`
	// In, Cached and Out are tokens. Estimated is true if they are estimates: the provider reported none.
	In        int  `json:"tokens_in"`
	Cached    int  `json:"tokens_cached"`
	Out       int  `json:"tokens_out"`
	Estimated bool `json:"tokens_estimated"`
	// Cost is in US dollars; nil if the price of the model is not known.
	Cost *float64 `json:"cost,omitempty"`
	// Seconds is how long the command took.
	Seconds float64 `json:"seconds"`
}

// Figures are the figures of results. A figure is nil if nothing was measured for it. Shares are from 0 to 1.
type Figures struct {
	Model string `json:"model,omitempty"`
	Tasks int    `json:"tasks"`
	Runs  int    `json:"runs"`
	// Judged is how many of the runs were judged, Errors how many the bot could not finish.
	Judged int `json:"judged"`
	Errors int `json:"errors"`

	WellFormed *Interval `json:"well_formed,omitempty"`
	First      *Interval `json:"applied_at_first,omitempty"`
	Repaired   *Interval `json:"repaired,omitempty"`
	Solved     *Interval `json:"solved,omitempty"`
	Recall     *Interval `json:"recall,omitempty"`
	Tokens     *Interval `json:"tokens,omitempty"`
	Cost       *Interval `json:"cost,omitempty"`
	Seconds    *Interval `json:"seconds,omitempty"`
	// TotalCost is in US dollars.
	TotalCost *float64 `json:"total_cost,omitempty"`
}

// figure is a figure of results.
type figure struct {
	name string
	// isShare is true for a share, false for a mean.
	isShare bool
	unit    string
	// of returns how often something happened in a run, and how often it could have. For a mean, it is the value, and 1.
	of  func(Result) group
	put func(*Figures) **Interval
}

func count(happened, total int) group { return group{float64(happened), float64(total)} }

func yes(is, counted bool) group {
	switch {
	case is && counted:
		return group{1, 1}
	case counted:
		return group{0, 1}
	}
	return group{}
}

// ofCall returns the value of a run in which the model was called.
func ofCall(r Result, value float64) group {
	if r.Calls == 0 {
		return group{}
	}
	return group{value, 1}
}

// figures returns all figures, in the order in which they are printed.
func figures() []figure {
	return []figure{
		{"well-formed blocks", true, "%", func(r Result) group { return count(r.WellFormed, r.Blocks) },
			func(f *Figures) **Interval { return &f.WellFormed }},
		{"applied at first", true, "%", func(r Result) group { return count(r.First, r.Blocks) },
			func(f *Figures) **Interval { return &f.First }},
		{"repaired", true, "%", func(r Result) group { return yes(r.Repaired, r.Failed) },
			func(f *Figures) **Interval { return &f.Repaired }},
		{"solved", true, "%", func(r Result) group { return yes(r.Solved, r.Judged) },
			func(f *Figures) **Interval { return &f.Solved }},
		{"retrieval recall", true, "%", func(r Result) group { return count(r.Shown, r.Gold) },
			func(f *Figures) **Interval { return &f.Recall }},
		{"tokens", false, "", func(r Result) group { return ofCall(r, float64(r.In+r.Out)) },
			func(f *Figures) **Interval { return &f.Tokens }},
		{"cost", false, "$", func(r Result) group {
			if r.Cost == nil {
				return group{}
			}
			return ofCall(r, *r.Cost)
		}, func(f *Figures) **Interval { return &f.Cost }},
		{"time", false, "s", func(r Result) group { return ofCall(r, r.Seconds) },
			func(f *Figures) **Interval { return &f.Seconds }},
	}
}

// New returns the report of results, with the models in this order. Results are put in order.
func New(models []string, results []Result) Report {
	place := map[string]int{}
	for i, m := range models {
		place[m] = i
	}
	results = append([]Result{}, results...)
	slices.SortFunc(results, func(a, b Result) int {
		return cmp.Or(cmp.Compare(place[a.Model], place[b.Model]), cmp.Compare(a.Task, b.Task), cmp.Compare(a.Run, b.Run))
	})
	r := Report{Version: Version, Models: []Figures{}, All: sum(results), Results: results}
	for _, m := range models {
		own := slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return r.Model != m })
		f := sum(own)
		f.Model = m
		r.Models = append(r.Models, f)
	}
	return r
}

// sum returns the figures of results.
func sum(results []Result) Figures {
	f := Figures{Runs: len(results), Tasks: len(byTask(results, func(Result) group { return group{1, 1} }))}
	for _, r := range results {
		if r.Judged {
			f.Judged++
		}
		if r.Error != "" {
			f.Errors++
		}
		if r.Cost != nil {
			if f.TotalCost == nil {
				f.TotalCost = new(float64)
			}
			*f.TotalCost += *r.Cost
		}
	}
	for _, row := range figures() {
		if i, ok := row.estimate(results); ok {
			*row.put(&f) = &i
		}
	}
	return f
}

// estimate returns the figure of results; ok is false if nothing was measured for it.
func (f figure) estimate(results []Result) (i Interval, ok bool) {
	tasks := byTask(results, f.of)
	if f.isShare {
		return share(tasks)
	}
	var values []float64
	for _, g := range tasks {
		values = append(values, g.happened/g.of)
	}
	i, ok = mean(values)
	i.Low = max(0, i.Low) // nothing that is counted is negative
	return i, ok
}

// byTask adds up something by task, in the order of the tasks' names. Tasks in which it was not measured are left out.
func byTask(results []Result, measure func(Result) group) (groups []group) {
	sums := sumsByTask(results, measure)
	for _, task := range slices.Sorted(maps.Keys(sums)) {
		groups = append(groups, sums[task])
	}
	return groups
}

func sumsByTask(results []Result, measure func(Result) group) map[string]group {
	sums := map[string]group{}
	for _, r := range results {
		if g := measure(r); g.of > 0 {
			s := sums[r.Task]
			sums[r.Task] = group{s.happened + g.happened, s.of + g.of}
		}
	}
	return sums
}

// maxReport is the longest report that is read, in bytes.
const maxReport = 256 << 20

// Read reads a report. Its figures are computed anew from its results.
func Read(in io.Reader) (Report, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxReport+1))
	if err != nil {
		return Report{}, err
	}
	if len(data) > maxReport {
		return Report{}, errors.New("it is longer than 256 MiB")
	}
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		return Report{}, fmt.Errorf("it is not the JSON of a measurement: %w", err)
	}
	if r.Version != Version {
		return Report{}, fmt.Errorf("it has version %d, and this program reads version %d", r.Version, Version)
	}
	var models []string
	for _, m := range r.Models {
		models = append(models, m.Model)
	}
	for i, result := range r.Results {
		if result.Task == "" || result.Model == "" || !slices.Contains(models, result.Model) {
			return Report{}, fmt.Errorf("result %d lacks its task, or a model that the report names", i+1)
		}
	}
	read := New(models, r.Results)
	read.Tenon, read.Made, read.Complete = r.Tenon, r.Made, r.Complete
	return read, nil
}

// WriteJSON writes a report as JSON.
func (r Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}
