package edit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
)

// Guard decides which files of a tree a reply may edit, and how exactly its blocks must match them.
type Guard struct {
	Policy policy.Policy
	// Selection is what the model was shown.
	Selection retrieve.Selection
	Tree      engine.Tree
	// Masked are the files of the run without their secrets; nil for those of a run that has masked none yet.
	Masked *secret.Files
}

// Protects reports whether edits of a path are forbidden: the policy protects it or hides it from the model, or the
// file has secrets in it, whether the model saw it without them or not at all.
func (g Guard) Protects(name string) bool {
	return g.Policy.Protects(name) || g.Selection.ReadOnly[name] != "" || g.isSecret(name) || g.isIgnored(name) ||
		g.secretsIn(name) != ""
}

// unchecked is said of a file for which there was no room to look for secrets.
const unchecked = "not checked"

// secretsIn returns what kinds of secrets a file has; empty if it has none. The result of an edit would quote it, and
// what an edit makes of a line that nobody is shown cannot be reviewed.
func (g Guard) secretsIn(name string) string {
	if kind, err := g.Tree.Kind(name); err != nil || kind != engine.File {
		return ""
	}
	data, err := g.Tree.ReadFile(name)
	if err != nil {
		return "" // the engine says so
	}
	files := g.Masked
	if files == nil {
		files = secret.NewFiles()
	}
	masked, _, ok := files.Mask(data)
	if !ok {
		return unchecked
	}
	return strings.Join(masked.Kinds(), ", ")
}

// maxParts is how many parts of a file a sentence names.
const maxParts = 5

// Unseen says, in a sentence without a full stop, why the model cannot give all of a file: it saw none of it, or some
// lines. It is empty if the model can, and if it is not known what the author of an edit saw.
func (g Guard) Unseen(name string) string {
	const instead = "so it cannot give all of it; it has to say which lines it replaces"
	if len(g.Selection.Shown) == 0 || !g.exists(name) {
		return ""
	}
	if _, ok := g.Selection.Shown[name]; !ok {
		return "The model did not see this file, " + instead
	}
	for _, f := range g.Selection.Files {
		if f.Path != name || len(f.Parts) == 0 {
			continue
		}
		var parts []string
		for _, p := range f.Parts[:min(len(f.Parts), maxParts)] {
			parts = append(parts, fmt.Sprintf("%d–%d", p.From, p.To))
		}
		if more := len(f.Parts) - len(parts); more > 0 {
			parts = append(parts, fmt.Sprintf("and %d more", more))
		}
		return fmt.Sprintf("The model saw only lines %s of the %d lines of this file, %s", strings.Join(parts, ", "), f.Lines,
			instead)
	}
	return ""
}

// Withholds reports whether a path is a file of which nothing may be shown, for its name or by the settings.
func (g Guard) Withholds(name string) bool { return g.isSecret(name) || g.isIgnored(name) }

// isIgnored reports whether a path is a file that the settings hide from the model. The result of a failed edit would
// quote it.
func (g Guard) isIgnored(name string) bool {
	return policy.FitsGlob(g.Policy.Ignore, name) && g.exists(name)
}

// isSecret reports whether a path is a file whose name hides it from the model. A reply may create a new file of such a
// name, as ".env.example".
func (g Guard) isSecret(name string) bool {
	return retrieve.SecretName(g.Policy, name) && g.exists(name)
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
		name := r.Path
		if to := r.Block.MoveTo; to != "" && !g.Protects(name) {
			name = path.Clean(to)
		}
		switch secrets := g.Selection.ReadOnly[name]; {
		case secrets != "":
			results[i].Detail = fmt.Sprintf(
				"The file contains secrets (%s), so the model saw it without them and must not edit it",
				secrets)
		case secret.InPath(name):
			results[i].Detail = policy.SecretInPath
		case g.isSecret(name):
			results[i].Detail = "The file's name says that it contains secrets, so the model neither sees nor edits it"
		case g.secretsIn(name) == unchecked:
			results[i].Detail = "Too much was edited at once to check this file for secrets; edit less at a time"
		case g.secretsIn(name) != "":
			results[i].Detail = fmt.Sprintf("The file contains secrets (%s), so tenon does not change it", g.secretsIn(name))
		case g.isIgnored(name):
			results[i].Detail = "The settings hide the file from the model, so it must not edit it"
		default:
			if why := g.Policy.WhyProtected(name); why != "" {
				results[i].Detail = why
			}
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
