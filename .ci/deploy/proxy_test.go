package deploy

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// behind asks, through a proxy that listens on a port for tenon.example.com, what GitHub asks, and what strangers might.
func behind(t *testing.T, port, scheme string) {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, ServerName: "tenon.example.com"}}
	t.Cleanup(transport.CloseIdleConnections)
	client := http.Client{Transport: transport}
	ask := func(method, path string, body []byte) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), method, scheme+"://127.0.0.1:"+port+path, bytes.NewReader(body))
		require.NoError(t, err)
		req.Host = "tenon.example.com"
		resp, err := client.Do(req)
		require.NoError(t, err)
		defer func() { _ = resp.Body.Close() }()
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, string(text)
	}
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, 10*time.Minute, 20*time.Millisecond, "only a proxy that does not start takes so long")
	for _, path := range []string{"/webhook", "/webhook/"} {
		status, text := ask(http.MethodPost, path, []byte("{}"))
		require.Equal(t, http.StatusAccepted, status, text)
		require.Equal(t, "2 bytes for tenon.example.com", text)
	}
	status, text := ask(http.MethodPost, "/webhook", make([]byte, 25<<20))
	require.Equal(t, http.StatusAccepted, status, "GitHub's deliveries have up to 25 MiB")
	require.Equal(t, fmt.Sprintf("%d bytes for tenon.example.com", 25<<20), text)
	for _, path := range []string{"/", "/readyz", "/healthz", "/metrics", "/debug/pprof/", "/webhook/x", "/webhooks", "/setup/x"} {
		status, _ := ask(http.MethodGet, path, nil)
		require.Equal(t, http.StatusNotFound, status, "%s is for the inside", path)
	}
}

// tenon answers every request with what it got.
func tenon(t *testing.T) (address string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusAccepted)
		_, _ = fmt.Fprintf(w, "%d bytes for %s", n, r.Host)
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = l.Close() }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	return port
}

// start starts a proxy, which ends with the test.
func start(t *testing.T, env []string, name string, args ...string) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), env...), &out, &out
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Log(out.String())
		}
	})
}

func installed(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		path = "/usr/sbin/" + name
		if _, err := os.Stat(path); err != nil {
			t.Skip("NOT CHECKED: no", name)
		}
	}
	return path
}

func TestTheExampleOfNginx(t *testing.T) {
	t.Parallel()
	nginx := installed(t, "nginx")
	dir := t.TempDir()
	writeCertificate(t, dir)
	data, err := os.ReadFile(root + "/deploy/proxy/nginx.conf")
	require.NoError(t, err)
	https, plain := freePort(t), freePort(t)
	conf := strings.NewReplacer("/etc/nginx/tls/", dir+"/", "127.0.0.1:8080", tenon(t),
		"listen 443 ssl", "listen 127.0.0.1:"+https+" ssl", "listen 80;", "listen 127.0.0.1:"+plain+";",
		"listen [::]:443 ssl;", "", "listen [::]:80;", "").Replace(string(data))
	file := filepath.Join(dir, "nginx.conf")
	paths := ""
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		paths += fmt.Sprintf("%s_temp_path %s/%s;\n", kind, dir, kind)
	}
	require.NoError(t, os.WriteFile(file, []byte("daemon off;\nuser root;\npid "+dir+"/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n"+
		paths+conf+"}\n"), 0o600))
	out, err := exec.Command(nginx, "-t", "-c", file).CombinedOutput()
	require.NoError(t, err, string(out))
	require.NotContains(t, string(out), "[warn]")
	start(t, nil, nginx, "-c", file, "-g", "master_process off;")
	behind(t, https, "https")
}

func writeCertificate(t *testing.T, dir string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"tenon.example.com"}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	require.NoError(t, err)
	pkcs, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	for name, block := range map[string]*pem.Block{"crt": {Type: "CERTIFICATE", Bytes: der}, "key": {Type: "PRIVATE KEY", Bytes: pkcs}} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "tenon.example.com."+name), pem.EncodeToMemory(block), 0o600))
	}
}

func TestTheExampleOfCaddy(t *testing.T) {
	t.Parallel()
	caddy := installed(t, "caddy")
	file := root + "/deploy/proxy/Caddyfile"
	home := t.TempDir()
	port := freePort(t)
	// Of a host that is a port alone, Caddy takes plain HTTP, and asks nobody for a certificate.
	env := []string{"TENON_HOST=:" + port, "TENON_UPSTREAM=" + tenon(t), "HOME=" + home, "XDG_DATA_HOME=" + home,
		"XDG_CONFIG_HOME=" + home}
	validate := exec.Command(caddy, "validate", "--config", file, "--adapter", "caddyfile")
	validate.Env = append(os.Environ(), env...)
	out, err := validate.CombinedOutput()
	require.NoError(t, err, string(out))
	require.NotContains(t, string(out), `"warn"`)
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	run := filepath.Join(home, "Caddyfile")
	require.NoError(t, os.WriteFile(run, append([]byte("{\n\tadmin off\n}\n"), data...), 0o600))
	start(t, env, caddy, "run", "--config", run, "--adapter", "caddyfile")
	behind(t, port, "http")
}
