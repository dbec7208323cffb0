import { useEffect, useRef, useState, type ReactNode } from 'react';

interface Props {
  id: string;
  label: string;
  value: number | null;
  least?: number | undefined;
  most?: number | undefined;
  unit?: string | undefined;
  whole?: boolean;
  slider?: boolean;
  /** `moving`: the slider is being dragged; nothing is given yet. */
  set: (value: number, moving?: boolean) => void;
}

export const shortNumber = (value: number): string => String(Math.round(value * 1e4) / 1e4);

/** A number is given when it is finished, with Enter or by leaving the field: an edit for each key would be one to undo. */
export function NumberField({ id, label, value, least, most, unit, whole, slider, set }: Props): ReactNode {
  const shown = value === null ? '' : shortNumber(value);
  const [text, setText] = useState(shown);
  const [wrong, setWrong] = useState<string | null>(null);
  const typing = useRef(false);
  useEffect(() => {
    if (typing.current) return;
    setText(shown);
    setWrong(null);
  }, [shown]);
  const give = (written: string): void => {
    typing.current = false;
    if (written === shown) {
      setWrong(null);
      return;
    }
    const number = Number(written.replace(',', '.'));
    const problem =
      written.trim() === '' || !Number.isFinite(number)
        ? 'must be a number'
        : whole && !Number.isInteger(number)
          ? 'must be a whole number'
          : least !== undefined && number < least
            ? `must be at least ${least}${unit ? ` ${unit}` : ''}`
            : most !== undefined && number > most
              ? `must be at most ${most}${unit ? ` ${unit}` : ''}`
              : null;
    setWrong(problem);
    if (!problem) set(number);
  };
  const range = slider && least !== undefined && most !== undefined;
  return (
    <span className={wrong ? 'number wrong' : 'number'}>
      {range && (
        <Slider
          label={label}
          value={value ?? least}
          least={least}
          most={most}
          whole={whole ?? false}
          moved={(now) => {
            setText(shortNumber(now));
            set(Number(shortNumber(now)), true);
          }}
          set={(now) => give(shortNumber(now))}
        />
      )}
      <input
        id={id}
        inputMode="decimal"
        aria-label={label}
        aria-invalid={wrong !== null}
        value={text}
        onChange={(event) => {
          typing.current = true;
          setText(event.target.value);
        }}
        onFocus={(event) => event.target.select()}
        onBlur={() => give(text)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') give(text);
          if (event.key === 'Escape') {
            event.stopPropagation();
            typing.current = false;
            setText(shown);
            setWrong(null);
          }
        }}
      />
      {unit && <span className="unit">{unit}</span>}
      {wrong && (
        <span className="error" role="alert">
          {wrong}
        </span>
      )}
    </span>
  );
}

interface SliderProps {
  label: string;
  value: number;
  least: number;
  most: number;
  whole: boolean;
  moved: (value: number) => void;
  set: (value: number) => void;
}

/** Shows each value while it is dragged and gives one when it is let go. */
function Slider({ label, value, least, most, whole, moved, set }: SliderProps): ReactNode {
  const [now, setNow] = useState<number | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const given = (): void => {
      if (!input.current) return;
      setNow(null);
      set(Number(input.current.value));
    };
    const element = input.current;
    element?.addEventListener('change', given);
    return () => element?.removeEventListener('change', given);
  });
  return (
    <input
      ref={input}
      type="range"
      tabIndex={-1}
      aria-label={`${label}, slider`}
      min={least}
      max={most}
      step={whole ? 1 : (most - least) / 400}
      value={now ?? value}
      onInput={(event) => {
        const at = Number(event.currentTarget.value);
        setNow(at);
        moved(at);
      }}
      onChange={() => undefined}
    />
  );
}
