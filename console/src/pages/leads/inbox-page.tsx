import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useSearch } from 'wouter';
import { ApiProblem } from '../../api/problem.ts';
import { useArchivedForms, useForms } from '../../api/queries.ts';
import type { ListedForm } from '../../api/types.ts';
import { formPath } from '../../shared/forms.ts';
import { Moment } from '../../shared/moment.tsx';
import { Failed } from '../../shared/states.tsx';
import { useFollow } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { Inbox } from './inbox/inbox.tsx';
import { readFilter } from './inbox/inbox-filter.ts';
import { SENDERS_PATH } from './review/review-words.ts';

/** All leads of the workspace, newest first. What is shown is in the URL. */
export default function InboxPage() {
  const filter = readFilter(new URLSearchParams(useSearch()));
  const forms = useForms();
  const archived = useArchivedForms();
  const listed = [...(forms.data?.forms ?? []), ...(archived.data?.forms ?? [])];
  const form = listed.find(({ formId }) => formId === filter.form);
  const areRead = forms.data !== undefined && archived.data !== undefined;
  return (
    <Page title={form ? `Leads: ${form.name}` : 'Leads'} actions={<PageLinks form={form} />}>
      {form?.archivedAt !== undefined && <ArchivedAlert archivedAt={form.archivedAt} />}
      {filter.form !== undefined && areRead && !form ? (
        <Failed error={new ApiProblem(404, {})} what="the form" />
      ) : (
        <Inbox filter={filter} forms={forms.data?.forms} archived={archived.data?.forms ?? []} />
      )}
    </Page>
  );
}

/** Archived forms have no settings. */
function PageLinks({ form }: { readonly form: ListedForm | undefined }) {
  const follow = useFollow();
  const live = form?.archivedAt === undefined ? form : undefined;
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button href={SENDERS_PATH} onFollow={follow}>
        Senders
      </Button>
      {live && (
        <Button href={formPath(live)} onFollow={follow}>
          Form settings
        </Button>
      )}
      {live && (
        <Button href={`${formPath(live)}/delivery`} onFollow={follow}>
          Delivery settings
        </Button>
      )}
    </SpaceBetween>
  );
}

function ArchivedAlert({ archivedAt }: { readonly archivedAt: string }) {
  return (
    <Alert type="info" header="This form is archived">
      Archived on <Moment at={archivedAt} />. All submissions are rejected. You can still view, export and
      delete its leads.
    </Alert>
  );
}
