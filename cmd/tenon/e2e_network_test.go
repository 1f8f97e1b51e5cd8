package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The hosts of a company network. Nobody outside of it can resolve them: only its proxy can.
const (
	companyGitHub = "github.company.test"
	companyModel  = "models.company.test"
)

// company is the network around a stage: GitHub by HTTPS, with a certificate of an authority that only the company
// knows, the model with one of an authority that everybody knows, and a proxy through which everything goes.
type company struct {
	proxy *httptest.Server
	// authority is the path of the certificate of the company's authority, public the folder of the other's.
	authority, public string

	mu        sync.Mutex
	connected []string // the hosts that the proxy was asked to connect to
}

func newCompany(t *testing.T, s *stage) *company {
	t.Helper()
	c := &company{authority: filepath.Join(t.TempDir(), "company-ca.pem"), public: t.TempDir()}
	front := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		backend := s.github.GitURL()
		if r.Host == companyModel {
			backend = s.model.URL
		}
		to, err := url.Parse(strings.TrimSuffix(backend, "/"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		(&httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(p *httputil.ProxyRequest) { p.SetURL(to) }}).ServeHTTP(w, r)
	}))
	front.TLS = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{
		certify(t, companyGitHub, c.authority),
		certify(t, companyModel, filepath.Join(c.public, "ca-certificates.crt"))}}
	front.Config.ErrorLog = log.New(io.Discard, "", 0) // a client that does not trust it is what one test is about
	front.StartTLS()
	t.Cleanup(front.Close)
	c.proxy = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			http.Error(w, "this proxy only connects", http.StatusMethodNotAllowed)
			return
		}
		c.mu.Lock()
		c.connected = append(c.connected, r.Host)
		c.mu.Unlock()
		tunnel(w, front.Listener.Addr().String())
	}))
	t.Cleanup(c.proxy.Close)
	return c
}

// certify makes an authority, writes its certificate to a file, and returns one of its certificates for the host.
func certify(t *testing.T, host, file string) tls.Certificate {
	t.Helper()
	key := func() *ecdsa.PrivateKey {
		k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		require.NoError(t, err)
		return k
	}
	authority := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "CA of " + host},
		IsCA: true, BasicConstraintsValid: true, NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign}
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), DNSNames: []string{host}, NotAfter: time.Now().Add(time.Hour)}
	authorityKey, leafKey := key(), key()
	sign := func(template *x509.Certificate, public any) []byte {
		der, err := x509.CreateCertificate(rand.Reader, template, authority, public, authorityKey)
		require.NoError(t, err)
		return der
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: sign(authority, authorityKey.Public())})
	require.NoError(t, os.WriteFile(file, text, 0o600))
	return tls.Certificate{Certificate: [][]byte{sign(leaf, leafKey.Public())}, PrivateKey: leafKey}
}

// tunnel connects a client of a proxy with an address until one of them ends.
func tunnel(w http.ResponseWriter, address string) {
	to, err := net.Dial("tcp", address)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusOK)
	from, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		_ = to.Close()
		return
	}
	go func() { _, _ = io.Copy(to, buffered); _ = to.Close() }()
	go func() { _, _ = io.Copy(from, to); _ = from.Close() }()
}

// hosts are those that the proxy was asked to connect to, each once, in order.
func (c *company) hosts() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	hosts := slices.Clone(c.connected)
	slices.Sort(hosts)
	return slices.Compact(hosts)
}

// env are the settings of a server in the company network that trusts only what the machine does.
func (c *company) env() []string {
	return []string{"HTTPS_PROXY=" + c.proxy.URL, "SSL_CERT_DIR=" + c.public,
		"TENON_GITHUB_API_URL=https://" + companyGitHub + "/api/v3/", "TENON_GITHUB_GIT_URL=https://" + companyGitHub + "/",
		"TENON_MODEL_BASE_URL=https://" + companyModel + "/v1"}
}

func TestBehindAProxyACompanysOwnAuthorityIsTrustedByAPIGitAndModel(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	c := newCompany(t, s)
	s.env = append(s.env, append(c.env(), "SSL_CERT_FILE="+c.authority)...)
	s.startProcess()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go`")), "rocket")
	require.Equal(t, strings.Replace(stageFiles["main.go"], "hello", "goodbye", 1), s.file("main.go"))
	require.Equal(t, []string{companyGitHub + ":443", companyModel + ":443"}, c.hosts())
}

func TestAnAuthorityThatNobodyToldTenonOfEndsTheStartWithASentence(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.env = append(s.env, newCompany(t, s).env()...)
	code, out := ran(t, s.variables(), "serve")
	require.Equal(t, exitUsage, code)
	require.Contains(t, out, "certificate signed by unknown authority")
	require.Contains(t, out, "SSL_CERT_FILE")
	require.NotContains(t, out, "listening", "what does not change by itself is not waited for")
}
