import { useEffect, useMemo } from 'react';
import type { Confidence } from '../../api/types';
import { confidences, picks, pickLink, useGuess } from '../../state/guess';
import type { View } from '../../three/view';

/** As the dots of the panel, whatever the theme: on a model these are seen in light and dark. */
const COLOURS: Record<Confidence, number> = { sure: 0x2f9e5b, likely: 0xd9a400, doubtful: 0xe0452b, missing: 0xe0452b };

/** Shows on the robot how sure is what was guessed of each link, while the panel of that is there. */
export function useGuessColours(view: View | null): void {
  const shown = useGuess((state) => state.shown);
  const guessed = useGuess((state) => state.view?.guessed);
  const key = useGuess((state) => state.hovered ?? state.chosen);
  const under = useGuess((state) => state.under);
  const picking = useGuess(picks);
  const colours = useMemo(() => {
    if (!shown || !guessed) return null;
    return new Map([...confidences(guessed)].map(([link, confidence]) => [link, COLOURS[confidence]]));
  }, [shown, guessed]);
  const lit = useMemo(() => new Set([...(guessed?.find((told) => told.key === key)?.shown ?? []), ...(under ? [under] : [])]), [guessed, key, under]);
  useEffect(() => view?.paintRobot(colours, lit), [view, colours, lit]);
  useEffect(() => {
    view?.pickLinks(picking ? { hover: (link) => useGuess.setState({ under: link }), pick: pickLink } : null);
  }, [view, picking]);
}
