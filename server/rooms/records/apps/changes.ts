import { fieldsToChange } from '#kernel/masks.ts'
import type { Fields, Message, MessageOf } from '#kernel/wire.ts'

/** What an update changes, and into what. A field that the mask names and the message leaves out is changed to unset. */
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

/** As it reads in the system log. */
export const told = (changes: object): string => Object.keys(changes).join(', ') || 'nothing'
