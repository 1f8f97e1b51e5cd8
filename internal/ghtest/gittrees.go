package ghtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// treeEntry is an entry of a new tree. SHA is a string, null to delete the path, or absent if there is content.
type treeEntry struct {
	Path    string          `json:"path"`
	Mode    string          `json:"mode"`
	Type    string          `json:"type"`
	SHA     json.RawMessage `json:"sha"`
	Content *string         `json:"content"`
}

var treeModes = map[string]string{"100644": "blob", "100755": "blob", "120000": "blob", "040000": "tree",
	"160000": "commit"}

func createTree(c *call) (*answer, error) {
	var in struct {
		BaseTree string       `json:"base_tree"`
		Tree     *[]treeEntry `json:"tree"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	switch {
	case in.Tree == nil:
		return nil, notSupplied("tree")
	case len(*in.Tree) == 0:
		return nil, unprocessable("Invalid tree info")
	}
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	for _, e := range *in.Tree {
		if err := c.checkEntry(e); err != nil {
			return nil, err
		}
	}
	sha, err := c.writeTree(in.BaseTree, *in.Tree)
	if err != nil {
		return nil, err
	}
	o, err := c.treeJSON(sha, false)
	if err != nil {
		return nil, err
	}
	return created(o)
}

// dotGit matches the names that are .git on NTFS, with its short names and streams. git would silently omit such a
// path.
var dotGit = regexp.MustCompile(`(?i)^(\.git|git~1)[ .]*($|[:\\])`)

// dropIgnored removes the code points that HFS+ ignores in a name.
func dropIgnored(r rune) rune {
	if r >= 0x200c && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x206a && r <= 0x206f || r == 0xfeff {
		return -1
	}
	return r
}

func (c *call) checkEntry(e treeEntry) error {
	parts := strings.Split(e.Path, "/")
	bad := func(p string) bool {
		return p == "" || p == "." || p == ".." || strings.Contains(p, "\x00") ||
			dotGit.MatchString(strings.Map(dropIgnored, p))
	}
	kind := treeModes[e.Mode]
	null := string(e.SHA) == "null"
	switch {
	case slices.ContainsFunc(parts, bad):
		return unprocessable("tree.path contains a malformed path component")
	case kind == "":
		return unprocessable("Must supply a valid tree.mode")
	case e.Type != "" && e.Type != kind:
		return unprocessable("tree.type does not match tree.mode")
	case (e.SHA != nil) == (e.Content != nil):
		return unprocessable("Must supply either tree.sha or tree.content")
	case e.Content != nil && kind != "blob":
		return unprocessable("tree.content is only for blobs")
	case parts[0] == ".github" && len(parts) > 1 && parts[1] == "workflows" && !c.token.may("workflows", "write"):
		return c.lacks([]string{"contents:write,workflows:write"})
	case e.SHA != nil && !null && !wholeSHA.MatchString(e.sha()), e.SHA != nil && !null && kind != "commit" &&
		!c.hasObject(e.sha(), kind):
		return unprocessable("tree.sha %s is not a valid %s", e.sha(), kind)
	}
	return nil
}

func (e treeEntry) sha() string { return strings.Trim(string(e.SHA), `"`) }

// writeTree writes the tree, by a temporary index.
func (c *call) writeTree(base string, entries []treeEntry) (string, error) {
	dir, err := os.MkdirTemp(c.dir, ".index-")
	if err != nil {
		return "", fmt.Errorf("making a folder for an index: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}
	if base != "" {
		if !c.hasObject(base, "tree") && !c.hasObject(base, "commit") {
			return "", unprocessable("base_tree is not a valid tree oid")
		}
		if _, err := c.gitIn(c.repo.dir, nil, env, "read-tree", base); err != nil {
			return "", err
		}
	}
	for _, e := range entries {
		if err := c.putEntry(env, e); err != nil {
			return "", err
		}
	}
	return c.gitIn(c.repo.dir, nil, env, "write-tree")
}

func (c *call) putEntry(env []string, e treeEntry) error {
	sha := e.sha()
	if e.Content != nil {
		var err error
		if sha, err = c.writeBlob(*e.Content); err != nil {
			return err
		}
	}
	if sha != "null" && e.Mode != "040000" {
		return c.updateIndex(env, fmt.Sprintf("%s %s\t%s\x00", e.Mode, sha, e.Path))
	}
	out, err := c.gitIn(c.repo.dir, nil, env, "ls-files", "-z", "--", ":(literal)"+e.Path)
	switch {
	case err != nil:
		return err
	case out == "" && sha == "null":
		return unprocessable("GitRPC::BadObjectState")
	}
	var gone strings.Builder
	for name := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		if name != "" {
			fmt.Fprintf(&gone, "0 %040d\t%s\x00", 0, name)
		}
	}
	if err := c.updateIndex(env, gone.String()); err != nil || sha == "null" {
		return err
	}
	below, err := c.git(c.repo.dir, "ls-tree", "-r", "-z", sha)
	if err != nil {
		return err
	}
	return c.updateIndex(env, prefixed(below, e.Path+"/"))
}

// prefixed adds a folder to the paths in the output of ls-tree.
func prefixed(listing, folder string) string {
	var b strings.Builder
	for record := range strings.SplitSeq(listing, "\x00") {
		if meta, name, found := strings.Cut(record, "\t"); found {
			b.WriteString(meta + "\t" + folder + name + "\x00")
		}
	}
	return b.String()
}

// updateIndex updates an index by lines of "mode sha\tpath\0", or those of ls-tree. Mode 0 removes a path.
func (c *call) updateIndex(env []string, info string) error {
	_, err := c.gitIn(c.repo.dir, strings.NewReader(info), env, "update-index", "--add", "--replace", "-z", "--index-info")
	return err
}

func getTree(c *call) (*answer, error) {
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	sha := c.vars["sha"]
	if !c.hasObject(sha, "tree") {
		if sha = c.resolve(sha); sha == "" {
			return nil, notFound()
		}
	}
	o, err := c.treeJSON(sha, c.query.Has("recursive"))
	if err != nil {
		return nil, err
	}
	return ok(o)
}

// maxTree and maxTreeBytes: "The limit for the tree array is 100,000 entries with a maximum size of 7 MB when using the
// recursive parameter." Which bytes count is not documented; here they are those of git's format.
const (
	maxTree      = 100_000
	maxTreeBytes = 7 << 20
)

// treeJSON returns "git-tree". "recursive: Setting this parameter to any value returns the objects or subtrees".
func (c *call) treeJSON(sha string, recursive bool) (object, error) {
	args := []string{"ls-tree", "-z", "-l"}
	if recursive {
		args = append(args, "-r", "-t")
	}
	out, err := c.git(c.repo.dir, append(args, sha)...)
	if err != nil {
		return nil, err
	}
	list, size := []object{}, 0
	for record := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		meta, path, found := strings.Cut(record, "\t")
		if size += len("100644 ") + len(path) + 21; recursive && (len(list) == maxTree || size > maxTreeBytes) {
			return c.treeOf(sha, list, true), nil
		}
		f := strings.Fields(meta)
		if !found || len(f) != 4 {
			continue
		}
		o := object{"path": path, "mode": f[0], "type": f[1], "sha": f[2]}
		if f[1] != "commit" {
			o["url"] = c.repoURL() + "/git/" + f[1] + "s/" + f[2]
		}
		if n := 0; f[1] == "blob" {
			_, _ = fmt.Sscan(f[3], &n)
			o["size"] = n
		}
		list = append(list, o)
	}
	return c.treeOf(sha, list, false), nil
}

func (c *call) treeOf(sha string, list []object, truncated bool) object {
	return object{"sha": sha, "url": c.repoURL() + "/git/trees/" + sha, "tree": list, "truncated": truncated}
}
