import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import type { ListedForm } from '../../api/types.ts';
import { useFollow } from '../../shell/link.tsx';

interface FormMenuProps {
  readonly form: ListedForm;
  readonly onArchive: () => void;
}

export function FormMenu({ form: { formId, name }, onArchive }: FormMenuProps) {
  const follow = useFollow();
  const id = encodeURIComponent(formId);
  return (
    <ButtonDropdown
      variant="inline-icon"
      ariaLabel={`More for ${name}`}
      expandToViewport
      items={[
        { id: 'settings', text: 'Form settings', href: `/forms/${id}` },
        { id: 'test', text: 'Send a test', href: `/send-test?form=${id}` },
        { id: 'archive', text: 'Archive' },
      ]}
      onItemFollow={follow}
      onItemClick={({ detail }) => {
        if (detail.id === 'archive') onArchive();
      }}
    />
  );
}
