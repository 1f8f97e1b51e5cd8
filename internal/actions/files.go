package actions

import (
	"crypto/rand"
	"fmt"
	"os"
	"strings"
)

// Output is an output of a step.
type Output struct{ Name, Value string }

// WriteOutputs adds outputs to the file that the runner names in GITHUB_OUTPUT. Each value is between lines with a
// random word, so that none can set another output.
func WriteOutputs(path string, list []Output) error {
	var b strings.Builder
	for _, o := range list {
		end := "end_" + rand.Text()
		fmt.Fprintf(&b, "%s<<%s\n%s\n%s\n", o.Name, end, o.Value, end)
	}
	return add(path, b.String())
}

// maxSummary is how long a summary may be, in bytes: GitHub shows 1 MiB of a step.
const maxSummary = 1 << 20

// WriteSummary adds Markdown to the file that the runner names in GITHUB_STEP_SUMMARY.
func WriteSummary(path, markdown string) error {
	if len(markdown) > maxSummary {
		return fmt.Errorf("writing the summary: it has %d bytes, and GitHub takes %d", len(markdown), maxSummary)
	}
	return add(path, markdown)
}

func add(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
