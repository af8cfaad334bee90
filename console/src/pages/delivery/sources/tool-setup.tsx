import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { useRead } from '#console/api/queries.ts';
import type { Operations } from '#console/api/schema.ts';
import type { Form } from '#console/api/types.ts';
import { Copyable } from '#console/shared/copyable.tsx';
import { QueryResult } from '#console/shared/states.tsx';
import { Link } from '#console/shell/link.tsx';
import { TOOL_GUIDE } from './provider-guide.ts';

/** Tools such as Zapier, which send with a server token and look only at the status. */
export default function ToolSetup({ form }: { readonly form: Form }) {
  const providers = useRead<Operations['listProviders']['response']>('/settings/providers');
  const rejections = `/diagnostics?form=${encodeURIComponent(form.formId)}&surface=1c`;
  return (
    <SpaceBetween size="l">
      <Container
        header={
          <Header description="For every tool that can send JSON and set a header.">URL and token</Header>
        }
      >
        <SpaceBetween size="m">
          <QueryResult of={providers} what="the URL">
            {({ toolUrl }) => (
              <KeyValuePairs
                columns={1}
                items={[
                  {
                    label: 'URL for tools',
                    value: (
                      <Box variant="code">
                        <span className="value">
                          <Copyable text={toolUrl} what="URL for tools" />
                        </span>
                      </Box>
                    ),
                  },
                  {
                    label: 'Header',
                    value: (
                      <>
                        <Box variant="code">X-API-Key: ingt_srv_…</Box> or{' '}
                        <Box variant="code">Authorization: Bearer ingt_srv_…</Box>, not both
                      </>
                    ),
                  },
                  {
                    label: 'Token',
                    value: (
                      <>
                        A server token for this form.{' '}
                        <Link href="/tokens">Create one under Ingest tokens</Link>
                      </>
                    ),
                  },
                ]}
              />
            )}
          </QueryResult>
          <Box color="text-body-secondary">
            Send one lead per request, as one JSON object. 200 with a submission ID means that it is stored,
            200 without one that it isn’t JSON and was not stored. 503 means that it was rejected: let the
            tool try again, and see <Link href={rejections}>Diagnostics</Link> for the reason. To avoid
            duplicates when a tool tries again, send a value that is unique for the lead in the header{' '}
            <Box variant="code">X-SVC-Idempotency-Key</Box>. It is remembered for 24 hours.
          </Box>
        </SpaceBetween>
      </Container>
      <Container header={<Header>Set up</Header>}>
        <Tabs
          ariaLabel="Tools"
          tabs={TOOL_GUIDE.map(({ name, steps }) => ({
            id: name,
            label: name,
            content: (
              <ol className="steps">
                {steps.map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
            ),
          }))}
        />
      </Container>
    </SpaceBetween>
  );
}
