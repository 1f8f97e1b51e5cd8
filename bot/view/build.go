package view

import (
	"cmp"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/secret"
)

// Source is what is known of a run.
type Source struct {
	Event port.Event
	// Links are those of the repository of the event's thread.
	Links port.Links
	// Record is what is recorded. Unreadable means that it is only the head of that, because another version of the
	// program recorded it.
	Record     record.Record
	Unreadable bool
	// Verb is that of the command; empty if it is not known.
	Verb  string
	State State
	// WaitsFor is what a run waits for that sleeps; empty for one that failed and is tried again.
	WaitsFor port.WaitReason
	// Ended is how the run ended; nil if it has not, or if that is not known.
	Ended *port.Ended
	// Steps are the recorded steps with their times, in any order.
	Steps []Step
	// Live is what was shown of the run since its last recorded step.
	Live Live
	// Acts are what can be done with the run now.
	Acts []Act
	// Left are the numbers of the edits that can be applied.
	Left []int
	// Price returns the price of a model, zero if it is not known; nil knows none.
	Price func(model string) port.Price
}

// Step is a recorded step, by its name in the record.
type Step struct {
	Name string
	At   time.Time
}

// Build returns what a page shows of a run.
func Build(s Source) Run {
	price := s.Price
	if price == nil {
		price = func(string) port.Price { return port.Price{} }
	}
	known := record.Ended(s.Event, s.Record, price)
	r := Run{
		ID: known.Run, Delivery: s.Event.Delivery, State: s.State, Forgotten: s.Record.Forgotten,
		Request: s.request(), Commit: s.commit(), Acts: s.Acts,
		Costs: Costs{Models: known.Models}, Timeline: s.timeline(),
	}
	if e := s.Ended; e != nil {
		r.Outcome, r.Reason = e.Outcome, e.Reason
		r.Request.Ended, r.Costs.Models, r.Costs.Took = e.At, e.Models, e.Took()
		r.Request.Verb = cmp.Or(r.Request.Verb, e.Command)
	}
	r.Why, r.Caution = s.why(), report.Cautions(s.Record.Cautions(), plain, plain)
	said := conversation.Replies(s.Record)
	r.Replies = s.replies()
	for _, one := range said.Suggestions() {
		r.Suggestions = add(r.Suggestions, one.Command)
	}
	for _, p := range said.Problems() {
		r.Problems = add(r.Problems, p.Text)
	}
	if s.Unreadable {
		r.Problems = append(r.Problems, "Another version of tenon recorded this run, so that not all of it can be shown.")
	}
	r.Saw, r.LeftOut = saw(s.Record)
	r.Blocks = s.blocks()
	r.Counts = count(r.Blocks)
	return r
}

// why says why the run ended as it did, or what it waits for. What failed in tenon itself is only for the log.
func (s Source) why() string {
	switch e := s.Ended; {
	case e != nil && (e.Reason == port.ReasonError || e.Why == "" && e.Outcome == port.EndFailed):
		return "It failed too often. Whoever runs tenon finds the reason in its log, by the id of the run."
	case e != nil && e.By != "" && e.Why == "":
		return "It was cancelled by " + plain(e.By) + "."
	case e != nil:
		return plain(e.Why)
	case s.State == Sleeping && s.WaitsFor != "":
		return "It waits because " + string(s.WaitsFor) + ", and continues by itself."
	case s.State == Sleeping:
		return "The last attempt failed. It is tried again by itself."
	case s.State == Waiting:
		return "It waits for its turn, and starts by itself."
	}
	return ""
}

func (s Source) request() Request {
	ev := s.Event
	text := ev.Comment.Body
	if ev.Kind == port.Following || ev.Kind == port.Autofix {
		text = ""
	}
	r := Request{
		Person: ev.Sender.Login, Repo: ev.Repo, Thread: ev.Thread, Kind: ev.Kind, Verb: s.Verb,
		Text: plainText(secret.Redacted(text)), URL: cmp.Or(ev.Comment.URL, ev.Thread.URL),
		Received: ev.Received, Started: s.Record.Started,
	}
	r.Thread.Text = nil
	if ev.Kind == port.OnPage && ev.Button != nil {
		r.On = ev.Button.Run
	}
	if s.Record.Forgotten {
		r.Text, r.Thread.Title = "", ""
	}
	switch {
	case s.Record.Final != nil:
		r.AnswerURL = s.Record.Final.URL
	case s.Record.Answer != nil:
		r.AnswerURL = s.Record.Answer.URL
	}
	return r
}

func (s Source) commit() *Commit {
	c, ok := s.Record.Commit()
	if !ok {
		return nil
	}
	out := &Commit{SHA: c.SHA, Branch: c.Branch, Subject: plain(secret.Redacted(c.Subject))}
	if repo := s.links(); repo != nil {
		out.URL = repo.Commit(c.SHA)
	}
	return out
}

// links returns the addresses of the pages of the repository that the run writes to; nil if they are not known.
func (s Source) links() port.Links {
	if s.Event.Thread.URL == "" {
		return nil
	}
	if t := s.Record.Target; t != nil && t.Fork != nil {
		return s.Links.Of(t.Fork.String())
	}
	return s.Links
}

// kinds say what the model was asked for, by the kind of a turn.
var kinds = map[record.TurnKind]string{
	record.TurnFix: "the task", record.TurnAsk: "the question", record.TurnAddress: "the review threads",
	record.TurnBlocks: "blocks", record.TurnFileRequest: "the task, with what it asked to see",
	record.TurnContinue: "the rest of the reply", record.TurnRepair: "corrections",
	record.TurnChoose: "which files it has to see",
	record.TurnMoved:  "edits of what has changed meanwhile", record.TurnVerify: "corrections after the test failed",
}

// replies are those of the model, the last of which may be arriving.
func (s Source) replies() (out []Reply) {
	for i, t := range s.Record.AllCalls() {
		out = append(out, Reply{
			Call: i + 1, Kind: kinds[t.Kind], Model: cmp.Or(t.Answer.Name, t.Answer.Model),
			Text: plainText(secret.Redacted(t.Answer.Text)), Cut: t.Answer.Cut, Fault: plain(t.Fault), Usage: t.Answer.Usage,
		})
	}
	if call := s.Live.Call; call > s.Record.Calls() {
		out = append(out, Reply{Call: call, Kind: kinds[s.liveKind()], Text: plainText(s.Live.Text), Arriving: true})
	}
	return out
}

// Without returns what somebody may see of a run who may not read its repository: nothing that people or the model
// wrote, and no lines of files.
func (r Run) Without() Run {
	r.Hidden = true
	r.Request.Text, r.Request.Thread.Title = "", ""
	r.Suggestions, r.Problems, r.Caution = nil, nil, ""
	r.Saw, r.LeftOut = pathsOf(r.Saw), pathsOf(r.LeftOut)
	r.Replies = slices.Clone(r.Replies)
	for i := range r.Replies {
		r.Replies[i].Text, r.Replies[i].Fault = "", ""
	}
	if r.State == Ended || r.State == DeadLetter { // it may quote the command, or the settings of the repository
		r.Why = ""
	}
	if r.Commit != nil {
		commit := *r.Commit
		commit.Subject = ""
		r.Commit = &commit
	}
	r.Blocks = slices.Clone(r.Blocks)
	for i, b := range r.Blocks {
		r.Blocks[i] = Block{Number: b.Number, Badge: b.Badge, Trial: b.Trial, Reason: b.Reason,
			Words: withoutDetails(b), Path: b.Path, Line: b.Line, Level: b.Level, FileURL: b.FileURL,
			LineURL: b.LineURL, Diff: Diff{Added: b.Diff.Added, Removed: b.Diff.Removed}}
	}
	r.Acts = nil
	return r
}

// withoutDetails returns the words of a block that quote nothing.
func withoutDetails(b Block) string {
	if b.Reason == "" {
		return ""
	}
	return report.Refusal(record.Result{Reason: b.Reason})
}
