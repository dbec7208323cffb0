import { createContext, useContext } from 'react';
import type { NodeView } from '../../api/types';
import type { Schema } from './schema';

/** What a field must know of the form it stands in. */
export interface FormContext {
  root: Schema;
  node: NodeView;
  /** What its setting `by` says, if it has one: parts of other settings may count with some of its values only. */
  by: unknown;
  /** What is wrong, by the setting's name. */
  errors: ReadonlyMap<string, string[]>;
}

export const Form = createContext<FormContext | null>(null);

export function useForm(): FormContext {
  const form = useContext(Form);
  if (!form) throw new Error('a field stands outside of a form');
  return form;
}

export interface FieldProps<T = unknown> {
  id: string;
  /** The name of the setting, or of a part of it. */
  name: string;
  schema: Schema;
  value: T;
  /** `moving`: it is being dragged; nothing is given yet. */
  set: (value: unknown, moving?: boolean) => void;
}
