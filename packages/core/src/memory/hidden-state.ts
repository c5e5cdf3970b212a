import { VernalError } from '../errors/vernal-error.js';

/** What belongs to objects and is no part of their class's type. */
export interface HiddenState<Owner extends object, State> {
  set(owner: Owner, state: State): void;
  /** Throws `invalid_state` for an object that has none: a method was called without its object, or before the constructor ran. */
  of(owner: Owner): State;
}

export function hiddenState<Owner extends object, State>(): HiddenState<Owner, State> {
  const states = new WeakMap<Owner, State>();
  return {
    set: (owner, state) => void states.set(owner, state),
    of: (owner) => {
      const state = states.get(owner);
      if (state !== undefined) return state;
      throw new VernalError('A method was called without the object it belongs to; call it on the object', {
        code: 'invalid_state',
        subject: 'this',
      });
    },
  };
}
