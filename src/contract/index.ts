export { answerForError, type ModelAnswer } from './answer.js';
export type { ModelNotification } from './cell-toolboxes.js';
export type { ContractOptions, OpenContractOptions } from './contract-options.js';
export type { ContractSession } from './contract-session.js';
export { type ExecCallOptions, ExecContract } from './exec-contract.js';
export { type ExecInput, type ExecSettings, parseExecInput } from './exec-input.js';
