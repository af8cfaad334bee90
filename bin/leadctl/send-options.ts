import type { Surface } from '../../lambdas/submission/limits.ts';

/** `leadctl send`, as commander reads it. */
export interface SendOptions {
  readonly surface: Surface;
  readonly form?: string;
  readonly slug?: string;
  readonly tokenStdin?: boolean;
  readonly secretStdin?: boolean;
  readonly useFormSecret?: boolean;
  readonly file?: string;
  readonly generate?: boolean;
  readonly key?: string;
  readonly keyEach?: boolean;
  readonly count: number;
  readonly concurrency: number;
}
