package record

// retried is what is tried again.
type Retry struct {
	// Run is the one whose edits were not made, First the one whose command it all began with.
	Run   string `json:"run"`
	First string `json:"first"`
	// Whole says that the model never answered that run.
	Whole bool `json:"whole,omitempty"`
}
