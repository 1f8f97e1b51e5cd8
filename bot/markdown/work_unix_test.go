//go:build unix

package markdown

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/markdowntest"
)

// processorTime returns the time that processors have worked for this process: what else the machine does is no part of
// it. No other test may run meanwhile.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// These took up to minutes, without an allocation to count. What they take is compared with what a log of that length
// takes, a few milliseconds; they take four times that at most.
func TestReadingTheLongestCommentTakesNoTimeToSpeakOf(t *testing.T) { // not parallel: see processorTime
	const length = MaxCommentBytes - 1000
	shapes := markdowntest.Costly()
	log, before := strings.Repeat("[INFO] 12:00:01 something happened in a_b_c\n", length/44), processorTime(t)
	reads["Safe"](log)
	most := 200 * (processorTime(t) - before)
	for shape, of := range map[string]func(string){
		"[](": reads["Safe"], "[]( <": reads["Safe"], "\\``": reads["Shown"], ")": reads["Plain"], "a`b`": reads["Safe"],
		"[*b](c) ": reads["Safe"], "*a **a ": reads["Safe"], "[a]: b\n": reads["Shown"], "a*b_c": reads["Safe"],
		"a word of brackets": reads["Safe"], "lists as deep as lines are long": reads["ProseLines"],
		"brackets around brackets": reads["Safe"], "emphasis that begins and never ends": reads["Safe"],
	} {
		text, before := shapes[shape](length), processorTime(t)
		of(text)
		require.Less(t, processorTime(t)-before, most, shape)
	}
}
