package manpage_test

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/manpage"
)

func pages() (manpage.Program, *cobra.Command, *cobra.Command) {
	root := &cobra.Command{Use: "carve", Short: "Cut wood"}
	plane := &cobra.Command{
		Use: "plane [BOARD]", Short: "Make a board flat", Run: func(*cobra.Command, []string) {},
		Long: `Plane takes a board,
and makes it flat:

  depth   how deep, such as
          1 \ 16
.5 is a depth too. It isn't one of

    	oak
      or "ash" … ‘«’.`,
		Example: `  carve plane --depth 2
  carve plane -q board

Exit code: 0 flat;
1 not.`,
	}
	plane.Flags().Float64("depth", 1.5, "cut as `deep` as this")
	plane.Flags().BoolP("quiet", "q", false, "say nothing")
	plane.Flags().String("tool", "", "the `name` of a tool")
	plane.Flags().Lookup("tool").NoOptDefVal = "jack"
	plane.Flags().Bool("secret", false, "hidden")
	_ = plane.Flags().MarkHidden("secret")
	root.PersistentFlags().String("shop", "here", "the `shop`")
	root.AddCommand(plane, &cobra.Command{Use: "old", Hidden: true, Run: plane.Run})
	return manpage.Program{Version: "carve v1", URL: "https://example.com"}, root, plane
}

func TestAPageHasWhatHelpSays(t *testing.T) {
	t.Parallel()
	program, _, plane := pages()
	require.Equal(t, `.TH CARVE\-PLANE 1 "" "carve v1" "User Commands"
.nh
.ad l
.SH NAME
carve\-plane \- Make a board flat
.SH SYNOPSIS
\fBcarve plane\fR
[BOARD] [flags]
.SH DESCRIPTION
Plane takes a board,
and makes it flat:
.PP
.RS 4
.nf
depth   how deep, such as
        1 \e 16
.fi
.RE
\&.5 is a depth too. It isn\(aqt one of
.PP
.RS 4
.nf
    oak
  or "ash" \[u2026] \[u2018]\[u00AB]\[u2019].
.fi
.RE
.SH OPTIONS
.TP
\fB\-\-depth\fR \fIdeep\fR
cut as deep as this (default 1.5)
.TP
\fB\-h\fR, \fB\-\-help\fR
help for plane
.TP
\fB\-q\fR, \fB\-\-quiet\fR
say nothing
.TP
\fB\-\-tool\fR[=\fIname\fR]
the name of a tool
.SH "GLOBAL OPTIONS"
.TP
\fB\-\-shop\fR \fIshop\fR
the shop (default here)
.SH EXAMPLES
.RS 4
.nf
carve plane \-\-depth 2
carve plane \-q board
.fi
.RE
.SH "EXIT STATUS"
0 flat;
1 not.
.SH "SEE ALSO"
carve(1), https://example.com
`, program.Page(plane))
}

func TestThePageOfAProgramListsItsCommands(t *testing.T) {
	t.Parallel()
	program, root, plane := pages()
	require.Equal(t, []*cobra.Command{root, plane}, manpage.Commands(root))
	page := program.Page(root)
	require.Contains(t, page, ".SH COMMANDS\n.TP\n\\fBplane\\fR\nMake a board flat\n.SH")
	require.Contains(t, page, ".SH \"SEE ALSO\"\ncarve\\-plane(1), https://example.com\n")
}
