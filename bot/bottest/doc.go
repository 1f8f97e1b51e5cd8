// Package bottest is a world in memory for stories about the bot: GitHub, its git repositories, a scripted model, the
// queue with the records of runs, the budgets and a clock. A story runs the bot against it without processes, network
// or disk:
//
//	w := bottest.New(t)
//	w.Handler = &bot.Bot{GitHub: w.GitHub, Repos: w.Repos, Model: w.Model, …}
//	pr := w.Pull("speed", map[string]string{"speed.txt": "fast\n"})
//	w.Model.Says(reply)
//	pr.Comment("maria", "/tenon fix it")
//	w.Run()
//	require.Contains(t, pr.LastAnswer(), " · 1 edit committed")
//
// GitHub is that of internal/github/sim, which the bot reaches by the adapter internal/gh, and which reaches the queue
// by the webhook, all in this process. The contracts in package contract are stories that compare the other parts
// of the world and the adapters: each runs in the tests of both.
//
// Faults are planted at the operations of the ports: see World.Before and World.After.
package bottest
