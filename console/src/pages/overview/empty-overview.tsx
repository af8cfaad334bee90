import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useArchivedForms } from '../../api/queries.ts';
import type { ListedForm } from '../../api/types.ts';
import { Empty, Loading } from '../../shared/states.tsx';
import { Link, useFollow } from '../../shell/link.tsx';

export function NoForms() {
  const archived = useArchivedForms();
  return (
    <Container>
      {archived.isPending && <Loading what="the archived forms" />}
      {/* Where they cannot be read, nothing is said of them. */}
      {!archived.isPending && (archived.data?.forms.length ? <OnlyArchived /> : <NoFormsYet />)}
    </Container>
  );
}

function NoFormsYet() {
  return (
    <Empty title="Create a form to get started" action={<Create text="Create your first form" />}>
      Each lead belongs to a form. Create a form, set a webhook secret or create a server token, and send your
      first lead. It appears here within seconds.
    </Empty>
  );
}

function OnlyArchived() {
  return (
    <Empty title="All your forms are archived" action={<Create text="Create form" />}>
      Archived forms can’t receive leads. To see their existing leads, open{' '}
      <Link href="/forms?archived=shown">Archived forms</Link>. To receive new leads, create a form.
    </Empty>
  );
}

function Create({ text }: { readonly text: string }) {
  const follow = useFollow();
  return (
    <Button variant="primary" href="/forms?create=true" onFollow={follow}>
      {text}
    </Button>
  );
}

/** Links to get the first lead. */
export function NoLeads({ forms }: { readonly forms: readonly ListedForm[] }) {
  const follow = useFollow();
  const [only, ...others] = forms;
  const delivery = only && others.length === 0 ? `/forms/${only.formId}/delivery` : '/forms';
  return (
    <Empty
      title="No leads in this period"
      action={
        <Box display="inline-block">
          <SpaceBetween direction="horizontal" size="xs" alignItems="center">
            <Button href="/send-test" onFollow={follow}>
              {' '}
              Send test{' '}
            </Button>
            <Button variant="link" href={delivery} onFollow={follow}>
              {delivery === '/forms' ? 'View forms' : 'Delivery settings'}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      Send a test lead, or connect a sender using the sample code in a form’s Delivery settings.
    </Empty>
  );
}
