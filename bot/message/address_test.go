package message

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAddressIsOfTheSiteThatHasTheAccount(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		"https://github.com/acme/lathe/pull/12":                 "7+maria@users.noreply.github.com",
		"https://GitHub.Example.com:8443/acme/lathe/issues/1#c": "7+maria@users.noreply.github.example.com",
		"https://acme.ghe.com/acme/lathe/pull/12":               "7+maria@users.noreply.acme.ghe.com",
		"": "7+maria@users.noreply.github.com",
		"http://127.0.0.1:8080/acme/lathe/pull/12": "7+maria@users.noreply.github.com",
		"http://[::1]:8080/acme/lathe/pull/12":     "7+maria@users.noreply.github.com",
		"acme/lathe#12":                            "7+maria@users.noreply.github.com",
	} {
		require.Equal(t, want, Address("maria", 7, page), page)
		require.Equal(t, "Co-authored-by: maria <"+want+">", CoAuthor("maria", 7, page))
	}
	require.Equal(t, "tenon[bot]@users.noreply.github.com", Address("tenon[bot]", 0, "https://github.com/acme/lathe"))
}
