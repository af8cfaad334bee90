import { spawnSync } from 'node:child_process';

/** Debian's boto3 belongs to Debian's Python, which need not be the first on the path. */
const CANDIDATES = ['python3', '/usr/bin/python3'];

/** A Python that has boto3, or undefined. */
export const PYTHON = CANDIDATES.find(
  (program) => spawnSync(program, ['-c', 'import boto3'], { stdio: 'ignore' }).status === 0,
);

/** As `testUnlessMissing` takes it. */
export const MISSING = PYTHON === undefined ? ['Python with boto3'] : [];
