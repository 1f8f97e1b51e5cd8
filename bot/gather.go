package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what the model is shown.
const (
	// contextTokens is the budget for files; a token is taken as three bytes.
	contextTokens = 24_000
	bytesPerToken = 3
	// maxShownFile is the largest file that is shown.
	maxShownFile = 1 << 20
)

// question is what the model is asked, and what it was shown for it.
type question struct {
	Request Request `json:"request"`
	// Base is the commit whose files were shown.
	Base string `json:"base"`
	// Shown maps each file that the model saw to the SHA-256 of its bytes.
	Shown map[string]string `json:"shown"`
	// LeftOut are files that were meant but not shown, each with the reason.
	LeftOut []leftOut `json:"left_out,omitempty"`
}

type leftOut struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// gather chooses the files and writes the request.
func (s *session) gather(ctx context.Context, head pinned) (question, error) {
	checkout, err := s.checkout(ctx, head.ref(), head.SHA)
	if errors.Is(err, ErrMoved) { // by force, so that the commit is gone
		checkout, err = s.tip(ctx, head)
	}
	if err != nil {
		return question{}, err
	}
	names, err := s.references(ctx, checkout)
	if err != nil {
		return question{}, err
	}
	if err := checkout.Load(ctx, names...); err != nil {
		return question{}, fmt.Errorf("loading %d files: %w", len(names), err)
	}
	q := question{Base: checkout.SHA(), Shown: map[string]string{}}
	var files []prompts.File
	budget := contextTokens * bytesPerToken
	for _, name := range names {
		data, err := checkout.ReadFile(name)
		if err != nil {
			return question{}, fmt.Errorf("reading %s: %w", name, err)
		}
		if why := unfit(name, data, budget); why != "" {
			q.LeftOut = append(q.LeftOut, leftOut{name, why})
			continue
		}
		budget -= len(data)
		sum := sha256.Sum256(data)
		q.Shown[name] = hex.EncodeToString(sum[:])
		files = append(files, prompts.File{Path: name, Text: string(data)})
	}
	q.Request = s.request(head, files)
	return q, nil
}

// unfit says why a file cannot be shown; empty when it can.
func unfit(name string, data []byte, budget int) string {
	switch {
	case secretName(name):
		return "its name says that it holds secrets"
	case len(data) > maxShownFile:
		return "it is larger than 1 MiB"
	case !utf8.Valid(data) || strings.IndexByte(string(data), 0) >= 0:
		return "it is not text"
	case len(data) > budget:
		return "it does not fit into what the model may be shown"
	}
	return ""
}

// secretName tells files that hold credentials by convention; a model never sees them.
func secretName(name string) bool {
	base := strings.ToLower(path.Base(name))
	if strings.HasPrefix(base, ".env") || strings.HasPrefix(base, "id_rsa") || strings.HasPrefix(base, "id_ed25519") || base == ".netrc" || base == ".npmrc" {
		return true
	}
	switch path.Ext(base) {
	case ".pem", ".key", ".p12", ".pfx", ".keystore", ".jks":
		return true
	}
	return false
}

func (s *session) request(head pinned, files []prompts.File) Request {
	system, user := prompts.Fix(prompts.FixInput{
		Title: head.Title,
		Task:  s.inv.text,
		Place: s.place(),
		Files: files,
		Nonce: s.run.ID,
	})
	return Request{System: system, Messages: []Message{{Role: "user", Text: user}}}
}

// place says, for a comment on a line of the diff, where it stands.
func (s *session) place() string {
	c := s.ev.Comment
	switch {
	case c.Path == "":
		return ""
	case c.Line == 0:
		return c.Path
	case c.StartLine != 0 && c.StartLine != c.Line:
		return fmt.Sprintf("%s, lines %d to %d", c.Path, c.StartLine, c.Line)
	default:
		return fmt.Sprintf("%s, line %d", c.Path, c.Line)
	}
}

// checkout opens the repository at a commit; the steps of one attempt share it as long as they want the same one.
func (s *session) checkout(ctx context.Context, ref, sha string) (Checkout, error) {
	if s.opened != nil && s.opened.SHA() == sha {
		return s.opened, nil
	}
	c, err := s.Repos.Open(ctx, s.ev.Repo, ref, sha)
	if err != nil {
		return nil, err
	}
	s.opened = c
	return c, nil
}

// tip opens the branch where it stands now, by git: GitHub's API may lag behind a push.
func (s *session) tip(ctx context.Context, head pinned) (Checkout, error) {
	c, err := s.Repos.Open(ctx, s.ev.Repo, head.ref(), "")
	if errors.Is(err, ErrNotFound) {
		return nil, &UserError{fmt.Sprintf("The branch %s was deleted meanwhile, so nothing was committed.", codeSpan(head.Branch))}
	}
	if err != nil {
		return nil, err
	}
	s.opened = c
	return c, nil
}
