package attacks

// Attack is one attack: a row of the table.
type Attack struct {
	// Name is of the test, in lower case with dashes; Mechanism says in a sentence how the attack works; Source is the
	// address of what was published about it, empty for one that was thought of here.
	Name, Mechanism, Source string
	Surface                 Surface
	// Defence says in a sentence what prevents the effect.
	Defence string
	// Setup makes the world, for the attack and for its control. Nil leaves it as NewWorld makes it.
	Setup func(w *World)
	// Plant puts the text of the attacker into the world. It is left out in the control.
	Plant func(w *World)
	// Begin is what happens first on the running server, in both worlds, and Act what the attacker does then.
	Begin, Act func(w *World)
	// Ask has somebody do what starts a run, and waits for its end. Nil means that maria asks for a fix of the words in
	// main.go in the thread of the world.
	Ask func(w *World)
	// Works says what the control must have come to, after Ask: nil for a commit that says goodbye.
	Works func(w *World) bool
	// Survives is set if the run must have the same result under attack, which the attacker wants to prevent.
	Survives bool
	// Arrives is a part of the attacker's text that the model must have read, for the attack to be one; empty if the
	// defence is that it does not.
	Arrives string
	// Allowed is the name of one of Always that is none here.
	Allowed string
	// Never are the effects of this attack, beside those of Always.
	Never []Effect
}

// Surface is where the text of an attacker enters.
type Surface string

// The surfaces.
const (
	Issue        Surface = "issue"
	Title        Surface = "title"
	Comment      Surface = "comment"
	Hidden       Surface = "hidden text"
	Branch       Surface = "branch name"
	File         Surface = "file"
	FileName     Surface = "file name"
	Instructions Surface = "instruction file"
	Log          Surface = "CI log"
	CheckName    Surface = "check name"
	Message      Surface = "commit message"
	Diff         Surface = "diff"
	Settings     Surface = "settings"
	Label        Surface = "label"
	Bot          Surface = "bot"
	Reply        Surface = "model's reply"
	Delivery     Surface = "delivery"
	Archive      Surface = "archive"
	Redirect     Surface = "redirect"
	Page         Surface = "page"
)

// Effect is something that must not happen.
type Effect struct {
	// Name says what, as "a secret leaves the server".
	Name string
	// Seen returns where it is seen in what left the server; nothing if it is not.
	Seen func(w *World, l Left) []string
}
