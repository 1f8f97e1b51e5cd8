package retrieve

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/bot/secret"
)

// maxRedactedWork bounds the work of taking secrets out of files, as secret.Files counts it: for the files that
// are shown for one query, and again for those that are quoted in one round of asks. The last file may exceed it, by
// what the work for one file can be.
const maxRedactedWork = 4 << 20

// redactedTexts are files without their secrets. Each is searched for them once, and none when too much was searched
// before.
type redactedTexts struct {
	files *secret.Files
	texts map[string]*redactedText
	room  int // how much more work may be done
}

func newRedactedTexts(files *secret.Files) *redactedTexts {
	return &redactedTexts{files, map[string]*redactedText{}, maxRedactedWork}
}

// redactedText is a file without its secrets.
type redactedText struct {
	text, kinds string // kinds are those of the secrets
	outline     []lexical.Definition
	outlined    bool
}

// of returns a file without its secrets. They are taken out of the whole file: a line may lack that by which they are
// recognized. It reports false if there is no room for the work.
func (t *redactedTexts) of(name string, data []byte) (*redactedText, bool) {
	if known, ok := t.texts[name]; ok {
		return known, true
	}
	if len(data) > t.room {
		return nil, false
	}
	masked, work, ok := t.files.Mask(data)
	if !ok {
		return nil, false
	}
	t.room = max(0, t.room-work)
	t.texts[name] = &redactedText{text: masked.Text(), kinds: strings.Join(masked.Kinds(), ", ")}
	return t.texts[name], true
}

// definitions returns what the file defines, in what is shown of it: a name may be in what was redacted.
func (r *redactedText) definitions(path string) []lexical.Definition {
	if !r.outlined {
		r.outline, r.outlined = lexical.Outline(path, []byte(r.text)), true
	}
	return r.outline
}
