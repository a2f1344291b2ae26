export { execTool, type FreeformContract, type FunctionContract, waitTool } from './description/contracts.js';
export { type Describable, type DescribeOptions, type Description, describe } from './description/describe.js';
