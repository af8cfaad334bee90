import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Form } from '../../api/types.ts';
import { useFollow } from '../../shell/link.tsx';

export function FormLinks({ form: { formId, archivedAt } }: { readonly form: Form }) {
  const follow = useFollow();
  const isLive = archivedAt === undefined;
  const id = encodeURIComponent(formId);
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button href={`/forms/${id}/leads`} onFollow={follow}>
        Leads
      </Button>
      {isLive && (
        <Button href={`/forms/${id}/delivery`} onFollow={follow}>
          Delivery settings
        </Button>
      )}
      {isLive && (
        <Button href={`/send-test?form=${id}`} onFollow={follow}>
          Send a test
        </Button>
      )}
    </SpaceBetween>
  );
}
