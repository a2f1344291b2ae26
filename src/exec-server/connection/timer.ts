export { pauseFor, startTimer } from '../../waiting/timer.js';
