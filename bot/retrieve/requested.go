package retrieve

import (
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// Bounds on what a model may ask for.
const (
	// MaxRounds is how often a model may ask to be shown more in one run.
	MaxRounds = 3
	// MaxAsks is how many asks are answered in a round; others are left over.
	MaxAsks = 5
	// RoundBytes is how much a model may be shown in a round, in bytes.
	RoundBytes = 8000 * port.BytesPerToken
	// MinRoundBytes is the least room with which a round is worth asking in: MaxAsks short answers.
	MinRoundBytes = MaxAsks * askBytes

	maxAskedLines  = 900 // of a file that is shown whole when it is asked for
	maxAskedPlaces = 3   // definitions of a name that was asked for without a file
)

const (
	// askBytes is about how many bytes each ask takes besides what it is given.
	askBytes = 400
	// maxUnseen is how many of the ranges of lines are named that were not shown of a file.
	maxUnseen = 5
	// maxRepeated is how many lines are shown whole though some of them were shown before.
	maxRepeated = 120
)

// round answers the asks of one reply.
type round struct {
	*selector
	weights lexical.Weights
	seen    seenLines
	// files are those in which texts are found; none unless one is asked for.
	files  []string
	quoted *redactedTexts
	out    Answers
}
