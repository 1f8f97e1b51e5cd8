package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheConstantsOfAFolderAreDoubledOneAtATime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("a.go", "package a\n\nconst (\n\tmaxFiles = 3 // files\n\tshare = 1.0 / 20\n\tbytes = 4 << 10\n\tname = \"x\"\n"+
		"\t_ = 7\n)\n")
	write("a_test.go", "package a\n\nconst inTest = 5\n")
	found, err := constants(dir)
	require.NoError(t, err)
	var names []string
	for _, c := range found {
		names = append(names, c.name+" "+c.value)
	}
	require.Equal(t, []string{"maxFiles 3", "share 1.0", "bytes 4"}, names)
	require.Equal(t, []string{"2", "0"}, found[1].factors(), "a weight is switched off, too")
	require.Equal(t, []string{"2"}, found[0].factors())
	text, err := change{found[2], "2"}.text()
	require.NoError(t, err)
	require.Contains(t, string(text), "bytes = (2*4) << 10")
	require.Contains(t, string(text), "maxFiles = 3 ")
}

func TestFiguresAreComparedByMeasureAndBudget(t *testing.T) {
	t.Parallel()
	base, got := map[string]float64{}, map[string]float64{}
	read(base, "rank", "tokens=8000 pairs=91 lines_any=78.0 lines_all=49.5 any=91.2 all=82.4 rounds_mean=0.7\n")
	read(got, "rank", "tokens=8000 pairs=91 lines_any=77.5 lines_all=47.0 any=93.0 all=82.4 rounds_mean=9\n")
	require.Equal(t, []string{"rank 8000 any +1.8", "rank 8000 lines_all -2.5"}, differences(base, got, 1))
}

func TestAblateSaysWhatItNeeds(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, run(t.Context(), os.Stderr, []string{"pairs.jsonl"}), "usage: ablate")
}
