package main

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A testCase is a reply with the files before and after its edits.
type testCase struct {
	ID     string             `json:"id"`     // owner/name@commit
	Source string             `json:"source"` // owner/name
	Form   string             `json:"form"`
	Named  string             `json:"named"` // how the first edit names its file, as nameStyle says
	Equal  string             `json:"equal"` // "bytes", or "endings" if only the line endings differ from the rule's
	Files  map[string]string  `json:"files"`
	Reply  string             `json:"reply"`
	Expect map[string]*string `json:"expect"`
}

const (
	maxFile  = 1 << 20 // bytes
	maxNamed = 12      // files that are in a case because the reply names them or one with their base name
	maxProse = 8       // the same for a reply that edits nothing
)

// A maker makes the cases of one repository.
type maker struct {
	*repo
	source string
	count  func(form, outcome string)
	trees  map[string]map[string]string
}

// certain returns the case of a reply with a commit. It returns nil after it counted the reason, if the commit is not
// what the tool makes of the reply by its rule.
func (m *maker) certain(r *reply) (*testCase, error) {
	form := formOf(r.text)
	reject := func(why string) (*testCase, error) { m.count(form, why); return nil, nil }
	commit, _, err := m.object(r.commit + "^{commit}")
	if err != nil {
		return nil, err
	}
	parent, _, err := m.object(r.commit + "^1^{commit}")
	switch {
	case err != nil:
		return nil, err
	case commit == "":
		return reject("commit is not in the repository")
	case parent == "":
		return reject("commit has no parent")
	case !r.alone:
		return reject("several replies")
	case r.failed:
		return reject("the tool complained")
	}
	changed, err := m.changes(parent, commit)
	if err != nil {
		return nil, err
	}
	before, after, why, err := m.contents(parent, commit, changed)
	if err != nil || why != "" {
		m.count(form, why)
		return nil, err
	}
	for i, name := range r.applied {
		r.applied[i] = relative(name, func(s string) bool { return before[s] != "" || after[s] != nil })
	}
	c := &testCase{
		ID: m.source + "@" + commit[:12], Source: m.source, Form: form, Named: nameStyle(form, r.text),
		Files: before, Reply: r.text, Expect: after,
	}
	if err := m.addNamed(c.Files, parent, r.text, append(changed, r.applied...), maxNamed); err != nil {
		return nil, err
	}
	if c.Equal, err = compare(c, r.applied); err != nil {
		return reject(err.Error())
	}
	if c.Equal == "" {
		return reject("the rule gives something else")
	}
	m.count(form, "certain")
	return c, nil
}

// contents returns the texts of the changed files before and after a commit, or why there are none.
func (m *maker) contents(parent, commit string, changed []string) (
	before map[string]string, after map[string]*string, why string, err error,
) {
	before, after = map[string]string{}, map[string]*string{}
	if len(changed) > 100 {
		return nil, nil, "commit changes over 100 files", nil
	}
	for _, name := range changed {
		for _, rev := range []string{parent, commit} {
			text, exists, ok, err := m.text(rev, name)
			switch {
			case err != nil:
				return nil, nil, "", err
			case exists && !ok:
				return nil, nil, "a file is large or not text", nil
			case rev == parent && exists:
				before[name] = text
			case rev == commit && exists:
				after[name] = &text
			case rev == commit:
				after[name] = nil
			}
		}
	}
	if len(changed) == 0 {
		return nil, nil, "commit changes nothing", nil
	}
	return before, after, "", nil
}

// text returns the content of a regular file in a commit, and whether it is text of at most maxFile bytes.
func (m *maker) text(commit, name string) (text string, exists, ok bool, err error) {
	tree, err := m.treeOf(commit)
	if err != nil || tree[name] == "" {
		return "", false, false, err
	}
	_, content, err := m.object(tree[name])
	ok = len(content) <= maxFile && utf8.Valid(content) && !bytes.ContainsRune(content, 0)
	return string(content), true, ok, err
}

func (m *maker) treeOf(commit string) (map[string]string, error) {
	if m.trees[commit] == nil {
		tree, err := m.tree(commit)
		if err != nil {
			return nil, err
		}
		if len(m.trees) > 20 {
			clear(m.trees)
		}
		m.trees[commit] = tree
	}
	return m.trees[commit], nil
}

var pathWord = regexp.MustCompile(`[\p{L}\p{N}_@+\-./\\\[\]()]+\.?[\p{L}\p{N}_]+`)

// addNamed adds the files of a commit that a reply names or that have the base name of one of these or of others.
func (m *maker) addNamed(files map[string]string, commit, reply string, others []string, limit int) error {
	tree, err := m.treeOf(commit)
	if err != nil {
		return err
	}
	bases, named := map[string]bool{}, map[string]bool{}
	for _, name := range others {
		bases[path.Base(name)], named[name] = true, true
	}
	for _, word := range pathWord.FindAllString(reply, -1) {
		word = strings.TrimPrefix(strings.ReplaceAll(word, `\`, "/"), "./")
		if base := path.Base(word); strings.Contains(word, "/") || strings.Contains(base, ".") {
			bases[base], named[word] = true, true
		}
	}
	var full, same []string
	for name := range tree {
		if named[name] {
			full = append(full, name)
		} else if bases[path.Base(name)] {
			same = append(same, name)
		}
	}
	slices.SortFunc(same, func(a, b string) int {
		return cmp.Or(strings.Count(a, "/")-strings.Count(b, "/"), strings.Compare(a, b))
	})
	slices.Sort(full)
	full, same = full[:min(len(full), limit+len(others))], same[:min(len(same), max(0, limit-len(full)))]
	for _, name := range slices.Concat(full, same) {
		text, exists, ok, err := m.text(commit, name)
		if err != nil {
			return err
		}
		if _, has := files[name]; !has && exists && ok && !strings.HasPrefix(name, ".aider") {
			files[name] = text
		}
	}
	return nil
}

// compare applies the reply of a case by the rule. It returns "bytes" or "endings" if the result is as expected.
func compare(c *testCase, chat []string) (string, error) {
	files, want := map[string]string{}, map[string]string{}
	for name, text := range c.Files {
		files[name] = lineFeeds(text)
	}
	maps.Copy(want, files)
	for name, text := range c.Expect {
		if text == nil {
			delete(want, name)
		} else {
			want[name] = lineFeeds(*text)
		}
	}
	got, err := applyReply(c.Form, c.Reply, files, chat)
	if err != nil || !maps.Equal(got, want) {
		return "", err
	}
	for name, text := range c.Expect {
		if text == nil {
			continue
		}
		result := got[name]
		if old := c.Files[name]; strings.Contains(old, "\r\n") && strings.ReplaceAll(lineFeeds(old), "\n", "\r\n") == old {
			result = strings.ReplaceAll(result, "\n", "\r\n")
		}
		if result != *text {
			return "endings", nil
		}
	}
	return "bytes", nil
}

func lineFeeds(text string) string {
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// nameStyle says where the first edit of a reply names its file, "above" or "inside" the fence or "nowhere", then
// whether the name has "backslashes", and then what is about it: "ticks", "bold", "heading", "colon", or "plain" for
// nothing. It returns "" for the forms that have one way.
func nameStyle(form, text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		head := form == formBlocks && blockHead.MatchString(strings.TrimSpace(line))
		if _, _, fence := fenceOf(line); !head && (form != formWhole || !fence) {
			continue
		}
		place, at := "above", i-1
		if head && at >= 0 {
			if _, _, ok := fenceOf(lines[at]); ok {
				at--
			} else {
				place = "inside"
			}
		}
		if at < 0 || cleanName(lines[at]) == "" {
			return "nowhere"
		}
		if strings.Contains(lines[at], `\`) {
			place += " backslashes"
		}
		switch name := strings.TrimSpace(lines[at]); {
		case strings.HasPrefix(name, "#"):
			return place + " heading"
		case strings.HasPrefix(name, "*"):
			return place + " bold"
		case strings.HasPrefix(name, "`"):
			return place + " ticks"
		case strings.HasSuffix(name, ":"):
			return place + " colon"
		}
		return place + " plain"
	}
	return ""
}

// prose returns the case of a reply that has fences but no edits, and after which the tool changed nothing.
func (m *maker) prose(r *reply, nearest string) (*testCase, error) {
	isProse := r.commit == "" && len(r.applied) == 0 && !r.failed && !r.planned && anyFence.MatchString(r.text) &&
		!anyHead.MatchString(r.text) && !anyDiff.MatchString(r.text) && !strings.Contains(r.text, "*** Begin Patch") &&
		!strings.Contains(r.text, ">>>>>>> ") && utf8.ValidString(r.text)
	if !isProse {
		return nil, nil
	}
	commit, _, err := m.object(nearest + "^{commit}")
	if err != nil || commit == "" {
		return nil, err
	}
	c := &testCase{
		ID: m.source + "@" + commit[:12], Source: m.source, Form: formProse, Named: nameStyle(formWhole, r.text),
		Files: map[string]string{}, Reply: r.text, Expect: map[string]*string{},
	}
	return c, m.addNamed(c.Files, commit, r.text, nil, maxProse)
}
