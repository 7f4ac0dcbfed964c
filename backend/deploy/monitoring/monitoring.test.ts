import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kebab } from '@florin/shared/command-line.ts';
import { expect, test } from 'vitest';
import { aShop, merchant } from '../../../test/support/shop.ts';
import { aTill } from '../../../test/support/till.ts';
import { commands } from '../../programs/admin/commands.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

/** Labels that Prometheus adds to each target. */
const ofTargets = new Set(['job', 'instance', 'le']);
/** Metrics of Prometheus and its exporters: README.md says how they get there. */
const ofOthers = new Set(['up', 'probe_ssl_earliest_cert_expiry']);
/** Of the language, and label values. */
const words =
  /^(max|min|sum|rate|increase|by|on|and|hour|time|histogram_quantile|unknown|notSent|unanswered|threw|florin|public)$/;

type Served = ReadonlyMap<string, ReadonlySet<string>>;

/** The metrics that a scrape serves, each with its labels. */
function servedIn(scrape: string): Served {
  const served = new Map<string, Set<string>>();
  for (const [, name = '', type] of scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    for (const suffix of type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
      served.set(`${name}${suffix}`, new Set());
  for (const [, name = '', labels = ''] of scrape.matchAll(/^([a-z]\w*)\{(.*)\} \S+$/gm))
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) served.get(name)?.add(label);
  return served;
}

/** What an expression names that is not served. */
function missingIn(expression: string, served: Served): string[] {
  const labelsOf = (name: string) => [...(served.get(name) ?? [])];
  const names = [...expression.replace(/"[^"]*"|\[\w+\]/g, '').matchAll(/[a-z_]\w*/gi)].map(([name]) => name);
  const metrics = names.filter(name => served.has(name));
  const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map(label => label.trim()),
  );
  const selected = [...expression.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, metric = '', selector = '']) =>
    [...selector.matchAll(/(\w+)=/g)].map(([, label = '']) => ({ metric, label })),
  );
  const anyLabel = new Set([...ofTargets, ...metrics.flatMap(labelsOf)]);
  const known = new Set([...metrics, ...ofOthers, ...grouped, ...selected.map(({ label }) => label)]);
  return [
    ...names.filter(name => !known.has(name) && !words.test(name)),
    ...grouped.filter(label => !anyLabel.has(label)),
    ...selected
      .filter(({ metric, label }) => !ofTargets.has(label) && !labelsOf(metric).includes(label))
      .map(({ metric, label }) => `${metric}{${label}}`),
  ];
}

const rules = [...read('alerts.yaml').matchAll(/- alert: (\w+)\n +expr: '(.*)'\n/g)].map(
  ([, name = '', expression = '']) => ({ name, expression }),
);
type Panel = {
  readonly title: string;
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
};
const { panels } = JSON.parse(read('dashboard.json')) as { panels: readonly Panel[] };

test('every rule and panel names metrics and labels that the service serves', async () => {
  const { world, aLink, pay, key } = await aShop('sqlite', [...merchant, 'devices:write'], {
    env: { METRICS_PORT: '0' },
  });
  await pay((await aLink(1_000)).id);
  const till = await aTill(world, key);
  const leaving = new AbortController();
  await fetch(`${world.url}/device/v1/commands`, {
    headers: { authorization: `Bearer ${till.token}` },
    signal: leaving.signal,
  });
  const served = servedIn(await (await fetch(world.metricsUrl ?? '')).text());
  leaving.abort();
  expect(rules.length).toBeGreaterThan(15);
  expect(
    rules.flatMap(({ name, expression }) => missingIn(expression, served).map(what => `${name}: ${what}`)),
  ).toEqual([]);
  const expressions = panels.flatMap(({ title, targets }) => targets.map(target => ({ title, ...target })));
  expect(expressions.length).toBeGreaterThan(20);
  expect(expressions.flatMap(({ title, expr }) => missingIn(expr, served).map(what => `${title}: ${what}`))).toEqual(
    [],
  );
  const legends = expressions.filter(({ expr, legendFormat }) =>
    [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].some(
      ([, label = '']) => label !== 'instance' && !expr.includes(label),
    ),
  );
  expect(legends).toEqual([]);
  // It would notice.
  expect(missingIn('max(florin_payments_pendin) > 0', served)).toEqual(['florin_payments_pendin']);
  expect(missingIn('sum by (outcom) (florin_gateway_call_duration_seconds_count{outcome="x"})', served)).toEqual([
    'outcom',
  ]);
  expect(missingIn('florin_gateway_call_duration_seconds_count{state="x"}', served)).toEqual([
    'florin_gateway_call_duration_seconds_count{state}',
  ]);
});

const parts = ['Means', 'Look', 'Do', 'Ends'];

test('every alert leads to a section that says what it means, where to look, what to do and when it ends', () => {
  const sections = read('README.md')
    .split(/^## /m)
    .slice(1)
    .map(section => ({
      name: section.slice(0, section.indexOf('\n')),
      parts: [...section.matchAll(/^\*\*(\w+)\*\*.{20,}$/gm)].map(([, part = '']) => part),
    }))
    .filter(({ name }) => /^\w+$/.test(name));
  expect(sections).toEqual(rules.map(({ name }) => ({ name, parts })));
  const anchors = [...read('alerts.yaml').matchAll(/runbook: \S+#(\w+)/g)].map(([, anchor = '']) => anchor);
  expect(anchors).toEqual(rules.map(({ name }) => name.toLowerCase()));
});

/** The admin commands in a text that do not exist, or name a flag that they do not have. */
function unknownCommandsIn(text: string): string[] {
  return [...text.matchAll(/npm run admin -- ([^`\n]+)/g)]
    .map(([, line = '']) => line)
    .filter(line => {
      const [noun = '', verb = ''] = line.split(' ');
      const command = commands[noun]?.[/^[a-z]/.test(verb) ? verb : 'run'];
      const known = new Set(Object.keys(command?.flags ?? {}).map(kebab));
      return !command || [...line.matchAll(/--([a-z-]+)/g)].some(([, flag = '']) => !known.has(flag));
    });
}

test('every admin command in what to do exists, with its flags', () => {
  expect(unknownCommandsIn(read('README.md'))).toEqual([]);
  const wrong = ['discrepancy decide --id …', 'discrepancy resolve --reason …'];
  expect(unknownCommandsIn(wrong.map(line => `\`npm run admin -- ${line}\``).join(', '))).toEqual(wrong);
});

/** The examples of each alert, and whether it fires in them. */
const examples = [...read('alerts.test.yaml').matchAll(/alertname: (\w+)\n +exp_alerts:( \[\])?\n/g)].map(
  ([, name = '', none]) => ({ name, fires: none === undefined }),
);

test('every alert has an example in which it fires, and one in which it does not', () => {
  for (const fires of [true, false]) {
    const named = new Set(examples.filter(example => example.fires === fires).map(({ name }) => name));
    expect([...named]).toEqual(rules.map(({ name }) => name));
  }
});

const promtool = (args: readonly string[], input = '') =>
  spawnSync('promtool', args, { cwd: import.meta.dirname, input, encoding: 'utf8' });

test.skipIf(promtool(['--version']).status !== 0)(
  'promtool accepts the rules, their examples and the metrics',
  async () => {
    const { world } = await aShop('sqlite', merchant, { env: { METRICS_PORT: '0' } });
    const scraped = await (await fetch(world.metricsUrl ?? '')).text();
    for (const checked of [
      promtool(['check', 'rules', 'alerts.yaml']),
      promtool(['test', 'rules', 'alerts.test.yaml']),
      promtool(['check', 'metrics'], scraped),
    ])
      expect([checked.status, checked.stderr]).toEqual([0, '']);
  },
);
