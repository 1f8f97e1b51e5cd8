package bot

import (
	"bytes"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
)

// quotes masks what the results of an application quote: of the files as they are, as they were shown and as they
// become, each of which is masked whole.
type quotes struct {
	secret.Quotes
	masked *secret.Files
}

func newQuotes(masked *secret.Files) *quotes {
	if masked == nil {
		masked = secret.NewFiles()
	}
	return &quotes{masked: masked}
}

// know adds a version of a file.
func (q *quotes) know(data []byte) {
	if bytes.IndexByte(data, 0) >= 0 { // the engine quotes no binary files
		return
	}
	masked, _, ok := q.masked.Mask(data)
	if !ok {
		q.Hide()
		return
	}
	q.Know(masked)
}

// verify returns a function that checks files after their edits as another one does, and knows them from then on.
func (q *quotes) verify(check edit.Verify) edit.Verify {
	return func(path string, before, after []byte) engine.Verification {
		q.know(after)
		return check(path, before, after)
	}
}

// quotesOfRevert returns the quotes of a revert, of the files of its results: as they were before the commit, after it,
// and as they are.
func quotesOfRevert(masked *secret.Files, p policy.Policy, revert edit.Revert, results []engine.Result) *quotes {
	q := newQuotes(masked)
	for _, res := range results {
		if res.Edit == nil && res.ClosestMatch == nil && res.Conflict == nil {
			continue
		}
		for _, tree := range []repo.Checkout{revert.Before, revert.After, revert.Tip} {
			kind, err := tree.Kind(res.Path)
			if err != nil || kind != engine.File {
				continue
			}
			data, err := tree.ReadFile(res.Path)
			switch {
			case err != nil:
				q.Hide()
			case edit.Guard{Policy: p, Tree: tree}.Withholds(res.Path):
				q.Know(secret.MaskAll(string(data)))
			default:
				q.know(data)
			}
		}
	}
	return q
}
