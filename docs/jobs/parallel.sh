#!/usr/bin/env bash
# As many shards as asked for (8), as many at a time as there are cores.
set -euo pipefail
SHARDS="${SHARDS:-8}"
seq 1 "$SHARDS" | parallel theorycheck check ${CLAIMS:-} --effort "${EFFORT:-standard}" --threads 1 --shard "{}/$SHARDS" --json="shard-{}.json" --quiet
theorycheck merge shard-*.json --json=run.json --html run.html --quiet
