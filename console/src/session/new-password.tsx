import { useState } from 'react';
import { NewPasswordFields, newPasswordProblem } from './new-password-fields.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface NewPasswordProps {
  readonly onSubmit: (password: string) => Promise<void>;
  readonly onBack: () => void;
}

/** After the first sign-in with the password that came by mail. */
export function NewPassword({ onSubmit, onBack }: NewPasswordProps) {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  return (
    <SignInForm
      title="Choose a password"
      description="The one you signed in with was temporary."
      submit="Set password"
      check={() => newPasswordProblem(password, again)}
      onSubmit={() => onSubmit(password)}
      secondary={{ label: 'Back', onClick: onBack }}
    >
      <NewPasswordFields password={password} again={again} onPassword={setPassword} onAgain={setAgain} />
    </SignInForm>
  );
}
