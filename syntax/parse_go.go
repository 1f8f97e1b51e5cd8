package syntax

import (
	"errors"
	"go/parser"
	"go/scanner"
	"go/token"
)

func parseGo(src source) verdict {
	_, err := parser.ParseFile(token.NewFileSet(), "", src.text, parser.SkipObjectResolution)
	var list scanner.ErrorList
	switch {
	case err == nil:
		return verdict{outcome: valid}
	case errors.As(err, &list) && len(list) > 0:
		// The offset, for //line comments may say another line.
		return brokenAt(src.lineOf(list[0].Pos.Offset), list[0].Msg)
	}
	return verdict{}
}
