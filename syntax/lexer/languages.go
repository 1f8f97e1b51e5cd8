package lexer

import (
	"fmt"
	"strings"
)

// lexerNames has the lexer of each language that this package splits, by its name in Chroma. Languages whose lexer
// Chroma composes in Go code are left out.
var lexerNames = map[Language]string{
	"Ada": "Ada", "Awk": "Awk", "C": "C", "C#": "C#", "C++": "C++", "CMake": "CMake", "CSS": "CSS", "Clojure": "Clojure",
	"CoffeeScript": "CoffeeScript", "Crystal": "Crystal", "Cuda": "C++", "Cython": "Cython", "D": "D", "Dart": "Dart",
	"Elixir": "Elixir", "Elm": "Elm", "Erlang": "Erlang", "F#": "FSharp", "Fortran": "Fortran",
	"Fortran Free Form": "Fortran", "GDScript": "GDScript", "GLSL": "GLSL", "Go": "Go", "Gradle": "Groovy",
	"Gradle Kotlin DSL": "Kotlin", "GraphQL": "GraphQL", "Groovy": "Groovy", "HCL": "HCL", "HLSL": "HLSL",
	"Haskell": "Haskell", "INI": "INI", "JSON": "JSON", "JSON with Comments": "JSON", "Java": "Java",
	"JavaScript": "JavaScript", "Julia": "Julia", "Kotlin": "Kotlin", "Less": "SCSS", "Lua": "Lua", "Luau": "Luau",
	"MATLAB": "Matlab", "Makefile": "Makefile", "Mojo": "Mojo", "Nim": "Nim", "Nix": "Nix", "OCaml": "OCaml",
	"Objective-C": "Objective-C", "Objective-C++": "Objective-C", "PHP": "PHP", "PLSQL": "SQL", "PLpgSQL": "PL/pgSQL",
	"Perl": "Perl", "PowerShell": "PowerShell", "Protocol Buffer": "Protocol Buffer", "Puppet": "Puppet",
	"Python": "Python", "R": "R", "Racket": "Racket", "Ruby": "Ruby", "Rust": "Rust", "SCSS": "SCSS", "SQL": "SQL",
	"Scala": "Scala", "Scheme": "Scheme", "Shell": "Bash", "Solidity": "Solidity", "Starlark": "Python",
	"Swift": "Swift", "TOML": "TOML", "TSX": "TypeScript", "Tcl": "Tcl", "Thrift": "Thrift", "TypeScript": "TypeScript",
	"Vala": "Vala", "Verilog": "verilog", "SystemVerilog": "systemverilog", "Visual Basic .NET": "VB.net",
	"WGSL": "WebGPU Shading Language", "YAML": "YAML", "Zig": "Zig",
}

// grammar returns the rules for a text of the language.
func (l Language) grammar(text string) (*grammar, error) {
	name, ok := lexerNames[l]
	if !ok {
		return nil, fmt.Errorf("no lexer for %q", l)
	}
	if l == "PHP" && strings.Contains(text, "<?") {
		return phpFile()
	}
	return grammarOf(name)
}
