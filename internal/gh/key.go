package gh

import (
	"bytes"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

// rightKey is the end of every error about a key.
const rightKey = "it must be the whole .pem file that GitHub offers under \"Private keys\" in the App's settings, " +
	"from -----BEGIN RSA PRIVATE KEY----- to -----END RSA PRIVATE KEY-----"

// parseKey parses the App's key. Its errors contain no byte of it.
func parseKey(data []byte) (*rsa.PrivateKey, error) {
	if why := wrongKey(data); why != "" {
		return nil, fmt.Errorf("the App's private key %s: %s", why, rightKey)
	}
	key, err := jwt.ParseRSAPrivateKeyFromPEM(data)
	switch {
	case errors.Is(err, jwt.ErrNotRSAPrivateKey):
		return nil, fmt.Errorf("the App's private key is not an RSA key: %s", rightKey)
	case err != nil:
		return nil, fmt.Errorf("the App's private key is damaged: %s", rightKey)
	}
	return key, nil
}

// wrongKey returns what is wrong with data that is no key, or "" if that is not known.
func wrongKey(data []byte) string {
	if len(bytes.TrimSpace(data)) == 0 {
		return "is empty"
	}
	block, _ := pem.Decode(data)
	switch {
	case block == nil && bytes.Contains(data, []byte(`\n`)):
		return `contains \n as two characters where its lines should break`
	case block == nil && bytes.Contains(data, []byte("-----BEGIN")):
		return "is cut off or has lost its line breaks"
	case block == nil:
		return "is not in PEM"
	case block.Type == "OPENSSH PRIVATE KEY":
		return "is a key of OpenSSH"
	case strings.Contains(block.Type, "ENCRYPTED") || block.Headers["DEK-Info"] != "":
		return "is locked by a passphrase"
	case !strings.HasSuffix(block.Type, "PRIVATE KEY"):
		return fmt.Sprintf("is a %.40s", strings.ToLower(block.Type))
	}
	return ""
}

// fingerprint returns the fingerprint of a key as GitHub lists it on the App's page.
func fingerprint(key *rsa.PrivateKey) string {
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil { // no RSA key has one
		return "?"
	}
	sum := sha256.Sum256(der)
	return "SHA256:" + base64.StdEncoding.EncodeToString(sum[:])
}

// signer signs the App's JSON web tokens. Those of one second are the same. Safe for concurrent use.
type signer struct {
	key *rsa.PrivateKey
	now func() time.Time

	mu   sync.Mutex
	last struct {
		issuer string
		at     int64 // in seconds
		token  string
	}
}

// Sign replaces the times that ghinstallation set in the claims. "To protect against clock drift, we recommend that you
// set this [iat] 60 seconds in the past"; exp may be ten minutes ahead (GitHub's page on JWTs for Apps).
func (s *signer) Sign(claims jwt.Claims) (string, error) {
	given, ok := claims.(*jwt.RegisteredClaims)
	if !ok {
		return "", fmt.Errorf("signing a JSON web token: claims of type %T", claims)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if s.last.token != "" && s.last.issuer == given.Issuer && s.last.at == now.Unix() {
		return s.last.token, nil
	}
	own := *given
	own.IssuedAt = jwt.NewNumericDate(now.Add(-time.Minute))
	own.ExpiresAt = jwt.NewNumericDate(now.Add(5 * time.Minute))
	token, err := jwt.NewWithClaims(jwt.SigningMethodRS256, own).SignedString(s.key)
	s.last.issuer, s.last.at, s.last.token = given.Issuer, now.Unix(), token
	return token, err
}
