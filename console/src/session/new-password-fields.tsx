import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { newPasswordProblems } from './sign-in-input.ts';

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
