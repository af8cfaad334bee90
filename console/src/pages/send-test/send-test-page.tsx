import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { type FormEvent, useState } from 'react';
import { sampleLead } from '#workspaces/sample-lead.ts';
import { errorMessage } from '../../api/problem.ts';
import { useChange, useDelivery, useForm, useForms } from '../../api/queries.ts';
import type { Form, ListedForm } from '../../api/types.ts';
import { formNames } from '../../shared/forms.ts';
import { OwnerButton } from '../../shared/role.tsx';
import { Empty, QueryResult } from '../../shared/states.tsx';
import { useUrlParameters } from '../../shared/url-parameters.ts';
import { Link, useFollow } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { isSample, readBody } from './send-test.ts';
import { TestResult } from './test-result.tsx';

export default function SendTestPage() {
  const forms = useForms();
  const [parameters, choose] = useUrlParameters();
  return (
    <Page title="Send test" description="Send a signed test lead to a form, as a webhook provider would.">
      <QueryResult of={forms} what="the forms">
        {({ forms: listed }) => {
          if (listed.length === 0) return <NoForm />;
          const wanted = parameters.get('form') ?? (listed.length === 1 ? listed[0]?.formId : undefined);
          const form = listed.find(({ formId }) => formId === wanted);
          return (
            <SpaceBetween size="l">
              <ChooseForm
                forms={listed}
                chosen={form?.formId}
                unknown={wanted !== undefined && !form}
                onChoose={(formId) => choose({ form: formId })}
              />
              {form && <TestOfForm key={form.formId} formId={form.formId} />}
            </SpaceBetween>
          );
        }}
      </QueryResult>
    </Page>
  );
}

interface ChooseFormProps {
  readonly forms: readonly ListedForm[];
  readonly chosen: string | undefined;
  /** The URL names a form that doesn't exist. */
  readonly unknown: boolean;
  readonly onChoose: (formId: string) => void;
}

function ChooseForm({ forms, chosen, unknown, onChoose }: ChooseFormProps) {
  const options = [...formNames(forms)].map(([value, label]) => ({ value, label }));
  return (
    <FormField
      label="Form"
      errorText={unknown && 'This form doesn’t exist or is archived. Choose another one.'}
    >
      <Select
        selectedOption={options.find(({ value }) => value === chosen) ?? null}
        options={options}
        placeholder="Choose a form"
        filteringType={options.length > 8 ? 'auto' : 'none'}
        onChange={({ detail }) => onChoose(detail.selectedOption.value ?? '')}
      />
    </FormField>
  );
}

function NoForm() {
  const follow = useFollow();
  return (
    <Container>
      <Empty
        title="No forms"
        action={
          <Button variant="primary" href="/forms?create=true" onFollow={follow}>
            Create form
          </Button>
        }
      >
        Create a form and set its webhook secret, then send a test lead.
      </Empty>
    </Container>
  );
}

function TestOfForm({ formId }: { readonly formId: string }) {
  const form = useForm(formId);
  const delivery = useDelivery(formId);
  const test = useSendTest(formId);
  const address = `/forms/${encodeURIComponent(formId)}`;
  return (
    <QueryResult of={form} what="the form">
      {(readForm) => (
        <QueryResult of={delivery} what="the delivery settings">
          {({ secret, url }) =>
            secret.isSet ? (
              <SpaceBetween size="l">
                {!readForm.active && (
                  <Alert type="warning">
                    This form is inactive, so the test will be rejected.{' '}
                    <Link href={address}>Activate it</Link>
                  </Alert>
                )}
                <TestBody fields={readForm.fields} url={url} test={test} />
                {test.data && (
                  <TestResult
                    key={test.submittedAt}
                    formId={formId}
                    result={test.data}
                    isSample={isSample(test.variables?.body, readForm.fields)}
                  />
                )}
              </SpaceBetween>
            ) : (
              <NoSecret href={`${address}/delivery`} />
            )
          }
        </QueryResult>
      )}
    </QueryResult>
  );
}

function NoSecret({ href }: { readonly href: string }) {
  const follow = useFollow();
  return (
    <Container>
      <Empty
        title="No webhook secret"
        action={
          <Button variant="primary" href={href} onFollow={follow}>
            Go to Delivery settings
          </Button>
        }
      >
        Test leads are signed like any webhook. Set a webhook secret in the form’s Delivery settings first. To
        test browser sending, fill in the form on your website.
      </Empty>
    </Container>
  );
}

function useSendTest(formId: string) {
  return useChange<'sendTest'>((body) => ({
    method: 'POST',
    path: `/settings/forms/${encodeURIComponent(formId)}/test`,
    body,
  }));
}

interface TestBodyProps {
  readonly fields: Form['fields'];
  readonly url: string;
  readonly test: ReturnType<typeof useSendTest>;
}

function TestBody({ fields, url, test }: TestBodyProps) {
  const sample = JSON.stringify(sampleLead(fields), null, 2);
  const [text, setText] = useState(sample);
  const [asked, setAsked] = useState(false);
  const { body, problem } = readBody(text);

  function send(event: FormEvent) {
    event.preventDefault();
    setAsked(true);
    if (!body) test.reset();
    else if (!test.isPending) test.mutate({ body });
  }

  return (
    <form onSubmit={send} noValidate>
      <Container
        header={
          <Header
            description={<span className="value">Will be sent to {url}</span>}
            actions={
              text !== sample && (
                <Button formAction="none" onClick={() => setText(sample)}>
                  Reset to sample
                </Button>
              )
            }
          >
            Test lead
          </Header>
        }
        footer={
          <Box color="text-body-secondary">
            The test is a real submission. It becomes a lead, is scored, and counts toward your limits of
            1,000 per minute and 50,000 per day. It’s marked with <Box variant="code">"_test": true</Box>, so
            it closes no alert and isn’t a use of the secret.
          </Box>
        }
      >
        <SpaceBetween size="m">
          <FormField
            label="Body"
            description="A JSON object with one key per field. To see how a real lead would score, enter real contact details."
            errorText={asked && problem}
            stretch
          >
            <div className="code-input">
              <Textarea
                value={text}
                rows={Math.min(16, sample.split('\n').length + 2)}
                spellcheck={false}
                onChange={({ detail }) => setText(detail.value)}
              />
            </div>
          </FormField>
          {test.error && (
            <Alert type="error" header="The test wasn’t sent">
              {errorMessage(test.error)}
            </Alert>
          )}
          <OwnerButton variant="primary" formAction="submit" loading={test.isPending}>
            Send test
          </OwnerButton>
        </SpaceBetween>
      </Container>
    </form>
  );
}
