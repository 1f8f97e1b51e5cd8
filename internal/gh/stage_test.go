package gh_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// stage is where the contract is played: a simulated GitHub, and the client that is tested. The app is
// installed for the organisation acme on all its repositories. maria owns acme; victor may write to acme/lathe, which
// is public and has the files README.md ("hello\n") and old.txt ("old\n") on main; there are a stranger and the app
// other[bot]. The branch speed has one commit more, of speed.txt ("one\ntwo\nthree\n"), in which the message says
// "Tenon-Run: abc".
//
// Repositories are named "owner/name". An act that GitHub does not allow fails the test.
type stage struct {
	t            *testing.T
	server       *simhttp.Server
	app          *gh.Client
	clock        *clock
	installation int64
	// refs are the repositories as they were first asked for: their names may change.
	refs map[string]port.RepoRef
}

func newStage(t *testing.T) *stage { return openStage(t, false) }

// openStage returns the stage with the client of the App, or with that of a job of acme/lathe.
func openStage(t *testing.T, ofJob bool) *stage {
	t.Helper()
	s := &stage{t: t, clock: &clock{now: time.Now().Truncate(time.Second)}, refs: map[string]port.RepoRef{}}
	var err error
	s.server, err = simhttp.New(simhttp.Options{Memory: true, Key: appKey(), Now: s.clock.Now})
	s.do(err)
	t.Cleanup(func() { require.NoError(t, s.server.Close()) })
	s.do(s.server.Start())
	s.do(s.server.AddOrg("acme", "maria"))
	for _, login := range []string{"victor", "stranger"} {
		s.do(s.server.AddUser(login))
	}
	s.do(s.server.AddBot("other[bot]"))
	s.installation, err = s.server.Install(sim.Installation{Owner: "acme"})
	s.do(err)
	s.app, err = gh.New(gh.Options{AppID: s.server.AppID(), PrivateKey: s.server.PrivateKeyPEM(),
		APIURL: s.server.APIURL(),
		Now:    s.clock.Now, Sleep: s.clock.Sleep})
	s.do(err)
	lathe := sim.Repo{Name: "acme/lathe", Public: true,
		Files: map[string]string{"README.md": "hello\n", "old.txt": "old\n"}}
	s.do(s.server.AddRepo(lathe))
	if ofJob {
		token, err := s.server.NewJobToken(sim.JobToken{Repo: lathe.Name, Permissions: usual()})
		s.do(err)
		s.do(s.server.AllowJobsToOpenPulls(lathe.Name, true))
		s.app, err = gh.New(gh.Options{Token: token, APIURL: s.server.APIURL(), Now: s.clock.Now, Sleep: s.clock.Sleep})
		s.do(err)
	}
	s.SetRole("acme/lathe", "victor", port.PermissionWrite)
	s.Push("acme/lathe", "speed", files(map[string]string{"speed.txt": "one\ntwo\nthree\n"}),
		"Be fast\n\nTenon-Run: abc\n")
	return s
}

func (s *stage) do(err error) {
	s.t.Helper()
	require.NoError(s.t, err)
}

// files returns ordinary files by path.
func files(pairs map[string]string) map[string]sim.File {
	all := map[string]sim.File{}
	for name, data := range pairs {
		all[name] = sim.File{Content: data}
	}
	return all
}

// checkRun is a check run of the app as everybody sees it.
type checkRun struct {
	ID int64
	port.Check
}

// act is do for what people do: it takes a second.
func (s *stage) act(err error) {
	s.t.Helper()
	s.do(err)
	s.clock.advance(time.Second)
}

func (s *stage) App() port.GitHub { return s.app }

func (s *stage) Login() string {
	me, err := s.app.Account(s.t.Context())
	s.do(err)
	return me.Login
}

// Ref asks GitHub for the repository, by its name at first.
func (s *stage) Ref(repo string) port.RepoRef {
	s.t.Helper()
	if known, ok := s.refs[repo]; ok {
		if now, err := s.app.Repository(s.t.Context(), known); err == nil {
			return now
		}
		return known
	}
	owner, name, _ := strings.Cut(repo, "/")
	ref, err := s.app.Sibling(s.t.Context(), port.RepoRef{Installation: s.installation, ID: 1, Owner: owner, Name: name},
		name)
	s.do(err)
	s.refs[repo] = ref
	return ref
}

func (s *stage) Now() time.Time { return s.clock.Now() }

func (s *stage) Pass(d time.Duration) { s.clock.advance(d) }

func (s *stage) AddRepo(repo string, files map[string]string) {
	s.addRepo(sim.Repo{Name: repo, Files: files, Public: true})
}

func (s *stage) AddPrivateRepo(repo string, files map[string]string) {
	s.addRepo(sim.Repo{Name: repo, Files: files, NoDrafts: true})
}

func (s *stage) addRepo(in sim.Repo) {
	s.t.Helper()
	s.do(s.server.AddRepo(in))
	s.Ref(in.Name)
}

func (s *stage) Archive(repo string) { s.do(s.server.Archive(repo, true)) }

func (s *stage) Rename(repo, name string) { s.do(s.server.RenameRepo(repo, name)) }

func (s *stage) DeleteRepo(repo string) { s.do(s.server.DeleteRepo(repo)) }

func (s *stage) SetRole(repo, login string, role port.Permission) {
	s.do(s.server.SetRole(repo, login, entity.Role(role)))
}

// install changes the installation. Tokens of before are good for an hour.
func (s *stage) install(in sim.Installation) {
	in.Owner = "acme"
	_, err := s.server.Install(in)
	s.do(err)
	s.clock.advance(2 * time.Hour)
}

func (s *stage) InstallOn(repos ...string) { s.install(sim.Installation{Repos: repos}) }

func (s *stage) Grant(permissions map[string]string) {
	s.install(sim.Installation{Permissions: permissions})
}

func (s *stage) Suspend() { s.do(s.server.Suspend("acme", true)) }

func (s *stage) Uninstall() { s.do(s.server.Uninstall("acme")) }

func (s *stage) Push(repo, branch string, files map[string]sim.File, message string) string {
	s.t.Helper()
	sha, err := s.server.PushFiles(repo, branch, files, message)
	s.act(err)
	return sha
}

func (s *stage) DeleteBranch(repo, branch string) { s.act(s.server.DeleteBranch(repo, branch)) }

// objects returns the git repository of a repository.
func (s *stage) objects(repo string) *git.Repository {
	s.t.Helper()
	objects, err := s.server.Git(repo)
	s.do(err)
	return objects
}

func (s *stage) BranchAt(repo, branch string) string { return s.objects(repo).Branch(branch) }

func (s *stage) TreeID(repo, sha string) string {
	c, err := s.objects(repo).Commit(sha)
	s.do(err)
	return c.Tree
}

func (s *stage) BlobID(repo, sha, path string) string {
	e, err := s.objects(repo).At(sha, path)
	s.do(err)
	return e.SHA
}

func (s *stage) File(repo, branch, path string) (string, bool) {
	data, err := s.server.File(repo, branch, path)
	return string(data), err == nil
}

func (s *stage) Mode(repo, branch, path string) string {
	objects := s.objects(repo)
	e, err := objects.At(objects.Branch(branch), path)
	if !errors.Is(err, git.ErrNotFound) {
		s.do(err)
	}
	return e.Mode
}

func (s *stage) Commits(repo, branch string) (list []sim.Commit) {
	s.t.Helper()
	all, err := s.server.Commits(repo, branch)
	s.do(err)
	return all
}

func (s *stage) Protect(repo, branch, reason string) { s.do(s.server.Protect(repo, branch, reason)) }

// movesBranch matches the mutations that move a branch.
var movesBranch = regexp.MustCompile("updateRefs|createCommitOnBranch")

// LoseMove breaks the connection when a branch has been moved.
func (s *stage) LoseMove() {
	moves := false
	s.server.Gate(func(at simhttp.Stage, r *http.Request) {
		if at == simhttp.BeforeEffect {
			moves = strings.HasSuffix(r.URL.Path, "/graphql") && movesBranch.MatchString(bodyOf(r))
		} else if moves {
			s.server.Gate(nil)
			panic(http.ErrAbortHandler)
		}
	})
}

func (s *stage) OpenIssue(as, repo, title, body string) int {
	s.t.Helper()
	number, err := s.server.OpenIssue(as, repo, title, body)
	s.act(err)
	return number
}

func (s *stage) OpenPull(as, repo, title, head string) int {
	s.t.Helper()
	number, err := s.server.OpenPull(sim.Pull{As: as, Repo: repo, Title: title, Head: head})
	s.act(err)
	return number
}

func (s *stage) Fork(repo, owner string) {
	_, err := s.server.Fork(repo, owner)
	s.do(err)
}

func (s *stage) RefuseEdits(repo string, number int) { s.do(s.server.AllowEdits(repo, number, false)) }

func (s *stage) SetOpen(repo string, number int, open bool) {
	s.act(s.server.SetOpen(repo, number, open))
}

func (s *stage) Merge(repo string, number int) { s.act(s.server.Merge(repo, number)) }

func (s *stage) Lock(repo string, number int) { s.act(s.server.Lock(repo, number, true)) }

func (s *stage) DeleteIssue(repo string, number int) { s.act(s.server.DeleteIssue(repo, number)) }

func (s *stage) Transfer(repo string, number int, to string) int {
	s.t.Helper()
	moved, err := s.server.TransferIssue(repo, number, to)
	s.act(err)
	return moved
}

func (s *stage) Comment(as, repo string, number int, body string) port.Comment {
	s.t.Helper()
	id, err := s.server.Comment(as, repo, number, body)
	s.act(err)
	return port.Comment{Kind: port.IssueComment, ID: id}
}

func (s *stage) Review(as, repo string, number int, body string) port.Comment {
	s.t.Helper()
	id, err := s.server.Review(as, repo, number, sim.NewReview{Body: body})
	s.act(err)
	c, err := s.app.Comment(s.t.Context(), s.Ref(repo), number, port.Comment{Kind: port.Review, ID: id})
	s.do(err)
	return c
}

func (s *stage) ReviewComment(as, repo string, number int, path string, start, line int, body string) port.Comment {
	s.t.Helper()
	id, err := s.server.ReviewComment(as, repo, number, sim.Place{Path: path, StartLine: start, Line: line}, body)
	s.act(err)
	return port.Comment{Kind: port.ReviewComment, ID: id}
}

func (s *stage) Reply(as, repo string, number int, first port.Comment, body string) port.Comment {
	s.t.Helper()
	id, err := s.server.ReplyTo(as, repo, number, first.ID, body)
	s.act(err)
	return port.Comment{Kind: port.ReviewComment, ID: id}
}

func (s *stage) EditComment(as string, c port.Comment, body string) {
	s.act(s.server.EditComment(as, c.ID, body))
}

func (s *stage) DeleteComment(c port.Comment) {
	if c.Kind == port.ReviewComment {
		s.act(s.server.DeleteReviewComment("maria", c.ID))
		return
	}
	s.act(s.server.DeleteComment("maria", c.ID))
}

func (s *stage) Resolve(c port.Comment) { s.act(s.server.ResolveThread("maria", c.ID)) }

// reactionKinds are the simulated GitHub's names of what can be reacted to.
var reactionKinds = map[port.EventKind]string{
	port.IssueComment: sim.IssueComment, port.ReviewComment: sim.ReviewComment, port.Review: sim.ReviewItself,
}

// get asks GitHub's API without the client that is tested.
func (s *stage) get(path string, out any) {
	s.t.Helper()
	tr, err := ghinstallation.New(http.DefaultTransport, s.server.AppID(), s.installation, s.server.PrivateKeyPEM())
	s.do(err)
	tr.BaseURL = s.server.APIURL()
	resp, err := (&http.Client{Transport: tr}).Get(s.server.APIURL() + path)
	s.do(err)
	defer func() { _ = resp.Body.Close() }()
	s.do(json.NewDecoder(resp.Body).Decode(out))
}

func (s *stage) Reactions(repo string, c port.Comment) (list []string) {
	s.t.Helper()
	if c.Kind == port.IssueBody {
		var all []struct{ Content string }
		s.get(fmt.Sprintf("repos/%s/issues/%d/reactions", repo, c.ID), &all)
		for _, r := range all {
			list = append(list, r.Content)
		}
		return list
	}
	all, err := s.server.Reactions(reactionKinds[c.Kind], c.ID)
	s.do(err)
	for _, r := range all {
		list = append(list, r.Content)
	}
	return list
}

func (s *stage) CheckRuns(repo string) (list []checkRun) {
	s.t.Helper()
	all, err := s.server.CheckRuns(repo)
	s.do(err)
	for _, c := range all {
		run := checkRun{ID: c.ID, Check: port.Check{Name: c.Name, SHA: c.HeadSHA, Status: c.Status,
			Conclusion: c.Conclusion,
			Title:      c.Title, Summary: c.Summary, Text: c.Text, Annotations: make([]port.Annotation, c.Annotations)}}
		if c.Annotations == 0 {
			run.Annotations = nil
		}
		var shown struct {
			ExternalID string `json:"external_id"`
		}
		s.get(fmt.Sprintf("repos/%s/check-runs/%d", repo, c.ID), &shown)
		if id, thread, ok := strings.Cut(shown.ExternalID, "/"); ok {
			run.Run = id
			run.Thread, err = strconv.Atoi(thread)
			s.do(err)
		}
		for _, verb := range c.Actions {
			run.Buttons = append(run.Buttons, port.CheckButton{Verb: verb})
		}
		list = append(list, run)
	}
	return list
}
