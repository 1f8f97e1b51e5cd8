package ghtest

import "strings"

// placeReviewComment sets the place of a new review comment. For a line that is not in the diff, it returns a 422.
func (s *Server) placeReviewComment(is *issue, by *user, in newReviewComment) (*reviewComment, error) {
	for _, field := range []struct {
		name  string
		value *string
	}{{"body", in.Body}, {"commit_id", in.CommitID}, {"path", in.Path}} {
		if field.value == nil {
			return nil, notSupplied(field.name)
		}
	}
	if err := checkReviewComment(is, by, *in.Body); err != nil {
		return nil, err
	}
	if !s.inPull(is, *in.CommitID) {
		return nil, invalid(noteResource, "pull_request_review_thread.end_commit_oid", "custom",
			"pull_request_review_thread.end_commit_oid is not part of the pull request")
	}
	files, err := s.diff(is.repo, is.pull.baseSHA+"..."+*in.CommitID)
	if err != nil {
		return nil, err
	}
	f := fileNamed(files, *in.Path)
	if f == nil {
		return nil, invalid(noteResource, "pull_request_review_thread.path", "invalid", "")
	}
	rc := &reviewComment{issue: is, thread: &reviewThread{id: s.state.id("review thread")}, body: *in.Body, path: f.name,
		commit: *in.CommitID, original: *in.CommitID,
		side: strings.ToUpper(orElse(in.Side, "RIGHT")), startSide: in.StartSide}
	if in.SubjectType == "file" {
		rc.wholeFile, rc.hunk = true, f.patch
		return rc, nil
	}
	if err := rc.putOn(f, in); err != nil {
		return nil, err
	}
	rc.originalLine, rc.originalStart = rc.line, rc.start
	return rc, nil
}

// inPull reports whether a commit, by its full SHA, is the pull request's head or an ancestor of it.
func (s *Server) inPull(is *issue, sha string) bool {
	if !wholeSHA.MatchString(sha) {
		return false
	}
	_, err := s.known(is.repo.dir, "merge-base", "--is-ancestor", sha, is.pull.headSHA)
	return err == nil
}

func fileNamed(files []*fileDiff, name string) *fileDiff {
	for _, f := range files {
		if f.name == name {
			return f
		}
	}
	return nil
}

func (rc *reviewComment) putOn(f *fileDiff, in newReviewComment) error {
	outside := func(field, message string) error {
		name := "pull_request_review_thread." + field
		return invalid(noteResource, name, "custom", name+" "+message)
	}
	if in.Position != nil && in.Line == nil {
		// "The position value equals the number of lines down from the first "@@" hunk header": the header itself is 0.
		if *in.Position < 1 || *in.Position >= len(f.lines) {
			return outside("position", "is invalid")
		}
		d := f.lines[*in.Position]
		if rc.side, rc.line = "RIGHT", d.right; d.right == 0 {
			rc.side, rc.line = "LEFT", d.left
		}
		rc.hunk = f.hunkUpTo(*in.Position)
		return nil
	}
	if in.Line == nil {
		return notSupplied("line")
	}
	if rc.side != "LEFT" && rc.side != "RIGHT" {
		return invalid(noteResource, "side", "invalid", "")
	}
	at := f.find(rc.side, *in.Line)
	if at < 0 {
		return outside("line", "must be part of the diff")
	}
	rc.line, rc.hunk = *in.Line, f.hunkUpTo(at)
	if in.StartLine == nil {
		return nil
	}
	rc.start, rc.startSide = *in.StartLine, orElse(in.StartSide, rc.side)
	from := f.find(rc.startSide, rc.start)
	switch {
	case from < 0 || f.lines[from].hunk != f.lines[at].hunk:
		return outside("start_line", "must be part of the same hunk as the line.")
	case from >= at:
		return outside("start_line", "must precede the end line.")
	}
	return nil
}

// outdate moves the comments of a pull request to its new head. Comments on changed lines become outdated.
func (s *Server) outdate(is *issue) {
	for _, rc := range is.pull.comments {
		if rc.line == 0 || rc.side == "LEFT" {
			continue
		}
		files, err := s.diffExact(is.repo, rc.commit, is.pull.headSHA, rc.path)
		if err != nil {
			s.log.Error("following a review comment", "error", err)
			continue
		}
		rc.commit = is.pull.headSHA
		rc.line = newLine(files, rc.path, rc.line)
		if rc.start != 0 {
			rc.start = newLine(files, rc.path, rc.start)
		}
		if rc.line == 0 || rc.originalStart != 0 && rc.start == 0 {
			rc.line, rc.start = 0, 0
		}
	}
}

// diffExact returns the diff of a path between two commits, without their merge base.
func (s *Server) diffExact(r *repository, from, to, path string) ([]*fileDiff, error) {
	text, err := s.known(r.dir, "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--unified=0", from, to, "--",
		path)
	if err != nil {
		return nil, err
	}
	var files []*fileDiff
	for _, patch := range splitPatches(text) {
		f := &fileDiff{name: path}
		f.setPatch(patch)
		files = append(files, f)
	}
	return files, nil
}

// newLine returns the number of a line of the old file in the new one, or 0 if the line was changed.
func newLine(files []*fileDiff, path string, line int) int {
	f, shift := fileNamed(files, path), 0
	if f == nil {
		return line
	}
	for _, d := range f.lines {
		switch {
		case d.left == line:
			return 0
		case d.left != 0 && d.left < line:
			shift--
		case d.right != 0 && d.right-shift <= line:
			shift++
		}
	}
	return line + shift
}
