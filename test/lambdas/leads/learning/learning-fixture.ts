import { randomUUID } from 'node:crypto';
import { beforeEach } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { type LearnedItem, makeLearnedStore } from '#leads/learning/learned-store.ts';
import { makeRelearn, type RelearnDependencies } from '#leads/learning/relearn/handler.ts';
import { makeReadReviewed } from '#leads/learning/reviewed-leads-store.ts';
import { recordCalls } from '#local/fixture/recorded-calls.ts';
import type { LearnMessage } from '#model/lead-events.ts';
import { learnedKey } from '#model/learned.ts';
import { unfollowedStack } from '#test/local-stack.ts';
import { type Owner, openOwnerFixture } from '../../owner-api/owner-fixture.ts';
import { type Sender, submissionId } from '../../submission/submission-fixture.ts';

export const NOON = '2026-11-15T12:00:00.000Z';

// The score says the opposite, so that there is something to learn: this owner buys backlinks, and builds nothing.
const WANTED = 'We offer backlinks for the ranking of your site, shall we send our packages?';
const UNWANTED = 'We would like a pergola in our garden next spring, what would that cost?';

/** A new workspace for each test, whose verdicts are learned from only when a test says so. */
export function openLearningFixture(runningStack = unfollowedStack()) {
  const fixture = openOwnerFixture(Date.parse(NOON), undefined, runningStack);
  const now = () => fixture.clock.now;
  const rawClient = fixture.stack.newClient();
  const calls = recordCalls(rawClient);
  const context = { client: toDocumentClient(rawClient), tables: fixture.stack.tables, now };
  const lines: string[] = [];
  const queued: LearnMessage[] = [];
  const at = {} as { sender: Sender; owner: Owner; workspaceId: string };
  const dependencies: RelearnDependencies = {
    store: makeLearnedStore(context),
    readReviewed: makeReadReviewed(context),
    queue: {
      async send(messages) {
        queued.push(...messages);
        return new Set();
      },
    },
    now,
    write: (line) => void lines.push(line),
  };

  beforeEach(async () => {
    fixture.clock.now = Date.parse(NOON);
    at.sender = await fixture.newSender();
    at.workspaceId = at.sender.workspaceId;
    at.owner = fixture.ownerOf(at.workspaceId);
    calls.reset();
    lines.length = 0;
    queued.length = 0;
  });

  const record = (message: object, sentAt = now()) => ({
    messageId: randomUUID(),
    body: JSON.stringify(message),
    attributes: { SentTimestamp: String(sentAt) },
  });

  async function invoke(records: object[], changed: Partial<RelearnDependencies> = {}) {
    const event = { Records: records } as unknown as SQSEvent;
    return makeRelearn({ ...dependencies, ...changed })(event);
  }

  async function send(email: string, message: string): Promise<string> {
    const body = JSON.stringify({ name: 'Ada Byron', email, message });
    return submissionId(await fixture.newEnvironment().send('1a', at.sender, { body }));
  }

  async function review(leadIds: readonly string[], verdict: 'good' | 'spam' | null) {
    const body = { verdict, submissionIds: leadIds };
    await at.owner.post('/leads/review', { body });
  }

  return {
    fixture,
    context,
    dependencies,
    calls,
    lines,
    queued,
    at,
    record,
    invoke,
    send,
    review,
    /** As the relay asks for it after a review. */
    learn: (more: Partial<LearnMessage> = {}, changed: Partial<RelearnDependencies> = {}) =>
      invoke([record({ task: 'learn', workspaceId: at.workspaceId, ...more })], changed),
    item: async (workspaceId = at.workspaceId) =>
      (await fixture.itemOf('workspaces', learnedKey(workspaceId))) as LearnedItem | undefined,
    /** Four companies that offer backlinks, and four that want a pergola, with their verdicts. */
    async reviewEight() {
      const leads = async (text: string, domain: string) => {
        const numbers = [1, 2, 3, 4];
        return Promise.all(numbers.map((n) => send(`ada@${domain}-${n}.co.uk`, text)));
      };
      const [good, spam] = await Promise.all([leads(WANTED, 'sellers'), leads(UNWANTED, 'gardeners')]);
      await review(good, 'good');
      await review(spam, 'spam');
      return { good, spam };
    },
    /** The signal of a new lead from a company that nobody knows, in a new environment. */
    async learnedSignal(message = WANTED) {
      const lead = await fixture.leadById(await send('eve@somebody-else.co.uk', message));
      return lead?.signals.find(({ name }) => name === 'learned');
    },
  };
}
