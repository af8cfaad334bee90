import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Form from '@cloudscape-design/components/form';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type FormEvent, type ReactNode, useState } from 'react';
import { signInProblem } from './sign-in-errors.ts';

interface SignInFormProps {
  readonly title: string;
  readonly description?: string;
  readonly submit: string;
  /** What is missing, or undefined when it can be sent. */
  readonly check: () => string | undefined;
  readonly onSubmit: () => Promise<void>;
  readonly secondary?: { readonly label: string; readonly onClick: () => void };
  readonly children: ReactNode;
}

/** One step on the way in: fields, a button, and what went wrong. Enter sends it. */
export function SignInForm({
  title,
  description,
  submit,
  check,
  onSubmit,
  secondary,
  children,
}: SignInFormProps) {
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function send(event: FormEvent) {
    event.preventDefault();
    const missing = check();
    setError(missing);
    if (missing !== undefined || busy) return;
    setBusy(true);
    try {
      await onSubmit();
    } catch (problem) {
      setError(signInProblem(problem));
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
          <SpaceBetween size="l">{children}</SpaceBetween>
        </Container>
      </Form>
    </form>
  );
}
