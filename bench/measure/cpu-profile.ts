import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Closers } from '../../local/lifecycle.ts';
import { startCannedStore, startWorker } from '../cpu/processes.ts';
import { type Profile, type Share, summariseProfile } from '../cpu/summarise-profile.ts';

const SOURCE = fileURLToPath(new URL('../../lambdas/submission/ingest-server/index.ts', import.meta.url));

/** Where a request's processor time goes. From source, not from the bundle, in which packages have no names. */
export async function profileCpu({ requests }: { requests: number }, closers: Closers): Promise<Share[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lead-ingest-profile-'));
  closers.defer(() => rmSync(folder, { recursive: true, force: true }));
  const profile = join(folder, 'ours.cpuprofile');
  const worker = await startWorker(SOURCE, await startCannedStore(closers), closers);
  await worker.run({ count: 600, keyed: false });
  await worker.run({ count: requests, keyed: false, profile });
  await worker.end();
  return summariseProfile(JSON.parse(readFileSync(profile, 'utf8')) as Profile);
}
