package bot

import (
	"crypto/rand"
	"errors"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// Each question to a model has a key of its own in the delimiters around data, so that nothing that was written before
// can imitate them. It is recorded with the question, and leaves the program for the model alone: what comes back from
// the model has it no more.

// newKey returns a new key: 12 lower-case letters and digits, 60 random bits. The run's id would not do. It is public
// as soon as there is an answer, or a notice that the command waits, and then who writes a file or a title that is read
// later could imitate the delimiters.
func newKey() string { return strings.ToLower(rand.Text()[:12]) }

// newKey returns a new key, as Keys makes it.
func (b *Bot) newKey() string {
	if b.Keys != nil {
		return b.Keys()
	}
	return newKey()
}

// sealed returns what write writes with a key in its delimiters. It fails with a *port.UserError if the data in it has
// the key.
func sealed(key string, write func(key string) string) (string, error) {
	if strings.Contains(write(""), key) {
		return "", sentence.DelimiterImitated()
	}
	return write(key), nil
}

// unused fails with a *port.UserError if something that was said before has a key that is to be new.
func unused(key string, said port.Request) error {
	if strings.Contains(said.System, key) ||
		slices.ContainsFunc(said.Messages, func(m port.Message) bool { return strings.Contains(m.Text, key) }) {
		return sentence.DelimiterImitated()
	}
	return nil
}

// keysOf returns the keys of the questions of a conversation, and of the next one.
func keysOf(prompt record.Prompt, c conversation.Conversation, next record.Turn) (keys []string) {
	for _, key := range append([]string{prompt.Key}, moreKeys(append(slices.Clone(c.Turns), next))...) {
		if key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

func moreKeys(turns []record.Turn) (keys []string) {
	for _, turn := range turns {
		if turn.More != nil {
			keys = append(keys, turn.More.Key)
		}
	}
	return keys
}

// shownKey stands for a key in what a model said.
const shownKey = "k3x9"

// withoutKeys returns a function that takes the keys out of what a model says, which is shown to everybody.
func withoutKeys(keys []string) func(string) string {
	var pairs []string
	for _, key := range keys {
		pairs = append(pairs, key, shownKey)
	}
	return strings.NewReplacer(pairs...).Replace
}

// errWithoutKeys returns an error without the keys in what it says to people.
func errWithoutKeys(err error, without func(string) string) error {
	var user *port.UserError
	if !errors.As(err, &user) || without(user.Text) == user.Text {
		return err
	}
	return &port.UserError{Text: without(user.Text)}
}
