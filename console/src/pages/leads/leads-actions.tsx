import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Form } from '../../api/types.ts';
import { useFollow } from '../../shell/link.tsx';
import { FormSwitcher } from './form-switcher.tsx';

/** An archived form has no settings any more. */
export function LeadsActions({ form }: { readonly form: Form }) {
  const follow = useFollow();
  const isLive = form.archivedAt === undefined;
  const address = `/forms/${encodeURIComponent(form.formId)}`;
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <FormSwitcher form={form} />
      {isLive && (
        <Button href={address} onFollow={follow}>
          Form settings
        </Button>
      )}
      {isLive && (
        <Button href={`${address}/delivery`} onFollow={follow}>
          Delivery settings
        </Button>
      )}
    </SpaceBetween>
  );
}
