import type { z } from 'zod';

/** The default message for input that a schema refuses. */
export const messageOf: z.core.$ZodErrorMap = issue => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return limitMessage(issue.origin, `at least ${issue.minimum}`, issue.minimum);
    case 'too_big':
      return limitMessage(issue.origin, `at most ${issue.maximum}`, issue.maximum);
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return `must be ${formatNames[issue.format] ?? 'in the format the API description gives'}`;
    case 'invalid_union':
      return issue.discriminator === undefined
        ? 'must have one of the forms the API description gives'
        : 'must be of a kind the API description gives';
    case 'unrecognized_keys':
      return `must not have ${issue.keys.join(', ')}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
    case undefined:
      return undefined;
  }
};

function limitMessage(origin: string, limit: string, count: number | bigint): string {
  const unit = countedIn[origin];
  return unit === undefined ? `must be ${limit}` : `must have ${limit} ${count === 1 ? unit : `${unit}s`}`;
}

const countedIn: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'item',
  set: 'item',
  map: 'item',
  object: 'field',
};

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

const formatNames: Readonly<Record<string, string>> = {
  datetime: 'an ISO 8601 time in UTC with milliseconds, such as 2026-11-21T09:30:00.000Z',
  base64: 'base64',
  url: 'an address',
  email: 'an e-mail address',
};
