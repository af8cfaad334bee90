import Button from '@cloudscape-design/components/button';
import Cards from '@cloudscape-design/components/cards';
import { Redirect, useLocation } from 'wouter';
import { useArchivedForms, useForms } from '../../api/queries.ts';
import type { ListedForm } from '../../api/types.ts';
import { ARCHIVED_FORMS_PATH } from '../../shared/forms.ts';
import { Moment } from '../../shared/moment.tsx';
import { Empty, QueryResult } from '../../shared/states.tsx';
import { Link } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { ActiveState, LastWeek } from '../forms/form-state.tsx';
import { SENDERS_PATH } from './review/review-words.ts';

/** Leads are listed per form; a single form needs no choice. */
export default function ChooseFormPage() {
  const forms = useForms();
  return (
    <Page title="Leads" description="Choose a form to view its leads.">
      <QueryResult of={forms} what="the forms">
        {({ forms: listed }) => <Choice forms={listed} />}
      </QueryResult>
      <Link href={SENDERS_PATH}>Trusted and blocked senders</Link>
      <ToArchivedForms />
    </Page>
  );
}

function Choice({ forms }: { readonly forms: readonly ListedForm[] }) {
  const [, go] = useLocation();
  const [first, ...others] = forms;
  if (!first) {
    const create = (
      <Button variant="primary" onClick={() => go('/forms?create=true')}>
        Create form
      </Button>
    );
    return (
      <Empty title="No forms" action={create}>
        Create a form to receive leads.
      </Empty>
    );
  }
  if (others.length === 0) return <Redirect to={leadsOf(first)} replace />;
  return (
    <Cards
      items={forms}
      trackBy="formId"
      ariaLabels={{
        cardsLabel: 'Forms',
        itemSelectionLabel: (_, { name }) => name,
        selectionGroupLabel: 'Forms',
      }}
      cardsPerRow={[{ cards: 1 }, { minWidth: 500, cards: 2 }, { minWidth: 900, cards: 3 }]}
      cardDefinition={{
        header: (form) => (
          <Link href={leadsOf(form)} fontSize="heading-m">
            {form.name}
          </Link>
        ),
        sections: [
          {
            id: 'week',
            header: 'Leads (last 7 days)',
            content: ({ formId }) => <LastWeek formId={formId} />,
          },
          { id: 'state', header: 'Status', content: (form) => <ActiveState form={form} /> },
          { id: 'created', header: 'Created', content: ({ createdAt }) => <Moment at={createdAt} /> },
        ],
      }}
    />
  );
}

/** Hidden if no form is archived. */
function ToArchivedForms() {
  const { data } = useArchivedForms();
  if (data === undefined || data.forms.length === 0) return null;
  return <Link href={ARCHIVED_FORMS_PATH}>View leads of archived forms</Link>;
}

function leadsOf({ formId }: ListedForm): string {
  return `/forms/${encodeURIComponent(formId)}/leads`;
}
