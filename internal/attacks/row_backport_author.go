package attacks

import (
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

var backportAuthor = Attack{
	Name:      "author-of-a-backport",
	Surface:   Message,
	Mechanism: "A merged commit is backported whose author's name contains what CI, trackers and GitHub act upon.",
	Defence:   "An author is only named by a name upon which no program acts.",
	Setup:     func(w *World) { w.Must(w.Server.Branch(w.Repo, "deploy", "")) },
	Plant: func(w *World) {
		repo, err := w.Git(w.HeadRepo)
		w.Must(err)
		by := git.Signature{Name: "x [skip ci] closes #77 @mallory", Email: "x@mallory.io", When: time.Now()}
		parent := repo.Branch(w.Branch)
		tree, err := repo.WriteFiles(parent, map[string]sim.File{"speed.txt": {Content: "faster\n"}})
		w.Must(err)
		sha, err := repo.WriteCommit(git.Commit{Tree: tree, Parents: []string{parent}, Author: by, Committer: by,
			Message: "Be faster\n"})
		w.Must(err)
		w.Must(w.SetBranch(w.HeadRepo, w.Branch, sha))
	},
	Ask: func(w *World) {
		w.Must(w.Merge(w.Repo, w.Number))
		w.before = w.branches()
		w.Says("maria", "/tenon backport deploy")
	},
	Works: func(w *World) bool { return w.hasBranch("tenon/") },
}
