import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ExternalFailure } from '#enrichment/external-failures.ts';
import { mailProviderOf, makeMailExchanges } from '#enrichment/mail-exchanges.ts';
import { type DnsBehaviour, startDnsServer } from './external-servers.ts';

const clock = { now: 0 };
const server = await startDnsServer(new Map());
afterAll(server.close);
beforeEach(() => {
  server.asked.length = 0;
  server.types.length = 0;
  server.behaviours.clear();
});

/** With a long timeout, unless a test is about the timeout. */
const resolver = (timeoutMilliseconds = 30_000) =>
  makeMailExchanges({ now: () => clock.now, servers: [server.address], timeoutMilliseconds });

const behave = (behaviour: DnsBehaviour) => void server.behaviours.set('analytical.com', behaviour);

describe('answers', () => {
  test.each<[string, DnsBehaviour, string[]]>([
    [
      'hosts by preference',
      { exchanges: [[20, 'b.analytical.com'], [10, 'A.analytical.com']] }, // biome-ignore format: a row
      ['a.analytical.com', 'b.analytical.com'],
    ],
    ['no such domain', { rcode: 'NXDOMAIN' }, []],
    ['neither MX nor address', { exchanges: [] }, []],
    ['no MX, but an IPv4 address', { exchanges: [], A: '192.0.2.1' }, ['analytical.com']],
    ['no MX, but an IPv6 address', { exchanges: [], AAAA: '2001:db8::1' }, ['analytical.com']],
    ['a null MX', { exchanges: [[0, '.']], A: '192.0.2.1' }, []],
    [
      'names that are none, or known by then',
      { exchanges: [[1, '<script>alert(1)</script>.com'], [2, 'a b.com'], [3, 'OK.com'], [4, 'single'], [5, '-x.com'], [6, 'ok.com']] }, // biome-ignore format: a row
      ['ok.com'],
    ],
  ])('%s', async (_, behaviour, hosts) => {
    behave(behaviour);
    expect(await resolver().hostsOf('analytical.com')).toEqual(hosts);
  });

  test.each<[string, DnsBehaviour, string[]]>([
    ['an MX', { exchanges: [[10, 'mx.analytical.com']], A: '192.0.2.1' }, ['MX']],
    ['a null MX', { exchanges: [[0, '.']], A: '192.0.2.1' }, ['MX']],
    ['no such domain', { rcode: 'NXDOMAIN' }, ['MX']],
    ['no MX', { exchanges: [], A: '192.0.2.1' }, ['MX', 'A']],
    ['neither MX nor A', { exchanges: [], AAAA: '2001:db8::1' }, ['MX', 'A', 'AAAA']],
  ])('the address is asked for only if there is no MX: %s', async (_, behaviour, types) => {
    behave(behaviour);
    const mailExchanges = resolver();
    await mailExchanges.hostsOf('analytical.com');
    await mailExchanges.hostsOf('analytical.com');
    expect(server.types).toEqual(types);
  });

  test('of five hundred records the ten most preferred are kept', async () => {
    behave({
      exchanges: Array.from({ length: 500 }, (_, index) => [500 - index, `mx${index}.analytical.com`]),
    });
    const hosts = await resolver().hostsOf('analytical.com');
    expect(hosts).toHaveLength(10);
    expect(hosts[0]).toBe('mx499.analytical.com');
  });
});

test('a refusal is no answer, and a retry changes nothing', async () => {
  behave({ rcode: 'REFUSED' });
  const failure = { outside: 'dns', transient: false, code: 'EREFUSED' };
  await expect(resolver().hostsOf('analytical.com')).rejects.toMatchObject(failure);
});

describe('transient failures', () => {
  test.each<[string, DnsBehaviour]>([
    ['silence', 'silent'],
    ['an answer to another question', 'wrong id'],
    ['garbage', 'garbage'],
    ['SERVFAIL', { rcode: 'SERVFAIL' }],
    ['no MX, and silence about the address', { addresses: 'silent' }],
    ['no MX, and SERVFAIL for the address', { addresses: { rcode: 'SERVFAIL' } }],
  ])('%s is transient, in bounded time', async (_, behaviour) => {
    behave(behaviour);
    const mailExchanges = resolver(400);
    const failure = await mailExchanges.hostsOf('analytical.com').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ExternalFailure);
    expect(failure).toMatchObject({ outside: 'dns', transient: true });
    expect(JSON.stringify([failure, String(failure), (failure as Error).stack])).not.toContain('analytical');
    behave({ exchanges: [[10, 'mx.analytical.com']] });
    clock.now += 40_000;
    expect(await mailExchanges.hostsOf('analytical.com')).toEqual(['mx.analytical.com']);
  });

  test('a timeout is remembered for 40 seconds', async () => {
    behave('silent');
    const mailExchanges = resolver(400);
    const failure = await mailExchanges.hostsOf('analytical.com').catch((error: unknown) => error);
    behave({ exchanges: [[10, 'mx.analytical.com']] });
    server.asked.length = 0;
    clock.now += 39_999;
    await expect(mailExchanges.hostsOf('analytical.com')).rejects.toBe(failure);
    expect(server.asked).toEqual([]);
    clock.now += 1;
    expect(await mailExchanges.hostsOf('analytical.com')).toEqual(['mx.analytical.com']);
  });

  test('an immediate failure is retried', async () => {
    behave({ rcode: 'SERVFAIL' });
    const mailExchanges = resolver();
    await expect(mailExchanges.hostsOf('analytical.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
    behave({ exchanges: [[10, 'mx.analytical.com']] });
    expect(await mailExchanges.hostsOf('analytical.com')).toEqual(['mx.analytical.com']);
  });

  test('a domain that timed out is not asked again under a subdomain, but other domains are', async () => {
    const mailExchanges = resolver(400);
    for (const name of ['a.slow.co.uk', 'b.slow.co.uk', 'a.github.io']) server.behaviours.set(name, 'silent');
    server.behaviours.set('other.co.uk', { exchanges: [[10, 'mx.other.co.uk']] });
    server.behaviours.set('b.github.io', { exchanges: [[10, 'mx.github.io']] });
    const silent = { outside: 'dns', transient: true };
    await expect(mailExchanges.hostsOf('a.slow.co.uk')).rejects.toMatchObject(silent);
    await expect(mailExchanges.hostsOf('b.slow.co.uk')).rejects.toMatchObject(silent);
    await expect(mailExchanges.hostsOf('a.github.io')).rejects.toMatchObject(silent);
    expect(server.asked).not.toContain('b.slow.co.uk');
    expect(await mailExchanges.hostsOf('other.co.uk')).toEqual(['mx.other.co.uk']);
    expect(await mailExchanges.hostsOf('b.github.io')).toEqual(['mx.github.io']);
  });

  test('an unreachable resolver is a transient failure', async () => {
    const vacant = createSocket('udp4');
    vacant.bind(0, '127.0.0.1');
    await once(vacant, 'listening');
    const servers = [`127.0.0.1:${vacant.address().port}`];
    await new Promise<void>((resolve) => void vacant.close(() => resolve()));
    const mailExchanges = makeMailExchanges({ now: () => 0, servers, timeoutMilliseconds: 400 });
    await expect(mailExchanges.hostsOf('analytical.com')).rejects.toMatchObject({ transient: true });
  });
});

describe('memory', () => {
  test.each<[string, DnsBehaviour, number]>([
    ['hosts are kept for an hour', { exchanges: [[10, 'mx.analytical.com']] }, 3_600_000],
    ['an empty answer is kept for five minutes', { rcode: 'NXDOMAIN' }, 300_000],
  ])('%s', async (_, behaviour, milliseconds) => {
    behave(behaviour);
    const mailExchanges = resolver();
    await mailExchanges.hostsOf('analytical.com');
    clock.now += milliseconds - 1;
    await mailExchanges.hostsOf('analytical.com');
    expect(server.asked).toHaveLength(1);
    clock.now += 1;
    await mailExchanges.hostsOf('analytical.com');
    expect(server.asked).toHaveLength(2);
  });

  test('concurrent queries are sent once', async () => {
    behave({ exchanges: [[10, 'mx.analytical.com']] });
    const mailExchanges = resolver();
    await Promise.all(Array.from({ length: 10 }, () => mailExchanges.hostsOf('analytical.com')));
    expect(server.asked).toHaveLength(1);
  });
});

describe('mail hosts', () => {
  test.each([
    ['aspmx.l.google.com', 'Google Workspace'],
    ['aspmx2.googlemail.com', 'Google Workspace'],
    ['analytical-com.mail.protection.outlook.com', 'Microsoft 365'],
    ['analytical-com.a-v1.mx.microsoft', 'Microsoft 365'],
    ['mx.zoho.eu', 'Zoho Mail'],
    ['inbound-smtp.eu-west-1.amazonaws.com', 'Amazon SES'],
    ['eu-smtp-inbound-1.mimecast.com', 'Mimecast'],
    ['mx0a-00000000.pphosted.com', 'Proofpoint'],
    ['mail.analytical.com', undefined],
    ['ec2-1-2-3-4.compute-1.amazonaws.com', undefined],
    ['gmail-smtp-in.l.google.com', undefined],
    ['notaspmx.l.google.com.evil.example', undefined],
    ['evilmimecast.com', undefined],
  ])('%s is run by %s', (host, provider) => {
    expect(mailProviderOf([host])).toBe(provider);
  });

  test('the most preferred known host decides', () => {
    expect(mailProviderOf(['mx.analytical.com', 'mx.zoho.eu', 'aspmx.l.google.com'])).toBe('Zoho Mail');
  });
});
