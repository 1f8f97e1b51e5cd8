package gh_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/gh"
)

func withoutSlug(o *gh.Options) { o.Slug = "" }

func TestAWrongKeyIsExplained(t *testing.T) {
	t.Parallel()
	good := string(keyPEM())
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	ecDER, err := x509.MarshalPKCS8PrivateKey(ec)
	require.NoError(t, err)
	for name, c := range map[string]struct{ key, says string }{
		"none":                {" \n", "is empty"},
		"a path":              {"/etc/tenon/key.pem", "is not in PEM"},
		"escaped line breaks": {strings.ReplaceAll(good, "\n", `\n`), `contains \n as two characters`},
		"no line breaks":      {strings.ReplaceAll(good, "\n", " "), "has lost its line breaks"},
		"cut off":             {good[:len(good)/2], "is cut off"},
		"damaged":             {string(pemOf("RSA PRIVATE KEY", []byte("nonsense"))), "is damaged"},
		"public":              {string(pemOf("PUBLIC KEY", []byte("x"))), "is a public key"},
		"OpenSSH's":           {string(pemOf("OPENSSH PRIVATE KEY", []byte("x"))), "is a key of OpenSSH"},
		"with a passphrase":   {string(pemOf("ENCRYPTED PRIVATE KEY", []byte("x"))), "is locked by a passphrase"},
		"of another kind":     {string(pemOf("PRIVATE KEY", ecDER)), "is not an RSA key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := gh.New(gh.Options{AppID: 1, PrivateKey: []byte(c.key)})
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, "the whole .pem file that GitHub offers")
			require.NotContains(t, err.Error(), good[40:80])
		})
	}
	der, err := x509.MarshalPKCS8PrivateKey(appKey())
	require.NoError(t, err)
	_, err = gh.New(gh.Options{AppID: 1, PrivateKey: pemOf("PRIVATE KEY", der)})
	require.NoError(t, err, "PKCS #8 is as good")
}

func TestTheOptionsAreChecked(t *testing.T) {
	t.Parallel()
	_, err := gh.New(gh.Options{PrivateKey: keyPEM()})
	require.ErrorContains(t, err, "App's id is missing")
	for _, bad := range []string{"api.github.com", "ftp://api.github.com/", "https://",
		"https://user:word@api.github.com/", "https://api.github.com/?x", "https://github.com/"} {
		_, err := gh.New(gh.Options{AppID: 1, PrivateKey: keyPEM(), APIURL: bad})
		require.ErrorContains(t, err, "https://api.github.com/", bad)
	}
	for _, good := range []string{"", "https://api.github.com", "https://ghe.example.com/api/v3/",
		"http://127.0.0.1:8080"} {
		_, err := gh.New(gh.Options{AppID: 1, PrivateKey: keyPEM(), APIURL: good})
		require.NoError(t, err, good)
	}
}

func TestAnEnterpriseServerHasItsAPIBelowAPath(t *testing.T) {
	t.Parallel()
	for _, slash := range []string{"", "/"} {
		d := newFakeAPI(t)
		d.prefix = "/api/v3"
		d.on(getPull, ok(`{"number":17}`))
		_, err := d.client(t, func(o *gh.Options) { o.APIURL += slash }).PullRequest(context.Background(), joint, 17)
		require.NoError(t, err)
		require.Len(t, d.calls(mintPath), 1)
	}
}

func TestTheSlugIsAskedOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	d.on("GET /app", refusal(503, ""), refusal(503, ""), refusal(503, ""), refusal(503, ""),
		ok(`{"slug":"tenon-of-octo"}`))
	c := d.client(t, withoutSlug)
	_, err := c.Slug(ctx)
	require.ErrorContains(t, err, "asking which App this is: GitHub answered 503")
	for range 3 {
		slug, err := c.Slug(ctx)
		require.NoError(t, err)
		require.Equal(t, "tenon-of-octo", slug)
	}
	require.Len(t, d.calls("GET /app"), 5)

	d.on("GET /app", refusal(401, "A JSON web token could not be decoded"))
	_, err = d.client(t, withoutSlug).Slug(ctx)
	require.ErrorContains(t, err, "decoded (TENON_APP_ID and the private key do not belong together")
	d.on("GET /app", ok(`{}`))
	_, err = d.client(t, withoutSlug).Slug(ctx)
	require.ErrorContains(t, err, "TENON_APP_SLUG")
	for _, given := range []string{"tenon", "@tenon", "tenon[bot]"} {
		slug, err := d.client(t, func(o *gh.Options) { o.Slug = given }).Slug(ctx)
		require.NoError(t, err)
		require.Equal(t, "tenon", slug)
	}
}
