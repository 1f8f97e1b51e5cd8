package bot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// Jobs print secrets beside their errors, far from them and in annotations, in colour and in plain text.
func TestNoSecretThatCIPrintsIsShownAnywhere(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	for i, batch := range batches() {
		s := newStory(t, goodbye)
		ci := s.CI(s.tip())
		for j, shape := range batch {
			log := "##[group]Run make " + shape.Name + "\n##[endgroup]\n" + shape.Text + strings.Repeat("x\n", 2500*(j%2)) +
				"main.go:4:1: it must say goodbye to " + shape.Name + "\n" + shape.Text + strings.Repeat("x\n", 2500*(j%3)) +
				"panic: " + shape.Name + "\n" + shape.Text + "##[error]Process completed with exit code 1.\n"
			if i%2 == 1 {
				log = "\x1b[36m" + strings.ReplaceAll(log, "\n", "\x1b[0m\r\n\x1b[1m")
			}
			ci.Fails(shape.Name, log, port.Annotation{Path: "main.go", StartLine: 4, Level: "failure", Message: shape.Text})
			ci.Check("sonar", "quality of "+shape.Name, "failure", shape.Text)
		}
		require.Equal(t, "rocket", s.say("/tenon fix ci").verdict)
		require.Contains(t, s.Model.LastQuestion(), "panic: "+batch[0].Name)
		s.leaks(batch, counts)
	}
	for _, sink := range []string{"prompt", "answer", "check", "record"} {
		require.NotZero(t, counts[sink], sink)
	}
}
