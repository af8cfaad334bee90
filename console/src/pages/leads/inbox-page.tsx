import Alert from '@cloudscape-design/components/alert';
import { useSearch } from 'wouter';
import { ApiProblem } from '../../api/problem.ts';
import { useArchivedForms, useForms } from '../../api/queries.ts';
import { Moment } from '../../shared/moment.tsx';
import { Failed } from '../../shared/states.tsx';
import { Page } from '../../shell/page.tsx';
import { Inbox } from './inbox/inbox.tsx';
import { readFilter } from './inbox/inbox-filter.ts';

/** All leads of the workspace, newest first. What is shown is in the URL. */
export default function InboxPage() {
  const filter = readFilter(new URLSearchParams(useSearch()));
  const forms = useForms();
  const archived = useArchivedForms();
  const listed = [...(forms.data?.forms ?? []), ...(archived.data?.forms ?? [])];
  const form = listed.find(({ formId }) => formId === filter.form);
  const areRead = forms.data !== undefined && archived.data !== undefined;
  const title = form ? `Leads: ${form.name}` : 'Leads';
  if (filter.form !== undefined && areRead && !form) {
    return (
      <Page title={title}>
        <Failed error={new ApiProblem(404, {})} what="the form" />
      </Page>
    );
  }
  return (
    <Inbox
      title={title}
      filter={filter}
      forms={forms.data?.forms}
      archived={archived.data?.forms ?? []}
      notice={form?.archivedAt !== undefined && <ArchivedAlert archivedAt={form.archivedAt} />}
    />
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
