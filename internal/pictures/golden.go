package main

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// golden is an answer that a test compares with what the program writes.
type golden struct {
	// name is the folder and the file without its extension: "answers/fix".
	name string
	file string
	text string
}

// goldenFiles are the patterns of the files of answers, from the root of the repository. In an archive the answer is
// the file want.md.
var goldenFiles = []string{
	"cmd/tenon/testdata/answers/*.md",
	"bot/report/testdata/*/*.md",
	"bot/report/testdata/*/*.txtar",
}

// goldens returns the answers in a repository, in the order of goldenFiles.
func goldens(root fs.FS) ([]golden, error) {
	var all []golden
	for _, pattern := range goldenFiles {
		files, err := fs.Glob(root, pattern)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			data, err := fs.ReadFile(root, file)
			if err != nil {
				return nil, err
			}
			g, err := readGolden(file, data)
			if err != nil {
				return nil, err
			}
			all = append(all, g)
		}
	}
	return all, nil
}

func readGolden(file string, data []byte) (golden, error) {
	name := path.Base(path.Dir(file)) + "/" + strings.TrimSuffix(path.Base(file), path.Ext(file))
	g := golden{name: name, file: file, text: string(data)}
	if path.Ext(file) != ".txtar" {
		return g, nil
	}
	archive := txtar.Parse(data).Files
	i := slices.IndexFunc(archive, func(f txtar.File) bool { return f.Name == "want.md" })
	if i < 0 {
		return golden{}, fmt.Errorf("%s has no file want.md", file)
	}
	g.text = string(archive[i].Data)
	return g, nil
}

// named returns the answers whose names contain one of the parts; all if there are none.
func named(all []golden, parts []string) []golden {
	return slices.DeleteFunc(slices.Clone(all), func(g golden) bool {
		contains := func(part string) bool { return strings.Contains(g.name, part) }
		return len(parts) > 0 && !slices.ContainsFunc(parts, contains)
	})
}
