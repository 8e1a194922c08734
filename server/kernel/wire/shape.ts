import type { FieldViolation } from '../refusals.ts'

/**
 * A shape defines what a value is in the program, how it is read from JSON, how it is written as JSON, and how the API
 * document describes it.
 */
export type Shape<T> = {
  /** The value of an unset field, in the program and on the wire. */
  readonly unset: T
  read(json: unknown, at: string, problems: FieldViolation[]): T
  write(value: T): unknown
  /** The JSON text of the result of `write`, without creating it. */
  text(value: T): string
  /** JSON Schema 2020-12; messages by reference. */
  readonly schema: JsonSchema
  /** What reading also refuses, as JSON Schema: only for requests, as stored values may be older or imported. */
  readonly limits?: JsonSchema
  /** Refused if it is unset. */
  readonly isRequired?: true
  /** The messages that the schema refers to, for `components`. */
  readonly messages: readonly Message<Fields>[]
  /** The message with which a value, or each item of a list, is read. */
  readonly within?: Message<Fields>
  /** The values of an object are read with that message, and not the object itself. */
  readonly isMap?: true
  /** For a list: the text of one item. */
  itemText?(value: unknown): string
  /** Set by the service: what is sent for it is not read. */
  readonly isReadOnly?: true
  /** Read-only, but published as writable: another value than the present one is refused; this reads what was sent. */
  readonly fixed?: Shape<T>
  /** A message whose fields are what an update changes. */
  readonly isUpdate?: true
  /** Omitted if it is unset. */
  readonly isLeftOut?: true
}
export type JsonSchema = { readonly [key: string]: unknown }

export type Fields = { readonly [name: string]: Shape<never> | Shape<unknown> }
export type MessageOf<F> = { [K in keyof F]: F[K] extends Shape<infer T> ? T : never }
export type Message<F extends Fields> = {
  readonly name: string
  readonly description: string
  readonly fields: F
  read(json: unknown, at: string, problems: FieldViolation[]): MessageOf<F>
  write(value: { readonly [K in keyof F]?: MessageOf<F>[K] | undefined }): Record<string, unknown>
  text(value: { readonly [K in keyof F]?: MessageOf<F>[K] | undefined }): string
  readonly schema: JsonSchema
  /** The schema with what reading also refuses: see `limits`. */
  readonly sentSchema: JsonSchema
  readonly reference: JsonSchema
  readonly messages: readonly Message<Fields>[]
}
