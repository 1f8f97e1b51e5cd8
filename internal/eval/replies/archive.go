package replies

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// archiveForm is the form of all cases that are archives.
const archiveForm = "txtar"

// parseArchive reads a case from a txtar archive: the files reply, before/PATH and after/PATH. The latter are all files
// that there are afterwards; without any, nothing may change.
func parseArchive(id string, data []byte) (Case, error) {
	c := Case{ID: id, Form: archiveForm, Files: map[string]string{}}
	after := map[string]*string{}
	seen := map[string]bool{}
	for _, f := range txtar.Parse(data).Files {
		if seen[f.Name] {
			return Case{}, fmt.Errorf("it has %s twice", f.Name)
		}
		seen[f.Name] = true
		text := string(f.Data)
		if f.Name == "reply" {
			c.Reply = text
		} else if name, ok := strings.CutPrefix(f.Name, "before/"); ok {
			c.Files[name] = text
		} else if name, ok := strings.CutPrefix(f.Name, "after/"); ok {
			after[name] = &text
		} else {
			return Case{}, fmt.Errorf("its files are reply, before/PATH and after/PATH, not %s", f.Name)
		}
	}
	if !seen["reply"] {
		return Case{}, errors.New("it has no file named reply")
	}
	if len(after) == 0 {
		return c, nil
	}
	for name := range c.Files {
		if _, stays := after[name]; !stays {
			after[name] = nil
		}
	}
	c.Expect = after
	return c, nil
}
