export { cellDeclarations } from './cell-declarations.js';
export type { Dialect } from './object-type.js';
export { type SchemaTypeOptions, schemaType } from './schema-type.js';
export { toolDeclaration } from './tool-declaration.js';
export type { DeclaredTool } from './tool-signature.js';
