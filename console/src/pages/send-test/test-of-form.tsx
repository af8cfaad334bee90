import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useForm } from '../../api/queries.ts';
import { Empty, QueryResult } from '../../shared/states.tsx';
import { Link, useFollow } from '../../shell/link.tsx';
import { useDelivery } from '../delivery/use-delivery.ts';
import { TestBody, useSendTest } from './test-body.tsx';
import { TestResult } from './test-result.tsx';

export function TestOfForm({ formId }: { readonly formId: string }) {
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
                {test.data && <TestResult key={test.submittedAt} formId={formId} result={test.data} />}
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
        Test leads are signed like any webhook. Set a webhook secret in the form’s Delivery settings first.
      </Empty>
    </Container>
  );
}
