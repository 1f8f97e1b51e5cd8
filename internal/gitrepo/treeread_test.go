package gitrepo

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// rawTree returns a tree object of entries given as "mode name".
func rawTree(entries ...string) []byte {
	var data []byte
	for _, e := range entries {
		data = append(append(data, e...), 0)
		data = append(data, make([]byte, len(oid{}))...)
	}
	return data
}

// readTree returns the names of a tree's entries.
func readTree(data []byte) (names []string, err error) {
	t := treeReader{data: data}
	for {
		e, ok, err := t.next()
		if err != nil || !ok {
			return names, err
		}
		names = append(names, string(e.name))
	}
}

func TestTreesThatFsckRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"up":              {rawTree("100644 .."), "leads out of its folder"},
		"here":            {rawTree("100644 ."), "leads out of its folder"},
		"git":             {rawTree("40000 .git"), "is git's own folder"},
		"GIT":             {rawTree("100644 .GiT"), "is git's own folder"},
		"short name":      {rawTree("100644 GIT~1"), "is git's own folder"},
		"stream":          {rawTree("100644 .git::$INDEX_ALLOCATION"), "is git's own folder"},
		"dots":            {rawTree("100644 .git . ."), "is git's own folder"},
		"ignorable":       {rawTree("100644 .g\u200cit"), "is git's own folder"},
		"ignorable first": {rawTree("100644 \ufeff.git"), "is git's own folder"},
		"slash":           {rawTree("100644 a/b"), "has a slash"},
		"empty":           {rawTree("100644 "), "is empty"},
		"unsorted":        {rawTree("100644 b", "100644 a"), "unsorted or duplicate"},
		"folder order":    {rawTree("40000 a", "100644 a.b"), "unsorted or duplicate"},
		"twice":           {rawTree("100644 a", "100644 a"), "unsorted or duplicate"},
		"file and folder": {rawTree("100644 a", "100644 a-b", "40000 a"), "unsorted or duplicate"},
		"nested doubles":  {rawTree("100644 a", "100644 a-", "100644 a-b", "40000 a-", "40000 a"), "unsorted or duplicate"},
		"unknown mode":    {rawTree("100600 a"), "unknown mode"},
		"no octal mode":   {rawTree("100648 a"), "unknown mode"},
		"long mode":       {rawTree("00100644 a"), "unknown mode"},
		"no mode":         {rawTree("a"), "damaged tree"},
		"half an id":      {rawTree("100644 a")[:20], "damaged tree"},
		"no end":          {[]byte("100644 a"), "damaged tree"},
	} {
		_, err := readTree(c.data)
		var user *port.UserError
		require.ErrorAs(t, err, &user, name)
		require.Contains(t, user.Text, c.says, name)
	}
}

func TestNamesThatOnlyLookOdd(t *testing.T) {
	t.Parallel()
	names, err := readTree(rawTree("100644 ...", "100644 .gitignore", "100644 .gitx", "100644 a", "40000 a-", "100644 a-b",
		"100644 a.b",
		"100755 b", "40000 c", "100644 c0", "100644 git", "100644 git~2", "120000 x", "160000 y"))
	require.NoError(t, err)
	require.Len(t, names, 14)
}

func FuzzTree(f *testing.F) {
	f.Add(rawTree("100644 a", "40000 b"))
	f.Add(rawTree("100644 a", "100644 a-b", "40000 a"))
	f.Add(rawTree("100644 .g\u200cit"))
	f.Fuzz(func(t *testing.T, data []byte) {
		names, err := readTree(data)
		if err != nil {
			require.True(t, errors.As(err, new(*port.UserError)))
			return
		}
		seen := map[string]bool{}
		for _, name := range names {
			require.False(t, seen[name], "twice: %q", name)
			require.NotContains(t, []string{"", ".", "..", ".git"}, name)
			seen[name] = true
		}
	})
}
