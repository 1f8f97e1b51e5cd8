package bot

import (
	"context"
	"errors"
	"strings"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/resolution"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/bot/settle"
	"github.com/tenon-bot/tenon/bot/unusual"
	"github.com/tenon-bot/tenon/engine/choice"
)

// maxResolveCalls is how often one command asks the model about conflicts.
const maxResolveCalls = 24

// resolver has a model choose for the conflicts of the merges of a run.
type resolver struct {
	dialogue
	// named is the model that is wanted, empty for any; insists reports that the command names it.
	named   string
	insists bool
	newKey  func() string
	// announce tells people, once, that a model is asked.
	announce func(ctx context.Context) error
	// calls is how often it was asked.
	calls int
}

// resolver returns the resolver of a run that works on a target.
func (r *run) resolver(t record.Target) *resolver {
	announced := false
	return &resolver{
		dialogue: r.dialogue(), named: wantedModel(r.inv.Options, r.policy), insists: r.inv.Options.Model != "",
		newKey: r.bot.newKey,
		announce: func(ctx context.Context) error {
			if announced {
				return nil
			}
			announced = true
			if r.journal.Record().Final == nil {
				showProgress(ctx, r, t)
			}
			announcing, end := uncancellable(ctx)
			defer end()
			return announce(announcing, r, t)
		},
	}
}

// choose has a model choose for the conflicts of lines that are open, and returns the state with that. parted returns
// the two sides, of which it is told. note says, as Markdown, why it was not asked, or not about all of them; empty if
// it was.
func (c *resolver) choose(ctx context.Context, j tipMerge, s settle.State,
	parted func(context.Context) (ours, theirs resolution.Branch)) (out settle.State, note string, err error) {
	files := c.askable(j, s)
	if len(files) == 0 {
		return s, "", nil
	}
	model, err := c.models.choose(c.named)
	var user *port.UserError
	if errors.As(err, &user) && !c.insists {
		return s, sentence.NotAsked(user.Text), nil
	}
	if err != nil {
		return s, "", err
	}
	merge := resolution.Merge{Files: files}
	err = port.Together(ctx,
		func() error { return c.announce(ctx) },
		func() error {
			merge.Ours, merge.Theirs = parted(ctx)
			return nil
		},
	)
	if err != nil {
		return s, "", err
	}
	asked := conflictModel{resolver: c, info: model, numbering: j.Numbering(), wait: newPatience(maxAsk)}
	result, err := merge.Settle(ctx, asked.ask, byHand(j, s), resolution.Options{
		Most: retrieve.CodeBytes(model, c.policy.Bounds), Hidden: withholding(c.policy), Nonce: asked.nonce})
	var wait *port.WaitError
	switch {
	case err == nil:
	case errors.As(err, &user) && !errors.As(err, &wait):
		note = sentence.NotAsked(user.Text)
	default:
		return s, "", err
	}
	return c.taken(j, s, result), note, nil
}

// askable returns the texts with open conflicts that a model may see.
func (c *resolver) askable(j tipMerge, s settle.State) (files []resolution.File) {
	hidden := withholding(c.policy)
	for _, f := range j.Files {
		open := false
		for _, one := range f.Conflicts() {
			open = open || s[one.ID].Choice == ""
		}
		if open && !hidden(f.Path) {
			files = append(files, f)
		}
	}
	return files
}

// withholding returns what reports whether no model may see a file.
func withholding(p policy.Policy) func(path string) bool {
	return func(path string) bool { return retrieve.SecretName(p, path) || policy.FitsGlob(p.Ignore, path) }
}

// byHand returns the choices of people: a model is not asked about these.
func byHand(j tipMerge, s settle.State) resolution.Settled {
	out := resolution.Settled{}
	for id, a := range j.Answers(s) {
		if s[id].ByHand {
			out[id] = a
		}
	}
	return out
}

// taken returns a state with what the model chose. Choices without new lines are accepted, and others if the settings
// say so.
func (c *resolver) taken(j tipMerge, s settle.State, r resolution.Result) settle.State {
	why, hidden := map[int]string{}, withholding(c.policy)
	for _, p := range r.Problems {
		why[p.ID] = "The model's answer cannot be used: " + strings.TrimSuffix(p.String(), ".") + "."
	}
	for _, id := range r.TooLarge {
		why[id] = "It is too large for the model."
	}
	for _, one := range j.Conflicts {
		known := s[one.ID]
		if known.Choice != "" || one.Lines == nil {
			continue
		}
		if hidden(one.Path) {
			known.Note = "The model may not see this file."
		} else {
			known.Note = why[one.ID]
		}
		if a, ok := r.Settled[one.ID]; ok {
			known = c.takenOne(known, a)
		}
		known.Note = markdown.Clip(known.Note, markdown.MaxCell) // a reply may have a line of any length
		s[one.ID] = known
	}
	return s
}

func (c *resolver) takenOne(known record.ResolvedConflict, a choice.Answer) record.ResolvedConflict {
	if question, open := a.Choice.Question(); open {
		known.Note = question
		return known
	}
	fresh := settle.NewLines(a)
	switch {
	case len(fresh) == 0, c.policy.NewLines == policy.AllowNew && !c.hides(fresh):
		known.Choice = a.Choice.String()
	case c.policy.NewLines == policy.RefuseNew:
		known.Note = sentence.NewLinesRefused
	case c.hides(fresh):
		known.Note = "The model wrote new lines with characters that are not shown."
	default:
		known.Proposal = a.Choice.String()
	}
	return known
}

// hides reports whether lines have what readers do not see, and the settings refuse that.
func (c *resolver) hides(lines []string) bool {
	if c.policy.MarkUnusual {
		return false
	}
	return len(unusual.NewFile("").Find(nil, lines, false)) > 0
}

// parted returns the two sides, with the subjects of the commits that each has made since they parted, as far as GitHub
// tells them in one request. The model can do without.
func (u resolving) parted(ctx context.Context, j tipMerge) (ours, theirs resolution.Branch) {
	ours.Name, theirs.Name = u.ours, u.theirs
	a, b, err := u.bot.GitHub.Logs(ctx, u.ev.Repo, j.tip.SHA(), j.theirs.SHA())
	if err != nil {
		u.log.InfoContext(ctx, "cannot read the commits of both branches", "error", err)
	}
	ours.Subjects, theirs.Subjects = subjectsSince(a, b, j.base.SHA()), subjectsSince(b, a, j.base.SHA())
	return ours, theirs
}

// subjectsSince returns the subjects of the commits of a log that are reached from its first one, but neither in
// another log nor before a commit, newest first. What merges does not count.
func subjectsSince(log, other []port.LoggedCommit, base string) (subjects []string) {
	stop := map[string]bool{base: true}
	for _, c := range other {
		stop[c.SHA] = true
	}
	wanted := map[string]bool{}
	if len(log) > 0 {
		wanted[log[0].SHA] = true
	}
	for _, c := range log {
		if !wanted[c.SHA] || stop[c.SHA] {
			continue
		}
		for _, p := range c.Parents {
			wanted[p] = true
		}
		if len(c.Parents) < 2 {
			subjects = append(subjects, c.Subject())
		}
	}
	return subjects
}

// conflictModel asks a model about conflicts, each call as a step of the run: one that is recorded is not made again.
type conflictModel struct {
	*resolver
	info port.ModelInfo
	// numbering is that of the merge that is asked about.
	numbering string
	wait      *patience
	keys      []string
}

// nonce returns a new key for the delimiters of a question.
func (m *conflictModel) nonce() string {
	m.keys = append(m.keys, m.newKey())
	return m.keys[len(m.keys)-1]
}

// ask is a resolution.Model.
func (m *conflictModel) ask(ctx context.Context, system string, messages []port.Message) (string, error) {
	if m.next(); m.calls > maxResolveCalls {
		return "", sentence.TooManyQuestions()
	}
	request := port.Request{Model: m.info.Name, System: system, Messages: messages}
	turn, err := record.Do(ctx, m.journal, record.Asked(m.calls), func(ctx context.Context) (record.Turn, error) {
		asking, end := m.wait.begin(ctx, func(queued bool) {
			m.progress.update(func(now *shownStatus) { now.Queued = queued })
		})
		defer end()
		return m.turn(asking, request)
	})
	return turn.Answer.Text, err
}

// next goes on to the number of the next question. It passes over replies that an earlier attempt recorded about other
// conflicts: if a push by force removed a commit meanwhile, the merge is another one.
func (m *conflictModel) next() {
	for m.calls++; m.calls <= maxResolveCalls; m.calls++ {
		known, ok := record.Get(m.journal, record.Asked(m.calls))
		if !ok || known.Numbering == m.numbering {
			return
		}
	}
}

// turn makes one call.
func (m *conflictModel) turn(ctx context.Context, request port.Request) (record.Turn, error) {
	turn := record.Turn{Kind: record.TurnResolve, Ask: request.Messages[len(request.Messages)-1].Text,
		Numbering: m.numbering}
	past := conversation.Replies(m.journal.Record())
	if err := m.policy.Bounds.Affords(past.Usage(), conversation.TokensToReserve(request)); err != nil {
		return turn, err
	}
	if err := m.fits(request); err != nil {
		return turn, err
	}
	without := withoutKeys(m.keys)
	nothing := func(context.Context, string) ([]record.Result, error) { return nil, nil }
	answer, booking, err := m.call(ctx, request, m.calls, without, nothing)
	if err == nil && answer.Outage() {
		err = &port.WaitError{For: port.ModelOutage, Err: errBroken}
	}
	if err != nil {
		return turn, errWithoutKeys(err, without)
	}
	turn.Ask = without(turn.Ask)
	answer.Text = conversation.WithoutSecrets(without(answer.Text))
	turn.Answer, turn.Warning = answer, budgetWarning(booking.Use)
	return turn, nil
}
