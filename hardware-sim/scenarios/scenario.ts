import { requests, stages } from '@florin/shared/reader-line/messages.ts';
import { err, ok, type Result } from '@florin/shared/result.ts';
import { parse } from 'yaml';
import { z } from 'zod';
import { type Action, action, parseAction } from '../actions.ts';

/** A scenario: actions of a customer, cable, bank or node, their conditions, and expected results. README.md shows one. */
const actionText = z
  .string()
  .meta({ description: 'ACTIONS.md lists them', examples: action.options.flatMap(examplesOf) });
const actions = z
  .union([z.string().transform(text => text.split(',')), z.array(actionText)])
  .transform((texts, context): Action[] =>
    texts.flatMap(text => {
      const parsed = parseAction(text);
      if (parsed.ok) return [parsed.value];
      const { refusal } = parsed;
      const message = refusal.kind === 'unknown_action' ? `no such action: ${refusal.text}` : refusal.message;
      context.addIssue({ code: 'custom', message });
      return [];
    }),
  );

function examplesOf(option: z.ZodType): unknown[] {
  return option.meta()?.examples ?? [];
}

const verbs = Object.keys(requests) as [keyof typeof requests, ...(keyof typeof requests)[]];

const when = z.strictObject({
  /** A request of the host. */
  verb: z.enum(verbs).optional(),
  /** A stage of the dialogue. */
  stage: z.enum(stages).optional(),
  amountMinor: z.int().optional(),
  /** The how manieth of these, counted from the end of the step before. */
  nth: z.int().min(1).max(1_000).default(1),
});
export type When = z.output<typeof when>;

const expectation = z.strictObject({
  outcome: z.enum(['approved', 'declined', 'referral', 'cancelled', 'timeout', 'error']).optional(),
  by: z.enum(['host', 'card', 'reader', 'customer', 'staff']).optional(),
  code: z.string().optional(),
});
export type Expectation = z.output<typeof expectation>;

const step = z.strictObject({
  when,
  do: actions.default([]),
  expect: expectation.optional(),
  withinMs: z.int().min(1).max(3_600_000).default(30_000),
});
export type Step = z.output<typeof step>;

const scenario = z.strictObject({
  name: z.string().optional(),
  /** Of noise, flipped bits and jitter, so that they repeat. */
  seed: z.int().min(0).max(999_999_999).optional(),
  /** Played for every transaction without a step, until the program ends. */
  auto: actions.optional(),
  steps: z.array(step).default([]),
});
export type Scenario = z.output<typeof scenario>;

export type ScenarioRefusal = { readonly kind: 'bad_scenario'; readonly message: string };

/** Parses a scenario in YAML. The refusal names each wrong field by its path, one per line. */
export function parseScenario(yaml: string): Result<Scenario, ScenarioRefusal> {
  let document: unknown;
  try {
    document = parse(yaml);
  } catch (error) {
    return err({ kind: 'bad_scenario', message: error instanceof Error ? error.message : String(error) });
  }
  const parsed = scenario.safeParse(document);
  if (parsed.success) return ok(parsed.data);
  const messages = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`);
  return err({ kind: 'bad_scenario', message: messages.join('\n') });
}

/** The automatic customer of the command line: `insert visa, pin ok, remove`. */
export function parseAuto(text: string): Result<readonly Action[], ScenarioRefusal> {
  const parsed = actions.safeParse(text);
  if (parsed.success) return ok(parsed.data);
  return err({ kind: 'bad_scenario', message: parsed.error.issues[0]?.message ?? text });
}

/** The JSON Schema of a scenario file, with which editors complete and check one. */
export function scenarioSchema(): object {
  return { title: 'A scenario of the simulated card reader', ...z.toJSONSchema(scenario, { io: 'input' }) };
}
