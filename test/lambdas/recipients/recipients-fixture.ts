import { randomBytes } from 'node:crypto';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { makeRecipientLinks } from '#recipients/recipients-store.ts';
import { makeDestinationReader } from '#sending/destinations-store.ts';
import { makeDestinationAdministration } from '#sending/keep-destinations.ts';
import { makeMessageReader } from '#sending/message-reader-store.ts';
import { makeRecipientLinksFunction } from '#sending/recipient-links/handler.ts';
import type { FeedbackEvent } from '#sending/recipient-links/record-feedback.ts';
import { makeRecipientState } from '#sending/recipient-state-store.ts';
import { LINKS_URL, openSendingFixtureForTests } from '../sending/sending-fixture.ts';

/** Dispatch, send and the links in mails on real tables, with the owners' own functions for destinations. */
export async function openRecipientsFixture() {
  const { fixture, own, statusesOf } = await openSendingFixtureForTests();
  const { observed, queue, now, signal } = fixture;
  const { client, tables } = observed;
  const watched: string[] = [];

  const destinationsOf = makeDestinationAdministration({
    reader: makeDestinationReader(observed),
    store: fixture.store,
    messages: makeMessageReader({ ...observed, now }),
    queue,
    canSendEmail: true,
    resolve: async () => ['203.0.113.1'],
    allowLoopback: false,
    hasForm: async () => true,
    now,
    random: randomBytes,
  });

  const handle = makeRecipientLinksFunction({
    links: makeRecipientLinks(observed),
    state: makeRecipientState(observed),
    queue,
    watchWorkspace: async (workspaceId) => void watched.push(workspaceId),
    now,
    write: (line) => fixture.lines.push(line),
  });

  /** Follows a link as a browser or a mail program does. */
  async function open(method: 'GET' | 'POST', url: string | undefined, body?: string) {
    const token = url?.startsWith(`${LINKS_URL}/mail/`) ? url.slice(`${LINKS_URL}/mail/`.length) : url;
    const event = { requestContext: { http: { method } }, pathParameters: { token }, body };
    const page = await handle(event as unknown as APIGatewayProxyEventV2);
    return { status: page?.statusCode, title: /<h1>(.*?)<\/h1>/.exec(page?.body ?? '')?.[1] };
  }

  const links = (text = '') => text.match(/https:\/\/settings\.example\/mail\/\S+/g) ?? [];

  return {
    ...fixture,
    own,
    statusesOf,
    watched,
    destinationsOf,
    open,
    feedback: (detail: FeedbackEvent['detail']) => handle({ source: 'aws.ses', detail }),
    /** Until nothing is left to do at this moment. */
    settle: () => fixture.runFor(1),
    mailsTo: (email: string) => fixture.mails.filter(({ to }) => to === email),
    /** The links of the latest mail to an address: to confirm, if it asks for that, and to stop. */
    linksTo(email: string) {
      const found = links(fixture.mails.findLast(({ to }) => to === email)?.text);
      return { confirm: found.length > 1 ? found[0] : undefined, stop: found.at(-1) };
    },
    create: (email: string, { workspaceId = own.workspaceId, seesMembers = false } = {}) =>
      destinationsOf(workspaceId, seesMembers)
        .create({ kind: 'email', email }, signal)
        .then(({ destination }) => destination),
    async addMember(email: string, joined: boolean, workspaceId = own.workspaceId) {
      const joinedAt = joined ? { joinedAt: new Date(now()).toISOString() } : {};
      const Item = { workspaceId, memberId: `m_${randomBytes(4).toString('hex')}`, email, ...joinedAt };
      await client.send(new PutCommand({ TableName: tables.members, Item }));
    },
    nameWorkspace: (name: string, workspaceId = own.workspaceId) =>
      client.send(new PutCommand({ TableName: tables.workspaces, Item: { workspaceId, name } })),
    async stored() {
      const { Items = [] } = await client.send(new ScanCommand({ TableName: tables.recipients }));
      return Items;
    },
  };
}
