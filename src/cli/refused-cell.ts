import { CodemodeError } from '../errors.js';

/** A cell that no host could run, because its TypeScript is more than types: as if it had failed. */
export class RefusedCell extends CodemodeError {
  constructor({ code, message, cause, data }: CodemodeError) {
    super(code, message, { cause, data });
  }
}
