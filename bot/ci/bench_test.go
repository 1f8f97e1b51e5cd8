package ci_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/ci"
	"github.com/tenon-bot/tenon/bot/port"
)

// BenchmarkRead prints how much longer it takes to read a log than to count its lines, for the log of a job whose
// failed step printed all of it, and for one whose failed step printed little.
func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	for text.Len() < 8<<20 {
		text.WriteString("=== RUN   TestServer\n    server_test.go:41: connected to 127.0.0.1:8080\n" +
			"--- PASS: TestServer (0.01s)\nok  \tgithub.com/acme/lathe/server\t0.21s\n" +
			"2026-05-06 12:00:00 INFO started the request, it took 12 ms\n" +
			"a line of some length that says nothing of interest to anybody who reads it later\n")
	}
	all, job := jobLog("Run go test -v ./...", text.String())
	quiet := stamped(0, text.String()) + stamped(9, "##[group]Run make\nerror: x\n")
	for name, c := range map[string]struct {
		log string
		job port.Job
	}{
		"all of the failed step": {all, job},
		"all of other steps":     {quiet, port.Job{Steps: []port.JobStep{step(2, "make", "failure", 9, 9)}}},
	} {
		b.Run(name, func(b *testing.B) {
			floor := time.Duration(0)
			buf := make([]byte, 64<<10)
			for b.Loop() {
				start := time.Now()
				lines, r := 0, strings.NewReader(c.log)
				for n, err := r.Read(buf); err != io.EOF; n, err = r.Read(buf) {
					for line := range bytes.Lines(buf[:n]) {
						lines += len(line) & 1
					}
				}
				floor += time.Since(start)
				_, err := ci.NewReader().Read(strings.NewReader(c.log), c.job)
				require.NoError(b, err)
			}
			b.SetBytes(int64(len(c.log)))
			b.ReportMetric(float64(b.Elapsed()-floor)/float64(floor), "x-floor")
		})
	}
}
