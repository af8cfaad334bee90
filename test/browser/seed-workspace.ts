import { createHmac } from 'node:crypto';
import { submissionId, submit, type Tenant } from '../contract/tenant.ts';
import type { openOwners, TestOwner } from './owners.ts';
import { seedDestinations } from './seed-destinations.ts';
import { newForm, seedAlerts, seedLearned, untilListed } from './seed-items.ts';

export interface SeededWorkspace {
  readonly owner: TestOwner;
  readonly form: Tenant;
  /** A form that waits for Typeform. */
  readonly providerFormId: string;
  readonly leadId: string;
  readonly rejectedRequestId: string;
  readonly destinationId: string;
  /** One that was closed. */
  readonly alertId: string;
}

const LEADS = [
  {
    name: 'Ada Byron',
    email: 'ada@analytical-engines.co.uk',
    company: 'Analytical Engines',
    message: 'We would like a quote for 40 seats, starting in March.',
  },
  {
    name: 'Grace Hopper',
    email: 'grace@navy-yards.com',
    company: 'Navy Yards',
    message: 'Could you call me about the compiler project this week?',
  },
  {
    name: 'Katherine Johnson',
    email: 'k.johnson@langley-research.org',
    company: 'Langley Research',
    message: 'Please send pricing for the trajectory service.',
  },
  {
    name: 'Hedy Lamarr',
    email: 'hedy@hopping-radio.eu',
    phone: '+43 1 5345678',
    message: 'Interested in a demo for our radio team of twelve.',
  },
  { name: 'test', email: 'asdf@mailinator.com', message: 'asdf' },
  {
    name: 'SEO Expert',
    email: 'rank@cheap-links.biz',
    message: 'I can get your website to page one of Google, guaranteed! http://a.example http://b.example',
  },
];

/** A workspace in use: clean and other leads, what was learned, rejections, a token, an archived form, destinations and alerts. */
export async function seedWorkspace(
  owners: ReturnType<typeof openOwners>,
  email?: string,
  formName = 'Contact us',
): Promise<SeededWorkspace> {
  const owner = await owners.newOwner('Analytical Engines', email);
  const { workspaceId } = owner;
  const { administration } = owners;
  const form = await newForm(workspaceId, formName, { tokenName: 'Web shop' });
  const newsletter = await administration.createForm({ workspaceId, name: 'Newsletter' });
  await administration.setFormProvider(newsletter.formId, { name: 'typeform' });
  await administration.setProviderSecret({ formId: newsletter.formId });
  const ended = await administration.createForm({ workspaceId, name: 'Spring fair' });
  await administration.archiveForm(ended.formId);

  // Before the leads: their scores show it.
  await seedLearned(workspaceId, newsletter.formId);
  const leadIds: string[] = [];
  for (const [index, lead] of LEADS.entries()) {
    const response = await submit(index % 2 === 0 ? '1b' : '1a', form, { body: JSON.stringify(lead) });
    leadIds.push(submissionId(response));
  }
  const signature = createHmac('sha256', 'another secret').update('…').digest('hex');
  const rejected = await submit('1b', form, { signature });
  await submit('1b', form, { timestamp: '1700000000' });
  await submit('1a', form, { body: 'not json' });
  await submit('1a', form, { headers: { 'Content-Type': 'text/plain' } });
  const rejectedRequestId = String(rejected.headers['x-amzn-requestid']);
  await untilListed(form, LEADS.length);
  const { destinationId, disabledDestinationId } = await seedDestinations(form, leadIds);
  const { alertId } = await seedAlerts({ ...form, formName }, disabledDestinationId);
  return {
    owner,
    form,
    providerFormId: newsletter.formId,
    leadId: leadIds[0] as string,
    rejectedRequestId,
    destinationId,
    alertId,
  };
}

/** The path of every page of the console, by name. Without a workspace, only the names are of use. */
export function pagesOf(seeded?: SeededWorkspace): Record<string, string> {
  const atForm = `/forms/${seeded?.form.formId}`;
  return {
    overview: '/',
    leads: '/leads',
    lead: `${atForm}/leads/${seeded?.leadId}`,
    senders: '/senders',
    learned: '/senders/learned',
    forms: '/forms',
    'archived-forms': '/forms?archived=shown',
    form: atForm,
    delivery: `${atForm}/delivery`,
    'delivery-provider': `/forms/${seeded?.providerFormId}/delivery`,
    'delivery-tool': `${atForm}/delivery?via=tool`,
    'send-test': `/send-test?form=${seeded?.form.formId}`,
    tokens: '/tokens',
    diagnostics: '/diagnostics',
    rejection: `/diagnostics?request=${seeded?.rejectedRequestId}`,
    destinations: '/destinations',
    destination: `/destinations/${seeded?.destinationId}`,
    alerts: '/alerts',
    alert: `/alerts?alert=${seeded?.alertId}`,
    'alert-settings': '/alerts/settings',
    team: '/team',
    'api-keys': '/api-keys',
    activity: '/activity',
    security: '/security',
  };
}
