export { retired as handler } from './handler.ts';
