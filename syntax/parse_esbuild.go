package syntax

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// parseJavaScript allows JSX: many a project writes it in .js files, and it takes nothing away from JavaScript.
func parseJavaScript(src source) verdict {
	if otherDialect(src.text) {
		return verdict{}
	}
	return transform(src, api.LoaderJSX)
}

func parseTypeScript(src source) verdict {
	if declarationFile.MatchString(src.path) {
		src.text = bareConstant.ReplaceAll(src.text, []byte("${1}let  ${2}"))
	}
	return transform(src, api.LoaderTS)
}

// declarationFile matches the names of files that only declare what others define. A constant has no value there.
var declarationFile = regexp.MustCompile(`\.d(\.\w+)?\.[mc]?ts$`)

// bareConstant matches the beginning of a declaration of a constant that may have a type.
var bareConstant = regexp.MustCompile(`(?m)^(\s*(?:(?:export|declare)\s+)*)const(\s+[\w$]+\s*[:;])`)

func parseTSX(src source) verdict { return transform(src, api.LoaderTSX) }

// otherDialect reports whether a script is written in Flow.
func otherDialect(text []byte) bool {
	return bytes.Contains(text[:min(len(text), 4096)], []byte("@flow"))
}

// The settings of a compiler that allow decorators as the standard has them, or as TypeScript had them before, which
// frameworks still use.
const (
	standardDecorators     = "{}"
	experimentalDecorators = `{"compilerOptions": {"experimentalDecorators": true}}`
)

// transform parses a file with esbuild. A file with decorators is valid if it is with either kind.
func transform(src source, loader api.Loader) verdict {
	v := transformWith(standardDecorators, src, loader)
	if v.outcome == broken && strings.Contains(v.message, "ecorators") &&
		transformWith(experimentalDecorators, src, loader).outcome == valid {
		return verdict{outcome: valid}
	}
	return v
}

// transformWith parses a file with settings of a compiler. What esbuild would write is thrown away.
func transformWith(settings string, src source, loader api.Loader) verdict {
	result := api.Transform(string(src.text), api.TransformOptions{
		Loader:           loader,
		LogLevel:         api.LogLevelSilent,
		LogLimit:         1,
		TreeShaking:      api.TreeShakingFalse,
		TsconfigRaw:      settings,
		MinifyWhitespace: true, // Indentation takes the square of the depth.
	})
	if len(result.Errors) == 0 {
		return verdict{outcome: valid}
	}
	return ofMessage(result.Errors[0])
}

// ofMessage turns an error of esbuild into a verdict. A message without a place is none about the text: esbuild gives
// one when it ran into a bug of its own.
func ofMessage(m api.Message) verdict {
	if m.Location == nil || strings.HasPrefix(m.Text, "panic:") {
		return verdict{}
	}
	text := m.Text
	for _, note := range m.Notes {
		if note.Location != nil {
			text += fmt.Sprintf(" (line %d: %s)", note.Location.Line, strings.TrimSuffix(note.Text, ":"))
			break
		}
	}
	return brokenAt(m.Location.Line, text)
}

// parseCSS takes esbuild's warnings about syntax for errors: a browser skips what it does not understand, and so does
// esbuild.
func parseCSS(src source) verdict {
	result := api.Transform(string(src.text), api.TransformOptions{
		Loader:           api.LoaderCSS,
		LogLevel:         api.LogLevelSilent,
		MinifyWhitespace: true,
	})
	if len(result.Errors) > 0 {
		return ofMessage(result.Errors[0])
	}
	lines := bytes.Split(src.text, []byte("\n"))
	for _, warning := range result.Warnings {
		if warning.ID == "css-syntax-error" && !endsAtRule(lines, warning) {
			if warning.Text == `Expected identifier but found "*"` { // as in "*zoom: 1", for old browsers only
				return verdict{}
			}
			return ofMessage(warning)
		}
	}
	return balanceOfCSS(src)
}

// endsAtRule reports whether a warning is about the last at-rule of a block, which needs no semicolon.
func endsAtRule(lines [][]byte, warning api.Message) bool {
	if warning.Location == nil || warning.Text != `Expected ";"` {
		return false
	}
	line := min(warning.Location.Line, len(lines))
	rest := bytes.TrimSpace(lines[line-1][min(warning.Location.Column, len(lines[line-1])):])
	for ; len(rest) == 0 && line < len(lines); line++ {
		rest = bytes.TrimSpace(lines[line])
	}
	return bytes.HasPrefix(rest, []byte("}"))
}

// cssToken matches what brackets mean nothing in, and brackets.
var cssToken = regexp.MustCompile(`(?s)/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|` +
	`(?i:url)\(\s*[^"'\s)][^)]*\)|[(){}\[\]]`)

// balanceOfCSS finds closing brackets without an opening one, which esbuild leaves as they are.
func balanceOfCSS(src source) verdict {
	var open []byte
	pairs := map[byte]byte{')': '(', ']': '[', '}': '{'}
	for _, at := range cssToken.FindAllIndex(src.text, -1) {
		if at[1]-at[0] > 1 {
			continue
		}
		bracket := src.text[at[0]]
		opening, closes := pairs[bracket]
		switch {
		case !closes:
			open = append(open, bracket)
		case len(open) == 0 || open[len(open)-1] != opening:
			return oddAt(src.lineOf(at[0]), fmt.Sprintf("%c without %c", bracket, opening))
		default:
			open = open[:len(open)-1]
		}
	}
	return verdict{outcome: valid}
}
