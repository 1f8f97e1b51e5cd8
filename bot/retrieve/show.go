package retrieve

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what the model is shown.
const (
	// contextTokens is the budget for files.
	contextTokens = 24_000
	// maxWholeLines is the longest file that is shown whole; of others, the lines around the named ones are.
	maxWholeLines = 400
	linesAround   = 60
	// maxOutline bounds an outline, in bytes; delimiterBytes is about what stands around a part.
	maxOutline     = 6000
	delimiterBytes = 100
)

// contextBytes is how much the model may be shown: the default, unless it takes less. Half of that is for its words and ours.
func ContextBytes(m port.ModelInfo) int {
	tokens := contextTokens
	if m.ContextTokens > 0 {
		tokens = min(tokens, m.ContextTokens/2)
	}
	return tokens * port.BytesPerToken
}

// show takes the files in their rank as long as there is room, and says what was shown, cut and left out.
func (g *gathering) show(room int) (out []prompts.File, q Selection) {
	q.Shown, q.ReadOnly = map[string]string{}, map[string]string{}
	for _, p := range g.ranked() {
		file, shown, why := g.showOne(p, room)
		if why != "" {
			if p.kind < bySibling {
				g.leave(p.path, why)
			}
			continue
		}
		room -= cost(file)
		out = append(out, file)
		q.Files = append(q.Files, shown)
		data, _ := g.read(p.path)
		sum := sha256.Sum256(data)
		q.Shown[p.path] = hex.EncodeToString(sum[:])
		if file.Redacted != "" {
			q.ReadOnly[p.path] = file.Redacted
		}
	}
	q.LeftOut = g.leftOut
	return out, q
}

// showOne makes what is shown of a file, or says why nothing is.
func (g *gathering) showOne(p *pick, room int) (prompts.File, ShownFile, string) {
	data, why := g.fit(p)
	if why != "" {
		return prompts.File{}, ShownFile{}, why
	}
	text, secrets := secret.Redact(string(data))
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	file := prompts.File{Path: p.path, Lines: len(lines), Redacted: strings.Join(secrets, ", "), Parts: []prompts.Part{{From: 1, To: len(lines), Text: text}}}
	shown := ShownFile{Path: p.path, Why: referenceKinds[p.kind].why, Score: p.score, Lines: len(lines)}
	if len(lines) > maxWholeLines || cost(file) > room {
		if len(lines) <= maxWholeLines && !p.kind.named() {
			return file, shown, "it did not fit any more into what the model may be shown"
		}
		// Names in a redacted file may stand in what was redacted: the outline is made of what is shown.
		file.Parts, file.Outline = cutFile(p, lines, text, room)
		for _, part := range file.Parts {
			shown.Parts = append(shown.Parts, Span{part.From, part.To})
		}
	}
	if len(file.Parts) == 0 || cost(file) > room {
		return file, shown, "it did not fit any more into what the model may be shown"
	}
	return file, shown, ""
}

// fit returns the bytes of a file that may be shown, or says why it may not.
func (g *gathering) fit(p *pick) ([]byte, string) {
	if why := Hides(g.Policy, p.path); why != "" {
		return nil, why
	}
	data, ok := g.read(p.path)
	switch {
	case !ok && g.tooLarge(p.path):
		return nil, "it is larger than 1 MiB"
	case !ok:
		return nil, "too many others were named before it"
	case hiddenText(data) != "":
		return nil, hiddenText(data)
	case !p.kind.named() && (generatedName(p.path) || generatedText(data)):
		return nil, "it is generated or vendored; name it to have it shown"
	}
	return data, ""
}

func cost(f prompts.File) int {
	n := len(f.Outline) + len(f.Path)
	for _, p := range f.Parts {
		n += len(p.Text) + len(f.Path) + delimiterBytes
	}
	return n
}

// cutFile takes the lines around the places of a file, or its first where there are none, and its outline, as far as there is room.
func cutFile(p *pick, lines []string, text string, room int) ([]prompts.Part, string) {
	room -= len(p.path) + delimiterBytes
	list := outlineText(outline(p.path, []byte(text)), min(maxOutline, room/3))
	for _, around := range []int{linesAround, linesAround / 4} {
		parts := windows(p.anchors, lines, around)
		if cost(prompts.File{Path: p.path, Parts: parts, Outline: list}) <= room {
			return parts, list
		}
	}
	return nil, ""
}

// windows are the parts of a file around its places, joined where they touch.
func windows(anchors []Span, lines []string, around int) (parts []prompts.Part) {
	if len(anchors) == 0 {
		anchors = []Span{{1, 1}}
	}
	var spans markdown.Ranges
	for _, a := range anchors {
		if a.From <= len(lines) {
			spans = append(spans, [2]int{max(0, a.From-1-around), min(len(lines), min(a.To, a.From+maxWholeLines)+around)})
		}
	}
	if len(spans) == 0 {
		spans = markdown.Ranges{{0, min(len(lines), around)}}
	}
	for _, s := range markdown.MergeRanges(slices.Clone(spans)) {
		parts = append(parts, prompts.Part{From: s[0] + 1, To: s[1], Text: strings.Join(lines[s[0]:s[1]], "")})
	}
	return parts
}

// outlineText writes definitions with their lines, as many as fit into room bytes.
func outlineText(list []definition, room int) string {
	var b strings.Builder
	for i, d := range list {
		line := fmt.Sprintf("%d: %s\n", d.line, strings.TrimSpace(d.text))
		if b.Len()+len(line) > room-40 {
			fmt.Fprintf(&b, "… and %d more\n", len(list)-i)
			break
		}
		b.WriteString(line)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

type ShownFile struct {
	Path  string `json:"path"`
	Why   string `json:"why"`
	Score int    `json:"score"`
	// Parts are the lines that were shown, none when all were; Lines is how many there are.
	Parts []Span `json:"parts,omitempty"`
	Lines int    `json:"lines"`
}

type LeftOut struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}
