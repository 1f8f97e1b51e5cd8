package ceiling

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/internal/eval"
)

// shown is what the messages of a conversation show. It is read from their text alone, as a model reads it.
type shown struct {
	seen *eval.Seen
	// lines are those of files, by path and number from 1; readOnly are the paths of files that must not be edited.
	lines    map[string]map[int]string
	readOnly map[string]bool
	// refusals say why earlier edits were not applied.
	refusals []string
	// rounds reports whether the model may ask for more.
	rounds bool
}

// Parts of messages.
var (
	delimiter = regexp.MustCompile(`^<<(\S+) (.+)>>$`)
	fileHead  = regexp.MustCompile(`^file (.+?)(?:, lines (\d+) to \d+ of (\d+))?(, read-only, without its .+)?$`)
	refusal   = regexp.MustCompile(`^(?:Edit \d+, .+: .+\.|After your edits? [\d, ]+, .+:$)`)
)

const (
	pathsHead = "source paths, by folder"
	namesHead = "names in the folder "
	askedHead = "names for "
	lastRound = "This was the last round"
)

// readMessages reads a conversation.
func readMessages(messages []port.Message) *shown {
	s := &shown{seen: eval.NewSeen(), lines: map[string]map[int]string{}, readOnly: map[string]bool{}}
	for _, m := range messages {
		if m.Role != "assistant" {
			s.readMessage(m.Text)
		}
	}
	return s
}

// readMessage reads what is between delimiters. The key of the first is that of all: data before it would be between
// delimiters itself.
func (s *shown) readMessage(text string) {
	key, head := "", ""
	var body []string
	s.rounds = true
	for line := range strings.SplitSeq(text, "\n") {
		m := delimiter.FindStringSubmatch(line)
		switch {
		case head != "" && line == "<<"+key+" end>>":
			s.readSection(head, body)
			head, body = "", nil
		case head != "":
			body = append(body, line)
		case m != nil && (key == "" || key == m[1]):
			key, head = m[1], m[2]
		case refusal.MatchString(line):
			s.refusals = append(s.refusals, line)
		case strings.Contains(line, lastRound):
			s.rounds = false
		}
	}
}

// readSection reads what is between two delimiters.
func (s *shown) readSection(head string, body []string) {
	switch {
	case head == pathsHead:
		for _, line := range body {
			folder, names, _ := strings.Cut(line, "/: ")
			s.list(folder, strings.Split(names, ", "))
		}
		return // a name in a list is no path by itself
	case strings.HasPrefix(head, namesHead):
		s.list(strings.TrimPrefix(head, namesHead), body)
		return
	case strings.HasPrefix(head, askedHead):
		folder := ""
		if of := strings.TrimPrefix(head, askedHead); strings.HasSuffix(of, "/") {
			folder = of
		}
		s.list(folder, body)
		return
	case strings.HasPrefix(head, "file "):
		s.readFile(fileHead.FindStringSubmatch(head), body)
	}
	s.seen.Read(strings.Join(body, "\n"))
}

func (s *shown) list(folder string, names []string) {
	for _, name := range names {
		s.seen.List(folder, name)
	}
}

// readFile reads lines of a file: its head is the path, and for a part its first line and how many lines the file has.
func (s *shown) readFile(head, body []string) {
	if head == nil {
		return
	}
	path, from, count := head[1], 1, len(body)
	if head[2] != "" {
		from, _ = strconv.Atoi(head[2])
		count, _ = strconv.Atoi(head[3])
	}
	if s.lines[path] == nil {
		s.lines[path] = map[int]string{}
	}
	for i, line := range body {
		s.lines[path][from+i] = strings.TrimSuffix(line, "\r")
	}
	s.readOnly[path] = s.readOnly[path] || head[4] != ""
	s.seen.See(eval.View{Path: path, Count: count, Parts: []retrieve.Span{{From: from, To: from + len(body) - 1}}})
}
