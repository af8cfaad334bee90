import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tiles from '@cloudscape-design/components/tiles';
import { lazy, Suspense, useEffect } from 'react';
import { useDelivery, useForm } from '../../api/queries.ts';
import type { Delivery, Form } from '../../api/types.ts';
import { Copyable } from '../../shared/copyable.tsx';
import { leadsPath } from '../../shared/forms.ts';
import { useShownOnce } from '../../shared/shown-once-memory.tsx';
import { Loading, QueryResult } from '../../shared/states.tsx';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Link, useFollow } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { BrowserPanel } from './browser/browser-panel.tsx';
import { DebuggerPanel } from './debugger/debugger-panel.tsx';
import { SecretPanel } from './secret/secret-panel.tsx';
import { SnippetsPanel } from './snippets/snippets-panel.tsx';
import { WAYS, wayOf } from './sources/source-rules.ts';

const ProviderSetup = lazy(() => import('./sources/provider-setup.tsx'));
const ToolSetup = lazy(() => import('./sources/tool-setup.tsx'));

export default function DeliveryPage({ formId }: { readonly formId: string }) {
  const form = useForm(formId);
  const delivery = useDelivery(formId);
  const follow = useFollow();
  const id = encodeURIComponent(formId);
  return (
    <Page
      title={form.data ? `Delivery settings: ${form.data.name}` : 'Delivery settings'}
      description="Connect a provider, a tool, your server or your website to this form."
      above={[
        { text: 'Forms', href: '/forms' },
        { text: form.data?.name ?? 'Form', href: `/forms/${id}` },
      ]}
      actions={
        form.data && (
          <SpaceBetween direction="horizontal" size="xs">
            <Button href={leadsPath({ formId })} onFollow={follow}>
              Leads
            </Button>
            {form.data.archivedAt === undefined && (
              <Button href={`/send-test?form=${id}`} onFollow={follow}>
                Send test
              </Button>
            )}
          </SpaceBetween>
        )
      }
    >
      <QueryResult of={form} what="the form">
        {(readForm) => (
          <QueryResult of={delivery} what="the delivery settings">
            {(readDelivery) => <DeliverySettings form={readForm} delivery={readDelivery} />}
          </QueryResult>
        )}
      </QueryResult>
    </Page>
  );
}

interface DeliverySettingsProps {
  readonly form: Form;
  readonly delivery: Delivery;
}

function DeliverySettings({ form, delivery }: DeliverySettingsProps) {
  useAnchor();
  const [parameters, choose] = useUrlParameters();
  const way = wayOf(parameters.get('via'), location.hash, delivery.provider !== undefined);
  return (
    <SpaceBetween size="l">
      <FormStateAlert form={form} />
      <Container header={<Header>How do leads arrive?</Header>}>
        <Tiles
          ariaLabel="How do leads arrive?"
          value={way}
          items={[...WAYS]}
          onChange={({ detail }) => choose({ via: detail.value })}
        />
      </Container>
      {way === 'code' && <OwnCode form={form} delivery={delivery} />}
      <Suspense fallback={<Loading what="the settings" />}>
        {way === 'provider' && <ProviderSetup form={form} delivery={delivery} />}
        {way === 'tool' && <ToolSetup form={form} />}
      </Suspense>
    </SpaceBetween>
  );
}

function OwnCode({ form, delivery }: DeliverySettingsProps) {
  const newSecret = useShownOnce<string>(`secret of ${form.formId}`);
  return (
    <SpaceBetween size="l">
      <AddressPanel delivery={delivery} />
      <SecretPanel form={form} delivery={delivery} newSecret={newSecret} />
      <SnippetsPanel url={delivery.url} fields={form.fields} secret={newSecret.value} />
      <section id="debugger" className="anchor">
        <DebuggerPanel formId={form.formId} url={delivery.url} />
      </section>
      <section id="browser" className="anchor">
        <BrowserPanel form={form} />
      </section>
    </SpaceBetween>
  );
}

/** Why the form receives nothing, regardless of the settings below. */
function FormStateAlert({ form }: { readonly form: Form }) {
  if (form.archivedAt !== undefined) {
    return (
      <Alert type="warning" header="This form is archived">
        It no longer accepts submissions, and its delivery settings can’t be changed. Existing leads are kept.{' '}
        <Link href="/forms">View forms</Link>
      </Alert>
    );
  }
  if (form.active) return null;
  return (
    <Alert type="warning" header="This form is inactive">
      All submissions are rejected until you activate it.{' '}
      <Link href={`/forms/${encodeURIComponent(form.formId)}`}>Activate it</Link>
    </Alert>
  );
}

function AddressPanel({ delivery: { formId, url } }: { readonly delivery: Delivery }) {
  const rejections = `/diagnostics?form=${encodeURIComponent(formId)}&surface=1b`;
  return (
    <Container header={<Header description="Where your code sends its signed requests.">Webhook URL</Header>}>
      <SpaceBetween size="xs">
        <Box variant="code">
          <span className="value">
            <Copyable text={url} what="webhook URL" />
          </span>
        </Box>
        <Box color="text-body-secondary">
          Each request is a POST with one JSON object, signed with the webhook secret below. 202 means
          accepted. Rejected requests get 200; see <Link href={rejections}>Diagnostics</Link> for the reason.
        </Box>
      </SpaceBetween>
    </Container>
  );
}

/** Scrolls to the URL's anchor, which is rendered too late for the browser. */
function useAnchor(): void {
  useEffect(() => {
    const id = decodeURIComponent(location.hash.slice(1));
    const part = id === '' ? null : document.getElementById(id);
    if (!part) return;
    part.scrollIntoView();
    // Otherwise the next Tab would start from the top of the page.
    const name = part.querySelector<HTMLElement>('h2') ?? part;
    name.tabIndex = -1;
    name.focus({ preventScroll: true });
  }, []);
}
