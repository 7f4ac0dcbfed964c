import { PageHead } from '../../components/page.tsx';
import { useMe } from '../../session/session.ts';
import { useTexts } from '../../words/texts.ts';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { SecondFactors } from './second-factors.tsx';
import { Sessions } from './sessions.tsx';
import { accountTexts } from './texts.ts';

/** What a user decides for themselves: their name, how they sign in, and where they are signed in. */
export function Page() {
  const text = useTexts(accountTexts);
  const { email } = useMe();
  return (
    <div className="reading">
      <PageHead title={text.title} about={email} />
      <div className="stack">
        <Profile />
        <SecondFactors />
        <Password />
        <Sessions />
      </div>
    </div>
  );
}
