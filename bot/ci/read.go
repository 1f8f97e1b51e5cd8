package ci

import (
	"errors"
	"io"
	"sync/atomic"

	"github.com/tenon-bot/tenon/bot/port"
)

// Bounds on what is read, in bytes: of one log, and of all logs of a command.
const (
	MaxLogBytes = 64 << 20
	MaxBytes    = 128 << 20
)

// Reader reads the logs of the failed jobs of one command, MaxBytes at most of all together. Safe for concurrent use.
type Reader struct {
	// each is how much may be read of one log, left how much of all together.
	each int64
	left atomic.Int64
}

// NewReader returns a Reader for one command.
func NewReader() *Reader { return newReader(MaxLogBytes, MaxBytes) }

func newReader(each, all int64) *Reader {
	r := &Reader{each: each}
	r.left.Store(all)
	return r
}

// Log is what is kept of the log of a job, without its secrets. The zero Log is of a job whose log was not read. Logs
// are safe for concurrent use.
type Log struct {
	// Step is the name of the step that failed, in one line; empty if it is not known.
	Step string
	// Bytes is how many bytes were read. Cut reports whether the log has more than that.
	Bytes int64
	Cut   bool
	// Secrets are the kinds of the secrets that were replaced.
	Secrets []string

	lines []line
}

// chunk is how many bytes are read at once. A reader that returns nothing so often in a row is broken.
const (
	chunk    = 64 << 10
	maxEmpty = 100
)

// Read reads the log of a failed job, as GitHub has it, up to MaxLogBytes, in memory that does not grow with it. With
// an error it returns what it had read before. The caller closes the log.
func (r *Reader) Read(log io.Reader, job port.Job) (Log, error) {
	c := newCollector(job)
	lines := splitter{line: c.line}
	var out Log
	var err error
	buf := make([]byte, chunk)
	for empty := 0; err == nil; {
		room := min(chunk, r.each-out.Bytes)
		if room = r.take(room); room == 0 {
			var n int
			n, err = log.Read(buf[:1])
			out.Cut = n > 0
			break
		}
		var n int
		n, err = log.Read(buf[:room])
		r.left.Add(room - int64(n))
		lines.write(buf[:n])
		out.Bytes += int64(n)
		if empty++; n > 0 {
			empty = 0
		}
		if empty == maxEmpty && err == nil {
			err = io.ErrNoProgress
		}
	}
	lines.close()
	out.Step = oneLine(stepName(job))
	out.lines, out.Secrets = redacted(c.lines())
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return out, err
}

// take takes bytes of what the command may still read, as many as there are.
func (r *Reader) take(want int64) int64 {
	for {
		left := r.left.Load()
		got := max(0, min(want, left))
		if r.left.CompareAndSwap(left, left-got) {
			return got
		}
	}
}

// stepName returns the name of the first step that failed.
func stepName(job port.Job) string {
	if failed := failedSteps(job.Steps); len(failed) > 0 {
		return failed[0].Name
	}
	return ""
}
