import { useFormats } from '../words/formats.ts';
import { texts, useTexts } from '../words/texts.ts';

const searchedBackTexts = texts({
  en: { until: (time: string) => `Searched back to ${time}. “Older” goes on from there.` },
  de: { until: (time: string) => `Bis ${time} durchsucht. „Ältere“ sucht von dort weiter.` },
});

/** Says how far a list was looked through whose filter has no index; nothing if it was looked through to its end. */
export function SearchedBack({ to }: { readonly to: string | null | undefined }) {
  const text = useTexts(searchedBackTexts);
  const formats = useFormats();
  return to ? <p className="small muted">{text.until(formats.dateTime(to))}</p> : null;
}
