#!/usr/bin/env bash
# After the array: sbatch --dependency=afterany:JOBID docs/jobs/merge.sh
set -euo pipefail
theorycheck merge shard-*.json --json=run.json --html run.html --junit run.xml --quiet
