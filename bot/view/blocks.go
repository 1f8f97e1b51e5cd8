package view

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/engine"
)

// neverMade says of an edit why it was not made whose run ended before.
const neverMade = "The run ended before this edit was made."

// blocks are the edits of a run: those that were made or tried, and those that have only been planned or arrived.
func (s Source) blocks() []Block {
	results := s.Record.Made()
	wasMade := len(results) > 0
	trial := s.Record.Committed == nil || s.Record.Committed.SHA == ""
	if !wasMade && s.State != Ended {
		results = s.Live.Results
	}
	var out []Block
	for i, r := range results {
		if wasMade {
			r = record.Masked(r)
		}
		b := s.tried(r, r.NumberAt(i))
		b.Trial, b.Left = trial, slices.Contains(s.Left, b.Number)
		out = append(out, b)
	}
	if wasMade {
		return out
	}
	if planned := s.planned(); len(planned) > len(out) {
		out = append(out, s.untried(planned[len(out):], len(out))...)
	}
	return out
}

// planned are the edits of the conversation so far, with those that have arrived. How corrections that are arriving
// change the plan is not known before they were tried.
func (s Source) planned() []engine.Block {
	c, err := conversation.Recorded(s.Record)
	if err != nil { // another version of the engine found other blocks
		return nil
	}
	kind := s.liveKind()
	if kind == "" || kind == record.TurnAsk || kind == record.TurnChoose {
		return c.Blocks()
	}
	turn := record.Turn{Kind: kind, Answer: port.Answer{Text: s.Live.Text}}
	if turn.Plan = c.Plan(); kind != record.TurnRepair && kind != record.TurnMoved {
		turn.Plan = c.PlanAfter(turn, nil)
	}
	if c, err = c.With(turn); err != nil {
		return nil
	}
	return c.Blocks()
}

// liveKind is what the model is asked for while its reply arrives; empty if none does.
func (s Source) liveKind() record.TurnKind {
	rec := s.Record
	if s.Live.Call != rec.Calls()+1 {
		return ""
	}
	if len(rec.Turns) == 0 {
		if rec.Prompt == nil {
			return record.TurnChoose
		}
		return cmp.Or(rec.Prompt.Kind, record.TurnFix)
	}
	kind, _ := conversation.Replies(rec).Next(nil, "")
	c, err := conversation.Recorded(rec)
	switch {
	case err != nil:
		return kind
	case rec.LastVerification().State == record.VerifyFailed:
		return record.TurnVerify
	case len(rec.Applications) > 0:
		return record.TurnMoved
	case c.IsQuestion(), len(c.Plan()) == 0:
		return kind
	}
	kind, _ = c.Next(nil, "")
	return cmp.Or(kind, record.TurnRepair)
}

// untried are edits that were not tried. from counts those before them.
func (s Source) untried(blocks []engine.Block, from int) (out []Block) {
	wanted := engine.Outcome{Results: make([]engine.Result, len(blocks))}
	for i, b := range blocks {
		b.Find, b.Replace = cutLines(b.Find), cutLines(b.Replace)
		wanted.Results[i] = engine.Result{Block: b, Path: b.Path}
	}
	for i, r := range record.Results(wanted) {
		b := s.tried(r, from+i+1)
		b.Badge, b.Words, b.FileURL = BadgeNew, "", ""
		switch {
		case s.State == Ended || s.State == DeadLetter:
			b.Badge, b.Words = BadgeSkipped, neverMade
		case i == 0:
			b.Badge = BadgeChecking
		}
		out = append(out, b)
	}
	return out
}

// badges are those of the statuses of results.
var badges = map[record.Status]Badge{
	record.StatusApplied: BadgeApplied, record.StatusFailed: BadgeFailed, record.StatusSkipped: BadgeSkipped,
}

// tried is an edit with its result, which has no secrets.
func (s Source) tried(r record.Result, number int) Block {
	b := Block{
		Number: number, Badge: cmp.Or(badges[r.Status], BadgeSkipped), Reason: r.Reason, Words: words(r), Path: plain(r.Path),
		Line: r.Line, Level: strings.ReplaceAll(r.LevelName(), "_", " "), Purpose: plain(r.Purpose),
		Diff: ParseDiff(cmp.Or(r.WholeDiff(), r.Diff)),
	}
	b.Diff.Added, b.Diff.Removed = r.Added, r.Removed
	b.Diff.Cut = b.Diff.Cut || r.WholeDiff() == "" && r.Added+r.Removed > 0
	for _, p := range r.Problems {
		b.Problems = append(b.Problems, plain(p.String()))
	}
	if !r.Status.Applied() {
		b.Searched = searched(r)
	}
	s.link(&b, r)
	return b
}

// words say why an edit was not made, or what people have to know of one that was.
func words(r record.Result) string {
	if !r.Status.Applied() {
		return plain(report.Refusal(r))
	}
	notes := r.Marks
	if r.Detail != "" {
		notes = append([]string{r.Detail}, notes...)
	}
	if edit.BeyondBounds(r.Unchecked) {
		notes = append(slices.Clip(notes), "the file was not checked for syntax ("+edit.UncheckedWords(r.Unchecked)+")")
	}
	return plain(strings.Join(notes, "; "))
}

// link sets where an edit is on GitHub. The lines of its diff get the numbers that they have in the commit.
func (s Source) link(b *Block, r record.Result) {
	repo, sha := s.links(), ""
	if t := s.Record.Target; t != nil {
		sha = cmp.Or(s.Record.LastApplication().Base, t.SHA)
	}
	made, committed := s.Record.Commit()
	if committed {
		sha = made.SHA
	}
	if repo == nil || sha == "" || r.Path == "" || r.Reason == string(engine.FileNotFound) {
		return
	}
	if committed && r.Status.Applied() && r.Line == 0 && r.Added == 0 {
		return // the file is gone
	}
	b.FileURL = report.FileURL(repo, sha, r.Path, 0, 0)
	if !committed || !r.Status.Applied() || r.Line == 0 {
		return
	}
	first, last := b.Diff.added()
	if first > 0 {
		b.Diff.shift(r.Line - first)
	}
	b.LineURL = report.FileURL(repo, sha, r.Path, r.Line, r.Line+last-first)
}

// searched is what an edit that was not made was compared with; nil if nothing is known.
func searched(r record.Result) *Searched {
	out := &Searched{Lines: r.Nearest, Line: r.NearestLine, Differs: r.Differs, Want: plain(r.Want),
		Have: plain(r.Have), Places: r.Places, More: r.MorePlaces}
	if len(out.Lines) == 0 && r.Differs == 0 && len(r.Places) == 0 {
		if len(r.Around) == 0 {
			return nil
		}
		out.Lines, out.Line = r.Around, r.AroundLine
	}
	if more := len(out.Lines) - maxListed; more > 0 { // the lines around the difference
		from := min(max(0, out.Differs-out.Line-maxListed/2), more)
		out.Lines, out.Line = out.Lines[from:from+maxListed], out.Line+from
	}
	out.Lines = plainLines(out.Lines)
	return out
}

// count counts blocks by their badges.
func count(blocks []Block) (n Counts) {
	for _, b := range blocks {
		switch b.Badge {
		case BadgeApplied:
			n.Applied++
		case BadgeFailed:
			n.Failed++
		case BadgeSkipped:
			n.Skipped++
		default:
			n.New++
		}
	}
	return n
}
