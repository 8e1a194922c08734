import type { Expr } from './tree.ts'

/**
 * The type of a value, as far as it is known before there is a user; `dyn` is any. `user` and `users` are one person, and a
 * list of people.
 */
export type Type = string

export const nameOfType = (type: Type): string =>
  type === 'users' ? 'list of users' : type.replace('google.protobuf.', '').replace('_type', '').toLowerCase()
/** With its article. */
export const aType = (type: Type): string => `${type === 'int' ? 'an' : 'a'} ${nameOfType(type)}`
export const isPerhaps = (type: Type, ...wanted: Type[]): boolean => type === 'dyn' || wanted.includes(type)

export type Typed = { tree: Expr; type: Type }
/** Variables of the enclosing macros. */
export type Variables = ReadonlyMap<string, Type>

/**
 * A part of an expression that is being checked, with the variables around it. `isPath`: it is a path that was noted
 * already.
 */
export type Part = { tree: Expr; variables: Variables; isPath: boolean }
