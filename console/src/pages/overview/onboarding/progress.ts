import type { Client } from '#console/api/client.ts';
import type { Delivery, DestinationList, Form, LeadPage, Token } from '#console/api/types.ts';

/** What a new workspace has, until its leads are forwarded. */
export interface Progress {
  readonly form: boolean;
  /** A webhook secret, a server token, or a form with a provider or that accepts leads from a website. */
  readonly credential: boolean;
  readonly test: boolean;
  readonly lead: boolean;
  readonly destination: boolean;
}

/** A workspace in use is recognized by its busiest form. The rest is for a new one, which has few. */
const MAX_FORMS = 10;

/** Reads the progress, forms with leads first. If there is a real lead, all but the destinations is done. */
export async function readProgress(
  client: Pick<Client, 'get'>,
  formIds: readonly string[],
  signal: AbortSignal,
): Promise<Progress> {
  const destination = () =>
    client
      .get<DestinationList>('/settings/destinations', {}, signal)
      .then(({ destinations }) => destinations.length > 0);
  let test = false;
  const paths = formIds.slice(0, MAX_FORMS).map((id) => `/settings/forms/${encodeURIComponent(id)}`);
  for (const path of paths) {
    const { rows }: LeadPage = await client.get(`${path}/leads`, {}, signal);
    if (rows.some((row) => !row.test))
      return { form: true, credential: true, test: true, lead: true, destination: await destination() };
    test ||= rows.length > 0;
  }
  const [{ deliveries }, { tokens }, hasDestination] = await Promise.all([
    client.get<{ deliveries: Delivery[] }>('/settings/deliveries', {}, signal),
    client.get<{ tokens: Token[] }>('/settings/tokens', {}, signal),
    destination(),
  ]);
  const hasCredential =
    deliveries.some(({ secret }) => secret.isSet) ||
    tokens.some(({ revokedAt, formId }) => revokedAt === undefined && formIds.includes(formId));
  return {
    form: formIds.length > 0,
    credential: hasCredential || (await takesOtherLeads(client, paths, signal)),
    test,
    lead: false,
    destination: hasDestination,
  };
}

/** From a provider, or from web pages. */
async function takesOtherLeads(
  client: Pick<Client, 'get'>,
  formPaths: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const forms = await Promise.all(formPaths.map((path) => client.get<Form>(path, {}, signal)));
  return forms.some(
    ({ browser, provider }) => provider !== null || (browser.enabled && browser.origins.length > 0),
  );
}

/** Forms that had leads recently come first. */
export function busiestFirst(
  formIds: readonly string[],
  counts: readonly { readonly formId: string; readonly accepted: number }[] = [],
): string[] {
  const sums = new Map<string, number>();
  for (const { formId, accepted } of counts) sums.set(formId, (sums.get(formId) ?? 0) + accepted);
  return formIds.toSorted((a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0));
}

interface Step {
  readonly id: keyof Progress;
  readonly done: boolean;
  /** Where it is done. Any of them is enough. */
  readonly links: readonly { readonly text: string; readonly href: string }[];
}

/** The steps until leads are forwarded, for the first form if there is one. */
export function stepsOf(progress: Progress, [formId]: readonly string[]): Step[] {
  const id = formId === undefined ? undefined : encodeURIComponent(formId);
  const delivery = id === undefined ? '/forms' : `/forms/${id}/delivery`;
  const links: Readonly<Record<keyof Progress, Step['links']>> = {
    form: [{ text: 'Create a form', href: progress.form ? '/forms' : '/forms?create=true' }],
    credential: [
      { text: 'Set a webhook secret', href: delivery },
      { text: 'connect a provider', href: id === undefined ? '/forms' : `${delivery}?via=provider` },
      { text: 'create a server token', href: '/tokens' },
      { text: 'turn on browser sending', href: `${delivery}#browser` },
    ],
    test: [{ text: 'Send a test', href: id === undefined ? '/send-test' : `/send-test?form=${id}` }],
    lead: [{ text: 'Connect your sender and receive the first lead', href: delivery }],
    destination: [{ text: 'Forward leads to a destination', href: '/destinations' }],
  };
  const order = ['form', 'credential', 'test', 'lead', 'destination'] as const;
  return order.map((step) => ({ id: step, done: progress[step], links: links[step] }));
}

type Store = Pick<Storage, 'getItem' | 'setItem'>;

const keyOf = (workspaceId: string) => `lead-ingest.started.${workspaceId}`;

/** Whether the checklist is over in this browser: dismissed, or every step was done. */
export function isOver(store: Store, workspaceId: string): boolean {
  try {
    return store.getItem(keyOf(workspaceId)) !== null;
  } catch {
    return false;
  }
}

export function rememberOver(store: Store, workspaceId: string): void {
  try {
    store.setItem(keyOf(workspaceId), '1');
  } catch {
    // Storage is full or blocked: it lasts until the page is left.
  }
}
