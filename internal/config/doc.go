// Package config reads the server's settings: environment variables, and a YAML file for those who prefer one. It is
// the only reader of the environment. Whatever is wrong is found at the start, all of it at once.
package config
