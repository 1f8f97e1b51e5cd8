// Package deploy checks what the folder deploy has for operators: the Helm chart by Helm, what comes out of it by the types
// of Kubernetes, the compose file by Compose, the examples of reverse proxies by these proxies themselves.
package deploy

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/lint"
	"helm.sh/helm/v4/pkg/chart/v2/lint/support"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	"helm.sh/helm/v4/pkg/strvals"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
)

var update = flag.Bool("update", false, "write the manifests of deploy/kubernetes")

const (
	root     = "../.."
	chartDir = root + "/deploy/helm/tenon"
)

// values reads a file of the chart's examples, and settings as of helm's flag --set.
func values(t *testing.T, example string, sets ...string) map[string]any {
	t.Helper()
	out := map[string]any{}
	if example != "" {
		data, err := os.Open(filepath.Join(chartDir, "examples", example))
		require.NoError(t, err)
		defer func() { _ = data.Close() }()
		out, err = loader.LoadValues(data)
		require.NoError(t, err)
	}
	for _, set := range sets {
		require.NoError(t, strvals.ParseInto(set, out))
	}
	return out
}

// template is `helm template`, with the check of the values by their schema.
func template(t *testing.T, release string, values map[string]any) (map[string]string, error) {
	t.Helper()
	chart, err := loader.LoadDir(chartDir)
	require.NoError(t, err)
	top, err := util.ToRenderValues(chart, values, common.ReleaseOptions{Name: release, Namespace: "tenon", Revision: 1,
		IsInstall: true}, nil)
	if err != nil {
		return nil, err
	}
	return engine.Engine{Strict: true}.Render(chart, top)
}

// render returns the manifests of an example by kind and name.
func render(t *testing.T, release, example string, sets ...string) cluster {
	t.Helper()
	files, err := template(t, release, values(t, example, sets...))
	require.NoError(t, err)
	objects := cluster{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Ext(name) == ".yaml" {
			objects.add(t, name, files[name])
		}
	}
	objects.check(t)
	return objects
}

func examples(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(chartDir, "examples"))
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	require.NotEmpty(t, names)
	return names
}

func TestHelmLintFindsNothing(t *testing.T) {
	t.Parallel()
	for _, example := range append(examples(t), "") {
		for _, m := range lint.RunAll(chartDir, values(t, example), "tenon").Messages {
			require.Less(t, m.Severity, support.WarningSev, "%s: %s", example, m)
		}
	}
}

func TestEveryExampleIsWhatKubernetesKnows(t *testing.T) {
	t.Parallel()
	for _, example := range examples(t) {
		t.Run(example, func(t *testing.T) {
			t.Parallel()
			render(t, "tenon", example)
			render(t, "a-release-with-a-name-that-is-as-long-as-helm-allows", example,
				"metrics.enabled=true", "serviceAccount.name=mine", "podLabels.team=platform", "podAnnotations.note=x",
				"extraEnv[0].name=OTEL_EXPORTER_OTLP_ENDPOINT", "extraEnv[0].value=http://collector:4318",
				"extraVolumes[0].name=more", "extraVolumeMounts[0].name=more", "extraVolumeMounts[0].mountPath=/more",
				"nodeSelector.disk=fast", "tolerations[0].key=x", "priorityClassName=high", "imagePullSecrets[0].name=pull",
				"service.annotations.a=b", "image.digest=sha256:"+strings.Repeat("a", 64))
		})
	}
}

// What would go wrong at run time, or silently, is refused with a sentence that says what to do.
func TestValuesThatCannotWorkAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		example string
		sets    []string
		want    string
	}{
		"several replicas on SQLite":         {"sqlite.yaml", []string{"replicas=2"}, "replicas is 2, and SQLite allows one"},
		"PostgreSQL without its URL":         {"sqlite.yaml", []string{"database.kind=postgresql"}, "set database.urlSecret.name"},
		"a URL that SQLite ignores":          {"sqlite.yaml", []string{"database.urlSecret.name=x"}, "database.kind is sqlite"},
		"an engine that there is not":        {"sqlite.yaml", []string{"database.kind=mysql"}, "one of"},
		"PostgreSQL without an App":          {"postgresql.yaml", []string{"app.secret.name="}, "app.secret.name is empty"},
		"settings without an App":            {"sqlite.yaml", []string{"app.secret.name="}, "app.secret.name is empty"},
		"an App without an id":               {"sqlite.yaml", []string{"config.app_id=null"}, "config.app_id is missing"},
		"settings twice":                     {"sqlite.yaml", []string{"app.settingsSecret.name=x"}, "app.settingsSecret has all settings"},
		"a secret among the values":          {"sqlite.yaml", []string{"config.webhook_secret=x"}, "does not belong in the values"},
		"the client secret among the values": {"sqlite.yaml", []string{"config.client_secret=x"}, "extraEnv is for that"},
		"a password among the values":        {"postgresql.yaml", []string{"config.database_url=x"}, "does not belong in the values"},
		"a proxy with a password":            {"sqlite.yaml", []string{"proxy.https=http://me:secret@proxy:3128"}, "does not match pattern"},
		"models without a default":           {"postgresql.yaml", []string{"config.model=null"}, "Helm does not keep their order"},
		"a ServiceMonitor of nothing":        {"sqlite.yaml", []string{"metrics.serviceMonitor.enabled=true"}, "needs metrics.enabled"},
		"a way in without a host":            {"sqlite.yaml", []string{"ingress.enabled=true"}, "needs ingress.host"},
		"a route without a gateway":          {"enterprise.yaml", []string{"httpRoute.enabled=true"}, "needs httpRoute.parentRefs"},
		"a misspelt value":                   {"sqlite.yaml", []string{"replica=2"}, "additional properties 'replica' not allowed"},
		"a digest that is none":              {"sqlite.yaml", []string{"image.digest=latest"}, "does not match pattern"},
		"a budget that lets nobody move":     {"postgresql.yaml", []string{"podDisruptionBudget.maxUnavailable=0"}, "maxUnavailable"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := template(t, "tenon", values(t, c.example, c.sets...))
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestNoSecretIsNeededInTheValues(t *testing.T) {
	t.Parallel()
	pod := render(t, "tenon", "postgresql.yaml").deployment(t).Spec.Template.Spec
	for _, e := range pod.Containers[0].Env {
		require.Nil(t, e.ValueFrom, "a secret in the environment is shown by kubectl describe of what reads it: %s", e.Name)
	}
	var mounted []string
	for _, v := range pod.Volumes {
		if v.Projected == nil {
			continue
		}
		require.Equal(t, int32(0o440), *v.Projected.DefaultMode)
		for _, source := range v.Projected.Sources {
			mounted = append(mounted, source.Secret.Name)
		}
	}
	require.Equal(t, []string{"tenon", "tenon-database"}, mounted)
}

func TestOneReplicaOnSQLiteIsNeverTwo(t *testing.T) {
	t.Parallel()
	objects := render(t, "tenon", "sqlite.yaml")
	d := objects.deployment(t)
	require.Equal(t, appsv1.RecreateDeploymentStrategyType, d.Spec.Strategy.Type)
	require.Equal(t, int32(1), *d.Spec.Replicas)
	claim := objects["PersistentVolumeClaim/tenon-data"].(*corev1.PersistentVolumeClaim)
	require.Equal(t, "keep", claim.Annotations["helm.sh/resource-policy"], "uninstalling the release keeps the database")
	require.NotContains(t, objects, "PodDisruptionBudget/tenon", "of one replica it would keep nodes from being drained")
	files, err := template(t, "tenon", values(t, "sqlite.yaml", "persistence.existingClaim=mine"))
	require.NoError(t, err)
	require.Empty(t, strings.TrimSpace(files["tenon/templates/pvc.yaml"]))
	require.Contains(t, files["tenon/templates/deployment.yaml"], "claimName: mine")
}

func TestSeveralReplicasOnPostgreSQLAreUpgradedWithoutAPause(t *testing.T) {
	t.Parallel()
	objects := render(t, "tenon", "postgresql.yaml")
	d := objects.deployment(t)
	require.Equal(t, 0, d.Spec.Strategy.RollingUpdate.MaxUnavailable.IntValue())
	budget := objects["PodDisruptionBudget/tenon"].(*policyv1.PodDisruptionBudget)
	require.Equal(t, 1, budget.Spec.MaxUnavailable.IntValue())
	require.Equal(t, d.Spec.Selector, budget.Spec.Selector)
	require.NotContains(t, objects, "PersistentVolumeClaim/tenon-data")
	pod := d.Spec.Template.Spec
	wait := pod.Containers[0].Lifecycle.PreStop.Sleep.Seconds
	require.GreaterOrEqual(t, *pod.TerminationGracePeriodSeconds, wait+25, "tenon ends within 25 seconds")
}

func TestThePodMayDoNothingThatTenonDoesNot(t *testing.T) {
	t.Parallel()
	pod := render(t, "tenon", "sqlite.yaml").deployment(t).Spec.Template.Spec
	require.False(t, *pod.AutomountServiceAccountToken)
	require.False(t, *pod.EnableServiceLinks, "a Service called tenon would give variables that begin with TENON_")
	require.True(t, *pod.SecurityContext.RunAsNonRoot)
	require.Equal(t, corev1.SeccompProfileTypeRuntimeDefault, pod.SecurityContext.SeccompProfile.Type)
	c := pod.Containers[0].SecurityContext
	require.False(t, *c.AllowPrivilegeEscalation)
	require.True(t, *c.ReadOnlyRootFilesystem)
	require.Equal(t, []corev1.Capability{"ALL"}, c.Capabilities.Drop)
}

func TestProbesAskWhatTheyDecideAbout(t *testing.T) {
	t.Parallel()
	c := render(t, "tenon", "sqlite.yaml").deployment(t).Spec.Template.Spec.Containers[0]
	require.Equal(t, "/healthz", c.LivenessProbe.HTTPGet.Path, "a restart would not bring back a database")
	require.Equal(t, "/readyz", c.ReadinessProbe.HTTPGet.Path)
	require.GreaterOrEqual(t, c.StartupProbe.FailureThreshold*c.StartupProbe.PeriodSeconds, int32(600), "a migration takes its time")
}

func TestTheNetworkPolicyAllowsWhatTenonNeedsAndNoMore(t *testing.T) {
	t.Parallel()
	policy := render(t, "tenon", "postgresql.yaml")["NetworkPolicy/tenon"].(*networkingv1.NetworkPolicy)
	require.Len(t, policy.Spec.Ingress, 2)
	require.Equal(t, "metrics", policy.Spec.Ingress[1].Ports[0].Port.StrVal)
	require.Equal(t, "monitoring", policy.Spec.Ingress[1].From[0].NamespaceSelector.MatchLabels["kubernetes.io/metadata.name"])
	require.Equal(t, []int{443, 5432, 11434}, egress(policy))
	require.Contains(t, policy.Spec.Egress[1].To[0].IPBlock.Except, "169.254.0.0/16", "the metadata of the cloud has credentials")

	company := render(t, "tenon", "enterprise.yaml")["NetworkPolicy/tenon"].(*networkingv1.NetworkPolicy)
	require.Equal(t, []int{443, 3128, 8443}, egress(company))
	require.Len(t, company.Spec.Ingress, 1, "there is no port for metrics unless they are asked for")
	require.NotEmpty(t, company.Spec.Ingress[0].From)
}

func TestThePagesArePublishedIfTheyAreOn(t *testing.T) {
	t.Parallel()
	published := func(sets ...string) (list []string) {
		ingress := render(t, "tenon", "postgresql.yaml", sets...)["Ingress/tenon"].(*networkingv1.Ingress)
		for _, p := range ingress.Spec.Rules[0].HTTP.Paths {
			list = append(list, fmt.Sprint(*p.PathType, " ", p.Path))
		}
		var routed []string
		route := render(t, "tenon", "sqlite.yaml", sets...)["HTTPRoute/tenon"].(*gatewayv1.HTTPRoute)
		for _, m := range route.Spec.Rules[0].Matches {
			routed = append(routed, strings.TrimPrefix(string(*m.Path.Type), "Path")+" "+*m.Path.Value)
		}
		require.Equal(t, list, routed)
		return list
	}
	require.Equal(t, []string{"Prefix /webhook"}, published(), "all else is for the inside")
	on := published("config.public_url=https://tenon.example.com")
	require.Subset(t, on, []string{"Prefix /webhook", "Exact /", "Prefix /runs", "Prefix /auth", "Prefix /static"})
	require.NotContains(t, strings.Join(on, "\n"), "z", "health is for the inside")
}

func egress(policy *networkingv1.NetworkPolicy) (ports []int) {
	for _, p := range policy.Spec.Egress[1].Ports {
		ports = append(ports, p.Port.IntValue())
	}
	return ports
}

// A number of GitHub's App ids has eight digits by now, which templates like to write as 1.2345678e+07.
func TestNumbersOfTheSettingsStayWhole(t *testing.T) {
	t.Parallel()
	settings := render(t, "tenon", "sqlite.yaml", "config.app_id=12345678")["ConfigMap/tenon"].(*corev1.ConfigMap)
	require.Contains(t, settings.Data["tenon.yaml"], "app_id: 12345678\n")
}

// The plain manifests are the chart's, for people without Helm.
func TestTheManifestsOfTheFolderKubernetesAreThoseOfTheChart(t *testing.T) {
	t.Parallel()
	for _, example := range []string{"sqlite.yaml", "postgresql.yaml"} {
		files, err := template(t, "tenon", values(t, example, "image.tag=vX.Y.Z"))
		require.NoError(t, err)
		var b strings.Builder
		fmt.Fprintf(&b, "# The chart of deploy/helm/tenon with its examples/%s, which names the Secrets, for clusters without Helm.\n"+
			"# Change acme, example.com, the App's id and vX.Y.Z. It is written by: go test -C .ci/deploy . -update\n", example)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if text := strings.TrimSpace(files[name]); path.Ext(name) == ".yaml" && text != "" {
				b.WriteString("---\n" + text + "\n")
			}
		}
		file := filepath.Join(root, "deploy", "kubernetes", example)
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
		}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, b.String(), string(data), "go test -C .ci/deploy . -update writes it")
	}
}
