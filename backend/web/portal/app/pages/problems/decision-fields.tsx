import { CheckField, CheckGroup, LinesField } from '../../components/field.tsx';
import { useTexts } from '../../words/texts.ts';
import { problemsTexts } from './texts.ts';

/** What was seen and where, kept with the decision. */
export function Evidence({ issue }: { readonly issue: string | undefined }) {
  const { decide: text } = useTexts(problemsTexts);
  return (
    <LinesField
      label={text.evidence}
      name="evidence"
      hint={text.evidenceHint}
      rows={4}
      minLength={10}
      maxLength={2000}
      required
      issue={issue}
    />
  );
}

type ChoiceProps<Outcome extends string> = {
  readonly legend: string;
  readonly choices: readonly (readonly [outcome: Outcome, label: string, effect: string])[];
  readonly chosen: Outcome | undefined;
  readonly onChoose: (outcome: Outcome) => void;
};

/** What was found; nothing is chosen beforehand. */
export function Choice<Outcome extends string>({ legend, choices, chosen, onChoose }: ChoiceProps<Outcome>) {
  return (
    <CheckGroup label={legend}>
      {choices.map(([outcome, label, effect]) => (
        <CheckField
          key={outcome}
          type="radio"
          name="outcome"
          label={label}
          hint={effect}
          checked={chosen === outcome}
          onChange={() => onChoose(outcome)}
          required
        />
      ))}
    </CheckGroup>
  );
}
