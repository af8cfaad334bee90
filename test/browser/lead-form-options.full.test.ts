import { beforeEach, describe, expect, test } from '@jest/globals';
import { SDK } from './browser-form.ts';
import { pageWith, snippet } from './browser-snippets.ts';
import { disturb, newVisitForEachTest, SENT } from './visit.ts';

const visit = newVisitForEachTest();
const complaints: string[] = [];

beforeEach(() => {
  complaints.length = 0;
  visit.page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
});

const change = (from: string | RegExp, to: string) => {
  const changed = visit.site.html.replace(from, to);
  expect(changed).not.toBe(visit.site.html);
  visit.site.html = changed;
};

describe('the script', () => {
  test('works from its immutable address, with its integrity hash, under a strict policy', async () => {
    const { file, integrity } = SDK.manifest.script;
    change('v1.js"', `${file}" integrity="${integrity}" crossorigin`);
    visit.site.policy = `default-src 'none'; script-src ${visit.form.console}; connect-src ${visit.form.api}; form-action 'self'`;
    await visit.open();
    await visit.sendLead();
    expect(complaints).toEqual([]);
  });

  test('takes slug and service from its own tag if the form and the tag name none', async () => {
    change(`data-lead-form="${visit.form.slug}"`, 'data-lead-form');
    change(/data-endpoint="[^"]*"/, `data-form="${visit.form.slug}"`);
    await visit.open();
    await visit.sendLead();
    expect(await visit.form.leads()).toHaveLength(1);
  });

  test('loaded twice makes one lead', async () => {
    change(/<script.*<\/script>/, '$&$&');
    await visit.open();
    await visit.sendLead();
    expect(await visit.page.getByRole('status').count()).toBe(1);
    // A second script would send with a nonce of its own. On a busy machine, one may have to repeat a request.
    expect(new Set(visit.mints).size).toBe(1);
    expect(await visit.form.leads()).toHaveLength(1);
  });

  test('leaves the outcome to a page that wants to show it', async () => {
    await visit.open();
    await visit.page.evaluate(`document.addEventListener('lead:sent', (event) => {
      event.preventDefault();
      document.querySelector('h1').textContent = event.detail.submissionId;
    })`);
    await visit.fill();
    await visit.send();
    await visit.page.getByRole('heading', { name: /^[0-9a-f-]{36}$/ }).waitFor();
    expect(await visit.page.getByRole('status').textContent()).toBe('');
    expect(await visit.page.getByLabel('Name').inputValue()).toBe('Ada Byron');
  });

  test('uses the texts and the status element of the page', async () => {
    change('<form ', '<form data-lead-sent="Merci !" ');
    change('<button>', '<div id="mine" data-lead-status></div><button>');
    await visit.open();
    await visit.fill();
    await visit.send();
    await visit.shows('Merci !');
    expect(await visit.page.locator('[role=status]').getAttribute('id')).toBe('mine');
  });

  test('hides the honeypot from people and password managers, and sends what a program fills in', async () => {
    await visit.open();
    const honeypot = visit.page.locator('[name=website_confirm]');
    for (const attribute of ['data-1p-ignore', 'data-lpignore', 'data-bwignore', 'data-form-type']) {
      expect(await honeypot.getAttribute(attribute)).not.toBeNull();
    }
    expect(await visit.page.getByRole('textbox').count()).toBe(3);
    const visited: unknown[] = [];
    for (let tabs = 0; tabs < 6; tabs += 1) {
      await visit.page.keyboard.press('Tab');
      visited.push(await visit.page.evaluate('document.activeElement.name'));
    }
    expect(visited).toContain('message');
    expect(visited).not.toContain('website_confirm');
    await honeypot.evaluate((field) => field.setAttribute('value', 'https://spam.example'));
    await visit.sendLead();
    const [lead] = await visit.form.leads();
    expect(lead?.fields).toMatchObject({ website_confirm: 'https://spam.example' });
  });
});

describe('buttons', () => {
  test('send their value, and another button is another lead', async () => {
    change(
      '<button>Send</button>',
      '<button name="plan" value="basic">Basic</button><button name="plan" value="pro">Pro</button>',
    );
    await visit.open();
    await visit.page.evaluate(`document.addEventListener('lead:sent', (event) => event.preventDefault())`);
    await visit.fill();
    for (const plan of ['Basic', 'Pro', 'Pro']) {
      await visit.page.getByRole('button', { name: plan }).click();
      await visit.page.locator('form[data-lead-state=sent] button:enabled').first().waitFor();
    }
    const leads = await visit.form.leads();
    expect(leads.map(({ fields }) => fields.plan)).toEqual(['basic', 'pro']);
    expect(await visit.events()).toHaveLength(2);
    expect(await visit.page.getByRole('status').textContent()).toBe('');
  });

  test('that close a dialog send nothing', async () => {
    change('<form ', '<dialog open><form ');
    change('</form>', '<button formmethod="dialog" formnovalidate>Cancel</button></form></dialog>');
    await visit.open();
    await visit.page.getByRole('button', { name: 'Cancel' }).click();
    await visit.page.locator('dialog').waitFor({ state: 'hidden' });
    expect(visit.mints).toEqual([]);
  });
});

test('a form without a slug is left alone, and the others work', async () => {
  const own = visit.site.html.match(/<form[\s\S]*<\/form>/)?.[0] ?? '';
  change('<form ', `${own.replace(/data-lead-form="[^"]*"/, 'data-lead-form')}<form `);
  await visit.open();
  expect(complaints).toHaveLength(1);
  const second = visit.page.locator('form').nth(1);
  await second.getByLabel('Name').fill('Ada Byron');
  await second.getByLabel('Email').fill('ada@analytical-engines.example');
  await second.getByRole('button').click();
  await visit.shows(SENT);
  expect(await visit.form.leads()).toHaveLength(1);
});

test('the example for plain fetch sends a lead, and returns no ID for a rejected one', async () => {
  visit.site.html = pageWith('');
  await visit.open();
  const run = () =>
    visit.page.evaluate(`(async () => {
      ${snippet('js', visit.form)}
      return sendLead({ name: 'Ada Byron' }, createNonce());
    })()`);
  const id = await run();
  await disturb(visit.page, 'forged');
  expect(await run()).toBeUndefined();
  expect(await visit.form.leads()).toEqual([{ id, fields: { name: 'Ada Byron' } }]);
});
