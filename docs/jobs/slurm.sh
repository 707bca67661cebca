#!/usr/bin/env bash
#SBATCH --job-name=theorycheck
#SBATCH --array=1-16
#SBATCH --cpus-per-task=2
#SBATCH --output=shard-%a.log
set -euo pipefail
# shellcheck disable=SC2086  # CLAIMS is a list.
theorycheck check ${CLAIMS:-} --effort "${EFFORT:-standard}" --threads "${SLURM_CPUS_PER_TASK:-2}" \
  --shard "${SLURM_ARRAY_TASK_ID}/${SLURM_ARRAY_TASK_COUNT:-16}" --json="shard-${SLURM_ARRAY_TASK_ID}.json" --quiet
