import { expectAccepted, expectEqual, expectStatus, expectThat } from '../checks/expectations.ts';
import { BOTH, DECIDED, type Section, type Trial } from '../row.ts';
import { requestFor } from '../world/submission.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];
const RETIRED_ON = '2026-06-25';

async function checkMethods({ world, sender }: Trial): Promise<void> {
  for (const method of METHODS) {
    expectStatus(await world.send({ method, path: `/api/ingest/${sender.slug}` }), 410);
  }
}

/** What a v1 endpoint would accept. */
async function checkSigned({ world, sender }: Trial): Promise<void> {
  const request = requestFor('1b', sender, {}, world.now);
  expectStatus(await world.send({ ...request, path: `/api/ingest/${sender.slug}` }), 410);
}

async function checkUnknownSlug({ world, sender }: Trial): Promise<void> {
  const known = await world.send({ path: `/api/ingest/${sender.slug}` });
  const unknown = await world.send({ path: `/api/ingest/${sender.slug}-0` });
  expectEqual([unknown.status, unknown.body], [known.status, known.body], 'the answer for an unknown slug');
}

async function checkDate({ world, sender }: Trial): Promise<void> {
  const { body } = await world.send({ path: `/api/ingest/${sender.slug}` });
  expectThat(
    body.includes(RETIRED_ON) && body.includes('/api/v1/ingest'),
    `${RETIRED_ON} and where to go`,
    body,
  );
}

export const VERSIONING: Section = {
  title: 'Versioning',
  rows: [
    {
      rule: 'The current interface is under /api/v1/',
      surfaces: BOTH,
      async check({ submit }) {
        expectAccepted(await submit());
      },
    },
    { rule: 'Every request to /api/ingest/:slug returns 410 Gone, by any method', check: checkMethods },
    { rule: 'Also one with a valid signature', check: checkSigned },
    {
      rule: 'Also for a slug that does not exist, in the same words',
      note: DECIDED,
      check: checkUnknownSlug,
    },
    {
      rule: `The answer says that it was retired on ${RETIRED_ON}, and where to go`,
      note: DECIDED,
      check: checkDate,
    },
  ],
};
