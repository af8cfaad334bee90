import ButtonDropdown, { type ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown';
import type { Ref } from 'react';

interface FieldMenuProps {
  readonly ref: Ref<ButtonDropdownProps.Ref>;
  readonly name: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
}

export function FieldMenu({ ref, name, isFirst, isLast, onMove, onRemove }: FieldMenuProps) {
  return (
    <ButtonDropdown
      ref={ref}
      ariaLabel={`Change ${name}`}
      expandToViewport
      items={[
        { id: 'remove', text: 'Remove' },
        { id: 'up', text: 'Move up', disabled: isFirst },
        { id: 'down', text: 'Move down', disabled: isLast },
      ]}
      onItemClick={({ detail: { id } }) => {
        if (id === 'remove') onRemove();
        else onMove(id === 'up' ? -1 : 1);
      }}
    >
      Change
    </ButtonDropdown>
  );
}
