package record

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

var update = flag.Bool("update", false, "add the forms of new versions to testdata/forms.txt")

// forms has a line for each version of each step's form: the step, the version, and a sum of the form. Lines are
// added and never changed: a program must read what all programs before it stored.
const forms = "testdata/forms.txt"

// A changed form without a new version would be read wrongly by a program that knows the old one, and the other way
// round.
func TestAChangedFormHasANewVersion(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(forms)
	require.NoError(t, err)
	known := map[string]string{}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		require.Len(t, fields, 3, line)
		version := fields[0] + " " + fields[1]
		require.NotContains(t, known, version, "a version has one form")
		known[version] = fields[2]
	}
	var added []string
	for _, f := range currentForms() {
		version := fmt.Sprintf("%s %d", f.step, f.version)
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte(f.form)))[:16]
		if _, ok := known[version]; !ok {
			added = append(added, version+" "+sum)
			continue
		}
		require.Equal(t, known[version], sum,
			"The form of step %q is not that of its version %d any more. Give the step the next version in "+
				"step.go, read the old form in decode, and run this test with -update. The form is now:\n%s", f.step, f.version,
			f.form)
	}
	if *update && len(added) > 0 {
		data = append(data, strings.Join(added, "\n")+"\n"...)
		require.NoError(t, os.WriteFile(forms, data, 0o600))
		added = nil
	}
	require.Empty(t, added, "versions without a line in %s: run this test with -update", forms)
}

type form struct {
	step    string
	version int
	form    string
}

func currentForms() []form {
	out := []form{formOf(Asked(1)), formOf(Applied(1)), formOf(Verified(1)), formOf(Resolved(1)),
		formOf(AnsweredThread(1)), formOf(PicksSettled(1)), formOf(PicksMade(1)), formOf(BackportOpened(1)),
		{"event", 9, describe(reflect.TypeFor[port.Event](), nil)}}
	for _, s := range steps {
		out = append(out, s.(interface{ described() form }).described())
	}
	return out
}

// described returns the form of a step.
func (s Step[T]) described() form { return formOf(s) }

func formOf[T any](s Step[T]) form {
	return form{s.name, s.version, describe(reflect.TypeFor[T](), nil)}
}

// describe writes a type as its JSON has it: names, kinds and options, without the names of Go.
func describe(t reflect.Type, within []reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "time"
	case slices.Contains(within, t):
		return "again"
	}
	within = append(within, t)
	switch t.Kind() {
	case reflect.Pointer:
		return describe(t.Elem(), within)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[" + describe(t.Elem(), within) + "]"
	case reflect.Map:
		return "{" + t.Key().Kind().String() + ": " + describe(t.Elem(), within) + "}"
	case reflect.Struct:
		var fields []string
		for i := range t.NumField() {
			f := t.Field(i)
			tag := f.Tag.Get("json")
			switch {
			case tag == "-" || !f.IsExported() && !f.Anonymous:
			case f.Anonymous && tag == "":
				fields = append(fields, strings.Trim(describe(f.Type, within), "{}"))
			case tag == "":
				fields = append(fields, f.Name+" "+describe(f.Type, within))
			default:
				fields = append(fields, tag+" "+describe(f.Type, within))
			}
		}
		slices.Sort(fields)
		return "{" + strings.Join(fields, "; ") + "}"
	default:
		return t.Kind().String()
	}
}
