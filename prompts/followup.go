package prompts

// RepairInput is what a model is told of the edits that did not fit. Numbers count edits from 1, over all replies.
type RepairInput struct {
	// Applied are edits that stay, Waiting those that are applied as they are after the correction.
	Applied, Waiting []int
	Failed           []FailedEdit
	// Broken are files that do not parse after their edits.
	Broken []BrokenFile
	// Nonce is in the delimiters around data, as in Input.
	Nonce string
}

// FailedEdit is an edit that did not fit.
type FailedEdit struct {
	Number    int
	Path, Why string
	// Began is how its search text began.
	Began string
	// Nearest is the part of the file that is most like it, from line Line on; empty when nothing is.
	Nearest string
	Line    int
	// Want is the first line that the edit expects and the file does not have, Have what it has; Differs is that line's
	// number, 0 when unknown.
	Differs    int
	Want, Have string
	// Places are the lines of all places that fit, when there are several.
	Places []int
}

// BrokenFile is a file that does not parse after its edits, so that none of these is made.
type BrokenFile struct {
	Path string
	// Edits are the numbers of the edits.
	Edits []int
	// Parses reports that the file parses, and has other problems, such as a conflict marker.
	Parses bool
	// Problems are what is wrong, each with its line. They may quote the file.
	Problems []string
	// Around are lines of the file as it would be after the edits, from line Line on; empty if the problem is at no line.
	Around string
	Line   int
}

// Repair asks for corrected blocks.
func Repair(in RepairInput) string { return render("repair.md", in) }

// VerifyInput is what a model is told of a workflow that failed on its edits.
type VerifyInput struct {
	// Workflow is the name of its file.
	Workflow string
	CI       *CI
	// Nonce is in the delimiters around data, as in Input.
	Nonce string
}

// Verify asks for further edits after a workflow failed on those so far.
func Verify(in VerifyInput) string { return render("verify.md", in) }

// Continue asks for what is missing of a reply that was cut off after so many whole blocks.
func Continue(blocks int) string {
	return render("continue.md", struct{ Whole, Next int }{blocks, blocks + 1})
}

// Blocks asks for blocks, or a reason to change nothing, after a reply without either.
func Blocks() string { return render("blocks.md", nil) }

// GoOn asks for the rest of an answer that was cut off.
func GoOn() string { return render("go-on.md", nil) }

// NeedInput is what a model is shown after it asked for files or texts. All but Nonce may be empty.
type NeedInput struct {
	Files []File
	Lists []NameList
	Finds []Find
	// Above are asks for what was shown before.
	Above []string
	// Withheld are files that are not shown, Absent texts that were not found.
	Withheld, Absent []Withheld
	// Unseen are asks for lines that were asked for and did not fit, or that are left of a large file.
	Unseen []string
	// LeftOver are asks beyond the number that is answered at once.
	LeftOver []string
	// Rounds is how often the model may ask again.
	Rounds int
	// Asked says that it is to answer a question, not to edit.
	Asked bool
	// Nonce is in the delimiters around data, as in Input.
	Nonce string
}

// HasNotes reports whether something is to be said of requests besides what is shown for them. The paths in it are data
// as well: a name can be a sentence.
func (in NeedInput) HasNotes() bool {
	return len(in.Above)+len(in.Withheld)+len(in.Absent)+len(in.Unseen)+len(in.LeftOver) > 0
}

// NameList are the names in a folder, or those that match a pattern. More counts those for which there was no room.
type NameList struct {
	Of    string
	Names []string
	More  int
}

// Find are lines that contain a text, as "path:line: text". More counts the other lines that do.
type Find struct {
	Text  string
	Lines []string
	More  int
}

// Withheld is a file that is not shown, or a text that was not found. Near are paths that may have been meant.
type Withheld struct {
	Path, Why string
	Near      []string
}

// Moved asks again for the edits of files that others changed meanwhile, and shows these files.
func Moved(in NeedInput) string { return render("moved.md", in) }

// Need shows what a model asked for.
func Need(in NeedInput) string { return render("need.md", in) }
