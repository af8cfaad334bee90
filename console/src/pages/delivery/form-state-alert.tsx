import Alert from '@cloudscape-design/components/alert';
import type { Form } from '../../api/types.ts';
import { Link } from '../../shell/link.tsx';

/** Why nothing comes in, whatever the settings below. */
export function FormStateAlert({ form }: { readonly form: Form }) {
  if (form.archivedAt !== undefined) {
    return (
      <Alert type="warning" header="This form is archived">
        It takes no submissions any more, and its secret cannot be changed. Its leads stay.{' '}
        <Link href="/forms">Send to another form</Link>
      </Alert>
    );
  }
  if (form.active) return null;
  return (
    <Alert type="warning" header="This form is switched off">
      Everything that is sent to it is rejected until it is switched on.{' '}
      <Link href={`/forms/${encodeURIComponent(form.formId)}`}>Switch it on</Link>
    </Alert>
  );
}
