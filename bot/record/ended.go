package record

import (
	"cmp"
	"slices"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
)

// Bounds on what an audit keeps of a commit: paths, and the length of each in bytes.
const (
	maxPaths = 50
	maxPath  = 200
	// maxMade bounds the commits of one run, of which all but one are tests.
	maxMade = 20
)

// Ended returns what the record of a run tells of its end. price returns the price of a model, zero if it is not known.
func Ended(ev port.Event, rec Record, price func(model string) port.Price) port.Ended {
	e := port.Ended{
		Run: cmp.Or(rec.ID, port.RunID(ev.Delivery)), Delivery: ev.Delivery, Kind: ev.Kind,
		Received: ev.Received, Started: rec.Started,
		Installation: ev.Repo.Installation, Repository: ev.Repo.ID, Owner: ev.Repo.Owner, Repo: ev.Repo.Name,
		Thread: ev.Thread.Number, Pull: ev.Thread.Pull,
		Person: ev.Sender.Login, PersonID: ev.Sender.ID, App: ev.Comment.App,
		Commits: rec.made(), Unsure: rec.unsure(),
		Edits: countEdits(rec.results()), Repairs: rec.repairs(), Models: rec.usedModels(price),
	}
	if ev.Kind == port.Autofix && ev.Followed != nil {
		e.Round = ev.Followed.Round
	}
	if rec.Target != nil {
		e.Branch = rec.Target.Branch
	}
	if rec.Pull != nil && (rec.Target == nil || rec.Target.Pull == 0) {
		e.PullOpened = rec.Pull.Pull
	}
	for _, o := range rec.Backports {
		if e.PullOpened == 0 {
			e.PullOpened = o.Pull
		}
	}
	switch {
	case len(rec.AllCommits()) > 0:
		e.Outcome = port.EndCommitted
	case rec.Committed != nil || len(rec.Backports) > 0:
		e.Outcome = port.EndUnchanged
	case rec.Preview != nil:
		e.Outcome = port.EndPreviewed
	default:
		e.Outcome = port.EndAnswered
	}
	return e
}

// unsure reports whether the run is past its point of no return, and may have written what is not on record.
func (r Record) unsure() bool {
	return r.Committing && r.Committed == nil && (r.Backport == nil || r.Final == nil)
}

// made returns the commits of the run, those of tests included.
func (r Record) made() (out []port.MadeCommit) {
	for _, v := range r.Verifications {
		known := slices.ContainsFunc(out, func(m port.MadeCommit) bool { return m.SHA == v.Commit })
		if v.Commit != "" && !known && len(out) < maxMade-1 {
			out = append(out, port.MadeCommit{Branch: v.Branch, SHA: v.Commit, Test: true})
		}
	}
	for _, c := range r.AllCommits() {
		made := port.MadeCommit{Branch: c.Branch, SHA: c.SHA, Files: len(c.Changed)}
		for _, path := range c.Changed[:min(len(c.Changed), maxPaths)] {
			made.Paths = append(made.Paths, markdown.CutBytes(secret.Path(path), maxPath))
		}
		if r.Target != nil && r.Target.Fork != nil {
			made.Repo = r.Target.Fork.String()
		}
		out = append(out, made)
	}
	return out
}

// results returns the results of the edits as they were last.
func (r Record) results() []Result {
	switch {
	case r.Committed != nil:
		return r.Committed.Results
	case r.Preview != nil:
		return r.Preview.Results
	}
	return r.LastApplication().Results
}

// countEdits counts results, in the order in which each first occurs.
func countEdits(results []Result) (out []port.EditCount) {
	for _, r := range results {
		c := port.EditCount{Outcome: string(r.Status), Reason: r.Reason, Level: levelNames[engine.Level(r.Level)]}
		i := slices.IndexFunc(out, func(o port.EditCount) bool {
			return o.Outcome == c.Outcome && o.Reason == c.Reason && o.Level == c.Level
		})
		if i < 0 {
			i, out = len(out), append(out, c)
		}
		out[i].Count++
	}
	return out
}

// levelNames name the engine's levels.
var levelNames = map[engine.Level]string{
	engine.LevelExact: "exact", engine.LevelTrailingSpace: "trailing_space", engine.LevelBlankLines: "blank_lines",
	engine.LevelIndent: "indent", engine.LevelHomoglyph: "homoglyph", engine.LevelEllipsis: "ellipsis",
	engine.LevelFuzzyContext: "fuzzy_context", engine.LevelTokens: "tokens", engine.LevelStructure: "structure",
	engine.LevelMerged: "merged",
}

// LevelName names how strictly an applied block matched, as in the audit; empty for any other.
func (r Result) LevelName() string {
	if !r.Status.Applied() {
		return ""
	}
	return levelNames[engine.Level(r.Level)]
}

// Made returns the results of the edits as they were last, none if the run did not come to that.
func (r Record) Made() []Result { return r.results() }

// repairs counts the calls that asked for corrections.
func (r Record) repairs() (n int) {
	for _, t := range r.Turns {
		if t.Kind == TurnRepair {
			n++
		}
	}
	return n
}

// usedModels returns what the recorded calls took, by model.
func (r Record) usedModels(price func(model string) port.Price) (out []port.ModelUse) {
	for _, t := range r.AllCalls() {
		if t.Fault != "" {
			continue
		}
		name := cmp.Or(t.Answer.Name, t.Answer.Model)
		i := slices.IndexFunc(out, func(u port.ModelUse) bool { return u.Model == name })
		if i < 0 {
			i, out = len(out), append(out, port.ModelUse{Model: name})
		}
		out[i].Add(t.Answer.Usage, price(name))
	}
	return out
}
