package gitrepo

import (
	"bytes"
	"context"
	"io"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestASidebandEndsAtItsFlush(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ stream, wrong string }{
		"with a flush":            {"000a\x01hello0000", ""},
		"with keepalives":         {"0005\x01" + "0005\x02" + "000a\x01hello0000", ""},
		"cut off":                 {"000a\x01hello", "ends too early"},
		"cut off after a length":  {"000a\x01hello000a", "ends too early"},
		"cut off inside a packet": {"000a\x01hello000a\x01he", "ends too early"},
		"an error":                {"000a\x01hello000c\x03go away", "the git server says: go away"},
		"an unknown band":         {"000a\x01hello000a\x04hello0000", "there is no band 4"},
	} {
		band := &sidebandReader{packets: newPacketReader(bytes.NewReader([]byte(c.stream)))}
		data, err := io.ReadAll(band)
		require.Equal(t, "hello", string(data), name)
		if c.wrong == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorContains(t, err, c.wrong, name)
		}
	}
}

func TestNothingIsReadAfterTheFlushOfASideband(t *testing.T) {
	t.Parallel()
	stream := []byte("000a\x01hello0000000a\x01there0000")
	band := &sidebandReader{packets: newPacketReader(bytes.NewReader(stream))}
	for _, want := range []string{"hello", ""} {
		data, err := io.ReadAll(band)
		require.NoError(t, err)
		require.Equal(t, want, string(data))
	}
}

func TestARejectionIsOneWhateverItsReason(t *testing.T) {
	t.Parallel()
	for report, want := range map[string]string{
		"000eunpack ok\n0013ok refs/heads/x0000":          "",
		"000eunpack ok\n0017ng refs/heads/x why0000":      "why",
		"000eunpack ok\n0016ng refs/heads/x ok0000":       "ok",
		"0010unpack disk\n0013ok refs/heads/x0000":        "disk",
		"000eunpack ok\n0008x ?\n0013ok refs/heads/x0000": "",
	} {
		reason, err := readReport(newPacketReader(bytes.NewReader([]byte(report))), "refs/heads/x")
		require.NoError(t, err, report)
		require.Equal(t, want, reason, report)
	}
}

func TestAReportThatCannotBeReadSaysWhy(t *testing.T) {
	t.Parallel()
	for _, read := range []string{"", "000eunpack ok\n"} {
		r := io.MultiReader(bytes.NewReader([]byte(read)), iotest.ErrReader(context.DeadlineExceeded))
		_, err := readReport(newPacketReader(r), "refs/heads/x")
		require.ErrorIs(t, err, context.DeadlineExceeded)
	}
}
