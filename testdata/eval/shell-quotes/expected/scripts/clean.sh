#!/bin/sh
set -e
rm -rf -- "$1/cache"
echo "removed the cache of $1"
