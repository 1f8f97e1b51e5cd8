package policy

// protection is a kind of paths that no reply may change.
type protection struct {
	// why is a sentence without a full stop.
	why string
	// paths are patterns of plain paths. One with a slash at its end means a file or folder of that name and all below
	// it, any other a file. One with a slash before or within its names is matched from the top, any other in every
	// folder.
	paths []string
	// notCode are such patterns too, but source code and tests of these names are ordinary files.
	notCode []string
}

// TellsAgents is why files are protected that AI tools read, ShortName why those are that may be others on Windows.
const (
	TellsAgents = "It tells AI agents what to do, or what they may do"
	ShortName   = "The name may be the short name of another file on Windows"
)

// protections are the built-in ones: what programs obey that start by themselves, at a push, a commit, or when somebody
// opens the folder, and what decides who has a say. What somebody has to start, such as a Makefile, is not among them.
var protections = []protection{
	{why: "It decides what runs in CI", paths: []string{
		".github/workflows/", ".github/actions/", "action.yml", "action.yaml",
		".gitlab/", "*.gitlab-ci.yml", "*.gitlab-ci.yaml", ".gitea/", ".forgejo/",
		".circleci/", "/circle.yml", ".travis.yml", ".travis.yaml", ".travis/",
		"*.jenkinsfile", ".jenkins/", ".jenkinsx/",
		"azure-pipelines*.yml", "azure-pipelines*.yaml", ".azure-pipelines/", ".azuredevops/",
		".azure/pipelines/", ".pipelines/", ".vsts-*.yml", ".vsts-ci/", ".vsts-pipelines/",
		".buildkite/", "buildkite.yml", "buildkite.yaml", ".drone.*", ".drone/",
		"cloudbuild*.yml", "cloudbuild*.yaml", "cloudbuild*.json", ".cloudbuild/",
		"bitbucket-pipelines.yml", "bitbucket-pipelines.yaml",
		"appveyor.yml", "appveyor.yaml", ".appveyor.yml", ".appveyor.yaml", ".appveyor/",
		".cirrus.*", ".woodpecker*/", ".semaphore/", ".teamcity/", ".tekton/", ".concourse/", ".harness/", ".spinnaker/",
		"codefresh.yml", "codefresh.yaml", ".codefresh/", "wercker.yml", "shippable.yml", ".scrutinizer.yml", ".magnum.yml",
		".builds/", ".build.yml", ".zuul.yaml", "/zuul.yaml", ".zuul.d/", "zuul.d/", "bamboo-specs/", "*.gocd.yaml",
		"/screwdriver.yaml", ".prow.yaml", ".prow/", ".evergreen.yml", "/evergreen.yml", ".taskcluster.yml",
		".ci.yaml", ".ci-operator.yaml", ".packit.yml", ".packit.yaml", ".onedev-buildspec.yml", ".space.kts",
		".earthly/", ".readthedocs.yml", ".readthedocs.yaml", "bitrise.yml", "bitrise.yaml",
		"codemagic.yml", "codemagic.yaml", "ci_scripts/", ".eas/workflows/", "atlantis.yml", "atlantis.yaml",
	}, notCode: []string{"jenkinsfile*", "azure-pipelines/", "buildspec*.yml", "buildspec*.yaml"}},
	{why: "It decides who reviews, or what is merged without a person", paths: []string{
		"codeowners", "owners", "owners_aliases", ".policy.yml", ".policy.yaml", ".mergify.yml", ".mergify.yaml", ".mergify/",
		".bulldozer.yml", ".bulldozer.yaml", ".kodiak.toml", "bors.toml", ".pullapprove.yml", ".lgtm", ".asf.yaml",
		".gitreview", ".palantir/", "dependabot.yml", "dependabot.yaml", ".dependabot/",
		"renovate.json*", ".renovaterc*", "renovate-config.js*", "dangerfile", "dangerfile.*",
		".cm/", "gitstream.cm",
	}},
	{why: TellsAgents, paths: []string{
		"agents.md", "agents.local.md", "agents.override.md", "agent.md", ".agent.md", ".agents/", ".agent/",
		"claude.md", "claude.local.md", ".claude*/", "gemini.md", ".gemini/", "/qwen.md", ".qwen/", "/warp.md",
		"/crush.md", ".crush.json", "/codex.md", ".codex/", "copilot-instructions.md", ".copilot*/",
		"mcp.json", ".mcp.json", ".mcp/", ".cursor*/", ".windsurf*/", ".codeium*/", ".cline/", ".clinerules*/",
		".clineignore", ".roo/", ".roorules*/", ".roomodes", ".rooignore", ".kilocode*/", ".aider*/",
		".continue*/", ".kiro/", ".junie/", ".amazonq/",
		".augment*/", ".trae/", ".opencode/", "opencode.json*", ".goosehints", ".goose/", ".rules", ".zencoder/", ".qodo/",
		".pr_agent.toml", ".coderabbit.yml", ".coderabbit.yaml", ".greptile/", "greptile.json", ".sourcery.yaml",
		".openhands/", "skill.md", ".skills/", ".specify/", ".factory/", "/replit.md", ".crush/", ".serena/",
		".qoder/", "/memory-bank/", "/grok.md", ".ruler/",
	}},
	{why: "It decides how git behaves", paths: []string{
		".gitmodules", ".gitattributes", ".gitconfig", ".lfsconfig",
	}},
	{why: "Git hooks, editors or shells run what it says", paths: []string{
		".husky/", ".huskyrc*", ".githooks/", ".git-hooks/", ".hooks/", "lefthook.yml", "lefthook.yaml",
		"lefthook.toml", "lefthook.json*", "lefthook-local.*", ".lefthook*/",
		".pre-commit-*.yml", ".pre-commit-*.yaml", ".overcommit.yml", ".simple-git-hooks.*",
		"simple-git-hooks.*", ".lintstagedrc*", "lint-staged.config.*", "captainhook.json", "grumphp.yml", "grumphp.yaml",
		".arcconfig", ".devcontainer/", ".devcontainer.json", "devfile.yaml", ".devfile.yaml", ".gitpod*", ".idx/",
		".codesandbox/", ".replit", ".vscode/", "*.code-workspace", ".vs/", ".idea/",
		".run/", ".fleet/", ".zed/", ".exrc", ".nvimrc", ".nvim.lua", ".lvimrc", ".vimrc", ".dir-locals*.el", ".gdbinit",
		".lldbinit", ".envrc", ".autoenv*", ".mise*/", "mise.toml", "mise.*.toml",
		"/mise/config*.toml", ".config/mise/", ".config/mise.toml", ".config/mise.*.toml",
	}},
	{why: "It decides where packages come from, or what runs when they are installed", paths: []string{
		".npmrc", ".yarnrc*", ".yarn/", ".pnpmfile.*", "pnpmfile.*", ".pypirc", "pip.conf", "pip.ini", ".cargo/", ".mvn/",
		".bundle/", ".gemrc", ".condarc", "nuget.config", ".bowerrc",
	}},
	{why: "These are tenon's own settings", paths: []string{".github/tenon.yml", ".github/tenon.yaml"}},
}

// forReaders are what is only read in .github; nothing else there may be changed.
var forReaders = []string{
	".github/*.md", ".github/issue_template/", ".github/discussion_template/", ".github/pull_request_template/",
	".github/funding.yml", ".github/assets/", ".github/images/", ".github/img/", ".github/media/",
	".github/*.png", ".github/*.svg", ".github/*.jpg", ".github/*.gif",
}
