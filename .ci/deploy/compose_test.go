package deploy

import (
	"slices"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
)

// project loads the compose file as `docker compose config` does, with variables as of the file .env.
func project(t *testing.T, env ...string) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{root + "/deploy/compose/compose.yaml"}, cli.WithEnv(env),
		cli.WithDefaultProfiles(), cli.WithWorkingDirectory(root+"/deploy/compose"), cli.WithResolvedPaths(true))
	require.NoError(t, err)
	p, err := options.LoadProject(t.Context())
	require.NoError(t, err)
	return p
}

func TestComposeStartsTenonAloneOnSQLite(t *testing.T) {
	t.Parallel()
	p := project(t)
	require.Equal(t, []string{"tenon"}, p.ServiceNames())
	tenon := p.Services["tenon"]
	require.Empty(t, *tenon.Environment["TENON_DATABASE_URL"], "set to nothing is not set")
	require.True(t, tenon.ReadOnly)
	require.Equal(t, []string{"ALL"}, tenon.CapDrop)
	require.Equal(t, []string{"no-new-privileges:true"}, tenon.SecurityOpt)
	require.Equal(t, "127.0.0.1", tenon.Ports[0].HostIP, "what ends TLS is before it")
	require.GreaterOrEqual(t, tenon.StopGracePeriod.String(), "30s", "tenon ends within 25 seconds")
	require.Equal(t, "/data", tenon.Volumes[0].Target)
}

func TestComposeWithItsProfilesUsesPostgreSQLAndHasAWayIn(t *testing.T) {
	t.Parallel()
	const password = "long"
	p := project(t, "COMPOSE_PROFILES=postgres,https", "POSTGRES_PASSWORD="+password, "TENON_HOST=tenon.example.com")
	names := p.ServiceNames()
	slices.Sort(names)
	require.Equal(t, []string{"caddy", "postgres", "tenon"}, names)
	require.Equal(t, "postgres://tenon:"+password+"@postgres:5432/tenon?sslmode=disable",
		*p.Services["tenon"].Environment["TENON_DATABASE_URL"])
	require.Equal(t, "service_healthy", p.Services["tenon"].DependsOn["postgres"].Condition)
	require.Empty(t, p.Services["postgres"].Ports, "nobody else reaches the database")
	require.Equal(t, "tenon.example.com", *p.Services["caddy"].Environment["TENON_HOST"])
}
