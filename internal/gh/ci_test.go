package gh_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	theCommit    = "1111111111222222222233333333334444444444"
	graphQL      = "POST /graphql"
	checkRunsOf  = "GET " + root + "/commits/" + theCommit + "/check-runs"
	statusOf     = "GET " + root + "/commits/" + theCommit + "/status"
	aStatus      = `{"__typename":"StatusContext","context":"deploy","state":"FAILURE","targetUrl":"https://d.example/1"}`
	oneRun       = `{"total_count":1,"check_runs":[` + aRun + `]}`
	aRun         = `{"id":5,"name":"test","conclusion":"failure","app":{"slug":"inspector"}}`
	oneStatus    = `{"total_count":1,"statuses":[{"context":"deploy","state":"success"}]}`
	notAccepted  = "The permissions requested are not granted to this installation."
	ofTheRollup  = `{"data":{"repository":{"object":{"oid":"` + theCommit + `","statusCheckRollup":%s}}}%s}`
	ofTheContext = `{"contexts":{"pageInfo":{"hasNextPage":false},"nodes":[%s]}}`
)

// contexts is GitHub's answer to the one request, with the nodes and errors of GraphQL.
func contexts(nodes string, errors ...string) response {
	var failed string
	if len(errors) > 0 {
		failed = `,"errors":[` + strings.Join(errors, ",") + `]`
	}
	return ok(fmt.Sprintf(ofTheRollup, fmt.Sprintf(ofTheContext, nodes), failed))
}

// run is a check run in an answer of GraphQL.
func run(app, name, conclusion, more string) string {
	return fmt.Sprintf(`{"__typename":"CheckRun","name":%q,"conclusion":%s,"checkSuite":{"app":{"slug":%q}}%s}`, name,
		conclusion, app, more)
}

func TestTheChecksOfACommitAreOneRequestWithTheTokenOfCheckRuns(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(graphQL, contexts(run("inspector", "lint", `"FAILURE"`, `,"databaseId":7`)+","+aStatus))
	d.on(newCheck, response{status: 201, body: `{"id":8}`})
	got, err := c.CommitChecks(t.Context(), joint, theCommit)
	require.NoError(t, err)
	require.Equal(t, port.CommitChecks{Checks: []port.CommitCheck{
		{Name: "lint", Outcome: port.CheckFailed, Conclusion: "failure", Check: 7, App: "inspector"},
		{Name: "deploy", Outcome: port.CheckFailed, Conclusion: "failure", Page: "https://d.example/1"},
	}}, got)
	_, err = c.CreateCheck(t.Context(), joint, port.Check{Name: "tenon", SHA: theCommit, Status: "in_progress"})
	require.NoError(t, err)
	require.Len(t, d.calls(graphQL), 1)
	require.Len(t, d.calls(mintPath), 1)
	require.Len(t, d.got, 3)
}

func TestWhereGraphQLRefusesTheChecksRESTHasThem(t *testing.T) {
	t.Parallel()
	forbidden := `{"type":"FORBIDDEN","message":"Resource not accessible by integration"}`
	for name, refused := range map[string]response{
		"of a part": contexts(run("inspector", "lint", "null", "")+",null", forbidden),
		"of all parts": ok(fmt.Sprintf(ofTheRollup, `{"contexts":{"pageInfo":{"hasNextPage":false},"nodes":null}}`,
			`,"errors":[`+forbidden+`]`)),
		"of an app": contexts(`{"__typename":"CheckRun","name":"tenon","conclusion":"SUCCESS","checkSuite":{"app":null}}`,
			forbidden),
		"of everything":  ok(fmt.Sprintf(ofTheRollup, "null", `,"errors":[`+forbidden+`]`)),
		"of a field":     ok(`{"errors":[{"message":"Field 'statusCheckRollup' doesn't exist on type 'Commit'"}]}`),
		"of the request": refusal(403, "Resource not accessible by integration"),
		"of the server":  refusal(404, "Not Found"),
		"by a page":      ok("<html>"),
		"by other types": contexts(`{"__typename":"CheckRun","name":7}`),
		"of the name":    ok(`{"data":{"repository":null},"errors":[{"type":"NOT_FOUND","message":"Could not resolve"}]}`),
	} {
		d := newFakeAPI(t)
		d.on(graphQL, refused)
		d.on(checkRunsOf, ok(oneRun))
		d.on(statusOf, ok(oneStatus))
		c := d.client(t)
		got, err := c.CommitChecks(t.Context(), joint, theCommit)
		require.NoError(t, err, name)
		require.Len(t, got.Checks, 2, name)
		require.Equal(t, port.CommitCheck{Name: "test", Outcome: port.CheckFailed, Conclusion: "failure", Check: 5,
			App: "inspector"}, got.Checks[0])
		require.Equal(t, port.CommitCheck{Name: "deploy", Outcome: port.CheckPassed, Conclusion: "success"}, got.Checks[1])
		require.Empty(t, got.Missing)
		require.Equal(t, "filter=latest&per_page=100", d.calls(checkRunsOf)[0].query)

		_, err = c.CommitChecks(t.Context(), joint, theCommit)
		require.NoError(t, err, name)
		require.Len(t, d.calls(graphQL), 1, "it is not asked for again within an hour: %s", name)
		d.advance(time.Hour)
		_, err = c.CommitChecks(t.Context(), joint, theCommit)
		require.NoError(t, err, name)
		require.Len(t, d.calls(graphQL), 2, name)
	}
}

func TestWhatGraphQLHasBesideAnErrorElsewhereCounts(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(graphQL, contexts(run("inspector", "lint", "null", ""), `{"type":"FORBIDDEN","message":"not this field"}`))
	got, err := d.client(t).CommitChecks(t.Context(), joint, theCommit)
	require.NoError(t, err)
	require.Len(t, got.Checks, 1)
	require.Equal(t, port.CheckPending, got.Checks[0].Outcome)
}

func TestAnOutageOfGraphQLIsWaitedOut(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(graphQL, refusal(502, "Bad Gateway"))
	_, err := d.client(t).CommitChecks(t.Context(), joint, theCommit)
	var wait *port.WaitError
	require.ErrorAs(t, err, &wait)
	require.Equal(t, port.GitHubOutage, wait.For)
	require.Empty(t, d.calls(checkRunsOf))
}

func TestACommitThatGitHubDoesNotKnowYetIsNotFound(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(graphQL, ok(`{"data":{"repository":{"object":null}}}`))
	_, err := c.CommitChecks(t.Context(), joint, theCommit)
	require.ErrorIs(t, err, port.ErrNotFound)
	require.Empty(t, d.calls(checkRunsOf))
	d.on(graphQL, refusal(403, "no"))
	d.on(checkRunsOf, refusal(422, "No commit found for SHA: "+theCommit))
	_, err = c.CommitChecks(t.Context(), joint, theCommit)
	require.ErrorIs(t, err, port.ErrNotFound)
}

func TestAnOwnerWhoHasNotAcceptedStatusesHasChecksByANarrowToken(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	c := d.client(t)
	minted := response{status: 201, body: `{"token":"ghs_narrow","expires_at":"2026-11-20T13:00:00Z"}`}
	whole := response{status: 201, body: `{"token":"ghs_whole","expires_at":"2026-11-20T13:30:00Z"}`}
	d.on(mintPath, refusal(422, notAccepted), minted, whole)
	d.on(checkRunsOf, ok(oneRun))
	d.on(newCheck, response{status: 201, body: `{"id":8}`})
	for range 2 {
		got, err := c.CommitChecks(t.Context(), joint, theCommit)
		require.NoError(t, err)
		require.Equal(t, []string{"statuses: read"}, got.Missing)
		require.Len(t, got.Checks, 1)
	}
	_, err := c.CreateCheck(t.Context(), joint, port.Check{Name: "tenon", SHA: theCommit, Status: "in_progress"})
	require.NoError(t, err)
	require.Equal(t, "Bearer ghs_narrow", d.calls(newCheck)[0].auth)
	require.Len(t, d.calls(mintPath), 2)
	require.JSONEq(t, `{"repository_ids":[700],"permissions":{"metadata":"read","checks":"write"}}`,
		d.calls(mintPath)[1].body)

	d.advance(30 * time.Minute)
	other := joint
	other.ID++
	got, err := c.CommitChecks(t.Context(), other, theCommit)
	require.NoError(t, err)
	require.Equal(t, []string{"statuses: read"}, got.Missing)
	require.Len(t, d.calls(mintPath), 3, "what was refused for one repository of the installation is not asked for again")

	d.advance(30 * time.Minute) // meanwhile the owner may have accepted it
	d.on(graphQL, contexts(aStatus))
	for i, repo := range []port.RepoRef{joint, other} {
		got, err := c.CommitChecks(t.Context(), repo, theCommit)
		require.NoError(t, err)
		require.Empty(t, got.Missing)
		require.Equal(t, "Bearer ghs_whole", d.calls(graphQL)[i].auth)
	}
}

// Jobs of a matrix may all have one name. An attempt begins when the one before has ended.
func TestJobsOfOneNameThatRanSideBySideAllCount(t *testing.T) {
	t.Parallel()
	job := func(id int, conclusion, started, ended string) string {
		return run("github-actions", "test", conclusion, fmt.Sprintf(`,"databaseId":%d,"startedAt":"2026-11-20T12:%s:00Z",`+
			`"completedAt":%s,"detailsUrl":"https://g.example/acme/lathe/actions/runs/9/job/%[1]d"`, id, started, ended))
	}
	at := func(minute string) string { return `"2026-11-20T12:` + minute + `:00Z"` }
	for name, c := range map[string]struct {
		jobs []string
		want []port.CheckOutcome
	}{
		"one fails": {[]string{job(101, `"FAILURE"`, "00", at("05")), job(102, `"SUCCESS"`, "00", at("03"))},
			[]port.CheckOutcome{port.CheckFailed, port.CheckPassed}},
		"one runs": {[]string{job(101, "null", "00", "null"), job(102, `"SUCCESS"`, "01", at("03"))},
			[]port.CheckOutcome{port.CheckPending, port.CheckPassed}},
		"another attempt": {[]string{job(103, `"SUCCESS"`, "05", at("07")), job(101, `"FAILURE"`, "00", at("05")),
			job(102, `"FAILURE"`, "00", at("03"))}, []port.CheckOutcome{port.CheckPassed}},
		"another attempt, listed last": {[]string{job(101, `"FAILURE"`, "00", at("05")),
			job(102, `"FAILURE"`, "00", at("03")), job(103, "null", "06", "null")}, []port.CheckOutcome{port.CheckPending}},
	} {
		d := newFakeAPI(t)
		d.on(graphQL, contexts(strings.Join(c.jobs, ",")))
		got, err := d.client(t).CommitChecks(t.Context(), joint, theCommit)
		require.NoError(t, err, name)
		var outcomes []port.CheckOutcome
		for _, check := range got.Checks {
			outcomes = append(outcomes, check.Outcome)
		}
		require.Equal(t, c.want, outcomes, name)
	}
}

func TestASuspendedInstallationIsNoMissingPermission(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(mintPath, refusal(403, "This installation has been suspended"))
	_, err := d.client(t).CommitChecks(t.Context(), joint, theCommit)
	require.ErrorIs(t, err, port.ErrDenied)
	require.Len(t, d.calls(mintPath), 1)
}

func TestTheIDsOfAJobComeFromItsPage(t *testing.T) {
	t.Parallel()
	const page = "https://github.com/octo-org/hello-joint/actions/runs/17000000001/job/48000000002"
	for name, one := range map[string]struct {
		node           string
		check, run, at int64
	}{
		"a job": {run("github-actions", "test", `"SUCCESS"`, `,"databaseId":48000000002,"detailsUrl":"`+page+`"`),
			48000000002, 17000000001, 48000000002},
		"a job whose id has more than 32 bits": {run("github-actions", "test", `"SUCCESS"`,
			`,"databaseId":null,"detailsUrl":"`+page+`","url":"`+page+`"`), 48000000002, 17000000001, 48000000002},
		"a check run whose id has more than 32 bits": {run("inspector", "test", `"SUCCESS"`,
			`,"url":"https://github.com/octo-org/hello-joint/runs/48000000003"`), 48000000003, 0, 0},
		"another app with the page of a job": {run("inspector", "test", `"SUCCESS"`,
			`,"databaseId":48000000002,"detailsUrl":"`+page+`"`), 48000000002, 0, 0},
		"a report of a job with the page of another job": {run("github-actions", "report", `"SUCCESS"`,
			`,"databaseId":48000000009,"detailsUrl":"`+page+`"`), 48000000009, 0, 0},
	} {
		d := newFakeAPI(t)
		d.on(graphQL, contexts(one.node))
		got, err := d.client(t).CommitChecks(t.Context(), joint, theCommit)
		require.NoError(t, err, name)
		require.Equal(t, [3]int64{one.check, one.run, one.at},
			[3]int64{got.Checks[0].Check, got.Checks[0].WorkflowRun, got.Checks[0].Job}, name)
	}
}

func TestChecksAreBoundedAndLinkToTheWebAlone(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(graphQL, contexts(
		run("Tenon", "tenon fix", `"SUCCESS"`, "")+","+
			run("inspector", "lint", `"FAILURE"`, `,"databaseId":1,"title":"Lint","annotations":{"totalCount":12}`)+","+
			run("inspector", "lint", `"STALE"`, `,"databaseId":2,"detailsUrl":"https://i.example/2"`)+","+
			run("inspector", "lint", `"SUCCESS"`, `,"databaseId":1`)+","+
			run("other", "lint", `"A_NEW_WORD"`, `,"databaseId":3,"detailsUrl":"javascript:x","annotations":{"totalCount":2},`+
				`"title":"T","summary":"`+strings.Repeat("é", 3000)+`"`)))
	got, err := d.client(t).CommitChecks(t.Context(), joint, theCommit)
	require.NoError(t, err)
	require.Len(t, got.Checks, 2, "of an app, the newest of a name counts, and its own are left out")
	require.Equal(t, port.CommitCheck{Name: "lint", Outcome: port.CheckCancelled, Conclusion: "stale", Check: 2,
		App: "inspector", Page: "https://i.example/2"}, got.Checks[0])
	require.Equal(t, port.CheckFailed, got.Checks[1].Outcome)
	require.Empty(t, got.Checks[1].Page)
	require.Equal(t, 2, got.Checks[1].Notes)
	require.LessOrEqual(t, len(got.Checks[1].Said), 4000)
	require.True(t, strings.HasPrefix(got.Checks[1].Said, "T\né"))
}
