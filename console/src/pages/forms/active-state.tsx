import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ListedForm } from '../../api/types.ts';

export function ActiveState({ form }: { readonly form: Pick<ListedForm, 'active' | 'archivedAt'> }) {
  if (form.archivedAt !== undefined) return <StatusIndicator type="stopped">Archived</StatusIndicator>;
  return form.active ? (
    <StatusIndicator type="success">Active</StatusIndicator>
  ) : (
    <StatusIndicator type="stopped">Inactive</StatusIndicator>
  );
}
