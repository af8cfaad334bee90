import Alert from '@cloudscape-design/components/alert';
import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { errorMessage } from '#console/api/problem.ts';
import { useChangeForm } from '#console/api/queries.ts';
import type { Form } from '#console/api/types.ts';
import { AskBeforeLeaving } from '#console/shared/ask-before-leaving.tsx';
import { Confirm } from '#console/shared/dialogs.tsx';
import { OwnerButton, useIsViewer } from '#console/shared/role.tsx';
import { guideAddress, TERMS } from '#console/shared/terms.ts';
import { Link } from '#console/shell/link.tsx';
import { useNotify } from '#console/shell/notifications.tsx';
import { originsProblem, readOrigins } from '../delivery-rules.ts';
import { BrowserCode } from './browser-code.tsx';

/** Whether pages can send leads to the form without a secret, and which pages. */
export function BrowserPanel({ form }: { readonly form: Form }) {
  const { enabled, origins } = form.browser;
  const isLive = form.archivedAt === undefined;
  const rejections = `/diagnostics?form=${encodeURIComponent(form.formId)}&surface=2`;
  return (
    <Container
      header={
        <Header
          info={<Badge color="blue">Preview</Badge>}
          description="Pages of your website send leads straight to this form, without a server and without a secret."
          actions={isLive && <SwitchBrowser form={form} />}
        >
          Browser sending
        </Header>
      }
    >
      <SpaceBetween size="l">
        {enabled ? (
          <StatusIndicator type="success">On</StatusIndicator>
        ) : (
          <StatusIndicator type="stopped">Off: leads from web pages are rejected</StatusIndicator>
        )}
        {enabled && origins.length === 0 && (
          <Alert type="warning" header="No allowed origins">
            Leads from web pages are rejected until you add your website below.
          </Alert>
        )}
        {isLive && <AllowedOrigins key={origins.join()} form={form} />}
        <Box color="text-body-secondary">
          Other websites can’t use your form in their visitors’ browsers. Bots can: a program can claim to be
          any website. Scoring helps you to tell them apart. Visitors don’t see why a lead was rejected. You
          can: <Link href={rejections}>view rejected leads from browsers</Link>. This feature is a preview and
          may change.
        </Box>
        {isLive && <BrowserCode form={form} />}
      </SpaceBetween>
    </Container>
  );
}

function SwitchBrowser({ form: { formId, browser } }: { readonly form: Form }) {
  const [asking, setAsking] = useState(false);
  const change = useChangeForm(formId);
  const notify = useNotify();
  const verb = browser.enabled ? 'Turn off' : 'Turn on';

  function send() {
    const enabled = !browser.enabled;
    change.mutate(
      { browser: { enabled } },
      {
        onSuccess: () => {
          setAsking(false);
          notify('success', `Browser sending turned ${enabled ? 'on' : 'off'}.`);
        },
      },
    );
  }

  return (
    <>
      <OwnerButton onClick={() => setAsking(true)}>{verb}</OwnerButton>
      {asking && (
        <Confirm
          title={`${verb} browser sending?`}
          confirm={verb}
          busy={change.isPending}
          error={change.error}
          onConfirm={send}
          onCancel={() => setAsking(false)}
        >
          <Box variant="p">
            {browser.enabled
              ? 'Leads from web pages will be rejected and not stored. Webhooks and server tokens keep working. You can turn it on again at any time.'
              : 'Pages of the allowed origins will be able to send leads to this form without a secret. Expect more spam than from webhooks and server tokens.'}
          </Box>
        </Confirm>
      )}
    </>
  );
}

function AllowedOrigins({ form: { formId, browser } }: { readonly form: Form }) {
  const [typed, setTyped] = useState(browser.origins.join('\n'));
  const change = useChangeForm(formId);
  const notify = useNotify();
  const isViewer = useIsViewer();
  const origins = readOrigins(typed);
  const isSame = origins.join() === browser.origins.join();

  function edit(text: string) {
    setTyped(text);
    change.reset();
  }

  function save() {
    // Not a `mutate` callback: the new list remounts this component first.
    change.mutateAsync({ browser: { origins } }).then(
      (saved) => {
        setTyped(saved.browser.origins.join('\n'));
        notify('success', 'Allowed origins saved.');
      },
      () => undefined,
    );
  }

  return (
    <SpaceBetween size="s">
      <FormField
        label="Allowed origins"
        description={
          <>
            The websites whose pages can send leads. {TERMS.origin}{' '}
            <a href={guideAddress('origin')} target="_blank" rel="noreferrer">
              Guide
            </a>
          </>
        }
        constraintText="One per line, up to 20. https://*.example.com allows every subdomain of example.com, but not example.com itself. Use http:// for localhost only."
        errorText={change.error && (originsProblem(change.error, origins) ?? errorMessage(change.error))}
        stretch
      >
        <Textarea
          value={typed}
          rows={Math.min(Math.max(origins.length + 1, 3), 10)}
          placeholder="https://www.example.com"
          spellcheck={false}
          readOnly={isViewer}
          onChange={({ detail }) => edit(detail.value)}
        />
      </FormField>
      <OwnerButton disabled={isSame} loading={change.isPending} onClick={save}>
        Save origins
      </OwnerButton>
      {!isSame && <AskBeforeLeaving what="allowed origins" />}
    </SpaceBetween>
  );
}
