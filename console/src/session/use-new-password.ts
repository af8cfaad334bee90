import { useState } from 'react';
import { newPasswordProblems } from './new-password-problems.ts';

/** A new password, typed twice, and what is still wrong with it. */
export function useNewPassword() {
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const problems = newPasswordProblems(password, again);
  const isRight = problems.password === undefined && problems.again === undefined;
  return { password, again, problems, isRight, setPassword, setAgain };
}

export type NewPassword = ReturnType<typeof useNewPassword>;
