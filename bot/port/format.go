package port

import "context"

// FormatDays is for how many days it is counted in which formats models write edits.
const FormatDays = 30

// Formats tells in which formats models write edits. Safe for concurrent use.
type Formats interface {
	// FormatsOf returns what is known of a model from the last FormatDays days, ordered by format.
	FormatsOf(ctx context.Context, model string) ([]FormatCount, error)
}

// FormatCount counts the edits that a model wrote in a format. Those are left out that say nothing about the format:
// they were skipped, or refused whatever their words.
type FormatCount struct {
	// Model is its name in the server's settings.
	Model string `json:"model"`
	// Format is one of the engine's, in which the edits were written, whatever the model was asked for.
	Format string `json:"format"`
	// Blocks counts the edits, corrected ones included, Applied those that were applied.
	Blocks  int64 `json:"blocks"`
	Applied int64 `json:"applied"`
}
