import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { decode, encode, type Packet } from 'dns-packet';
import { startDns } from '../../local/dns.ts';
import { type Closers, makeClosers } from '../../local/lifecycle.ts';

let closers: Closers;
let printed: string[];
beforeEach(() => {
  closers = makeClosers();
  printed = [];
});
afterEach(() => closers.close());

/** A fake resolver of the machine. Without an answer it stays silent. */
async function openUpstream(answer: (name: string, type: string) => Packet | undefined) {
  const asked: string[] = [];
  const socket: Socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const { id, questions: [question] = [] } = decode(query);
    if (question === undefined) return;
    asked.push(`${question.type} ${question.name}`);
    const packet = answer(question.name, question.type);
    if (packet)
      socket.send(encode({ id, type: 'response', questions: [question], ...packet }), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  closers.defer(() => {
    socket.close();
  });
  return { asked, server: `127.0.0.1:${socket.address().port}` };
}

/** As a function asks. */
async function openDns(server: string): Promise<Resolver> {
  const print = (line: string) => printed.push(line);
  const { address } = await startDns({ print, servers: [server] }, closers);
  const resolver = new Resolver({ timeout: 5_000, tries: 1 });
  resolver.setServers([address]);
  return resolver;
}

const NO_SUCH_NAME = { flags: 3 };
const NAME_SERVERS = [{ type: 'NS', name: 'com', ttl: 300, data: 'a.gtld.example' }] as const;

const mx = (name: string, preference: number, exchange: string) =>
  ({ type: 'MX', name, ttl: 300, data: { preference, exchange } }) as const;

describe('with the resolvers of the machine', () => {
  test('mail hosts, addresses and text come from them', async () => {
    const { server } = await openUpstream((name, type) => {
      const record = { name, ttl: 300 };
      if (type === 'A') return { answers: [{ ...record, type: 'A', data: '192.0.2.1' }] };
      if (type === 'TXT') return { answers: [{ ...record, type: 'TXT', data: ['v=spf1', '-all'] }] };
      // A domain that accepts no mail says so (RFC 7505).
      if (name === 'null.example.org') return { answers: [mx(name, 0, '.')] };
      return { answers: [mx(name, 20, 'b.example.net'), mx(name, 10, 'a.example.net')] };
    });
    const resolver = await openDns(server);
    expect((await resolver.resolveMx('example.org')).sort((a, b) => a.priority - b.priority)).toMatchObject([
      { priority: 10, exchange: 'a.example.net' },
      { priority: 20, exchange: 'b.example.net' },
    ]);
    expect(await resolver.resolveMx('null.example.org')).toMatchObject([{ priority: 0, exchange: '' }]);
    expect(await resolver.resolve4('example.org')).toEqual(['192.0.2.1']);
    expect(await resolver.resolveTxt('example.org')).toEqual([['v=spf1', '-all']]);
  });

  test.each([
    ['a name that does not exist', NO_SUCH_NAME, 'ENOTFOUND'],
    ['a name without mail hosts', { answers: [] }, 'ENODATA'],
    ['a name that cannot be resolved', { flags: 2 }, 'ESERVFAIL'],
    ['a name that they refuse', { flags: 5 }, 'ESERVFAIL'],
  ])('%s', async (_, packet, code) => {
    const { server } = await openUpstream((name) =>
      name === 'com' ? { answers: [...NAME_SERVERS] } : packet,
    );
    const resolver = await openDns(server);
    await expect(resolver.resolveMx('example.org')).rejects.toMatchObject({ code });
    expect(printed).toEqual([]);
  });

  test('they are asked once per minute for a name', async () => {
    const { asked, server } = await openUpstream((name) => ({ answers: [mx(name, 10, 'a.example.net')] }));
    const resolver = await openDns(server);
    await Promise.all([resolver.resolveMx('example.org'), resolver.resolveMx('example.org')]);
    await resolver.resolveMx('EXAMPLE.org');
    await resolver.resolveMx('example.com');
    expect(asked).toEqual(['MX example.org', 'MX example.com']);
  });
});

describe('without them', () => {
  test('nothing is known, which is reported once', async () => {
    const { server } = await openUpstream(() => undefined);
    await closers.close();
    closers = makeClosers();
    const resolver = await openDns(server);
    for (const name of ['example.org', 'example.com']) {
      await expect(resolver.resolveMx(name)).rejects.toMatchObject({ code: 'EREFUSED' });
    }
    expect(printed).toEqual(['No DNS on this machine: mail hosts will be unknown.']);
  });

  test.each([
    ['denies', NO_SUCH_NAME],
    ['fails', { flags: 2 }],
    ['refuses', { flags: 5 }],
  ])('nothing is known if the network %s every name', async (_, packet) => {
    const { server } = await openUpstream(() => packet);
    const resolver = await openDns(server);
    for (const name of ['example.org', 'example.com']) {
      await expect(resolver.resolveMx(name)).rejects.toMatchObject({ code: 'EREFUSED' });
    }
    expect(printed).toHaveLength(1);
  });

  test('silent resolvers are not asked twice', async () => {
    const { asked, server } = await openUpstream(() => undefined);
    const resolver = await openDns(server);
    await expect(resolver.resolveMx('example.org')).rejects.toMatchObject({ code: 'EREFUSED' });
    const names = Array.from({ length: 20 }, (_, index) => `${index}.example.org`);
    await Promise.allSettled(names.map((name) => resolver.resolveMx(name)));
    expect(asked).toEqual(['MX example.org']);
    expect(printed).toHaveLength(1);
  });
});
