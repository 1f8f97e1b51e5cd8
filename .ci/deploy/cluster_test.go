package deploy

import (
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/yaml"
)

// cluster is what manifests make, by kind and name.
type cluster map[string]metav1.Object

// kinds are what the chart makes, and nothing else.
var kinds = map[string]func() metav1.Object{
	"v1/ConfigMap":                            func() metav1.Object { return &corev1.ConfigMap{} },
	"v1/PersistentVolumeClaim":                func() metav1.Object { return &corev1.PersistentVolumeClaim{} },
	"v1/Service":                              func() metav1.Object { return &corev1.Service{} },
	"v1/ServiceAccount":                       func() metav1.Object { return &corev1.ServiceAccount{} },
	"apps/v1/Deployment":                      func() metav1.Object { return &appsv1.Deployment{} },
	"networking.k8s.io/v1/Ingress":            func() metav1.Object { return &networkingv1.Ingress{} },
	"networking.k8s.io/v1/NetworkPolicy":      func() metav1.Object { return &networkingv1.NetworkPolicy{} },
	"policy/v1/PodDisruptionBudget":           func() metav1.Object { return &policyv1.PodDisruptionBudget{} },
	"gateway.networking.k8s.io/v1/HTTPRoute":  func() metav1.Object { return &gatewayv1.HTTPRoute{} },
	"monitoring.coreos.com/v1/ServiceMonitor": func() metav1.Object { return &monitoringv1.ServiceMonitor{} },
}

// add decodes manifests as the API server does with strict validation: an unknown or repeated field is an error.
func (c cluster) add(t *testing.T, name, text string) {
	t.Helper()
	for document := range strings.SplitSeq("\n"+text, "\n---") {
		var kind metav1.TypeMeta
		require.NoError(t, yaml.Unmarshal([]byte(document), &kind), name)
		if kind.Kind == "" {
			continue
		}
		make, known := kinds[kind.APIVersion+"/"+kind.Kind]
		require.True(t, known, "%s: %s/%s", name, kind.APIVersion, kind.Kind)
		object := make()
		require.NoError(t, yaml.UnmarshalStrict([]byte(document), object), name)
		key := kind.Kind + "/" + object.GetName()
		require.NotContains(t, c, key, "%s is there twice", key)
		c[key] = object
	}
}

// check looks for what an API server takes and a controller then waits for: names of what is not there.
func (c cluster) check(t *testing.T) {
	t.Helper()
	d := c.deployment(t)
	pod := d.Spec.Template
	require.Subset(t, pod.Labels, d.Spec.Selector.MatchLabels)
	names, ports, volumes := map[string]bool{}, map[string]bool{}, map[string]bool{}
	container := pod.Spec.Containers[0]
	for _, e := range container.Env {
		require.False(t, names[e.Name], "%s is set twice", e.Name)
		names[e.Name] = true
	}
	for _, p := range container.Ports {
		ports[p.Name] = true
	}
	for _, v := range pod.Spec.Volumes {
		require.False(t, volumes[v.Name], "%s is there twice", v.Name)
		volumes[v.Name] = true
		if v.ConfigMap != nil && v.ConfigMap.Name == d.Name {
			require.Contains(t, c, "ConfigMap/"+d.Name)
		}
		if v.PersistentVolumeClaim != nil {
			require.Contains(t, c, "PersistentVolumeClaim/"+v.PersistentVolumeClaim.ClaimName)
		}
	}
	for _, m := range container.VolumeMounts {
		require.True(t, volumes[m.Name], "the volume %s is mounted and is not there", m.Name)
		delete(volumes, m.Name)
	}
	require.Empty(t, volumes, "these are there and not mounted")
	for key, object := range c {
		require.Empty(t, validation.IsDNS1123Subdomain(object.GetName()), key)
		require.LessOrEqual(t, len(object.GetName()), validation.DNS1035LabelMaxLength, key)
		for name, value := range object.GetLabels() {
			require.Empty(t, validation.IsQualifiedName(name), key)
			require.Empty(t, validation.IsValidLabelValue(value), key)
		}
		switch o := object.(type) {
		case *corev1.Service:
			require.True(t, labels.SelectorFromSet(o.Spec.Selector).Matches(labels.Set(pod.Labels)), key)
			for _, p := range o.Spec.Ports {
				require.True(t, ports[p.TargetPort.StrVal], "%s leads to the port %s, which is not there", key, p.TargetPort.StrVal)
			}
		case *networkingv1.NetworkPolicy:
			require.Subset(t, pod.Labels, o.Spec.PodSelector.MatchLabels)
			for _, rule := range o.Spec.Ingress {
				require.True(t, ports[rule.Ports[0].Port.StrVal], key)
			}
		case *networkingv1.Ingress:
			for _, p := range o.Spec.Rules[0].HTTP.Paths {
				require.Contains(t, c, "Service/"+p.Backend.Service.Name)
			}
		case *gatewayv1.HTTPRoute:
			for _, rule := range o.Spec.Rules {
				require.Contains(t, c, "Service/"+string(rule.BackendRefs[0].Name))
			}
		}
	}
}

func (c cluster) deployment(t *testing.T) *appsv1.Deployment {
	t.Helper()
	for _, object := range c {
		if d, ok := object.(*appsv1.Deployment); ok {
			return d
		}
	}
	require.FailNow(t, "there is no Deployment")
	return nil
}
