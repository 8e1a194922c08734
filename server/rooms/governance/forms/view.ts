import type { MessageOf } from '#kernel/wire.ts'
import type { Form } from './form.ts'
import type { FormMessage } from './shapes.ts'

export const formOnWire = (form: Form): MessageOf<(typeof FormMessage)['fields']> => {
  const { id, name, description, fields, fieldGroups, fieldRelationships, justificationVisibility } = form
  const { createdAt, updatedAt: modifiedAt, deletedAt } = form
  return {
    id,
    form: { id, displayName: name, description, fields, fieldGroups, fieldRelationships },
    justificationVisibility,
    createdAt,
    modifiedAt,
    deletedAt,
  }
}
