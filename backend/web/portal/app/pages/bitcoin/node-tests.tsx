import type { BitcoinBackendRecord } from '@florin/shared/contracts/api-v1/bitcoin-backends.ts';
import { Steps } from '../../components/steps.tsx';
import { useTexts } from '../../words/texts.ts';
import { bitcoinTexts } from './texts.ts';

export type NodeTest = BitcoinBackendRecord['tests'][number];

/** What was tested of a node, and why something failed. */
export function NodeTests({ tests }: { readonly tests: readonly NodeTest[] }) {
  const text = useTexts(bitcoinTexts);
  return (
    <Steps
      steps={tests.map(({ name, ok, cause, message }) => ({
        isRight: ok,
        name: text.tests[name] ?? name,
        why: ok ? undefined : [text.causes[cause ?? ''] ?? cause, message].filter(part => part !== null).join(' '),
      }))}
    />
  );
}
