import '@florin/shared/design/tokens.css';
import './styles/font.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/content.css';
import './styles/records.css';
import './styles/table.css';
import './styles/shell.css';
import './styles/print.css';
import './icon.svg';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { CallProblem } from './api/problem.ts';
import { router } from './router.tsx';
import { Toasts } from './shell/toasts.tsx';
import { LanguageProvider, languageOfDocument } from './words/language-provider.tsx';
import { loadWords } from './words/words.ts';

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // The call itself is repeated where that helps.
      retry: false,
      staleTime: 5_000,
      refetchOnWindowFocus: error =>
        !(error.state.error instanceof CallProblem && error.state.error.answer.status === 403),
      placeholderData: (previous: unknown) => previous,
    },
  },
});

const place = document.getElementById('portal');
if (place === null) throw new Error('the document has no #portal');
const shown = (
  <QueryClientProvider client={client}>
    <LanguageProvider>
      <RouterProvider router={router} />
      <Toasts />
    </LanguageProvider>
  </QueryClientProvider>
);
void loadWords(languageOfDocument()).then(() => createRoot(place).render(shown));
