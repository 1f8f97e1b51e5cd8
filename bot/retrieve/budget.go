package retrieve

import (
	"math"
	"slices"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

// Room is how many bytes of a prompt are for parts of files, and for lists of paths without their contents.
type Room struct{ Code, Names int }

// RoomOf divides the room for what a prompt shows of a repository: at most a quarter of it, and 2,000 tokens, is for
// lists of paths.
func RoomOf(bytes int) Room {
	names := min(maxPathList, bytes/4)
	return Room{Code: bytes - names, Names: names}
}

// CodeBytes returns how many bytes of a repository a prompt for a model may show: as many as the settings allow, or
// fewer if the model is to be shown less, and never more than half of what it reads at once.
func CodeBytes(m port.ModelInfo, b policy.Bounds) int {
	tokens := policy.MaxCodeTokens
	for _, bound := range []int{b.CodeTokens, m.CodeTokens, m.ContextTokens / 2} {
		if bound > 0 {
			tokens = min(tokens, bound)
		}
	}
	return tokens * port.BytesPerToken
}

// FairShare returns the most that each of several may take of a room for all: what one does not want of an equal share
// is left to the others. It is math.MaxInt if there is room for all that is wanted, and may be negative if room is.
func FairShare(wants []int, room int) int {
	wants = slices.Sorted(slices.Values(wants))
	for i, n := range wants {
		if share := room / (len(wants) - i); n > share {
			return share
		}
		room -= n
	}
	return math.MaxInt
}

// Bounds on the list of paths.
const (
	maxPathList     = 2000 * port.BytesPerToken // bytes
	maxPathListName = 200                       // bytes of a name or folder; a longer one is not listed
	maxProjectNames = 5                         // languages and folders in the line about the project
)

// Bounds on what a model chooses from.
const (
	// MaxChosen is how many of the model's choices are shown; others are left out.
	MaxChosen = 8

	maxOffered        = 50                        // files
	maxOfferedChanged = 25                        // of those, for the pull request alone that changes them
	maxOfferBytes     = 4000 * port.BytesPerToken // of their paths and lines
	maxOfferedLines   = 3                         // of the outline of one
	maxOfferedLine    = 100                       // bytes of such a line
)
