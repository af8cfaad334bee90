import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';

interface NewPasswordFieldsProps {
  readonly password: string;
  readonly again: string;
  readonly onPassword: (password: string) => void;
  readonly onAgain: (again: string) => void;
}

export function newPasswordProblem(password: string, again: string): string | undefined {
  if (password.length < 12) return 'The password needs at least 12 characters.';
  return password === again ? undefined : 'The two passwords differ.';
}

export function NewPasswordFields({ password, again, onPassword, onAgain }: NewPasswordFieldsProps) {
  return (
    <>
      <FormField
        label="New password"
        constraintText="At least 12 characters, with an upper-case and a lower-case letter, a digit and a symbol."
      >
        <Input
          value={password}
          onChange={({ detail }) => onPassword(detail.value)}
          type="password"
          autoComplete="new-password"
        />
      </FormField>
      <FormField label="New password again">
        <Input
          value={again}
          onChange={({ detail }) => onAgain(detail.value)}
          type="password"
          autoComplete="new-password"
        />
      </FormField>
    </>
  );
}
