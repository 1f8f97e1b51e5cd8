package retrieve

import "github.com/tenon-bot/tenon/bot/port"

// Bounds on the parts of a context window, in tokens.
const (
	// maxLater is the most that the first request leaves for the rest of the conversation.
	maxLater = 12_000
	// roundWords is about how many tokens a later question takes besides what it shows.
	roundWords = 300
	// minCode is the least code with which it is worth asking for edits.
	minCode = 1_000
)

// Window is the context window of a model: what the requests and replies of one conversation share. The zero Window is
// of a model whose context is not known; everything fits into it. Windows are values, safe for concurrent use.
type Window struct {
	// tokens are all of it, reply those that each request leaves for the reply.
	tokens, reply int
}

// WindowOf returns the context window of a model.
func WindowOf(m port.ModelInfo) Window {
	return Window{tokens: m.ContextTokens, reply: m.ReplyTokens()}
}

// first returns how many bytes the first request may take. It leaves three eighths of the window, or less where the
// window is large, for its reply and the rest of the conversation; more only if the reply alone may be longer.
func (w Window) first() int {
	return (w.tokens - max(w.reply, min(w.tokens*3/8, w.reply+maxLater))) * port.BytesPerToken
}

// RoundBytes returns how many bytes of code a later question may show when the conversation has taken so many tokens:
// those that leave room for the reply, at most 8,000 tokens; never less than 0.
func (w Window) RoundBytes(used int64) int {
	room := int64(RoundBytes / port.BytesPerToken)
	if w.tokens > 0 {
		room = max(0, min(room, int64(w.tokens-w.reply-roundWords)-used))
	}
	return int(room) * port.BytesPerToken
}

// Material is how many bytes of each kind a first prompt shows besides the task.
type Material struct {
	// Code is parts of files, Names are paths without their contents.
	Code, Names int
	// Subject is what the task is about: the text of the issue, or the review threads to address.
	Subject int
	// Conventions are the project's, Thread the comments before the task.
	Conventions, Thread int
}

func (m Material) sum() int { return m.Code + m.Names + m.Subject + m.Conventions + m.Thread }

// Allot returns how much of what is wanted fits into the window besides the task and the rules for the reply, which
// take fixed bytes and are never cut. It reports false if not even 1,000 tokens of code fit.
//
// Where not all fits, the subject gets at most half of the room, conventions and thread a third of what is left or as
// much as the code leaves, each by its length. Names get at most a sixth of what is left then, and code all the rest.
func (w Window) Allot(fixed int, want Material) (Material, bool) {
	if w.tokens == 0 {
		return want, true
	}
	const least = minCode * port.BytesPerToken
	room := w.first() - fixed
	switch {
	case room < least:
		return Material{}, false
	case want.sum() <= room:
		return want, true
	}
	var got Material
	got.Subject = min(want.Subject, room/2, room-least)
	room -= got.Subject
	if words := want.Conventions + want.Thread; words > 0 {
		share := min(words, max(room/3, room-want.Code-want.Names), room-least)
		got.Conventions = share * want.Conventions / words
		got.Thread = share - got.Conventions
		room -= share
	}
	got.Names = min(want.Names, (room-least)/6)
	got.Code = min(want.Code, room-got.Names)
	return got, true
}
