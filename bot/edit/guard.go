package edit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
)

// Guard says which files of a tree a reply may edit, and how exactly its blocks must fit them.
type Guard struct {
	Policy policy.Policy
	// Selection is what the model was shown.
	Selection retrieve.Selection
	Tree      engine.Tree
}

// Protects reports whether no edit of the run may touch a path: what policy protects or hides, and files whose secrets the
// model did not see.
func (g Guard) Protects(name string) bool {
	return g.Policy.Protects(name) || g.Selection.ReadOnly[name] != "" || g.isSecret(name) || g.keptBack(name)
}

// keptBack reports whether there is a file that the settings hide: a failed edit of it would tell what it holds.
func (g Guard) keptBack(name string) bool {
	return policy.FitsGlob(g.Policy.Ignore, name) && g.exists(name)
}

// isSecret reports whether there is a file whose name keeps it from the model. A new one may be made: an example of it, say.
func (g Guard) isSecret(name string) bool {
	return retrieve.SecretName(strings.ToLower(path.Base(name))) && g.exists(name)
}

func (g Guard) exists(name string) bool {
	kind, err := g.Tree.Kind(name)
	return err != nil || kind != engine.Absent
}

// Explain gives the refusals that are no policy their own sentence.
func (g Guard) Explain(results []engine.Result) {
	for i, r := range results {
		if r.Reason != engine.ProtectedPath {
			continue
		}
		if secrets := g.Selection.ReadOnly[r.Path]; secrets != "" {
			results[i].Detail = fmt.Sprintf("The file holds secrets (%s), so the model saw it without them and must not edit it", secrets)
		} else if g.isSecret(r.Path) {
			results[i].Detail = "The file's name says that it holds secrets, so the model does not see it and must not edit it"
		} else if g.keptBack(r.Path) {
			results[i].Detail = "The settings keep the file from the model, so it must not edit it"
		} else if policy.FitsGlob(g.Policy.Protected, r.Path) {
			results[i].Detail = "The settings protect this path"
		}
	}
}

// Shown compares a file of the tree with what the model saw. It must be asked before anything is written.
func (g Guard) Shown(name string) engine.Shown {
	sum, ok := g.Selection.Shown[name]
	if !ok {
		return engine.ShownUnknown
	}
	data, err := g.Tree.ReadFile(name)
	if err != nil {
		return engine.ShownChanged
	}
	if now := sha256.Sum256(data); hex.EncodeToString(now[:]) != sum {
		return engine.ShownChanged
	}
	return engine.ShownSame
}
