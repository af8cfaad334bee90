import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';

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
