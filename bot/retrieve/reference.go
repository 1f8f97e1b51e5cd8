package retrieve

// reference is a place in the repository that a text names, before it is known whether there is such a file.
type reference struct {
	kind referenceKind
	// names are readings of the name, likeliest first.
	Names []string
	// lines are those named with it; zero when none are.
	lines Span
	// symbol is what the name means where no file has it; empty when it cannot be one.
	symbol string
	// link is set for a permalink.
	link *permalink
	// trace numbers the stack trace that a frame belongs to, from 1; innerLast says that its last frame is the innermost.
	trace     int
	innerLast bool
	// quoted says that it stands in a quote: somebody else's words.
	quoted bool
}

// span is a range of lines, counted from 1, both ends in it; zero for none.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// referenceKind is how a place was named.
type referenceKind int

const (
	_ referenceKind = iota
	byReview
	byOption
	byTask
	byLink
	byCode
	byCompiler
	byFrame
	byName
	bySymbol
	byGlob
	byFolder
	byChange
	bySibling
	byDefinition
	byNeed
)

// Scores order what is shown when not all of it fits.
const (
	scoreLine       = 20 // more, where a line is named with a path
	scoreFrame      = 4  // less, per frame further from the innermost
	scoreOnlyBase   = 10 // less, where only the base name is right
	scoreOneOf      = 30 // less, where several files have the name
	maxFrameDeduct  = 10 // frames
	maxSameName     = 8  // files of one name, beyond which the person is asked which is meant
	maxLineNumber   = 9_999_999
	maxReferences   = 200 // that one text can hold
	maxQuestionable = 8   // names that the answer lists as not found
	// maxQuestionableBytes is the longest of those.
	maxQuestionableBytes = 255
)

// referenceKinds are worth as much as people mean them, and are called so in the answer. quoted ones are worth half.
var referenceKinds = map[referenceKind]struct {
	score int
	why   string
}{
	byReview:     {120, "the comment stands there"},
	byOption:     {110, "named by --files"},
	byTask:       {105, "what the task is about"},
	byLink:       {95, "linked"},
	byCode:       {85, "named"},
	byCompiler:   {80, "in an error message"},
	byFrame:      {80, "in a stack trace"},
	byName:       {75, "named"},
	byNeed:       {75, "asked for by the model"},
	bySymbol:     {55, "defines a name in the comment"},
	byGlob:       {50, "matches a pattern"},
	byFolder:     {45, "in a named folder"},
	byChange:     {40, "changed here"},
	bySibling:    {35, "tests of a shown file"},
	byDefinition: {30, "defines what a shown place uses"},
}

// score is what a reference is worth; frame is how many frames of its trace that are in the repository stand above it.
func (r reference) score(frame int) int {
	score := referenceKinds[r.kind].score
	if r.lines != (Span{}) && (r.kind == byCode || r.kind == byName) {
		score += scoreLine
	}
	if r.kind == byFrame {
		score -= scoreFrame * min(frame, maxFrameDeduct)
	}
	if r.quoted {
		score /= 2
	}
	return score
}

// named says that a person or a tool named the very file: generated and vendored files are shown then, too.
func (k referenceKind) named() bool { return k <= byName }
