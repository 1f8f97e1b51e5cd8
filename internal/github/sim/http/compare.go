package simhttp

import (
	"net/http"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// compareCommits responds with "commit-comparison" of two commits of the repository itself, BASE...HEAD. "The list of
// changed files is only shown on the first page of results, and it includes up to 300 changed files"; commits are
// listed oldest first, in pages.
func compareCommits(c *call) (*answer, error) {
	if err := c.notEmpty(); err != nil {
		return nil, err
	}
	baseName, headName, ok := strings.Cut(c.vars["basehead"], "...")
	base, head := resolveLagging(c, baseName), resolveLagging(c, headName)
	if !ok || base == "" || head == "" {
		return nil, notFound()
	}
	o := c.repo.Git
	mergeBase, err := o.MergeBase(base, head)
	if err != nil {
		return nil, err
	}
	if mergeBase == "" {
		return nil, entity.Refuse(http.StatusNotFound, "No common ancestor between %s and %s.", baseName, headName)
	}
	ahead, err := o.Log(head, git.Filter{Not: []string{base}})
	if err != nil {
		return nil, err
	}
	behind, err := o.Log(base, git.Filter{Not: []string{head}})
	if err != nil {
		return nil, err
	}
	slices.Reverse(ahead)
	commits, header := cut(c, ahead, c.code().Commit)
	baseCommit, err := o.Commit(base)
	if err != nil {
		return nil, err
	}
	common, err := o.Commit(mergeBase)
	if err != nil {
		return nil, err
	}
	html := c.RepoPage(c.repo) + "/compare/" + c.vars["basehead"]
	body := entity.Object{
		"url": c.repoURL() + "/compare/" + c.vars["basehead"], "html_url": html, "permalink_url": html,
		"diff_url": html + ".diff", "patch_url": html + ".patch", "base_commit": c.code().Commit(baseCommit),
		"merge_base_commit": c.code().Commit(common), "status": comparison(len(ahead), len(behind)),
		"ahead_by": len(ahead), "behind_by": len(behind), "total_commits": len(ahead), "commits": commits,
	}
	if page, _ := c.paging(); page == 1 {
		if body["files"], err = comparedFiles(c, mergeBase, head); err != nil {
			return nil, err
		}
	}
	return &answer{status: http.StatusOK, body: body, header: header}, nil
}

// comparison returns the status of a commit that is some commits ahead of another one, and some behind it.
func comparison(ahead, behind int) string {
	switch {
	case ahead > 0 && behind > 0:
		return "diverged"
	case ahead > 0:
		return "ahead"
	case behind > 0:
		return "behind"
	}
	return "identical"
}

// maxCompared is how many files a comparison lists.
const maxCompared = 300

func comparedFiles(c *call, from, to string) ([]entity.Object, error) {
	changed, err := c.repo.Git.Diff(from, to)
	files := []entity.Object{}
	for _, f := range changed[:min(len(changed), maxCompared)] {
		files = append(files, c.code().File(f, to))
	}
	return files, err
}
