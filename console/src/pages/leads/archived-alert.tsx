import Alert from '@cloudscape-design/components/alert';
import { Moment } from '../../shared/moment.tsx';

/** Above leads that get no more. */
export function ArchivedAlert({ archivedAt }: { readonly archivedAt: string }) {
  return (
    <Alert type="info" header="This form is archived">
      Since <Moment at={archivedAt} /> every submission to it is rejected. Its leads can still be read,
      exported and deleted.
    </Alert>
  );
}
