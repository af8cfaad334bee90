import type { Page, Route } from 'playwright-core';

/** The nonce of every token that the page asks for. */
export function watchMints(page: Page): string[] {
  const nonces: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/browser/token')) {
      nonces.push(request.postDataJSON().nonce);
    }
  });
  return nonces;
}

/** The request ID of every rejected submission. */
export function watchRejections(page: Page): string[] {
  const ids: string[] = [];
  page.on('response', async (response) => {
    if (response.status() !== 200 || !response.url().endsWith('/browser/submissions')) return;
    ids.push((await response.allHeaders())['x-amzn-requestid'] ?? '');
  });
  return ids;
}

/** `forged`: it arrives with another signature. `lost`: it arrives, and the response does not. */
export type Disturbance = 'forged' | 'lost' | (() => Promise<void>);

/** Disturbs the next submissions on their way to the service, in this order. The rest arrive as they are. */
export async function disturb(page: Page, ...disturbances: Disturbance[]): Promise<void> {
  await page.route('**/browser/submissions', async (route: Route) => {
    const disturbance = disturbances.shift();
    if (disturbance === 'forged') {
      const headers = await route.request().allHeaders();
      await route.continue({ headers: { ...headers, authorization: forge(headers.authorization ?? '') } });
    } else if (disturbance === 'lost') {
      await route.fetch();
      await route.abort('connectionreset');
    } else {
      await disturbance?.();
      await route.continue();
    }
  });
}

/** Not the last character: some of its bits are not part of the token. */
const forge = (authorization: string) =>
  authorization.replace(/.(?=.{4}$)/, (digit) => (digit === 'A' ? 'B' : 'A'));
