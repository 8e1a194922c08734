import type { FieldViolation } from '../refusals.ts'

/**
 * A shape says at once what a value is in the program, how it is read from JSON, how it is written as JSON, and how the
 * API document describes it.
 */
export type Shape<T> = {
  /** What an unset field holds, in the program and on the wire. */
  readonly unset: T
  read(json: unknown, at: string, problems: FieldViolation[]): T
  write(value: T): unknown
  /** The JSON text of what `write` makes of a value, without making it. */
  text(value: T): string
  /** JSON Schema 2020-12; messages by reference. */
  readonly schema: JsonSchema
  /** What reading refuses beyond that, as JSON Schema: said of what is only sent, as what is stored may be older or imported. */
  readonly limits?: JsonSchema
  /** Refused where it is unset. */
  readonly isRequired?: true
  /** The messages that the schema refers to, for `components`. */
  readonly messages: readonly Message<Fields>[]
  /** The message that a value, or each item of a list, is read by. */
  readonly within?: Message<Fields>
  /** The values of an object are read by that message, and not the object itself. */
  readonly isMap?: true
  /** Of a list: the text of one item. */
  itemText?(value: unknown): string
  /** Told by the service: what is sent for it is not read. */
  readonly isReadOnly?: true
  /** Read only, but published as something to be set: another value than it has is refused; this reads what was sent. */
  readonly fixed?: Shape<T>
  /** A message whose fields are what an update changes. */
  readonly isUpdate?: true
  /** Left out where it is unset. */
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
  /** The schema with what reading refuses: see `limits`. */
  readonly sentSchema: JsonSchema
  readonly reference: JsonSchema
  readonly messages: readonly Message<Fields>[]
}
