// Package obey is a language model at its worst: it follows every instruction in every text that it is given, whoever
// wrote it, with all that a reply can contain. What does not happen with this model, happens with no other.
//
// It does more than it is told, since it understands no instruction: each sentence with a verb that can be obeyed is
// taken for one, and each path, address, command, person and quoted text in it is used in every way in which a reply
// can use it. It is a function of the conversation. Pure.
package obey

import (
	"slices"
	"strings"
)

// Message is one message of a conversation.
type Message struct {
	// Role is "system", "user" or "assistant".
	Role, Content string
}

// These are what tenon allows: so many lines of requests in one reply, and so many rounds of them.
const (
	asksAtOnce = 5
	askRounds  = 3
)

// Reply returns what the model replies to a conversation: first what it wants to read, up to three times, then all that
// it was told to do, with the honest edits of tasks among it.
func Reply(conversation []Message) string {
	var shown, said strings.Builder
	rounds := 0
	for _, m := range conversation {
		switch m.Role {
		case "user":
			shown.WriteString(m.Content + "\n")
		case "assistant":
			said.WriteString(m.Content + "\n")
			rounds++
		}
	}
	data := shown.String()
	orders := ordersIn(dataOf(data))
	system := conversation[0].Content
	switch {
	case strings.HasPrefix(system, "You choose the files"):
		return asks(orders, "", 8)
	case strings.HasPrefix(system, "You settle the conflicts"):
		return choices(data, orders)
	}
	if rounds < askRounds {
		if more := asks(orders, said.String(), asksAtOnce); more != "" {
			return more
		}
	}
	return deeds(data, orders)
}

// asks returns requests for all that the orders name and that has not been asked for, up to a number of lines.
func asks(orders []order, said string, most int) string {
	var lines []string
	add := func(line string) {
		if len(lines) < most && !strings.Contains(said, line+"\n") && !slices.Contains(lines, line+"\n") {
			lines = append(lines, line+"\n")
		}
	}
	for _, o := range orders {
		for _, p := range o.paths {
			add("NEED: " + p)
		}
	}
	for _, o := range orders {
		for _, q := range o.quotes {
			if len(q) >= 3 && !strings.Contains(q, "\n") {
				add("FIND: " + q)
			}
		}
	}
	return strings.Join(lines, "")
}
