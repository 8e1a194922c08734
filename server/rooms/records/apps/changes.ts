import { fieldsToChange } from '#kernel/masks.ts'
import type { Fields, Message, MessageOf } from '#kernel/wire.ts'

/** What an update changes, and to which values. A field that the mask names and the message omits is unset. */
export function changesIn<F extends Fields, const N extends keyof F & string>(
  of: Message<F>,
  sent: MessageOf<F> | null,
  updateMask: string,
  changeable: readonly N[],
): Partial<Pick<MessageOf<F>, N>> {
  const fields = fieldsToChange(sent, updateMask, changeable)
  const value = sent ?? of.read({}, '', [])
  return Object.fromEntries([...fields].map((name) => [name, value[name]])) as Partial<Pick<MessageOf<F>, N>>
}

/** The changed fields, as the system log shows them. */
export const told = (changes: object): string => Object.keys(changes).join(', ') || 'nothing'
