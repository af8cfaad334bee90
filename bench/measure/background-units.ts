import { randomBytes } from 'node:crypto';
import { toDocumentClient } from '../../lambdas/aws/document-client.ts';
import { makeEnrichments } from '../../lambdas/enrichment/enrichments-store.ts';
import { makeLeadStats } from '../../lambdas/stats/stats-store.ts';
import { makeLeadId } from '../../lambdas/submission/ids.ts';
import { type IngestWorkbench, submissionId } from '../../local/workbench/ingest-workbench.ts';
import { ASSUMPTIONS } from '../cost/assumptions.ts';
import { BODIES, SIZES, type Size } from '../fixtures/index.ts';
import { type Capacity, makeCapacity } from '../units/capacity.ts';
import { recordWire } from '../units/wire-calls.ts';

type Units = Pick<Capacity, 'writeUnits' | 'readUnits'>;

export interface BackgroundUnits {
  /** Of one lead in a batch. */
  readonly stats: Units;
  readonly enrichment: Readonly<Record<Size, Units>>;
}

/** What happens to a lead after the 202, by the stores that the functions use. */
export async function countBackgroundUnits(bench: IngestWorkbench): Promise<BackgroundUnits> {
  const rawClient = bench.stack.newClient();
  const wire = recordWire(rawClient);
  const context = { client: toDocumentClient(rawClient), tables: bench.stack.tables };
  const capacityOf = makeCapacity(bench.stack.newClient());
  const signal = AbortSignal.timeout(60_000);

  async function statsOfOne(): Promise<Units> {
    const sender = await bench.newSender();
    const { workspaceId, formId } = sender;
    const receivedAt = new Date(bench.clock.now).toISOString();
    const leads = Array.from({ length: ASSUMPTIONS.leadsPerBatch }, () => ({
      leadId: makeLeadId(bench.clock.now, randomBytes(10)),
      ...{ workspaceId, formId, receivedAt, score: 85, clean: true },
    }));
    wire.reset();
    await makeLeadStats(context).count(leads, bench.clock.now, signal);
    const { writeUnits, readUnits } = await capacityOf(wire.list());
    return { writeUnits: writeUnits / leads.length, readUnits: readUnits / leads.length };
  }

  async function enrichmentOf(size: Size): Promise<Units> {
    const sender = await bench.newSender();
    const leadId = submissionId(await bench.newEnvironment().server(sender, { body: BODIES[size] }));
    const enrichments = makeEnrichments(context);
    wire.reset();
    await enrichments.read(leadId, signal);
    await enrichments.write(
      {
        leadId,
        enrichedAt: new Date(bench.clock.now).toISOString(),
        attempts: 1,
        state: 'enriched',
        facts: FACTS,
      },
      signal,
    );
    return capacityOf(wire.list());
  }

  const enrichment: Partial<Record<Size, Units>> = {};
  for (const size of SIZES) enrichment[size] = await enrichmentOf(size);
  return { stats: await statsOfOne(), enrichment: enrichment as Record<Size, Units> };
}

const FACTS = {
  emailDomain: { value: 'nordhafen-logistik.de', source: 'body' },
  mailClass: { value: 'company', source: 'mail-lists' },
  mailHosts: { value: ['mx1.nordhafen-logistik.de', 'mx2.nordhafen-logistik.de'], source: 'dns' },
  country: { value: 'DE', source: 'phone-metadata' },
  timeZone: { value: 'Europe/Berlin', source: 'phone-metadata' },
  firstName: { value: 'Johanna', source: 'body' },
  lastName: { value: 'Lindqvist', source: 'body' },
} as const;
