package ghtest

import (
	"strconv"
)

// pullOfPath returns the pull request in the path, or an error for the number of an issue.
func (c *call) pullOfPath() (*issue, error) {
	n, err := c.number("pull_number")
	if err != nil {
		return nil, err
	}
	if is := c.repo.issues[int(n)]; is != nil && is.pull != nil {
		return is, nil
	}
	return nil, notFound()
}

func getPull(c *call) (*answer, error) {
	is, err := c.pullOfPath()
	if err != nil {
		return nil, err
	}
	return ok(c.pullJSON(is, false))
}

// maxPullFiles: "Responses include a maximum of 3000 files."
const maxPullFiles = 3000

func listPullFiles(c *call) (*answer, error) {
	is, err := c.pullOfPath()
	if err != nil {
		return nil, err
	}
	files, err := c.pullFiles(is)
	if err != nil {
		return nil, err
	}
	return paged(c, files[:min(len(files), maxPullFiles)],
		func(f *fileDiff) object { return c.fileJSON(f, is.pull.headSHA) })
}

// fileJSON returns "diff-entry".
func (c *call) fileJSON(f *fileDiff, commit string) object {
	path := escapePath(f.name)
	o := object{"sha": f.sha, "filename": f.name, "status": f.status, "additions": f.additions, "deletions": f.deletions,
		"changes": f.additions + f.deletions, "blob_url": c.htmlRepoURL(c.repo) + "/blob/" + commit + "/" + path,
		"raw_url":      c.htmlRepoURL(c.repo) + "/raw/" + commit + "/" + path,
		"contents_url": c.repoURL() + "/contents/" + path + "?ref=" + commit}
	if f.patch != "" {
		o["patch"] = f.patch
	}
	if f.previous != "" {
		o["previous_filename"] = f.previous
	}
	return o
}

// countCommits returns the number of commits of a pull request.
func (s *Server) countCommits(is *issue) int {
	out, err := s.known(is.repo.dir, "rev-list", "--count", is.pull.baseSHA+".."+is.pull.headSHA)
	if err != nil {
		s.log.Error("counting commits", "error", err)
	}
	n, _ := strconv.Atoi(out)
	return n
}
