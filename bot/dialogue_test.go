package bot

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/sentence"
)

func TestABudgetThatIsNearlyUsedUpIsMentioned(t *testing.T) {
	t.Parallel()
	for percent, want := range map[int]string{
		0: "", 74: "", 75: "over 75% of x used", 89: "over 75% of x used",
		90: "over 90% of x used", 100: "over 90% of x used",
	} {
		require.Equal(t, want, budgetWarning(port.BudgetUse{Of: "x", Percent: percent}), percent)
	}
}

func TestABudgetThatIsUsedUpSaysWhenItResets(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("", 2*60*60)
	over := &port.OverBudget{
		Of: "your commands today", Limit: 20, Resets: time.Date(2026, 12, 1, 2, 0, 0, 0, zone),
	}
	require.Equal(t, "The budget for your commands today is used up (20), so the model was not asked. "+
		"It resets on 1 December 2026 at 00:00 UTC. Whoever runs this app can raise it.", sentence.OverBudget(over).Text)
}
