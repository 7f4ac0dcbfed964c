import type { ScenarioState } from '../scenarios/session.ts';
import { element } from './dom.ts';

/** The scenarios of the page: chosen or pasted, played, and their result. */
type Shipped = { readonly file: string; readonly text: string };

/** Loads the scenarios that come with the simulator, and connects the controls. Called once. */
export async function wireScenarios(notice: (text: string) => void): Promise<void> {
  const text = element('scenario-text', HTMLTextAreaElement);
  const choice = element('scenario', HTMLSelectElement);
  const { items }: { items: Shipped[] } = await (await fetch('/api/scenarios')).json();
  for (const { file } of items) choice.append(new Option(nameOf(items, file), file));
  const show = () => {
    text.value = items.find(({ file }) => file === choice.value)?.text ?? '';
  };
  choice.addEventListener('change', show);
  element('play', HTMLButtonElement).addEventListener('click', () => {
    void fetch('/api/scenario', { method: 'POST', body: text.value }).then(async response => {
      if (response.ok) return notice('');
      const body: { error?: { message?: string } } = await response.json();
      notice(body.error?.message ?? response.statusText);
    });
  });
  show();
}

function nameOf(items: readonly Shipped[], file: string): string {
  const { text = '' } = items.find(item => item.file === file) ?? {};
  return /^name: (.*)$/m.exec(text)?.[1] ?? file;
}

/** Shows how far the scenario is, and how it ended. */
export function showScenario({ name, steps, stepsOver, report }: ScenarioState): void {
  const result = element('scenario-result', HTMLElement);
  if (name === null) return;
  const failed = report?.steps.find(({ passed }) => !passed);
  const why = failed ? `step ${failed.step}: ${failed.message}` : (report?.violations.join('; ') ?? '');
  result.dataset.result = report === null ? 'running' : report.passed ? 'passed' : 'failed';
  result.textContent =
    report === null
      ? steps === 0
        ? `${name}: played for every transaction`
        : `${name}: waiting for step ${stepsOver + 1} of ${steps}`
      : report.passed
        ? `${name}: passed`
        : `${name}: failed, ${why}`;
}
