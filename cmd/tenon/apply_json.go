package main

import (
	"encoding/json"
	"io"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/engine/merge"
)

// applyJSON is the output of apply --json. Lists are never null.
type applyJSON struct {
	replyJSON
	Changed []string `json:"changed"`
	// Removed are those of Changed that are no longer there, and Renamed those that are there under another name.
	Removed []string     `json:"removed"`
	Renamed []renameJSON `json:"renamed"`
	DryRun  bool         `json:"dry_run"`
	Staged  bool         `json:"staged"`
	// Cautions are what of the changed files deserves a look.
	Cautions []record.Caution `json:"cautions"`
	Error    string           `json:"error,omitempty"`
}

type renameJSON struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// replyJSON is the result of a reply, for apply and batch.
type replyJSON struct {
	Results     []resultJSON     `json:"results"`
	Problems    []problemJSON    `json:"problems"`
	Suggestions []suggestionJSON `json:"suggestions"`
}

// resultJSON is the result of one block. Lines are the file's.
type resultJSON struct {
	Path       string `json:"path"`
	Status     string `json:"status"`
	Reason     string `json:"reason"`
	Detail     string `json:"detail"`
	Line       int    `json:"line"`
	Level      int    `json:"level"`
	MatchLines []int  `json:"match_lines,omitempty"`
	// Syntax is what --syntax found wrong with the file after all its edits.
	Syntax []fileProblemJSON `json:"syntax,omitempty"`
	// Unchecked is why --syntax did not check the file; empty if it did.
	Unchecked string `json:"unchecked,omitempty"`
	// Conflict is what a block with the reason conflict wants, and what both versions of the file have there.
	Conflict *conflictJSON `json:"conflict,omitempty"`
}

type conflictJSON struct {
	Base   regionJSON `json:"base"`
	Wanted regionJSON `json:"wanted"`
	Now    regionJSON `json:"now"`
}

type regionJSON struct {
	Line  int      `json:"line"`
	Lines []string `json:"lines"`
}

type problemJSON struct {
	Line     int    `json:"line"`
	Severity string `json:"severity"`
	Kind     string `json:"kind"`
	Text     string `json:"text"`
}

type suggestionJSON struct {
	Command string  `json:"command"`
	Line    int     `json:"line"`
	Op      *opJSON `json:"op,omitempty"`
}

type opJSON struct {
	Kind  string   `json:"kind"`
	Paths []string `json:"paths"`
	To    string   `json:"to,omitempty"`
}

func printJSON(out io.Writer, d applied) error {
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(applyJSONOf(d))
}

func applyJSONOf(d applied) applyJSON {
	v := applyJSON{
		replyJSON: describeReply(d.reply, d.results),
		Changed:   append([]string{}, d.changed...), Removed: []string{}, Renamed: []renameJSON{},
		DryRun: d.dryRun, Staged: d.staged, Cautions: append([]record.Caution{}, d.cautions()...),
	}
	renamed := d.renamed()
	for _, name := range d.changed {
		if d.before[name] != nil && d.after[name] == nil {
			v.Removed = append(v.Removed, name)
		}
		if from := renamed[name]; from != "" {
			v.Renamed = append(v.Renamed, renameJSON{from, name})
		}
	}
	if d.failure != nil {
		v.Error = d.failure.Error()
	}
	return v
}

func describeReply(reply engine.Reply, results []engine.Result) replyJSON {
	v := replyJSON{Results: []resultJSON{}, Problems: []problemJSON{}, Suggestions: []suggestionJSON{}}
	for _, r := range results {
		v.Results = append(v.Results, resultJSON{
			Path: r.Path, Status: r.Status.String(), Reason: string(r.Reason), Detail: r.Detail,
			Line: r.Line, Level: int(r.Level), MatchLines: r.MatchLines, Syntax: describeFileProblems(r.Problems),
			Unchecked: r.Unchecked, Conflict: toConflictJSON(r.Conflict),
		})
	}
	for _, p := range reply.Problems {
		v.Problems = append(v.Problems, problemJSON{
			Line: p.Line, Severity: severityName(p.Severity), Kind: string(p.Kind), Text: p.Text,
		})
	}
	for _, s := range reply.Suggestions {
		v.Suggestions = append(v.Suggestions, suggestionJSON{Command: s.Command, Line: s.Line, Op: toOpJSON(s.Op)})
	}
	return v
}

func toConflictJSON(c *merge.Conflict) *conflictJSON {
	if c == nil {
		return nil
	}
	region := func(r merge.Region) regionJSON { return regionJSON{r.Line, append([]string{}, r.Lines...)} }
	return &conflictJSON{Base: region(c.Base), Wanted: region(c.Ours), Now: region(c.Theirs)}
}

func severityName(s engine.Severity) string {
	if s == engine.SeverityWarning {
		return "warning"
	}
	return "error"
}

func toOpJSON(op *engine.Op) *opJSON {
	if op == nil {
		return nil
	}
	return &opJSON{Kind: string(op.Kind), Paths: append([]string{}, op.Paths...), To: op.To}
}
