package policy

import (
	"fmt"
	"regexp"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/schema"
)

// Schemas see texts one by one, and cannot say everything that a check does.

func verbForm() schema.Schema {
	var verbs []string
	for _, c := range command.All() {
		verbs = append(verbs, c.Verb)
	}
	return schema.Words(verbs...)
}

func labelForm() schema.Schema {
	return schema.Text(`^\S(?:.*\S)?$`).With("maxLength", maxLabel)
}

func branchForm() schema.Schema {
	return schema.Text(`^[^\x00-\x20\x7f~^:?*[\\]{1,244}$`,
		`^@$|^-|^refs/|\.$|\.\.|@\{|(?:^|/)(?:\.|/|$)|\.lock(?:/|$)`)
}

func globForm() schema.Schema {
	few := func(sign string, most int) schema.Schema {
		sign = regexp.QuoteMeta(sign)
		return schema.Text(fmt.Sprintf("^(?:[^%s]*%s){0,%d}[^%s]*$", sign, sign, most, sign))
	}
	return schema.Text(`^[^!\\][^\\]*$`, `^[/ ]*$`, `[\x00-\x1f\x7f]`).With("maxLength", maxGlobBytes).
		With("allOf", []schema.Schema{few("*", maxGlobStars), few("{", maxGlobBraces)})
}
