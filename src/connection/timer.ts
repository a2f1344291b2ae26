export { isTimed, startTimer } from '../waiting/timer.js';
