import { SettingsError } from '../lib/context/kinds.ts';
import { makeGithubApp } from '../lib/github-deployment-stack.ts';

try {
  makeGithubApp().synth();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exit(1);
}
