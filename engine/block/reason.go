package block

// Reason is a stable code for why a block was not applied; it is empty for an applied block.
type Reason string

// The reasons. Result.Detail has a sentence for each.
const (
	AnchorNotFound   Reason = "anchor-not-found"  // the lines before the change are not in the file
	Ambiguous        Reason = "ambiguous"         // the lines to find are there more than once; see Result.MatchLines
	OldMismatch      Reason = "old-mismatch"      // the lines before the change are there, and other lines follow
	TrailingMismatch Reason = "trailing-mismatch" // only the lines after the change are others than expected
	NotFound         Reason = "not-found"         // the lines to find are not in the file
	FileNotFound     Reason = "file-not-found"    // there is no such file, and the block has lines to find
	FileExists       Reason = "file-exists"       // the block creates a file that is there, or is below a file or a folder
	BinaryFile       Reason = "binary-file"       // the file is not text in UTF-8, or would be a pointer of Git LFS
	UnsafePath       Reason = "unsafe-path"       // the path leads out of the tree, or means another one on some systems
	ProtectedPath    Reason = "protected-path"    // Options.Protected says so
	TooLarge         Reason = "too-large"         // Limits or Options.Work are exceeded
	Placeholder      Reason = "placeholder"       // the lines to put have one like "... rest of the code ..."
	Stale            Reason = "stale"             // Options.Shown says that the file changed, and the block fits roughly
	EarlierFailed    Reason = "earlier-failed"    // an earlier block of the file failed; the block is skipped
	Partial          Reason = "partial"           // a block for the whole file seems to be a part of it
	NoChange         Reason = "no-change"         // the lines to put are those to find; the block is skipped
	AlreadyApplied   Reason = "already-applied"   // the file has the lines to put already; the block is skipped
	Malformed        Reason = "malformed"         // the block can be read in more than one way that fits
	SyntaxError      Reason = "syntax-error"      // Options.Verify finds problems that were not there before the edits
	Unchecked        Reason = "unchecked"         // Options.Verify could not check the file, and refuses it
	Conflict         Reason = "conflict"          // the file has got other changes there since Options.Base
	Unusual          Reason = "unusual"           // for Options.Examine: the edit adds what a reader does not see
	NotAsShown       Reason = "not-as-shown"      // for Options.Examine: the edit is another one than people were shown
)
