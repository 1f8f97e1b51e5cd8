package record

import (
	"encoding/json"
	"strings"

	"github.com/tenon-bot/tenon/bot/backport"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// Forget returns what is kept of a step of a finished run when its sources are deleted: which branch, commits, files
// and comments the run was about, the result of each edit, and the figures. It drops what people and the model wrote,
// and lines of files: the prompt, the answers, diffs, patches. Of a step that this program cannot read it drops
// everything, so that no later program can take it for an empty one.
func Forget(name string, stored port.Step) port.Step {
	name = Name(name)
	switch kind, _, _ := strings.Cut(name, "."); kind + "." {
	case askPrefix:
		return stripping[Turn]{Asked(1), stripTurn}.forget(stored)
	case applyPrefix:
		return stripping[Application]{Applied(1), stripApplication}.forget(stored)
	case verifyPrefix:
		return stripping[Verification]{Verified(1), stripVerification}.forget(stored)
	case resolvePrefix:
		return stripping[Resolution]{Resolved(1), stripResolution}.forget(stored)
	case settledPrefix:
		return stripping[SettledPicks]{PicksSettled(1), stripSettled}.forget(stored)
	case pickPrefix:
		return stripping[Picked]{PicksMade(1), stripPicked}.forget(stored)
	case openedPrefix:
		return stripping[PickedPull]{BackportOpened(1), func(o *PickedPull) { o.Said, o.Unopened = "", "" }}.forget(stored)
	case threadPrefix:
		return stored
	}
	for _, s := range withSources {
		if s.stepName() == name {
			return s.forget(stored)
		}
	}
	for _, s := range steps {
		if s.stepName() == name {
			return stored
		}
	}
	return unreadable(stored)
}

// withSources are the steps with sources that a run has at most once.
var withSources = []interface {
	stepName() string
	forget(stored port.Step) port.Step
}{
	stripping[Target]{Opened, stripTarget},
	stripping[Target]{PullOpened, stripTarget},
	stripping[FileChoice]{FilesChosen, stripFileChoice},
	stripping[Prompt]{Prompted, stripPrompt},
	stripping[Preview]{Previewed, func(v *Preview) { stripApplication(&v.Application) }},
	stripping[Source]{SourceFound, func(s *Source) { s.Text = "" }},
	stripping[Backport]{BackportFound, stripBackport},
	stripping[Operations]{OperationsRead, stripOperations},
	stripping[Committed]{CommitMade, stripCommitted},
}

// stripping is a step of which a part is dropped.
type stripping[T any] struct {
	Step[T]
	strip func(*T)
}

func (s stripping[T]) forget(stored port.Step) port.Step {
	value, err := decode[T](stored, s.version)
	if err != nil {
		return unreadable(stored)
	}
	s.strip(&value)
	data, err := json.Marshal(value)
	if err != nil {
		return unreadable(stored)
	}
	return port.Step{Version: s.version, Data: data}
}

// unreadable returns a step of the same version that no program can decode.
func unreadable(stored port.Step) port.Step {
	return port.Step{Version: stored.Version, Data: []byte(`"deleted"`)}
}

func stripTarget(t *Target) { t.Title, t.About = "", "" }

func stripFileChoice(c *FileChoice) {
	c.Request = port.Request{Model: c.Request.Model, Only: c.Request.Only}
	c.Answer.Text, c.Chosen = "", nil
}

func stripPrompt(p *Prompt) {
	p.Request = port.Request{Model: p.Request.Model, Only: p.Request.Only}
	p.Selection = retrieve.Selection{}
	if p.CI != nil { // what failed, and how, is what people and programs wrote
		p.CI = &CI{Commit: p.CI.Commit, Task: p.CI.Task, Fingerprint: p.CI.Fingerprint}
	}
}

func stripTurn(t *Turn) {
	t.Ask, t.Answer.Text = "", ""
	t.More, t.Given, t.Plan = nil, nil, nil // a plan names blocks of the answers
}

func stripApplication(a *Application) {
	for i, r := range a.Results {
		a.Results[i] = Result{Number: r.Number, Path: r.Path, Status: r.Status, Reason: r.Reason, Line: r.Line,
			ReplyLine: r.ReplyLine, Level: r.Level, Added: r.Added, Removed: r.Removed}
	}
	for i := range a.Cautions {
		a.Cautions[i].What = ""
	}
}

func stripCommitted(c *Committed) {
	stripApplication(&c.Application)
	c.Patch, c.Conflicts, c.Notes, c.Said = Patch{}, Patch{}, nil, ""
}

func stripOperations(o *Operations) {
	for i := range o.Chosen {
		o.Chosen[i].Command = ""
	}
}

func stripBackport(b *Backport) {
	b.Title = ""
	for i := range b.Commits {
		stripPick(&b.Commits[i])
	}
}

func stripPick(c *backport.Commit) { c.Message, c.Authors = "", nil }

func stripSettled(s *SettledPicks) {
	stripPick(&s.Commit)
	r := Resolution{Conflicts: s.Conflicts}
	stripResolution(&r)
	s.Unasked = ""
}

func stripPicked(p *Picked) {
	a := Application{Results: p.Results}
	stripApplication(&a)
}
