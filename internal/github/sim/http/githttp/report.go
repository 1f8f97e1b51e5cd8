package githttp

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/http/transport"
)

// rewriteReport replaces "hook declined" in git's report of a push by GitHub's reasons.
func rewriteReport(a *transport.Recorder, reasons map[string]string) {
	if len(reasons) == 0 {
		return
	}
	var report, rest bytes.Buffer
	packets, banded := splitPackets(a.Body.Bytes()), false
	for _, p := range packets {
		switch {
		case len(p) > 0 && p[0] == 1:
			banded = true
			report.Write(p[1:])
		case len(p) > 0 && p[0] < 4:
			banded = true
			writePacket(&rest, p)
		}
	}
	if !banded {
		a.Body = *bytes.NewBuffer(withReasons(packets, reasons))
	} else {
		fixed := withReasons(splitPackets(report.Bytes()), reasons)
		for len(fixed) > 0 {
			n := min(len(fixed), 65000)
			writePacket(&rest, append([]byte{1}, fixed[:n]...))
			fixed = fixed[n:]
		}
		rest.WriteString("0000")
		a.Body = rest
	}
	a.Header().Del("Content-Length")
}

func withReasons(packets [][]byte, reasons map[string]string) []byte {
	var b bytes.Buffer
	for _, p := range packets {
		if f := strings.SplitN(strings.TrimSuffix(string(p), "\n"), " ", 3); len(f) == 3 && f[0] == "ng" &&
			reasons[f[1]] != "" {
			p = fmt.Appendf(nil, "ng %s %s\n", f[1], reasons[f[1]])
		}
		writePacket(&b, p)
	}
	b.WriteString("0000")
	return b.Bytes()
}

// splitPackets returns the pkt-lines, without flush packets.
func splitPackets(data []byte) [][]byte {
	var packets [][]byte
	for len(data) >= 4 {
		n, err := strconv.ParseUint(string(data[:4]), 16, 16)
		if err != nil || int(n) > len(data) {
			break
		}
		if n < 4 {
			data = data[4:]
			continue
		}
		packets = append(packets, data[4:n])
		data = data[n:]
	}
	return packets
}

func writePacket(b *bytes.Buffer, p []byte) {
	fmt.Fprintf(b, "%04x", len(p)+4)
	b.Write(p)
}
