package conversation

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
)

// Bounds on an explanation: what is read of the prose of each turn, in bytes, and the paragraphs of all turns. Answers
// show less.
const (
	maxSaid       = 16 << 10
	maxParagraphs = 50
)

// explanation returns what the model said about its edits, or about why there are none, as Markdown: without secrets,
// without lines that are meant for tenon or are a part of a block, and without what a later round repeats. What the
// model said before it was shown more is not part of it.
func (c Conversation) explanation() string {
	var said []string
	for i, turn := range c.Turns {
		switch {
		case turn.Fault != "", i+1 < len(c.Turns) && isMore(c.Turns[i+1]):
			continue
		case turn.Kind == record.TurnContinue && len(said) > 0:
			continue // it goes on with the blocks
		}
		earlier := said
		now := markdown.CutBytes(saidIn(turn, c.Replies[i]), maxSaid)
		for _, p := range paragraphs(forPeople(now, c.Replies[i].Blocks)) {
			repeats := func(o string) bool { return repeatsWords(o, p) }
			if len(said) < maxParagraphs && (len(earlier) == 0 || !isLeadIn(p) && !slices.ContainsFunc(earlier, repeats)) {
				said = append(said, p)
			}
		}
	}
	return secret.Redacted(strings.Join(withoutDanglingColons(said), "\n\n"))
}

// isMore reports whether a turn shows the model what it asked for, and has its answer.
func isMore(turn record.Turn) bool { return turn.Kind == record.TurnFileRequest && turn.Fault == "" }

// saidIn returns the prose of a turn. Of an answer that was cut off, what comes after its last whole block, or after
// its line for the commit, is part of the next block; without these, its last sentence may be half.
func saidIn(turn record.Turn, reply engine.Reply) string {
	if !cutOff(turn, reply) {
		return reply.Said
	}
	lines, end := strings.Split(turn.Answer.Text, "\n"), 0
	if n := len(reply.Blocks); n > 0 {
		end = reply.Blocks[n-1].EndLine
	}
	for n, line := range lines {
		if n >= end && commitLine.MatchString(line) {
			end = n + 1
			break
		}
	}
	if end > 0 {
		return engine.Parse(strings.Join(lines[:end], "\n"), engine.ParseOptions{}).Said
	}
	return wholeSentences(reply.Said)
}

// wholeSentences returns a text without what comes after its last sentence.
func wholeSentences(text string) string {
	at := strings.LastIndexFunc(strings.TrimSpace(text), func(r rune) bool { return strings.ContainsRune(".!?:", r) })
	for ; at >= 0; at = strings.LastIndexAny(text[:at], ".!?") {
		if after := strings.TrimLeft(text[at+1:], "*_)\"'”’"); after == "" || unicode.IsSpace(rune(after[0])) {
			return text[:len(text)-len(after)]
		}
	}
	return ""
}

// commitLine is the line with which a model proposes a subject, noChangeLine how it says that nothing has to change.
var (
	commitLine   = regexp.MustCompile("^[\\s>*_`#-]*COMMIT[*_`]*:")
	noChangeLine = regexp.MustCompile("^[\\s>*_`#-]*NO CHANGE[*_`]*[:.]?(?:[*_]{1,2}(?:\\s|$))?\\s*(?:[-–—]\\s)?")
)

// forPeople returns prose without the lines that are meant for tenon: its protocol, shell commands, which are shown as
// such, the paths of blocks, and fences that open or close nothing. The reason behind NO CHANGE remains.
func forPeople(prose string, blocks []engine.Block) string {
	var out []string
	lines := strings.Split(prose, "\n")
	for n := 0; n < len(lines); n++ {
		line := lines[n]
		if fence := fenceLine.FindStringSubmatch(line); fence != nil {
			end := slices.IndexFunc(lines[n+1:], func(l string) bool { return strings.TrimSpace(l) == fence[1] })
			if end >= 0 && !shellFence.MatchString(fence[2]) {
				out = append(out, lines[n:n+end+2]...)
			}
			n += max(end+1, 0)
			continue
		}
		switch mark := noChangeLine.FindString(line); {
		case mark != "":
			out = append(out, line[len(mark):])
		case commitLine.MatchString(line), remarkLine.MatchString(line), retrieve.IsAsk(line), isPathOf(line, blocks):
		default:
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

var (
	fenceLine  = regexp.MustCompile("^\\s*(`{3,}|~{3,})([^`]*)$")
	shellFence = regexp.MustCompile(`^\s*(?i:bash|sh|shell|zsh|console|terminal|shell-session)\b`)
)

// isPathOf reports whether a line has the path of a block, and nothing else but its decoration.
func isPathOf(line string, blocks []engine.Block) bool {
	_, path, found := strings.Cut(line, "File:")
	if !found {
		path = line
	}
	path = strings.Trim(path, "*`#:\" \t\r")
	return path != "" && slices.ContainsFunc(blocks, func(b engine.Block) bool { return b.Path == path })
}

// paragraphs divides Markdown at its blank lines, but not within fences.
func paragraphs(text string) (out []string) {
	fence := ""
	var open []string
	end := func() {
		if p := strings.Trim(strings.Join(open, "\n"), "\n\r"); strings.TrimSpace(p) != "" {
			out = append(out, p)
		}
		open = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if m := fenceLine.FindStringSubmatch(line); m != nil && (fence == "" || strings.TrimSpace(line) == fence) {
			fence = map[bool]string{true: m[1], false: ""}[fence == ""]
		}
		if open = append(open, line); strings.TrimSpace(line) == "" && fence == "" {
			end()
		}
	}
	end()
	return out
}

// leadIn is how models announce blocks, which says nothing of them.
var leadIn = regexp.MustCompile(`(?i)^(?:here (?:is|are)|here’s|here's|below|` +
	`the (?:corrected|updated|fixed|following)|corrected|continuing|sorry|` +
	`(?:my )?apologies|you(?:'|’)re right|sure|certainly|of course|okay|ok)\b`)

func isLeadIn(p string) bool {
	return !strings.Contains(p, "\n\n") && len(p) < 200 && leadIn.MatchString(p)
}

// repeatsWords reports whether a paragraph has little that an earlier one does not have.
func repeatsWords(earlier, p string) bool {
	known, words, same := map[string]bool{}, map[string]bool{}, 0
	for _, w := range wordsOf(earlier) {
		known[w] = true
	}
	for _, w := range wordsOf(p) {
		words[w] = true
	}
	for w := range words {
		if known[w] {
			same++
		}
	}
	return 10*same >= 7*len(words)
}

// wordsOf returns the words of a text that have more than two letters.
func wordsOf(text string) []string {
	isGap := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	words := strings.FieldsFunc(strings.ToLower(text), isGap)
	return slices.DeleteFunc(words, func(w string) bool { return len(w) <= 2 })
}

// withoutDanglingColons drops or ends the paragraphs that announce what is not shown after them: a block or a command.
func withoutDanglingColons(said []string) (out []string) {
	for i, p := range said {
		text, announces := strings.CutSuffix(strings.TrimRight(p, " "), ":")
		follows := i+1 < len(said) && announced.MatchString(said[i+1])
		switch {
		case !announces || follows:
			out = append(out, p)
		case !isLeadIn(p):
			out = append(out, text+".")
		}
	}
	return out
}

// announced is what a paragraph that ends with a colon may announce: a list, a quotation or code.
var announced = regexp.MustCompile("^\\s*(?:[-*+>|]|[0-9]+[.)]|`{3}|~{3})")
