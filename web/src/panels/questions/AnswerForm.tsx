import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { keyOf } from '../../api/ids';
import type { AskedPart, QuestionView } from '../../api/types';
import { useFrames } from '../../state/frames';
import { beginPlacing, beginShowing, cancelPlacing, usePlacing } from '../../state/placing';
import { useWorld } from '../../state/world';
import { showPanel } from '../../shell/layouts';
import { matrixOfSeven, settingOf } from '../../three/pose';

interface Props {
  question: QuestionView;
  reached: boolean;
  answer: (value: unknown) => void;
}

/** What is asked for, one field each; several at once are answered together. */
export function AnswerForm({ question, reached, answer }: Props): ReactNode {
  const several = question.kind === 'several';
  const parts: AskedPart[] = several ? question.parts : [{ name: '', kind: question.kind, class: question.class }];
  const [values, setValues] = useState<Record<string, unknown>>({});
  const step = keyOf(question.step);
  useEffect(
    () => () => {
      // The question is gone: what was shown for it, too.
      if (usePlacing.getState().placing?.answers?.startsWith(step)) cancelPlacing();
    },
    [step],
  );
  const complete = parts.every((part) => values[part.name] !== undefined);
  const given = (event: FormEvent): void => {
    event.preventDefault();
    if (complete) answer(several ? values : values['']);
  };
  return (
    <form className="answers" onSubmit={given}>
      {parts.map((part) => (
        <PartField
          key={part.name}
          part={part}
          at={`${step} ${part.name}`}
          value={values[part.name]}
          give={(value) => setValues((before) => ({ ...before, [part.name]: value }))}
        />
      ))}
      <div className="row end">
        <button type="submit" className="button main" disabled={!reached || !complete}>
          Answer
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  part: AskedPart;
  /** Names it among all that is asked for. */
  at: string;
  value: unknown;
  /** Undefined: there is no answer yet. */
  give: (value: unknown) => void;
}

const WORDS: Partial<Record<AskedPart['kind'], string>> = { pose: 'Pose', point: 'Point', object: 'Object', template: 'Template', frame: 'Frame' };

function labelOf({ name, kind, class: of }: AskedPart): string {
  const what = [WORDS[kind], of].filter(Boolean).join(' ');
  if (name === '' || name === 'value') return what || 'Answer';
  return what ? `${name} (${what.toLowerCase()})` : name;
}

function PartField(props: FieldProps): ReactNode {
  const { part } = props;
  switch (part.kind) {
    case 'pose':
    case 'point':
      return <Place {...props} />;
    case 'object':
    case 'template':
      return <Thing {...props} />;
    case 'frame':
      return <Frame {...props} />;
    case 'bool':
      return <Choice {...props} options={['yes', 'no']} of={(text) => text === 'yes'} />;
    default:
      return <Typed {...props} />;
  }
}

function Typed({ part, give }: FieldProps): ReactNode {
  const number = part.kind === 'number';
  const read = (text: string): unknown => {
    if (text.trim() === '' || (number && !Number.isFinite(Number(text)))) return undefined;
    return number ? Number(text) : text;
  };
  return (
    <label className="answer">
      {labelOf(part)}
      <input aria-label={labelOf(part)} inputMode={number ? 'decimal' : 'text'} onChange={(event) => give(read(event.target.value))} />
    </label>
  );
}

function Choice({ part, give, options, of = (text) => text, value }: FieldProps & { options: string[]; of?: (text: string) => unknown }): ReactNode {
  const chosen = options.find((option) => of(option) === value) ?? '';
  return (
    <label className="answer">
      {labelOf(part)}
      <select value={chosen} onChange={(event) => give(event.target.value === '' ? undefined : of(event.target.value))}>
        <option value="">choose…</option>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </label>
  );
}

function Frame(props: FieldProps): ReactNode {
  return <Choice {...props} options={useFrames()} />;
}

/** One that is there, or one that is placed now. */
function Thing(props: FieldProps): ReactNode {
  const { part, give, value } = props;
  const objects = useWorld((world) => world.objects);
  const templates = useWorld((world) => world.robot?.templates);
  const placed = usePlacing((placer) => placer.placed);
  const known = new Set(templates?.map((template) => template.class));
  const fits = objects.filter((one) =>
    part.class === null ? part.kind === 'object' || (one.class !== null && known.has(one.class)) : one.class === part.class,
  );
  const names = fits.map((one) => one.name);
  // What was placed for it is meant.
  useEffect(() => {
    if (value === undefined && placed !== null && names.includes(placed)) give(placed);
  }, [placed, names.join(' ')]);
  return (
    <div className="answer-row">
      <Choice {...props} options={names} />
      <button
        type="button"
        className="button"
        onClick={() => {
          showPanel('scene');
          beginPlacing(part.class ?? templates?.[0]?.class ?? '');
        }}
      >
        Place one…
      </button>
    </div>
  );
}

const PLACE = ['x_m', 'y_m', 'z_m'] as const;
const POSE = [...PLACE, 'roll_deg', 'pitch_deg', 'yaw_deg'] as const;

/** Shown in the 3D view: a click on the cloud, a surface or the ground, or the gizmo. */
function Place({ part, at, value, give }: FieldProps): ReactNode {
  const placing = usePlacing((placer) => placer.placing);
  const shown = placing?.answers === at ? placing.pose : null;
  useEffect(() => {
    if (!shown) return;
    const setting = settingOf(matrixOfSeven(shown));
    give(Object.fromEntries((part.kind === 'pose' ? POSE : PLACE).map((name) => [name, setting[name]])));
  }, [shown]);
  const numbers = value as Record<string, number> | undefined;
  return (
    <div className="answer-row">
      <span className="answer">
        {labelOf(part)}
        <output className="mono">{numbers ? textOf(numbers) : 'not shown yet'}</output>
      </span>
      <button type="button" className="button" aria-pressed={shown !== null} onClick={() => (shown ? cancelPlacing() : beginShowing(at, labelOf(part)))}>
        {shown ? 'That is it' : 'Show it in 3D'}
      </button>
      {shown && <span className="dim">Click on the cloud, a surface or the ground, or drag the gizmo.</span>}
    </div>
  );
}

function textOf(numbers: Record<string, number>): string {
  const place = PLACE.map((name) => (numbers[name] ?? 0).toFixed(2)).join(', ');
  if (numbers.yaw_deg === undefined) return `${place} m`;
  return `${place} m, turned ${POSE.slice(3)
    .map((name) => (numbers[name] ?? 0).toFixed(0))
    .join(', ')}°`;
}
