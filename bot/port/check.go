package port

// CheckName is the name of the app's check runs in lists of checks.
const CheckName = "tenon"

// Check is a check run. A field with a zero value is left out.
type Check struct {
	Name, SHA string
	// Run and Thread are part of the event when one of its buttons is pressed.
	Run    string
	Thread int
	// Status is "queued", "in_progress" or "completed"; Conclusion, of a completed one, is "success", "neutral", "failure"
	// or "cancelled".
	Status, Conclusion string
	// Title, Summary and Text are Markdown. GitHub accepts 65,535 characters of Summary and of Text.
	Title, Summary, Text string
	// URL is the page of its details.
	URL         string
	Annotations []Annotation
	// Buttons are at most three.
	Buttons []CheckButton
}

// Annotation is a message of a check run about lines of a file.
type Annotation struct {
	Path               string
	StartLine, EndLine int
	// Level is "notice", "warning" or "failure".
	Level, Title, Message string
}

// CheckButton is a button of a check run. GitHub accepts labels of 20 characters, descriptions of 40 and verbs of 20.
type CheckButton struct{ Label, Description, Verb string }
