import { join } from 'node:path';
import { root } from '../support/cli.js';

const file = (name: string): string => join(root, 'test/e2e/tools', `${name}.tools.js`);

export const echoTool = file('echo');
export const slowTool = file('slow');
export const moreTools = file('more');
export const fullStdoutTool = file('full-stdout');
