import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import { useWorkspace } from '../api/queries.ts';

export const ONLY_OWNERS = 'Only owners can do this. You are a viewer of this workspace.';

/** Viewers can change nothing. Until the role is known, nobody counts as one: the API decides anyway. */
export function useIsViewer(): boolean {
  return useWorkspace().data?.role === 'viewer';
}

/** A button that changes something. Viewers see it disabled, with the reason. */
export function OwnerButton(props: ButtonProps) {
  const isViewer = useIsViewer();
  return <Button {...props} {...(isViewer && { disabled: true, disabledReason: ONLY_OWNERS })} />;
}
