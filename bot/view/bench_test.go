package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/testdata"
)

// manyEdits is a reply with n blocks.
func manyEdits(n int) string {
	var b strings.Builder
	for i := range n {
		before := fmt.Sprintf("func f%d() error {\n\tif err := open(%d); err != nil {\n\t\treturn err\n\t}\n}", i, i)
		b.WriteString(testdata.Edit(fmt.Sprintf("pkg/file%d.go", i), before,
			strings.Replace(before, "return err", `return fmt.Errorf("opening: %w", err)`, 1)))
	}
	return b.String()
}

func ofEdits(n int) Source {
	s := asked()
	text := manyEdits(n)
	blocks := engine.Parse(text, engine.ParseOptions{}).Blocks
	turn := record.Turn{Kind: record.TurnFix, Answer: port.Answer{Text: text, Name: "m"}}
	o := engine.Outcome{}
	for i, b := range blocks {
		turn.Plan = append(turn.Plan, record.BlockRef{Block: i})
		o.Results = append(o.Results, engine.Result{Block: b, Path: b.Path, Status: engine.Applied, Line: 1, Level: 1})
	}
	s.Record.Turns = []record.Turn{turn}
	s.Record.Target = &record.Target{Branch: "speed", SHA: "b45e", Pull: 7}
	s.Record.Committed = &record.Committed{SHA: "c0ffee", Application: record.Application{Results: record.Results(o)}}
	s.State = Ended
	return s
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{100, 500} {
		s := ofEdits(n)
		b.Run(fmt.Sprintf("%d blocks", n), func(b *testing.B) {
			for b.Loop() {
				Build(s)
			}
		})
		l := asked()
		l.Live = Live{Call: 1, Text: s.Record.Turns[0].Answer.Text, Results: s.Record.Committed.Results[:n-1]}
		b.Run(fmt.Sprintf("%d blocks arriving", n), func(b *testing.B) {
			for b.Loop() {
				Build(l)
			}
		})
	}
}
