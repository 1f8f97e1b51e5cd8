package bot

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
)

// maxReferences bounds the files that one comment can refer to.
const maxReferences = 50

// references are the files that the comment is about, likeliest first: that of its thread on the diff, those that it names,
// and where there are neither, those that the pull request changes.
func (s *session) references(ctx context.Context, checkout Checkout) ([]string, error) {
	files, err := checkout.Files()
	if err != nil {
		return nil, fmt.Errorf("listing files: %w", err)
	}
	var names []string
	if _, ok := slices.BinarySearch(files, s.ev.Comment.Path); ok {
		names = append(names, s.ev.Comment.Path)
	}
	names = append(names, namedFiles(s.ev.Comment.Body, files)...)
	if len(names) == 0 {
		changed, err := s.GitHub.PullFiles(ctx, s.ev.Repo, s.ev.Thread.Number)
		if err != nil {
			return nil, fmt.Errorf("listing the files of pull request %d: %w", s.ev.Thread.Number, err)
		}
		names = onlyFiles(changed, files)
	}
	names = unique(names)
	return names[:min(len(names), maxReferences)], nil
}

// namedFiles finds the words of a text that name files of the tree, in the order of the text: by whole path, by the end of
// a path, or by a base name that only one file has.
func namedFiles(text string, files []string) []string {
	byBase := map[string][]string{}
	for _, f := range files {
		byBase[path.Base(f)] = append(byBase[path.Base(f)], f)
	}
	var out []string
	for _, word := range strings.Fields(text) {
		name := cleanReference(word)
		if name == "" {
			continue
		}
		var fits []string
		for _, f := range byBase[path.Base(name)] {
			if f == name {
				fits = []string{f}
				break
			}
			if strings.HasSuffix(f, "/"+name) {
				fits = append(fits, f)
			}
		}
		if len(fits) == 1 {
			out = append(out, fits[0])
		}
	}
	return out
}

// cleanReference strips from a word what people write around a path, and a line number behind it.
func cleanReference(word string) string {
	word = strings.TrimLeft(word, "`*\"'([<")
	word = strings.TrimRight(word, "`*\"')]>,;.:!?")
	word, _, _ = strings.Cut(word, "#L")
	if name, line, ok := strings.Cut(word, ":"); ok && strings.Trim(line, "0123456789:-") == "" {
		word = name
	}
	word = strings.TrimPrefix(word, "./")
	if strings.Trim(word, "/.") == "" {
		return ""
	}
	return word
}

func onlyFiles(names, files []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool {
		_, ok := slices.BinarySearch(files, n)
		return !ok
	})
}

func unique(names []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(names, func(n string) bool {
		was := seen[n]
		seen[n] = true
		return was
	})
}
