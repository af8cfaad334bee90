import { ContextError } from '../lib/context/context-error.ts';
import { makeGithubApp } from '../lib/github-deployment-app.ts';

try {
  makeGithubApp().synth();
} catch (error) {
  if (!(error instanceof ContextError)) throw error;
  console.error(error.message);
  process.exit(1);
}
