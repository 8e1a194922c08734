import { Input } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** A label for an element that has none. */
export function Label({ text, children }: { text: string; children: (id: string) => ReactNode }): ReactNode {
  const id = useId()
  return (
    <div>
      <Input.Label component="div" id={id} mb={4} display="block">
        {text}
      </Input.Label>
      {children(id)}
    </div>
  )
}
