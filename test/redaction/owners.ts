import { waitFor } from '../until.ts';
import type { Canaries, Place } from './canaries.ts';

interface HttpResponse {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

type Call = (
  what: string,
  path: string,
  given?: { method?: string; body?: unknown; token?: string },
) => Promise<HttpResponse>;

/** Everything that an owner may send to the settings API, right and wrong, with a canary in each value. */
export async function useSettings(
  url: string,
  idToken: string,
  canaries: Canaries,
): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};

  const call: Call = async (what, path, given = {}) => {
    const { method = 'GET', body, token = idToken } = given;
    const create = (name: string) => canaries.create(`${name} of ${what}`);
    const response = await fetch(`${url}/settings${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'user-agent': create('the user agent'),
        cookie: create('the cookie'),
        'x-forwarded-for': create('the forwarded address'),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    statuses[what] = response.status;
    const text = await response.text();
    return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : {} } as HttpResponse;
  };

  canaries.track("an owner's ID token", idToken.split('.')[2]?.slice(0, 40) as string);
  const name = canaries.create("a form's name", ['forms', 'formSecrets', 'tokens']);
  const { json: form } = await call('making a form', '/forms', { method: 'POST', body: { name } });
  const at = `/forms/${form.formId}`;

  const given = canaries.create('a secret that an owner chose', ['formSecrets']);
  const secret = `${given}-of-decent-length`;
  await call('setting a secret', `${at}/delivery/secret`, { method: 'PUT', body: { secret } });
  const rotation = { method: 'POST', body: { graceSeconds: 3600 } };
  const { json: rotated } = await call('rotating', `${at}/delivery/rotate`, rotation);
  canaries.track('a rotated secret', String(rotated.secret).slice(6), ['formSecrets']);
  await useProvider(call, canaries, at);
  const { json: token } = await call('making a token', '/tokens', {
    method: 'POST',
    body: { formId: form.formId, name: canaries.create("a token's name", ['tokens']) },
  });
  canaries.track('a token that an owner made', String(token.token).slice(9, -4));

  await call('debugging a signature', `${at}/delivery/debug`, {
    method: 'POST',
    body: {
      timestamp: canaries.create('a timestamp to debug'),
      signature: canaries.create('a signature to debug'),
      bodyBase64: Buffer.from(`{"a":"${canaries.create('a body to debug')}"}`).toString('base64'),
    },
  });
  await call('sending a test', `${at}/test`, {
    method: 'POST',
    body: {
      body: { email: `${canaries.create('the e-mail of a test', ['leads', 'leadIndex'])}@example.com` },
    },
  });
  await eraseLead(call, canaries, at);
  await call('searching leads', `/leads?q=${canaries.create('what an owner searched for')}`);
  await call('reading leads', `${at}/leads?limit=5`);
  await call('exporting', `${at}/leads/export?format=ndjson`);
  const blocked = `${canaries.create('the address of a sender', ['workspaces'])}@acme.com`;
  await call('blocking a sender', '/senders', {
    method: 'PUT',
    body: { sender: blocked, status: 'blocked' },
  });
  await call('reading reviews', '/reviews/export');
  await call('reading diagnostics', '/diagnostics/events');

  await useDestinations(call, canaries, form.formId);

  const wrong = (what: string) => canaries.create(`a wrong ${what}`);
  await call('a wrong token', '/workspace', { token: wrong('ID token') });
  await call('a forged token', '/workspace', {
    token: `${idToken.slice(0, -20)}${wrong('signature of an ID token')}`,
  });
  await call('an unknown form', `/forms/${wrong('form id')}`);
  await call('an unknown lead', `/leads/${wrong('lead id')}`);
  await call('an unknown lead to review', `/leads/${wrong('lead id to review')}/review`, {
    method: 'POST',
    body: { verdict: 'spam' },
  });
  await call('what is no sender', '/senders', {
    method: 'PUT',
    body: { sender: wrong('sender'), status: null },
  });
  await call('an unknown request', `/diagnostics/requests/${wrong('request id')}`);
  await call('an unknown route', `/${wrong('route')}`);
  await call('an unknown query', `${at}/leads?${wrong('query')}=${wrong('query value')}`);
  await call('a wrong cursor', `${at}/leads?cursor=${wrong('cursor')}`);
  await call('an unknown field', '/forms', {
    method: 'POST',
    body: { name: 'x', [wrong('field')]: wrong('value') },
  });
  await call('a wrong type', '/forms', { method: 'POST', body: { name: { nested: wrong('name') } } });
  await call('what is no JSON', '/forms', { method: 'POST', body: `{"name":${wrong('JSON')}` });
  await call('a short secret', `${at}/delivery/secret`, {
    method: 'PUT',
    body: { secret: '', hint: wrong('hint') },
  });
  return statuses;
}

async function useProvider(call: Call, canaries: Canaries, at: string): Promise<void> {
  await call('choosing a provider', at, { method: 'PATCH', body: { provider: { name: 'tally' } } });
  const pasted = `${canaries.create('a pasted secret of a provider', ['formSecrets'])}-of-decent-length`;
  await call('pasting a secret', `${at}/provider/secret`, { method: 'PUT', body: { secret: pasted } });
  const generated = { method: 'PUT', body: { graceSeconds: 3600 } };
  const { json: made } = await call('generating a secret', `${at}/provider/secret`, generated);
  canaries.track('a generated secret of a provider', String(made.secret), ['formSecrets']);
  await call('an API key as a secret', `${at}/provider/secret`, {
    method: 'PUT',
    body: { secret: `sk_live_${canaries.create('an API key of a provider')}` },
  });
  await call('a preview', `${at}/provider/preview`, {
    method: 'POST',
    body: { body: JSON.stringify({ email: `${canaries.create('an address in an example')}@example.com` }) },
  });
}

/** Nothing of it may be left, neither with the leads nor in the search index. */
async function eraseLead(call: Call, canaries: Canaries, at: string): Promise<void> {
  const email = `${canaries.create('the e-mail of an erased test')}@example.com`;
  const test = { method: 'POST', body: { body: { email } } };
  const { json } = await call('sending a test to erase', `${at}/test`, test);
  await waitFor(async () => {
    const { json: page } = await call('listing leads', '/leads');
    return JSON.stringify(page).includes(`${json.submissionId}`);
  });
  await call('erasing a lead', `/leads/${json.submissionId}`, { method: 'DELETE' });
}

/** Nothing listens at these addresses: the attempts to send are logged, but not the addresses. */
async function useDestinations(call: Call, canaries: Canaries, formId: unknown): Promise<void> {
  const post = (what: string, body: object, path = '') =>
    call(what, `/destinations${path}`, { method: 'POST', body });
  const nobody = (what: string, place: Place) => `http://127.0.0.1:9/${canaries.create(what, [place])}/none`;

  const { json: webhook } = await post('making a webhook', {
    kind: 'webhook',
    name: canaries.create("a destination's name", ['destinations', 'alerts']),
    url: nobody('the URL of a webhook', 'destinations'),
  });
  const secret = (what: string, text: unknown) =>
    canaries.track(what, String(text).slice(6, -1), ['destinationSecrets']);
  secret('a signing secret', webhook.signingSecret);
  const { json: rotated } = await post('rotating a signing secret', {}, `/${webhook.destinationId}/rotate`);
  secret('a rotated signing secret', rotated.signingSecret);
  const { json: slack } = await post('making a Slack destination', {
    kind: 'slack',
    url: nobody('the URL of Slack', 'destinationSecrets'),
  });
  const local = canaries.create('the address of a recipient', ['destinations']);
  await post('making an email destination', { kind: 'email', email: `${local}@example.com`, name: 'Mail' });
  for (const { destinationId } of [webhook, slack]) {
    const { json } = await post('trying a destination', {}, `/${destinationId}/test`);
    await waitFor(
      async () => (await call('reading a message', `/messages/${json.messageId}`)).status === 200,
    );
  }
  await call('reading destinations', '/destinations');
  // A lead that cannot be sent, so that the watch opens an alert about the destinations.
  await call('sending a test to destinations', `/forms/${formId}/test`, { method: 'POST', body: {} });

  const wrong = (what: string) => canaries.create(`a wrong ${what}`);
  await post('a wrong URL', { kind: 'webhook', url: `http://${wrong('host')}.example.com/` });
  await post('a wrong Slack URL', { kind: 'slack', url: `https://example.com/${wrong('Slack URL')}` });
  await post('a wrong recipient', { kind: 'email', email: `${wrong('recipient')}@` });
  await call('an unknown destination', `/destinations/${wrong('destination id')}`);
  await call('an unknown message', `/messages/${wrong('message id')}`);
}
