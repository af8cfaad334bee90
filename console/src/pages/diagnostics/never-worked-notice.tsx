import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { reasonGuide } from '#rejections/reason-guide.ts';
import { useClient, useForms } from '../../api/queries.ts';
import type { Surface } from '../../api/types.ts';
import { formNames } from '../../shared/forms.ts';
import { formatCount } from '../../shared/time-series.ts';
import { Link } from '../../shell/link.tsx';
import { type NeverWorked, readNeverWorked } from './never-worked.ts';

const REFRESH_MS = 60_000;

/** What was set up and has only been rejected since. */
export function useNeverWorked(): readonly NeverWorked[] {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['never-worked'],
    queryFn: ({ signal }) => readNeverWorked(client, Date.now(), signal),
    refetchInterval: REFRESH_MS,
  });
  return data ?? [];
}

const SENDERS: Readonly<Record<Surface, string>> = {
  '1a': 'server tokens',
  '1b': 'webhook',
  '1c': 'provider or tool',
  '2': 'browser sending',
};

interface NoticesProps {
  /** Only of this form. */
  readonly formId?: string;
  readonly surface?: Surface;
}

/** One notice for each sender that has never worked, with the reason and what to do. */
export function NeverWorkedNotices({ formId, surface }: NoticesProps) {
  const forms = useForms();
  const names = formNames(forms.data?.forms ?? []);
  const shown = useNeverWorked().filter(
    (each) =>
      (formId === undefined || each.formId === formId) && (surface === undefined || each.surface === surface),
  );
  if (shown.length === 0) return null;
  return (
    <SpaceBetween size="m">
      {shown.map((each) => (
        <Notice key={`${each.formId} ${each.surface}`} of={each} name={names.get(each.formId)} />
      ))}
    </SpaceBetween>
  );
}

function Notice({ of, name }: { readonly of: NeverWorked; readonly name: string | undefined }) {
  const { title, meaning, remedy } = reasonGuide(of.reason, of.surface);
  const filter = new URLSearchParams({ range: '7d', form: of.formId, surface: of.surface });
  const header = `The ${SENDERS[of.surface]} of “${name ?? 'a form'}” hasn’t worked yet`;
  const count = of.rejections === 1 ? '1 request' : `${formatCount(of.rejections)} requests`;
  return (
    <Alert type="warning" header={<span className="value">{header}</span>}>
      <div>
        {count} rejected, and no lead accepted since it was set up. Latest reason: {title}. {meaning}
      </div>
      <div>{remedy}</div>
      <Link href={`/diagnostics?${filter}`}>View rejections</Link>
    </Alert>
  );
}

/** The same in a line, for the checklist. */
export function neverWorkedLine({ surface, reason }: NeverWorked): string {
  const { title, remedy } = reasonGuide(reason, surface);
  return `The ${SENDERS[surface]} was only rejected so far: ${title}. ${remedy}`;
}
