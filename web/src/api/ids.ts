import type { InstanceView } from './types';

/** One text for a node of the running tree, to use as a key: the skill uses that lead to it, then its id. */
export type InstanceKey = string;

export function keyOf(step: { uses?: string[]; node: string }): InstanceKey {
  return step.uses && step.uses.length > 0 ? `${step.uses.join('/')}/${step.node}` : step.node;
}

export function instanceOf(key: InstanceKey): InstanceView {
  const parts = key.split('/');
  const node = parts.pop() ?? '';
  return { uses: parts, node };
}
