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
import { describe } from '../../api/problem.ts';
import type { Form } from '../../api/types.ts';
import { readBody } from './send-test.ts';
import type { useSendTest } from './test-of-form.tsx';

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
            description={<span className="value">Goes to {url}</span>}
            actions={
              text !== sample && (
                <Button formAction="none" onClick={() => setText(sample)}>
                  Back to the sample
                </Button>
              )
            }
          >
            The lead to send
          </Header>
        }
        footer={
          <Box color="text-body-secondary">
            This is a real submission: it becomes a lead, is scored, and counts against the limits of 1,000 a
            minute and 50,000 a day. It is marked with <Box variant="code">"_test": true</Box>, so that you
            know it later.
          </Box>
        }
      >
        <SpaceBetween size="m">
          <FormField
            label="Body"
            description="A JSON object with a key for each field. The sample scores low, since its addresses are nobody’s: change it as you like."
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
            <Alert type="error" header="The test was not sent">
              {describe(test.error)}
            </Alert>
          )}
          <Button variant="primary" formAction="submit" loading={test.isPending}>
            Send the test
          </Button>
        </SpaceBetween>
      </Container>
    </form>
  );
}
