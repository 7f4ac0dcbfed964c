import { Navigate } from '@tanstack/react-router';
import { Blank } from '../components/loaded.tsx';
import { useWords } from '../words/words.ts';
import { useLastBusiness } from './business-frame.tsx';
import { PlainFrame } from './plain-frame.tsx';

/** Opens the business that was used last in this browser, or else the first. */
export function FirstBusiness() {
  const words = useWords();
  const business = useLastBusiness();
  if (business !== undefined) return <Navigate to={`/${business.id}`} replace />;
  return (
    <PlainFrame>
      <Blank icon="shop" title={words.business.none}>
        <p>{words.business.noneWhy}</p>
      </Blank>
    </PlainFrame>
  );
}
