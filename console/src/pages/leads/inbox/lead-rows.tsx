import { type MouseEvent, type ReactNode, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { InboxLead } from '#console/api/types.ts';
import { Age, useTimeText } from '#console/shared/moment.tsx';
import { Score } from '../lead-marks.tsx';
import { leadAddress } from '../leads-navigation.ts';
import { decidedText, handledText } from '../review/review-words.ts';
import type { InboxFilter } from './inbox-filter.ts';

const NO_NAME = 'No name or email';

/** The person, or else what is known of them. */
const personOf = ({ name, email, phone }: InboxLead) => name ?? email ?? phone ?? NO_NAME;

/** What says more about the person. */
const companyOf = ({ name, company, email }: InboxLead) =>
  company ?? (name === undefined ? undefined : email);

/** The link of a lead's row, which has the focus while the lead is the current one. */
export const linkOf = (submissionId: string) => document.getElementById(`lead-${submissionId}`);

interface LeadRowsProps {
  readonly leads: readonly InboxLead[];
  readonly formName: (formId: string) => string;
  readonly selected: readonly string[];
  readonly onSelect: (submissionIds: readonly string[]) => void;
  readonly sort: InboxFilter['sort'];
  readonly onSort: (sort: InboxFilter['sort']) => void;
  /** The lead that the keys apply to. */
  readonly current: string | undefined;
  readonly onCurrent: (submissionId: string) => void;
}

/** One line per lead, on a phone one card. Cloudscape's table has taller rows and ten times the code. */
export function LeadRows({ leads, formName, selected, onSelect, sort, onSort, ...rest }: LeadRowsProps) {
  const picked = useRef<string>(undefined);
  const shown = leads.map(({ submissionId }) => submissionId);
  const chosen = new Set(selected);
  const pick = (submissionId: string, isRange: boolean) => {
    const from = isRange && picked.current !== undefined ? shown.indexOf(picked.current) : -1;
    const at = shown.indexOf(submissionId);
    const ids = from < 0 ? [submissionId] : shown.slice(Math.min(from, at), Math.max(from, at) + 1);
    const isOn = !chosen.has(submissionId);
    picked.current = submissionId;
    for (const id of ids) isOn ? chosen.add(id) : chosen.delete(id);
    onSelect(shown.filter((id) => chosen.has(id)));
  };
  const isAll = selected.length === shown.length;
  return (
    <table className="leads" aria-label="Leads">
      <thead className="leads">
        <tr className="lead-row lead-head">
          <th scope="col" className="lead-pick">
            <Pick
              label="Select all leads shown"
              checked={isAll}
              partly={!isAll && selected.length > 0}
              onPick={() => onSelect(isAll ? [] : shown)}
            />
          </th>
          <th scope="col" className="lead-person">
            Lead
          </th>
          <th scope="col" className="lead-message">
            Message
          </th>
          <th scope="col" className="lead-form">
            Form
          </th>
          <SortHead className="lead-score" isSorted={sort === 'score'} onSort={() => onSort('score')}>
            Score
          </SortHead>
          <SortHead className="lead-age" isSorted={sort === undefined} onSort={() => onSort(undefined)}>
            Received
          </SortHead>
        </tr>
      </thead>
      <tbody className="leads">
        {leads.map((lead) => (
          <Row
            key={lead.submissionId}
            lead={lead}
            formName={formName(lead.formId)}
            isSelected={chosen.has(lead.submissionId)}
            isCurrent={lead.submissionId === rest.current}
            onPick={(isRange) => pick(lead.submissionId, isRange)}
            onCurrent={() => rest.onCurrent(lead.submissionId)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly lead: InboxLead;
  readonly formName: string;
  readonly isSelected: boolean;
  readonly isCurrent: boolean;
  readonly onPick: (isRange: boolean) => void;
  readonly onCurrent: () => void;
}

function Row({ lead, formName, isSelected, isCurrent, onPick, onCurrent }: RowProps) {
  const timeText = useTimeText();
  const [, go] = useLocation();
  const address = leadAddress(lead, useSearch());
  const isNew = lead.status === 'new';
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    // Back returns to this row.
    history.replaceState({ ...history.state, current: lead.submissionId }, '');
    go(address);
  };
  const company = companyOf(lead);
  return (
    <tr
      className={isNew ? 'lead-row lead-new' : 'lead-row'}
      data-selected={isSelected}
      data-current={isCurrent}
    >
      <td className="lead-pick">
        <Pick
          label={`Select ${personOf(lead)}, received ${timeText(lead.receivedAt)}`}
          checked={isSelected}
          onPick={onPick}
        />
      </td>
      <th scope="row" className="lead-person">
        {isNew && <span className="mark mark-new">New</span>}{' '}
        <a id={`lead-${lead.submissionId}`} href={address} onClick={open} onFocus={onCurrent}>
          <bdi>{personOf(lead)}</bdi>
        </a>
        {company !== undefined && (
          <span className="lead-company">
            {' '}
            <bdi>{company}</bdi>
          </span>
        )}
      </th>
      <td className="lead-message">
        <Decided lead={lead} /> <bdi>{lead.preview}</bdi>
      </td>
      <td className="lead-form">
        <bdi>{formName}</bdi>
      </td>
      <td className="lead-score">
        <Score {...lead} />
      </td>
      <td className="lead-age">
        <Age at={lead.receivedAt} />
      </td>
    </tr>
  );
}

/** What people decided, or else that the score says not clean. */
function Decided({ lead: { review, handled, clean, test } }: { readonly lead: InboxLead }) {
  const timeText = useTimeText();
  return (
    <>
      {handled && (
        <span className="mark" title={[timeText(handled.at), handled.note].filter(Boolean).join(': ')}>
          {handledText(handled)}
        </span>
      )}{' '}
      {review ? (
        <span className="mark" title={timeText(review.at)}>
          {decidedText(review)}
        </span>
      ) : (
        !clean && !test && <span className="mark mark-quiet">Not clean</span>
      )}
    </>
  );
}

interface PickProps {
  readonly label: string;
  readonly checked: boolean;
  readonly partly?: boolean;
  readonly onPick: (isRange: boolean) => void;
}

/** The label makes it large enough for a finger. */
function Pick({ label, checked, partly = false, onPick }: PickProps) {
  return (
    <label>
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        ref={(box) => {
          if (box) box.indeterminate = partly;
        }}
        onChange={({ nativeEvent }) => onPick((nativeEvent as globalThis.MouseEvent).shiftKey === true)}
      />
    </label>
  );
}

interface SortHeadProps {
  readonly className: string;
  readonly isSorted: boolean;
  readonly onSort: () => void;
  readonly children: ReactNode;
}

function SortHead({ className, isSorted, onSort, children }: SortHeadProps) {
  return (
    <th scope="col" className={className} aria-sort={isSorted ? 'descending' : 'none'}>
      <button type="button" onClick={onSort}>
        {children}
        <span aria-hidden="true">{isSorted ? ' ▾' : ''}</span>
      </button>
    </th>
  );
}
