import { beforeEach } from '@jest/globals';
import { type Owner, openOwnerFixture } from '../owner-api/owner-fixture.ts';
import { type Sender, submissionId } from '../submission/submission-fixture.ts';

export const NOON = '2026-11-15T12:00:00.000Z';

export const GOOD = { name: 'Ada Byron', message: 'We need a quote for 40 calculating machines, please.' };
export const SPAM = {
  name: 'SEO Expert',
  message: 'Buy backlinks now!!! Rank #1 on Google, casino viagra http://spam.top',
};

/** A new sender and their owner for each test, who reviews what was sent. */
export function openReviewFixture() {
  const fixture = openOwnerFixture(Date.parse(NOON));
  const ingest = fixture.newEnvironment();
  const parties = {} as { sender: Sender; owner: Owner };

  beforeEach(async () => {
    parties.sender = await fixture.newSender();
    parties.owner = fixture.ownerOf(parties.sender.workspaceId);
  });

  return {
    fixture,
    ingest,
    parties,
    async send(lead: object, surface: '1a' | '1b' = '1a'): Promise<string> {
      return submissionId(await ingest.send(surface, parties.sender, { body: JSON.stringify(lead) }));
    },
    review: (leadId: string, verdict: 'good' | 'spam' | null) =>
      parties.owner.post(`/leads/${leadId}/review`, { body: { verdict } }),
  };
}
