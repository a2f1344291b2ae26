export { onAbort } from '../../waiting/on-abort.js';
