package sim

import (
	"unicode/utf8"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// maxTitle is GitHub's limit for the title of an issue or pull request, in characters.
const maxTitle = 256

// CheckThread checks the texts of an issue or pull request; nil means that a text is absent.
func CheckThread(resource string, title, body *string) error {
	switch {
	case title != nil && model.IsBlank(*title):
		return model.Invalid(resource, "title", "missing_field", "")
	case title != nil && utf8.RuneCountInString(*title) > maxTitle:
		return model.Invalid(resource, "title", "custom", "title is too long (maximum is 256 characters)")
	case body != nil && utf8.RuneCountInString(*body) > model.MaxText:
		return model.Invalid(resource, "body", "custom", "body is too long (maximum is 65536 characters)")
	}
	return nil
}
