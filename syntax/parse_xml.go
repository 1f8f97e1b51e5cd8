package syntax

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
)

func parseXML(src source) verdict {
	if bytes.HasPrefix(src.text, []byte("<?xml ")) && !declaration.Match(src.text) {
		return brokenAt(1, "malformed XML declaration")
	}
	decoder := xml.NewDecoder(bytes.NewReader(withoutEntities(src.text)))
	// The text is UTF-8, whatever it says.
	decoder.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	depth, roots := 0, 0
	found := verdict{outcome: valid}
	for {
		token, err := decoder.Token()
		var syntaxError *xml.SyntaxError
		switch {
		case errors.Is(err, io.EOF):
			return found
		case errors.As(err, &syntaxError):
			return brokenAt(syntaxError.Line, syntaxError.Msg)
		case err != nil:
			return verdict{}
		}
		switch token.(type) {
		case xml.StartElement:
			if depth == 0 {
				roots++
			}
			if depth == 0 && roots == 2 {
				line, _ := decoder.InputPos()
				found = oddAt(line, "a second element at the top")
			}
			depth++
		case xml.EndElement:
			depth--
		}
	}
}

// declaration matches the first line of a document.
var declaration = regexp.MustCompile(`^<\?xml(\s+[a-z]+\s*=\s*("[^"<>]*"|'[^'<>]*'))+\s*\?>`)

// entity matches a reference to an entity that only a document type can declare, or one of XML's own.
var entity = regexp.MustCompile(`&([\pL_:][\pL\pN_:.-]*;)`)

// withoutEntities makes plain text of references to entities: which ones exist is a matter of the document type, which
// is not read.
func withoutEntities(text []byte) []byte {
	return entity.ReplaceAll(text, []byte("_$1"))
}
