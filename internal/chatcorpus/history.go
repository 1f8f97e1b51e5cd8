package main

import (
	"regexp"
	"strings"
)

// A kind says who wrote an entry of a chat history.
type kind int

const (
	session kind = iota
	user
	tool
	assistant
)

// An entry is a part of a chat history that has one author. The text of a tool entry is one line without its quote
// mark. The text of an assistant entry is the reply as it was received, but for blank lines at its ends.
type entry struct {
	kind kind
	text string
}

const sessionMark = "# aider chat started at "

// readHistory splits a chat history into its entries. Lines that continue a message of the tool or the user without
// its mark are left out.
func readHistory(text string) []entry {
	var entries []entry
	var reply []string
	inReply, blank := false, true
	flush := func() {
		if inReply {
			entries = append(entries, entry{assistant, strings.TrimRight(strings.Join(reply, "\n"), "\n \t")})
		}
		inReply, reply = false, nil
	}
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		line = strings.TrimSuffix(line, "\n")
		if inReply && (!blank || !endsReply(line)) {
			reply = append(reply, line)
			blank = strings.TrimSpace(line) == ""
			continue
		}
		flush()
		switch {
		case strings.TrimSpace(line) == "":
			blank = true
			continue
		case strings.HasPrefix(line, sessionMark):
			entries = append(entries, entry{session, line})
		case strings.HasPrefix(line, ">"):
			entries = append(entries, entry{tool, strings.TrimSpace(line[1:])})
		case strings.HasPrefix(line, "####"):
			if last := len(entries) - 1; last < 0 || entries[last].kind != user || blank {
				entries = append(entries, entry{kind: user})
			}
			entries[len(entries)-1].text += strings.TrimSpace(line[4:]) + "\n"
		case blank:
			inReply, reply = true, []string{line}
		}
		blank = false
	}
	flush()
	return entries
}

// endsReply reports whether a line after a blank one begins the next entry. The lines of the tool and the user end with
// two blanks, unless an editor removed these, which tells them from quotes and headings in the reply.
func endsReply(line string) bool {
	if strings.HasPrefix(line, sessionMark) {
		return true
	}
	if strings.HasPrefix(line, "> ") || strings.HasPrefix(line, "#### ") {
		if strings.HasSuffix(line, "  ") {
			return true
		}
	}
	for _, mark := range []string{"> Tokens: ", "> Applied edit to ", "> Commit ", "> Aider v"} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}

// A reply is a text of the assistant and what the tool did with it.
type reply struct {
	text    string
	applied []string // the files that the tool says it edited, with slashes
	commit  string   // the abbreviated hash of the commit that the tool made of the edits, or ""
	before  string   // the last commit that the history names before the reply, or ""
	alone   bool     // no other reply came between the last message or commit and this one
	last    bool     // no other reply came between this one and the next message or commit
	failed  bool     // the tool complained about the edits
	planned bool     // the reply was handed to another model, which made the edits
}

var (
	commitLine = regexp.MustCompile(`^Commit ([0-9a-f]{7,40})\b`)
	complaint  = regexp.MustCompile(`(?i)conform|failed to match|malformed|SEARCH/REPLACE|skipping edits|` +
		`no filename|^skipp|unable to (commit|write|add)|exceeds the|error|KeyboardInterrupt|token limit`)
)

const appliedMark = "Applied edit to "

// readReplies returns the replies among the entries of a history, in their order.
func readReplies(entries []entry) []*reply {
	var replies []*reply
	var current *reply
	count, last := 0, ""
	for _, e := range entries {
		switch e.kind {
		case session, user:
			current, count = nil, 0
		case assistant:
			if current != nil && current.commit == "" {
				current.last = false
			}
			current = &reply{text: e.text, before: last, alone: count == 0, last: true}
			replies = append(replies, current)
			count++
		case tool:
			if m := commitLine.FindStringSubmatch(e.text); m != nil {
				last = m[1]
				// A commit before the edits is one of what the user left uncommitted.
				if current != nil && current.commit == "" && len(current.applied) > 0 {
					current.commit, count = m[1], 0
				}
				continue
			}
			if current != nil && current.commit == "" {
				current.note(e.text)
			}
		}
	}
	return replies
}

// note records a line that the tool wrote after the reply.
func (r *reply) note(line string) {
	switch path, ok := strings.CutPrefix(line, appliedMark); {
	case ok:
		r.applied = append(r.applied, slashes(path))
	case strings.HasPrefix(line, "Edit the files?"):
		r.planned = true
	case complaint.MatchString(line):
		r.failed = true
	}
}
