export { type CheckedCell, type CheckOptions, checkCell, checkCells, type Diagnostic } from './check-cell.js';
export { type Finding, type FindingCode, findingCodes } from './finding.js';
export { type Preflight, type PreparedCell, type PrepareOptions, prepareCell } from './prepare-cell.js';
export { stripTypes } from './strip-types.js';
