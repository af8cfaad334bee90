import { NewPasswordFields } from './new-password-fields.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useNewPassword } from './use-new-password.ts';

interface NewPasswordProps {
  readonly onSubmit: (password: string) => Promise<void>;
  readonly onBack: () => void;
}

/** After the first sign-in with the password that came by mail. */
export function NewPassword({ onSubmit, onBack }: NewPasswordProps) {
  const chosen = useNewPassword();
  return (
    <SignInForm
      title="Choose a password"
      description="The one you signed in with was temporary."
      submit="Set password"
      canSend={chosen.isRight}
      onSubmit={() => onSubmit(chosen.password)}
      secondary={{ label: 'Back', onClick: onBack }}
    >
      {(asked) => <NewPasswordFields of={chosen} asked={asked} />}
    </SignInForm>
  );
}
