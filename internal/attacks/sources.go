package attacks

// The addresses of what was published about several of the attacks, or is too long for a row.
const (
	camoLeaked = "https://www.legitsecurity.com/blog/" +
		"camoleak-critical-github-copilot-vulnerability-leaks-private-source-code"
	codeRabbit = "https://kudelskisecurity.com/research/" +
		"how-we-exploited-coderabbit-from-a-simple-pr-to-rce-and-write-access-on-1m-repositories"
	commentAndControl = "https://oddguan.com/blog/" +
		"comment-and-control-prompt-injection-credential-theft-claude-code-gemini-cli-github-copilot/"
	projectFiles = "https://research.checkpoint.com/2026/" +
		"rce-and-api-token-exfiltration-through-claude-code-project-files-cve-2025-59536/"
)
