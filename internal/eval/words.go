package eval

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/tenon-bot/tenon/bot/port/repo"
)

// words returns up to n words to search for: words that were read, and that occur in the files whose paths were not.
// The files take turns, each with its rarest word first.
func (a *Asker) words(ctx context.Context, unnamed []string, n int) ([]string, error) {
	read := wordSet(a.seen.text.String())
	common := map[string]int{}
	lists := make([][]string, len(unnamed))
	for i, name := range unnamed {
		for w := range wordSet(strings.Join(a.files[name], "")) {
			if read[w] && !a.searched[w] {
				lists[i] = append(lists[i], w)
				common[w] = 0
			}
		}
	}
	if err := countLines(ctx, a.checkout, unnamed, common); err != nil {
		return nil, err
	}
	var out []string
	for _, list := range lists {
		slices.SortFunc(list, func(v, w string) int {
			return cmp.Or(cmp.Compare(common[v], common[w]), strings.Compare(v, w))
		})
	}
	for depth := range len(common) {
		for _, list := range lists {
			if depth < len(list) && len(out) < n && !a.searched[list[depth]] {
				a.searched[list[depth]] = true
				out = append(out, list[depth])
			}
		}
	}
	return out, nil
}

// countLines counts the lines of the repository that have each word, in files with the extensions of some others.
func countLines(ctx context.Context, checkout repo.Checkout, like []string, words map[string]int) error {
	if len(words) == 0 {
		return nil
	}
	files, err := checkout.Files()
	if err != nil {
		return fmt.Errorf("listing files: %w", err)
	}
	files = slices.DeleteFunc(slices.Clone(files), func(name string) bool {
		return !slices.ContainsFunc(like, func(l string) bool { return path.Ext(l) == path.Ext(name) })
	})
	if err := checkout.Load(ctx, files...); err != nil {
		return fmt.Errorf("loading %d files: %w", len(files), err)
	}
	for _, name := range files {
		data, err := checkout.ReadFile(name)
		if err != nil {
			continue // it is too large
		}
		for line := range strings.Lines(string(data)) {
			for w := range wordSet(line) {
				if _, wanted := words[w]; wanted {
					words[w]++
				}
			}
		}
	}
	return nil
}

// wordSet returns the words of a text that may be worth a search.
func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if len(w) > 2 && (w[0] < '0' || w[0] > '9') {
			set[w] = true
		}
	}
	return set
}
