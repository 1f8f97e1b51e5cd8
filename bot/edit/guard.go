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

// Guard decides which files of a tree a reply may edit, and how exactly its blocks must match them.
type Guard struct {
	Policy policy.Policy
	// Selection is what the model was shown.
	Selection retrieve.Selection
	Tree      engine.Tree
}

// Protects reports whether edits of a path are forbidden: the policy protects it or hides it from the model, or the
// model saw the file without the secrets in it.
func (g Guard) Protects(name string) bool {
	return g.Policy.Protects(name) || g.Selection.ReadOnly[name] != "" || g.isSecret(name) || g.isIgnored(name)
}

// isIgnored reports whether a path is a file that the settings hide from the model. The result of a failed edit would
// quote it.
func (g Guard) isIgnored(name string) bool {
	return policy.FitsGlob(g.Policy.Ignore, name) && g.exists(name)
}

// isSecret reports whether a path is a file whose name hides it from the model. A reply may create a new file of such a
// name, as ".env.example".
func (g Guard) isSecret(name string) bool {
	return retrieve.SecretName(strings.ToLower(path.Base(name))) && g.exists(name)
}

func (g Guard) exists(name string) bool {
	kind, err := g.Tree.Kind(name)
	return err != nil || kind != engine.Absent
}

// Explain sets the detail of each edit that Protects forbade to a sentence that says why.
func (g Guard) Explain(results []engine.Result) {
	for i, r := range results {
		if r.Reason != engine.ProtectedPath {
			continue
		}
		switch secrets := g.Selection.ReadOnly[r.Path]; {
		case secrets != "":
			results[i].Detail = fmt.Sprintf("The file holds secrets (%s), so the model saw it without them and must not edit it",
				secrets)
		case g.isSecret(r.Path):
			results[i].Detail = "The file's name says that it holds secrets, so the model does not see it and must not edit it"
		case g.isIgnored(r.Path):
			results[i].Detail = "The settings keep the file from the model, so it must not edit it"
		case policy.FitsGlob(g.Policy.Protected, r.Path):
			results[i].Detail = "The settings protect this path"
		}
	}
}

// Shown compares a file of the tree with what the model saw. It must be called before anything is written.
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
