import type { Done, NotDone } from '@florin/client/answer.ts';

/** A call that did not succeed, as the pages show it. */
export class CallProblem extends Error {
  readonly answer: NotDone;
  constructor(answer: NotDone) {
    super(answer.message);
    this.name = 'CallProblem';
    this.answer = answer;
  }

  /** The id of the request, for whoever is asked for help. */
  get requestId(): string | undefined {
    return this.answer.headers['x-request-id'];
  }

  get missingPermissions(): readonly string[] {
    return this.answer.body?.error.metadata?.missingPermissions ?? [];
  }
}

/** The body of an answer. @throws CallProblem */
export function bodyOf<Body>(answer: Done<{ readonly status: number; readonly body: Body }> | NotDone): Body {
  if (answer.ok) return answer.body;
  throw new CallProblem(answer);
}

/** What the service says about each field of a form, by the field's path. */
export function issuesOf(answer: NotDone): Readonly<Record<string, string>> {
  const issues = answer.body?.error.metadata?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.replace(/^body\.?/, ''), message]));
}
