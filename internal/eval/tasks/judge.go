package tasks

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/eval/scores"
	"github.com/tenon-bot/tenon/internal/offline"
)

// File is a file for a check.
type File struct {
	Data       []byte
	Executable bool
}

// Checker runs the check of a task on the files after the commit. passed reports whether it succeeded; output is what
// it printed. An error means that it could not be run.
type Checker func(ctx context.Context, j Judge, files map[string]File) (passed bool, output string, err error)

// countShown counts the files that the first prompt shows of those to change. Files to create cannot be shown.
func (a *attempt) countShown(out *scores.Result, rec record.Record) error {
	for _, name := range a.task.Judge.Gold {
		kind, err := a.source.Kind(name)
		if err != nil {
			return err
		}
		if kind != engine.File {
			continue
		}
		out.Gold++
		if rec.Prompt == nil {
			continue
		}
		if _, ok := rec.Prompt.Shown[name]; ok {
			out.Shown++
		}
	}
	return nil
}

// countBlocks counts what became of the edit blocks.
func (a *attempt) countBlocks(ctx context.Context, out *scores.Result, rec record.Record) error {
	for _, turn := range rec.Turns {
		reply := engine.Parse(turn.Answer.Text, engine.ParseOptions{})
		broken := 0
		for _, p := range reply.Problems {
			if p.Severity == engine.SeverityError {
				broken++
			}
		}
		if len(reply.Blocks)+broken == 0 {
			continue
		}
		out.Blocks, out.WellFormed = len(reply.Blocks)+broken, len(reply.Blocks)
		over := offline.NewOverlay(a.source)
		paths, err := engine.Paths(over, reply.Blocks)
		if err != nil {
			return err
		}
		if err := over.Load(ctx, paths...); err != nil {
			return err
		}
		tried, err := engine.Apply(over, reply.Blocks, engine.Options{DryRun: true})
		if err != nil {
			return err
		}
		for _, r := range tried.Results {
			if r.Status == engine.Applied {
				out.First++
			}
		}
		break
	}
	results := resultsOf(rec)
	for _, r := range results {
		if r.Status.Applied() {
			out.Applied++
		}
	}
	out.Failed = out.First < out.Blocks
	out.Repaired = out.Failed && len(results) > 0 && out.Applied == len(results)
	return nil
}

// resultsOf returns the results of the edits in the end.
func resultsOf(rec record.Record) []record.Result {
	if rec.Committed != nil {
		return rec.Committed.Results
	}
	if rec.Preview != nil {
		return rec.Preview.Results
	}
	if n := len(rec.Applications); n > 0 {
		return rec.Applications[n-1].Results
	}
	return nil
}

// judge says whether the task is solved.
func (a *attempt) judge(ctx context.Context, out *scores.Result) error {
	j := a.task.Judge
	if out.Error != "" || a.committed == nil {
		out.Judged, out.Why = true, "nothing was committed"
		if n := len(a.answers); n > 0 && out.Error == "" {
			out.Why += ": " + beginning(said(a.answers[n-1].Body))
		}
		return nil
	}
	changed := map[string]*File{} // nil for a removed file
	for _, c := range a.committed.Changes {
		if changed[c.Path] = nil; c.Removed() {
			continue
		}
		data := c.Data
		if data == nil { // moved as it was
			var err error
			if data, err = a.moved(ctx, c.OldBlob, c.Blob); err != nil {
				return err
			}
		}
		changed[c.Path] = &File{Data: data, Executable: c.Mode == "100755"}
	}
	why, err := a.compare(ctx, changed)
	if err != nil {
		return err
	}
	if why != "" {
		out.Judged, out.Why = true, why
		return nil
	}
	if j.Check == nil {
		out.Judged, out.Solved = true, true
		return nil
	}
	if a.check == nil {
		out.Why = "its check was not run"
		return nil
	}
	files, err := a.after(ctx, changed)
	if err != nil {
		return err
	}
	passed, output, err := a.check(ctx, j, files)
	if err != nil {
		return fmt.Errorf("running the check: %w", err)
	}
	out.Judged, out.Solved = true, passed
	if !passed {
		out.Why = "the check failed: " + ending(output)
	}
	return nil
}

// moved returns the content of a file that was moved, by its object.
func (a *attempt) moved(ctx context.Context, blobs ...string) ([]byte, error) {
	names, err := a.source.Files()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if id, ok := a.source.Blob(name); ok && slices.Contains(blobs, id) {
			data, _, err := contentOf(ctx, a.source, name)
			return data, err
		}
	}
	return nil, fmt.Errorf("no file has the object %v", blobs)
}

// compare returns how the files differ from what is expected; empty if they do not.
func (a *attempt) compare(ctx context.Context, changed map[string]*File) (why string, err error) {
	for _, name := range slices.Sorted(maps.Keys(a.task.Judge.Wanted)) {
		if same, err := a.isAs(ctx, name, a.task.Judge.Wanted[name], changed); err != nil || !same {
			return name + " is not as expected", err
		}
	}
	if a.task.Judge.Diff == nil {
		return "", nil
	}
	named := map[string]bool{}
	for _, d := range a.task.Judge.Diff {
		named[d.path] = true
		if d.removed {
			if f, ok := changed[d.path]; !ok || f != nil {
				return d.path + " was not removed", nil
			}
			continue
		}
		before, _, err := contentOf(ctx, a.source, d.path)
		if err != nil {
			return "", err
		}
		wanted, err := d.apply(before)
		if err != nil {
			return "", fmt.Errorf("%s: %w", wantedDiff, err)
		}
		if same, err := a.isAs(ctx, d.path, wanted, changed); err != nil || !same {
			return d.path + " is not as expected", err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		if !named[name] {
			return name + " was changed, which is not expected", nil
		}
	}
	return "", nil
}

// isAs reports whether a file has a content after the commit. The line feeds at its end do not count: a block cannot
// say whether there is one.
func (a *attempt) isAs(ctx context.Context, name string, wanted []byte, changed map[string]*File) (bool, error) {
	f, ok := changed[name]
	if !ok {
		data, exists, err := contentOf(ctx, a.source, name)
		if err != nil || !exists {
			return false, err
		}
		f = &File{Data: data}
	}
	return f != nil && bytes.Equal(bytes.TrimRight(f.Data, "\n"), bytes.TrimRight(wanted, "\n")), nil
}

// after returns all files after the commit.
func (a *attempt) after(ctx context.Context, changed map[string]*File) (map[string]File, error) {
	names, err := a.source.Files()
	if err != nil {
		return nil, err
	}
	if err := a.source.LoadSome(ctx, maxAll, names...); err != nil {
		return nil, err
	}
	out := map[string]File{}
	for _, name := range names {
		data, ok, err := contentOf(ctx, a.source, name)
		if err != nil {
			return nil, err
		}
		executable, err := a.source.Executable(name)
		if err != nil {
			return nil, err
		}
		if ok {
			out[name] = File{Data: data, Executable: executable}
		}
	}
	for name, f := range changed {
		if delete(out, name); f != nil {
			out[name] = *f
		}
	}
	return out, nil
}

// maxWhy is the longest text of an answer or of a check that a result has, in bytes.
const maxWhy = 400

// unsaid matches what a page does not show of an answer, and linked what a link is in Markdown.
var (
	unsaid = regexp.MustCompile(`(?s)<!--.*?-->|<sub>.*$`)
	linked = regexp.MustCompile(`\[([^\]\n]*)\]\([^)\n]*\)`)
)

// said returns what an answer says, without links: there is no page that they lead to.
func said(answer string) string {
	return linked.ReplaceAllString(unsaid.ReplaceAllString(answer, ""), "$1")
}

// beginning returns the beginning of a text, ending the end of one, in one line.
func beginning(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.ToValidUTF8(text[:min(len(text), maxWhy)], "")
}

func ending(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.ToValidUTF8(text[max(0, len(text)-maxWhy):], "")
}
