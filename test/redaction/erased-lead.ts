import { submissionId } from '../contract/tenant.ts';
import type { Canaries } from './canaries.ts';
import { type Contract, newGuardedTenant, sendGuarded } from './senders.ts';

/** Accepted, and erased by an operator: nothing of its body is left. Returns its id. */
export async function sendAndErase(
  contract: Contract,
  canaries: Canaries,
  erase: (id: string) => Promise<{ readonly exitCode: number | null }>,
): Promise<string> {
  const tenant = await newGuardedTenant(contract, canaries, 'an erased submission');
  const id = submissionId(
    await sendGuarded('1a', tenant, canaries, { what: 'an erased submission', ofUserAgent: [] }),
  );
  const { exitCode } = await erase(id);
  if (exitCode !== 0) throw new Error(`leadctl ended with ${exitCode}`);
  return id;
}
