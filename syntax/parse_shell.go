package syntax

import (
	"bytes"
	"errors"

	"mvdan.cc/sh/v3/syntax"
)

// parseShell accepts a script that any of the dialects accepts: a script for bash is often called sh, and its first
// line does not say which of them the shell knows.
func parseShell(src source) verdict {
	first := verdict{}
	for _, dialect := range []syntax.LangVariant{
		syntax.LangBash, syntax.LangPOSIX, syntax.LangMirBSDKorn, syntax.LangBats, syntax.LangZsh,
	} {
		v := parseDialect(src, dialect)
		if v.outcome == valid {
			return v
		}
		if first.outcome == unknown {
			first = v
		}
	}
	return first
}

func parseDialect(src source, dialect syntax.LangVariant) verdict {
	_, err := syntax.NewParser(syntax.Variant(dialect)).Parse(bytes.NewReader(src.text), "")
	var parseError syntax.ParseError
	switch {
	case err == nil:
		return verdict{outcome: valid}
	case errors.As(err, &parseError):
		return brokenAt(min(int(parseError.Pos.Line()), src.lastLine()), parseError.Text)
	}
	return verdict{}
}
