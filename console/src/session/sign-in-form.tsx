import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Form from '@cloudscape-design/components/form';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { createContext, type FormEvent, type ReactNode, use, useState } from 'react';
import { newPasswordProblems, signInError } from './sign-in-problems.ts';

interface SignInFormProps {
  /** A dialog may have said it already. */
  readonly title?: string | undefined;
  readonly description?: string | undefined;
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

/** Whether the steps are in a dialog, which already has a frame and a title. */
export const InDialog = createContext(false);

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
  const inDialog = use(InDialog);
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
        {inDialog ? (
          <SpaceBetween size="m">
            {title !== undefined && (
              <Header variant="h3" description={description}>
                {title}
              </Header>
            )}
            {children(asked)}
          </SpaceBetween>
        ) : (
          <Container
            header={
              <Header variant="h2" description={description}>
                {title}
              </Header>
            }
          >
            {children(asked)}
          </Container>
        )}
      </Form>
    </form>
  );
}

/** State of the two password fields and their validation. */
export function useNewPassword() {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const problems = newPasswordProblems(password, again);
  const isRight = problems.password === undefined && problems.again === undefined;
  return { password, again, problems, isRight, setPassword, setAgain };
}

type NewPassword = ReturnType<typeof useNewPassword>;

interface NewPasswordFieldsProps {
  readonly of: NewPassword;
  /** Errors are shown only after the first attempt to submit. */
  readonly asked: boolean;
}

export function NewPasswordFields({ of, asked }: NewPasswordFieldsProps) {
  const { password, again, problems, setPassword, setAgain } = of;
  return (
    <SpaceBetween size="l">
      <FormField
        label="New password"
        constraintText="At least 12 characters, with an uppercase letter, a lowercase letter, a number and a symbol."
        errorText={asked && problems.password}
      >
        <Input
          value={password}
          onChange={({ detail }) => setPassword(detail.value)}
          type="password"
          autoComplete="new-password"
        />
      </FormField>
      <FormField label="Confirm new password" errorText={asked && problems.again}>
        <Input
          value={again}
          onChange={({ detail }) => setAgain(detail.value)}
          type="password"
          autoComplete="new-password"
        />
      </FormField>
    </SpaceBetween>
  );
}

interface CodeFieldProps {
  readonly label: string;
  readonly code: string;
  readonly onCode: (code: string) => void;
  readonly error: string | false | undefined;
  readonly autoFocus?: boolean;
}

/** For a code from an email or an authenticator app. */
export function CodeField({ label, code, onCode, error, autoFocus = false }: CodeFieldProps) {
  return (
    <FormField label={label} errorText={error}>
      <Input
        value={code}
        onChange={({ detail }) => onCode(detail.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus={autoFocus}
      />
    </FormField>
  );
}

interface PasswordFieldProps {
  readonly label: string;
  readonly email: string;
  readonly password: string;
  readonly onPassword: (password: string) => void;
  readonly error: string | false | undefined;
}

/** Asks for the password, so that an unattended browser is not enough. */
export function PasswordField({ label, email, password, onPassword, error }: PasswordFieldProps) {
  return (
    <>
      {/* Tells password managers which account this is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <FormField label={label} errorText={error}>
        <Input
          value={password}
          onChange={({ detail }) => onPassword(detail.value)}
          type="password"
          autoComplete="current-password"
          autoFocus
        />
      </FormField>
    </>
  );
}
