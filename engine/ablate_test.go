package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/engine/match"
)

// ablations are what TestAblation turns off, one at a time.
var ablations = []struct {
	name  string
	level engine.Level
	rule  match.Rules
}{
	{name: "nothing"},
	{name: "level 1, exact", level: engine.LevelExact},
	{name: "level 2, trailing space", level: engine.LevelTrailingSpace},
	{name: "level 3, blank lines", level: engine.LevelBlankLines},
	{name: "level 4, indentation", level: engine.LevelIndent},
	{name: "level 5, look-alikes", level: engine.LevelHomoglyph},
	{name: "5: long dashes", rule: match.Dashes},
	{name: "5: line numbers", rule: match.LineNumbers},
	{name: "level 6, ellipsis", level: engine.LevelEllipsis},
	{name: "level 7, fuzzy context", level: engine.LevelFuzzyContext},
	{name: "7: typos", rule: match.Typos},
	{name: "7: slips", rule: match.Slips},
	{name: "7: drift", rule: match.Drift},
	{name: "7: other names", rule: match.OtherNames},
	{name: "7: headers", rule: match.Headers},
	{name: "7: context elsewhere", rule: match.Elsewhere},
	{name: "7: rivals", rule: match.Rivals},
}

// TestAblation turns each level, and each rule inside of a level, off and logs how many cases are correct and wrong
// without it. It is for make ablate: TENON_TEST_ABLATE names the files with the cases, in the form of those of
// TestBenchmark.
func TestAblation(t *testing.T) {
	files := filepath.SplitList(os.Getenv("TENON_TEST_ABLATE"))
	if len(files) == 0 {
		t.Skip("TENON_TEST_ABLATE is not set")
	}
	for _, file := range files {
		all, correct, wrong := 0, make([]int, len(ablations)), make([][]string, len(ablations))
		eachCase(t, file, func(c benchCase) {
			all++
			blocks := engine.Parse(c.Reply, engine.ParseOptions{}).Blocks
			for i, a := range ablations {
				opts := engine.Without(engine.Options{}, a.rule)
				if a.level > 0 {
					opts.DisabledLevels = []engine.Level{a.level}
				}
				switch c.verdict(applyBlocks(t, c.Before, blocks, opts)) {
				case "correct":
					correct[i]++
				case "WRONG":
					wrong[i] = append(wrong[i], c.ID)
				}
			}
		})
		t.Logf("%s: of %d cases, %d are correct and %d wrong", file, all, correct[0], len(wrong[0]))
		t.Logf("%-28s %8s %8s", "without", "correct", "wrong")
		for i, a := range ablations[1:] {
			fresh := slices.DeleteFunc(slices.Clone(wrong[i+1]), func(id string) bool { return slices.Contains(wrong[0], id) })
			t.Logf("%-28s %+8d %+8d  %v", a.name, correct[i+1]-correct[0], len(wrong[i+1])-len(wrong[0]),
				fresh[:min(len(fresh), 3)])
		}
	}
}
