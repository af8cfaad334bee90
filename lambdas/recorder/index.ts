import { recorderDependencies } from './dependencies.ts';
import { makeRecorder } from './handler.ts';

export const handler = makeRecorder(recorderDependencies(process.env));
