import type { Statement } from './evaluate.ts';

/** One action on one resource that a statement of a function's role allows: what can be removed by itself. */
export interface Grant {
  readonly functionName: string;
  readonly action: string;
  readonly resource: string;
  /** The statement that the grant comes from, reduced to it. */
  readonly statement: Statement;
}

/** Every combination of action and resource of the statements that allow something. */
export function grantsOf(functionName: string, statements: readonly Statement[]): Grant[] {
  return statements
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap((statement) =>
      single(statement, 'Action').flatMap((withAction) =>
        single(withAction, 'Resource').map((reduced) => ({
          functionName,
          action: nameOf(reduced.Action, reduced.NotAction),
          resource: nameOf(reduced.Resource, reduced.NotResource),
          statement: reduced,
        })),
      ),
    );
}

/** One statement per value of the element. NotAction and NotResource name what is left out: they stay whole. */
function single(statement: Statement, element: 'Action' | 'Resource'): Statement[] {
  const { [element]: values } = statement;
  return values === undefined
    ? [statement]
    : [values].flat().map((value) => ({ ...statement, [element]: value }));
}

function nameOf(included: Statement['Action'], excluded: Statement['Action']): string {
  return included === undefined ? `everything but ${[excluded].flat().join(', ')}` : [included].flat().join();
}
