export { compileExpression } from './compile.ts'
export { type Compiled, type Fragment, heldKey, type Looked, type Subject } from './expression.ts'
export { listSubjects } from './store.ts'
