//go:build unix

package markdown

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/internal/markdowntest"
)

// processorTime returns the time that processors have worked for this process: what else the machine does is no part of
// it. No other test may run meanwhile.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// These took up to minutes, without an allocation to count.
func TestReadingTheLongestCommentTakesNoTimeToSpeakOf(t *testing.T) { // not parallel: see processorTime
	shapes := markdowntest.Costly()
	for shape, of := range map[string]func(string){
		"[](": reads["Safe"], "[]( <": reads["Safe"], "\\``": reads["Shown"], ")": reads["Plain"], "a`b`": reads["Safe"],
		"[*b](c) ": reads["Safe"], "*a **a ": reads["Safe"], "[a]: b\n": reads["Shown"], "a*b_c": reads["Safe"],
		"a word of brackets": reads["Safe"], "lists as deep as lines are long": reads["ProseLines"],
		"brackets around brackets": reads["Safe"], "emphasis that begins and never ends": reads["Safe"],
	} {
		text, before := shapes[shape](MaxCommentBytes-1000), processorTime(t)
		of(text)
		require.Less(t, processorTime(t)-before, 4*time.Second, shape)
	}
}
