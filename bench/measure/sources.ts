import { createHmac } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { DELIVERY_ATTRIBUTES } from '../../lambdas/sources/judge-delivery.ts';
import { makeSourceSubmission } from '../../lambdas/sources/source-submission/handler.ts';
import { slugConfigurations, tokenConfigurations } from '../../lambdas/submission/configuration-store.ts';
import { gatewayEvent, type IngestFixture, type Sender } from '../../local/fixture/ingest-fixture.ts';
import { BODIES, SIZES } from '../fixtures/index.ts';
import type { CallCount } from './calls.ts';
import type { MeasureUnits, UnitCount } from './write-units.ts';

export const SECRET = 'the-secret-of-the-provider-0123456789';

/** A form that takes deliveries in GitHub's style, whose body is the lead: the same bodies as on the other surfaces. */
export async function newSource({ administration, newSender }: IngestFixture): Promise<Sender> {
  const sender = await newSender();
  await administration.setFormProvider(sender.formId, { name: 'github' });
  await administration.setProviderSecret({ formId: sender.formId, secret: SECRET });
  return sender;
}

/** A new environment of the function of Surface 1c. */
function newDeliverer({ client, stack, newEnvironment }: IngestFixture) {
  const context = { client, tables: stack.tables };
  const { dependencies } = newEnvironment();
  const handler = makeSourceSubmission({
    ...dependencies,
    slugs: slugConfigurations(context, DELIVERY_ATTRIBUTES),
    tokens: tokenConfigurations(context),
  });
  return async ({ slug }: Sender, body: string, secret = SECRET) => {
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const headers = { 'X-Hub-Signature-256': `sha256=${signature}` };
    return handler(gatewayEvent('/sources/v1/{slug}', { slug }, { body }, headers), {} as Context);
  };
}

const WARM_UP = '{"email":"first@analytical-engines.co.uk"}';
const LEAD = '{"email":"ada@analytical-engines.co.uk"}';

/** Every delivery has a key, so an accepted one compares with a lead with key. */
export async function countSourceCalls(bench: IngestFixture): Promise<CallCount[]> {
  async function run(name: string, expected: RegExp, state: 'warm' | 'cold', secret?: string) {
    const source = await newSource(bench);
    const first = newDeliverer(bench);
    if (state === 'warm' || name === 'replay') await first(source, name === 'replay' ? LEAD : WARM_UP);
    const deliver = state === 'warm' ? first : newDeliverer(bench);
    bench.calls.reset();
    const { statusCode, body } = await deliver(source, LEAD, secret);
    if (!expected.test(`${statusCode} ${body}`)) throw new Error(`${name}: ${statusCode} ${body}`);
    return bench.calls.inSequence();
  }
  const count = async (name: string, expected: RegExp, secret?: string): Promise<CallCount> => ({
    name,
    surface: '1c',
    warm: await run(name, expected, 'warm', secret),
    cold: await run(name, expected, 'cold', secret),
  });
  return [
    await count('accepted, with key', /^200 .*submission_id/),
    await count('replay', /^200 .*submission_id/),
    await count('signature_mismatch', /^503 /, 'guessed by somebody'),
  ];
}

/** The units of a delivery that a warm function stores, by the size of its body. */
export async function countDeliveryUnits(
  bench: IngestFixture,
  measureUnits: Pick<MeasureUnits, 'of'>,
): Promise<UnitCount[]> {
  const counts: UnitCount[] = [];
  for (const size of SIZES) {
    const source = await newSource(bench);
    const deliver = newDeliverer(bench);
    await deliver(source, WARM_UP);
    const units = await measureUnits.of(async () => {
      const { statusCode } = await deliver(source, BODIES[size]);
      if (statusCode !== 200) throw new Error(`A delivery of ${size} got ${statusCode}`);
    });
    counts.push({ size, keyed: true, ...units });
  }
  return counts;
}
