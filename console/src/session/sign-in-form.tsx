import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Form from '@cloudscape-design/components/form';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type FormEvent, type ReactNode, useState } from 'react';
import { signInError } from './sign-in-errors.ts';

interface SignInFormProps {
  readonly title: string;
  readonly description?: string;
  readonly submit: string;
  /** Whether all fields are valid. */
  readonly canSend: boolean;
  readonly onSubmit: () => Promise<void>;
  /** Describes an error of the service. */
  readonly explain?: (error: unknown) => string;
  readonly secondary?: { readonly label: string; readonly onClick: () => void };
  /** The fields; `asked` is true after the first attempt to submit. */
  readonly children: (asked: boolean) => ReactNode;
}

/** One step of signing in: fields, a button and errors. Enter submits. */
export function SignInForm({
  title,
  description,
  submit,
  canSend,
  onSubmit,
  explain = signInError,
  secondary,
  children,
}: SignInFormProps) {
  const [asked, setAsked] = useState(false);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function send(event: FormEvent) {
    event.preventDefault();
    setAsked(true);
    setError(undefined);
    if (!canSend || busy) return;
    setBusy(true);
    try {
      await onSubmit();
    } catch (problem) {
      setError(explain(problem));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      <Form
        errorText={error}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            {secondary && (
              <Button variant="link" formAction="none" onClick={secondary.onClick}>
                {secondary.label}
              </Button>
            )}
            <Button variant="primary" loading={busy}>
              {submit}
            </Button>
          </SpaceBetween>
        }
      >
        <Container
          header={
            <Header variant="h2" description={description}>
              {title}
            </Header>
          }
        >
          {children(asked)}
        </Container>
      </Form>
    </form>
  );
}
