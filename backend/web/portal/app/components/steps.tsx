import { Icon } from './icon.tsx';

/** Something that was checked. */
export type Step = { readonly isRight: boolean; readonly name: string; readonly why?: string | undefined };

/** What was checked, and whether it was right. */
export function Steps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ul className="steps" aria-live="polite">
      {steps.map(({ isRight, name, why }) => (
        <li key={name} className={`step tone-${isRight ? 'done' : 'refused'}`}>
          <span className="timeline-mark">
            <Icon name={isRight ? 'check' : 'cross'} />
          </span>
          <div>
            <p>{name}</p>
            {why === undefined ? null : <p className="small muted">{why}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}
