package settings

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
)

// file is what the file of one repository says.
type file struct {
	at       policy.SettingsFile
	layer    policy.Layer
	problems []policy.Problem
	// found reports whether there is such a file. unread is why that is unknown: the owner's repository is out of reach.
	found  bool
	unread string
}

// under returns a policy with the settings of the file below it.
func (f file) under(p policy.Policy, from policy.Origin) policy.Policy {
	p.Problems = slices.Clip(p.Problems)
	for _, problem := range f.problems {
		problem.Source = from
		p.Problems = append(p.Problems, problem)
	}
	if !f.found {
		return p
	}
	p.Files = maps.Clone(p.Files)
	if p.Files == nil {
		p.Files = map[policy.Origin]policy.SettingsFile{}
	}
	p.Files[from] = f.at
	return p.Under(from, f.layer)
}

// readFile reads the file of a checkout. Anything else at its path may have restricted something, so it closes.
func readFile(ctx context.Context, checkout repo.Checkout) (file, error) {
	kind, err := checkout.Kind(policy.SettingsPath)
	if err != nil {
		return file{}, fmt.Errorf("looking for %s: %w", policy.SettingsPath, err)
	}
	switch kind {
	case engine.Absent:
		return misnamed(checkout)
	case engine.File:
	default:
		return unusable("is not a plain file; replace it with one, not a link"), nil
	}
	if err := checkout.Load(ctx, policy.SettingsPath); err != nil {
		return file{}, fmt.Errorf("loading %s: %w", policy.SettingsPath, err)
	}
	data, err := checkout.ReadFile(policy.SettingsPath)
	switch {
	case errors.Is(err, engine.ErrTooLarge) || len(data) > policy.MaxSettings:
		return unusable("is larger than 64 KiB, and settings take a few lines"), nil
	case err != nil:
		return file{}, err
	}
	layer, problems := policy.Parse(data)
	return file{layer: layer, problems: problems, found: true}, nil
}

func unusable(why string) file {
	return file{found: true, problems: []policy.Problem{{Text: why, Closes: true}}}
}

// misnamed looks for a file that somebody meant as the settings.
func misnamed(checkout repo.Checkout) (file, error) {
	const other = port.ForgeFolder + "/tenon.yaml"
	kind, err := checkout.Kind(other)
	if err != nil {
		return file{}, fmt.Errorf("looking for %s: %w", other, err)
	}
	if kind == engine.Absent {
		return file{}, nil
	}
	return file{problems: []policy.Problem{{Text: policy.SettingsPath + " does not exist, but " + other +
		" does, which tenon does not read; rename it"}}}, nil
}
