package testdata

import (
	"fmt"
	"strings"
)

// machineParts is how many sources Machine has.
const machineParts = 40

// Machine returns the sources of a machine, by path: 40 files with the same words, each about 5 KB long, which are more
// than a prompt has room for.
func Machine() map[string]string {
	files := map[string]string{}
	for n := range machineParts {
		var text strings.Builder
		fmt.Fprintf(&text, "package parts\n\n// Speed%02d is the speed of the spindle.\nconst Speed%02d = %d\n", n, n, n)
		for i := range 40 {
			fmt.Fprintf(&text, "\n// turn%02d%02d turns the spindle with the belt of the lathe.\n", n, i)
			fmt.Fprintf(&text, "func turn%02d%02d(spindle, belt int) int {\n\treturn spindle*belt + %d\n}\n", n, i, i)
		}
		files[MachinePart(n)] = text.String()
	}
	return files
}

// MachinePart returns the path of a source of Machine, by its number from 0 to 39.
func MachinePart(n int) string { return fmt.Sprintf("parts/part%02d.go", n) }

// SlowPart returns a reply that edits the source of Machine with a number.
func SlowPart(n int) string {
	return Edit(MachinePart(n), fmt.Sprintf("const Speed%02d = %d", n, n), fmt.Sprintf("const Speed%02d = 0", n))
}

// MachinePartsIn returns the paths of the sources of Machine of whose code a question to a model shows something.
func MachinePartsIn(question string) (shown []string) {
	for n := range machineParts {
		if strings.Contains(question, " file "+MachinePart(n)) {
			shown = append(shown, MachinePart(n))
		}
	}
	return shown
}
