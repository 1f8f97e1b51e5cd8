package ci_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/ci"
	"github.com/tenon-bot/tenon/bot/port"
)

func FuzzRead(f *testing.F) {
	log, job := jobLog("Run make", "a.go:1:2: no\n␛[31mpanic␛[0m: x\n\x00\r\n")
	f.Add(log, job.Steps[2].Started, 100)
	f.Add("##[group]Run x\n##[endgroup]\n##[error]\x1b]8;;", "", 3)
	f.Add("2026-05-06T12:00:00Z \n2026-05-06T12:00:00.1Z", "2026-05-06T12:00:00Z", 6000)
	f.Add("-----BEGIN PRIVATE KEY-----\nerror: x\n", "x", 50)
	f.Fuzz(func(t *testing.T, log, started string, tokens int) {
		tokens = max(0, tokens) % 10_000
		job := port.Job{Steps: []port.JobStep{{Number: 2, Name: log, Conclusion: "failure", Started: started}}}
		failure := ci.Failure{
			Name: log, Conclusion: started, Said: log, Log: read(t, log, job),
			Annotations: []port.Annotation{{Path: log, StartLine: tokens, Message: log}},
		}
		require.EqualValues(t, len(log), failure.Log.Bytes)
		total := 0
		for _, e := range ci.Excerpts([]ci.Failure{failure, {Name: "x"}, failure}, tokens) {
			total += len(e.Text)
			text := e.Name + e.Conclusion + e.Step + e.SameAs
			require.NotContains(t, text, "\n")
			text += e.Text
			require.True(t, utf8.ValidString(text))
			require.Negative(t, strings.IndexFunc(text, func(c rune) bool {
				return c != '\n' && c != '\t' && unicode.In(c, unicode.Cc, unicode.Cf)
			}))
		}
		require.LessOrEqual(t, total, tokens*port.BytesPerToken)
		require.Equal(t, ci.Fingerprint([]ci.Failure{failure, failure}), ci.Fingerprint([]ci.Failure{failure, failure}))
	})
}
