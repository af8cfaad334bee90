import Button from '@cloudscape-design/components/button';
import ButtonDropdown, { type ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ListedForm } from '#console/api/types.ts';
import { formPath } from '#console/shared/forms.ts';
import { ONLY_OWNERS, OwnerButton, useIsViewer } from '#console/shared/role.tsx';
import { useFollow } from '#console/shell/link.tsx';
import { SENDERS_PATH } from '../review/review-words.ts';

export type LeadAction = 'spam' | 'good' | 'unreview' | 'handled' | 'todo' | 'note' | 'erase';

interface InboxActionsProps {
  /** How many leads are selected. */
  readonly selected: number;
  /** The form of the filter, if it has settings. */
  readonly form: ListedForm | undefined;
  readonly onAct: (action: LeadAction) => void;
  readonly onShortcuts: () => void;
  readonly canExport: boolean;
  readonly exporting: boolean;
  readonly onExport: () => void;
  readonly refreshing: boolean;
  readonly onRefresh: () => void;
}

/** What can be done with the selected leads, then with the list. */
export function InboxActions({ selected, form, onAct, onShortcuts, ...list }: InboxActionsProps) {
  const follow = useFollow();
  const isViewer = useIsViewer();
  const forOwners = isViewer && { disabled: true, disabledReason: ONLY_OWNERS };
  const onSelected: ButtonDropdownProps.Item[] = [
    { id: 'note', text: 'Handled with note…', ...forOwners },
    { id: 'todo', text: 'To do again', ...forOwners },
    { id: 'unreview', text: 'Remove verdict', ...forOwners },
    { id: 'erase', text: 'Delete…', ...forOwners },
  ];
  const pages: ButtonDropdownProps.Item[] = [
    { id: 'senders', text: 'Trusted and blocked senders', href: SENDERS_PATH },
    ...(form
      ? [
          { id: 'form', text: 'Form settings', href: formPath(form) },
          { id: 'delivery', text: 'Delivery settings', href: `${formPath(form)}/delivery` },
        ]
      : []),
    { id: 'shortcuts', text: 'Keyboard shortcuts (?)' },
  ];
  return (
    <SpaceBetween direction="horizontal" size="xs" alignItems="center">
      {selected > 0 && (
        <SpaceBetween direction="horizontal" size="xs" alignItems="center">
          <span role="status">{selected} selected</span>
          <OwnerButton onClick={() => onAct('spam')}>Spam</OwnerButton>
          <OwnerButton onClick={() => onAct('good')}>Not spam</OwnerButton>
          <OwnerButton onClick={() => onAct('handled')}>Handled</OwnerButton>
        </SpaceBetween>
      )}
      <Button
        disabled={!list.canExport}
        loading={list.exporting}
        loadingText="Exporting"
        onClick={list.onExport}
      >
        Export
      </Button>
      <Button
        iconName="refresh"
        ariaLabel="Refresh leads"
        loading={list.refreshing}
        onClick={list.onRefresh}
      />
      <ButtonDropdown
        items={
          selected > 0
            ? [
                { text: `${selected} selected`, items: onSelected },
                { text: 'List', items: pages },
              ]
            : pages
        }
        onItemFollow={follow}
        onItemClick={({ detail: { id, href } }) => {
          if (id === 'shortcuts') onShortcuts();
          else if (href === undefined) onAct(id as LeadAction);
        }}
      >
        More
      </ButtonDropdown>
    </SpaceBetween>
  );
}
