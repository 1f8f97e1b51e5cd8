package markdowntest

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

//go:embed hidden.txtar
var hiddenFiles []byte

//go:embed visible.txtar
var visibleFiles []byte

// HiddenWord and SeenWord are what the shapes hide and show.
const (
	HiddenWord = "MARKER"
	SeenWord   = "SEEN"
)

// Hidden returns texts that hide HiddenWord from their readers and show SeenWord, by how they do it.
func Hidden() map[string]string {
	shapes := shapesOf(hiddenFiles)
	for name, form := range map[string]func(rune) string{
		"tag characters":             func(r rune) string { return string(0xE0000 + r) },
		"variation selectors":        func(r rune) string { return "x" + string(0xE0100+r) },
		"entities of tag characters": func(r rune) string { return fmt.Sprintf("&#%d;", 0xE0000+r) },
	} {
		shapes[name] = "SEEN " + formed(HiddenWord, form) + " now"
	}
	shapes["a long address of a link"] = "[SEEN](<https://a.example/" + strings.Repeat("x", 3000) + " MARKER>) now"
	shapes["a long title of a link"] = "[SEEN](x \"" + strings.Repeat("x ", 3000) + " MARKER\") now"
	shapes["lines that end in carriage returns"] = "SEEN\r\r[a]: b 'x\rMARKER'\r"
	shapes["an entity for the byte of filtered tags"] = "SEEN <script>&#0;/script>MARKER</script> now"
	shapes["a byte zero before a tag"] = "SEEN <script>\x00/script>MARKER</script> now"
	return shapes
}

// Visible returns texts of which people see each SeenWord, by what they have.
func Visible() map[string]string { return shapesOf(visibleFiles) }

func shapesOf(data []byte) map[string]string {
	shapes := map[string]string{}
	for _, f := range txtar.Parse(data).Files {
		shapes[f.Name] = string(f.Data)
	}
	return shapes
}

func formed(word string, form func(rune) string) string {
	var b strings.Builder
	for _, r := range word {
		b.WriteString(form(r))
	}
	return b.String()
}

// Plain returns a text with the letters that tag characters and variation selectors stand for.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0xE0100:
			return r - 0xE0100
		case r >= 0xE0000:
			return r - 0xE0000
		}
		return r
	}, text)
}
