import { makeRecorder, recorderDependencies } from './handler.ts';

export const handler = makeRecorder(recorderDependencies(process.env));
