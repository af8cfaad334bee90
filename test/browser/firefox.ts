import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { requireBrowser } from './find-browser.ts';

/** Firefox makes no requests of its own, and does not ask anything. */
const PREFERENCES: Readonly<Record<string, boolean | string | number>> = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
};

interface Result {
  readonly type?: string;
  readonly result?: { readonly type: string; readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string };
}

export type FirefoxPage = Awaited<ReturnType<typeof openFirefox>>;

/** One tab of the system's Firefox, over WebDriver BiDi: https://w3c.github.io/webdriver-bidi */
export async function openFirefox() {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join(''));
  const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
  const browser = spawn(requireBrowser('firefox'), options, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
  });
  const exited = once(browser, 'exit');
  const call = await connect(await addressOf(browser.stderr));
  await call('session.new', { capabilities: {} });
  const { contexts } = (await call('browsingContext.getTree', {})) as { contexts: { context: string }[] };
  const context = contexts[0]?.context ?? '';

  /** The value of an expression: text, a number, a boolean, null or undefined. */
  async function evaluate(expression: string): Promise<unknown> {
    const target = { context };
    const response = (await call('script.evaluate', { expression, target, awaitPromise: true })) as Result;
    if (response.type !== 'success') throw new Error(response.exceptionDetails?.text);
    return response.result?.value;
  }

  return {
    async goTo(url: string): Promise<void> {
      await call('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async reload(): Promise<void> {
      await call('browsingContext.reload', { context, wait: 'complete' });
    },
    evaluate,
    /** Clicks where the element is, as a mouse does. */
    async click(selector: string, times = 1): Promise<void> {
      const place = await evaluate(`(() => {
        const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
        return JSON.stringify([Math.round(x + width / 2), Math.round(y + height / 2)]);
      })()`);
      const [x, y] = JSON.parse(String(place)) as [number, number];
      const click = [
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      const actions = [{ type: 'pointerMove', x, y }, ...Array.from({ length: times }, () => click).flat()];
      await call('input.performActions', {
        context,
        actions: [{ type: 'pointer', id: 'mouse', actions }],
      });
    },
    async close(): Promise<void> {
      await call('browser.close', {});
      await exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
    if (address !== undefined) {
      // What follows is of no interest, but must not fill the pipe.
      output.resume();
      return address;
    }
  }
  throw new Error('Firefox ended before it was ready.');
}

type Call = (method: string, params: object) => Promise<unknown>;

async function connect(address: string): Promise<Call> {
  const socket = new WebSocket(`${address}/session`);
  await once(socket, 'open');
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener('message', ({ data }) => {
    const { id, error, message, result } = JSON.parse(String(data));
    const call = waiting.get(id);
    waiting.delete(id);
    if (error) call?.reject(new Error(`${error}: ${message}`));
    else call?.resolve(result);
  });
  socket.addEventListener('close', () => {
    for (const call of waiting.values()) call.reject(new Error('Firefox closed the connection.'));
  });
  let last = 0;
  return (method, params) => {
    last += 1;
    const call = Promise.withResolvers<unknown>();
    waiting.set(last, call);
    socket.send(JSON.stringify({ id: last, method, params }));
    return call.promise;
  };
}
