package syntax

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

func parseTOML(src source) verdict {
	var table map[string]any
	err := toml.Unmarshal(src.text, &table)
	var decodeError *toml.DecodeError
	switch {
	case err == nil:
		return verdict{outcome: valid}
	case errors.As(err, &decodeError):
		line, _ := decodeError.Position()
		return brokenAt(line, strings.TrimPrefix(decodeError.Error(), "toml: "))
	}
	return verdict{}
}
