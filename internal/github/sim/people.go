package sim

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// people adds accounts and shows them.
type people struct{ *entity.Core }

// AddUser adds a person, unless there is one with this login.
func (s people) AddUser(login string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.addAccount(login, entity.UserPerson)
}

// AddOrg adds an organisation; its owners are admins of all its repositories.
func (s people) AddOrg(login string, owners ...string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if err := s.addAccount(login, entity.UserOrg); err != nil {
		return err
	}
	for _, o := range owners {
		if err := s.addAccount(o, entity.UserPerson); err != nil {
			return err
		}
		s.State.Users[strings.ToLower(login)].Owners[strings.ToLower(o)] = true
	}
	return nil
}

// AddBot adds the bot account of another App; its login ends in "[bot]".
func (s people) AddBot(login string) error {
	if !strings.HasSuffix(login, "[bot]") {
		return fmt.Errorf("a bot's login ends in [bot], not %q", login)
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if _, err := s.State.User(login); err != nil {
		s.State.NewUser(login, entity.UserBot, s.Now())
	}
	return nil
}

// loginRule is GitHub's rule for logins: letters, digits and single hyphens, not at the ends, at most 39.
var loginRule = regexp.MustCompile(`^[A-Za-z0-9](-?[A-Za-z0-9]){0,38}$`)

func (s people) addAccount(login string, kind entity.UserType) error {
	if !loginRule.MatchString(login) {
		return fmt.Errorf("GitHub allows no login %q", login)
	}
	u, err := s.State.User(login)
	if err != nil {
		s.State.NewUser(login, kind, s.Now())
		return nil
	}
	if u.Kind != kind {
		return fmt.Errorf("%s is a %s already", login, u.Kind)
	}
	return nil
}

// Account is an account as everybody can read it.
type Account struct {
	ID    int64
	Login string
}

// Account returns the account with a login, in any case.
func (s people) Account(login string) (Account, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	u, err := s.State.User(login)
	if err != nil {
		return Account{}, err
	}
	return Account{u.ID, u.Login}, nil
}

// Who a job acts as, on github.com: https://api.github.com/users/github-actions[bot].
const (
	jobLogin = entity.ActionsApp + "[bot]"
	jobID    = 41898282
)

// jobBot returns the account of GitHub Actions, which is added the first time.
func (s people) jobBot() *entity.User {
	if u, err := s.State.User(jobLogin); err == nil {
		return u
	}
	u := s.State.NewUser(jobLogin, entity.UserBot, s.Now())
	u.ID = jobID
	return u
}

// appOf returns the slug of the other App that an account is of, "" if it is none.
func appOf(account *entity.User) string {
	if account.Login == jobLogin {
		return entity.ActionsApp
	}
	return ""
}
