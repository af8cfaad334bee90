import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { type FormEvent, useState } from 'react';
import { sampleLead } from '#settings/leads/sample-lead.ts';
import { errorMessage } from '../../api/problem.ts';
import { useChange } from '../../api/queries.ts';
import type { Form } from '../../api/types.ts';
import { readBody, type Test } from './send-test.ts';

export function useSendTest(formId: string) {
  return useChange<{ readonly body: Readonly<Record<string, unknown>> }, Test>((body) => ({
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

export function TestBody({ fields, url, test }: TestBodyProps) {
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
            1,000 per minute and 50,000 per day. It’s marked with <Box variant="code">"_test": true</Box>.
          </Box>
        }
      >
        <SpaceBetween size="m">
          <FormField
            label="Body"
            description="A JSON object with one key per field. The sample scores low because its contact details are fictional."
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
          <Button variant="primary" formAction="submit" loading={test.isPending}>
            Send test
          </Button>
        </SpaceBetween>
      </Container>
    </form>
  );
}
