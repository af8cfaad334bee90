import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApp } from '../../lib/lead-ingest-app.ts';
import type { Resources } from './background.ts';

/** The resources of `prod` with these settings, without code. */
export function resourcesWith(context: Readonly<Record<string, unknown>>): Resources {
  const outdir = mkdtempSync(join(tmpdir(), 'lead-ingest-scale-'));
  try {
    const app = makeApp({
      outdir,
      context: { stage: 'prod', 'aws:cdk:bundling-stacks': [], ...context },
      builtinCloudFormationValidation: false,
    });
    return app.synth().getStackByName('LeadIngest-prod').template.Resources;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
