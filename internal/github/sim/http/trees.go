package simhttp

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// treeEntry is an entry of a new tree. SHA is a string, null to delete the path, or absent if there is content.
type treeEntry struct {
	Path    string          `json:"path"`
	Mode    string          `json:"mode"`
	Type    string          `json:"type"`
	SHA     json.RawMessage `json:"sha"`
	Content *string         `json:"content"`
}

func (e treeEntry) deletes() bool { return string(e.SHA) == "null" }

func (e treeEntry) sha() string { return strings.Trim(string(e.SHA), `"`) }

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
		return nil, entity.NotSupplied("tree")
	case len(*in.Tree) == 0:
		return nil, entity.Unprocessable("Invalid tree info")
	}
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	for _, e := range *in.Tree {
		if err := checkEntry(c, e); err != nil {
			return nil, err
		}
	}
	sha, err := writeTree(c, in.BaseTree, *in.Tree)
	if err != nil {
		return nil, err
	}
	o, err := treeJSON(c, sha, false)
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

func checkEntry(c *call, e treeEntry) error {
	parts := strings.Split(e.Path, "/")
	bad := func(p string) bool {
		return p == "" || p == "." || p == ".." || strings.Contains(p, "\x00") ||
			dotGit.MatchString(strings.Map(dropIgnored, p))
	}
	kind := treeModes[e.Mode]
	switch {
	case slices.ContainsFunc(parts, bad):
		return entity.Unprocessable("tree.path contains a malformed path component")
	case kind == "":
		return entity.Unprocessable("Must supply a valid tree.mode")
	case e.Type != "" && e.Type != kind:
		return entity.Unprocessable("tree.type does not match tree.mode")
	case (e.SHA != nil) == (e.Content != nil):
		return entity.Unprocessable("Must supply either tree.sha or tree.content")
	case e.Content != nil && kind != "blob":
		return entity.Unprocessable("tree.content is only for blobs")
	case parts[0] == ".github" && len(parts) > 1 && parts[1] == "workflows" && !c.token.May("workflows", "write"):
		return lacks(c, []string{"contents:write,workflows:write"})
	case e.SHA != nil && !e.deletes() &&
		(!wholeSHA.MatchString(e.sha()) || kind != git.KindCommit && !c.hasObject(e.sha(), kind)):
		return entity.Unprocessable("tree.sha %s is not a valid %s", e.sha(), kind)
	}
	return nil
}

// writeTree writes a tree of a base and entries.
func writeTree(c *call, base string, entries []treeEntry) (string, error) {
	if base != "" && !c.hasObject(base, git.KindTree) && !c.hasObject(base, git.KindCommit) {
		return "", entity.Unprocessable("base_tree is not a valid tree oid")
	}
	changes := make([]git.Entry, len(entries))
	for i, e := range entries {
		changes[i] = git.Entry{Path: e.Path, Mode: e.Mode}
		switch {
		case e.Content != nil:
			var err error
			if changes[i].SHA, err = c.repo.Git.WriteBlob([]byte(*e.Content)); err != nil {
				return "", err
			}
		case !e.deletes():
			changes[i].SHA = e.sha()
		}
	}
	sha, err := c.repo.Git.WriteTree(base, changes)
	if errors.Is(err, git.ErrNotFound) {
		return "", entity.Unprocessable("GitRPC::BadObjectState")
	}
	return sha, err
}

func getTree(c *call) (*answer, error) {
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	sha := c.vars["sha"]
	if !c.hasObject(sha, git.KindTree) {
		if sha = c.resolve(sha); sha == "" {
			return nil, notFound()
		}
	}
	o, err := treeJSON(c, sha, c.query.Has("recursive"))
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
func treeJSON(c *call, sha string, recursive bool) (entity.Object, error) {
	read := c.repo.Git.Tree
	if recursive {
		read = c.repo.Git.TreeRecursive
	}
	entries, err := read(sha)
	if err != nil {
		return nil, err
	}
	list, size := []entity.Object{}, 0
	for _, e := range entries {
		if size += len("100644 ") + len(e.Path) + 21; recursive && (len(list) == maxTree || size > maxTreeBytes) {
			return c.code().Tree(sha, list, true), nil
		}
		o := entity.Object{"path": e.Path, "mode": e.Mode, "type": e.Kind(), "sha": e.SHA}
		if e.Kind() != git.KindCommit {
			o["url"] = c.repoURL() + "/git/" + e.Kind() + "s/" + e.SHA
		}
		if e.Kind() == git.KindBlob {
			o["size"] = e.Size
		}
		list = append(list, o)
	}
	return c.code().Tree(sha, list, false), nil
}
