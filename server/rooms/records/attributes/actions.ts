import type { May } from '#authority/proof.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { valueDeleted } from './hooks.ts'
import { type AttributeValue, deleteValue, findValue, insertValue, lockValue } from './store.ts'
import { type AttributeType, attributeTypes, typeOfId } from './types.ts'

export async function createValue(
  tx: Tx,
  call: May<'attributes.change'>,
  type: AttributeType,
  given: string,
): Promise<AttributeValue> {
  const text = given.trim()
  if (text === '') throw invalid({ field: 'value', description: 'must not be empty' })
  const at = call.now()
  const value: AttributeValue = {
    id: call.newId(),
    attributeTypeId: type.id,
    value: text,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
  if (!(await insertValue(tx, call, value)))
    throw new Refusal('ATTRIBUTE_VALUE_EXISTS', `There is a ${type.noun} ${text} already.`, {
      metadata: { attributeTypeId: type.id, value: text },
    })
  const touched = { type: 'attribute_value', id: value.id, name: text, data: { attributeTypeId: type.id } }
  await recordChange(tx, call, 'create', `Created the ${type.noun} ${text}`, [touched])
  return value
}

/** A value by its id; of one type, if one is given. */
export async function getValue(call: Call, id: string, type: AttributeType | null): Promise<AttributeValue> {
  const value = await findValue(call.db, call.tenant.id, id, type?.id ?? null)
  if (!value) throw valueNotFound(id, type)
  return value
}

/** Deletes a value, and removes it from every entitlement that refers to it. */
export async function removeValue(
  tx: Tx,
  call: May<'attributes.change'>,
  id: string,
  type: AttributeType | null,
): Promise<void> {
  const value = await lockValue(tx, call.tenant.id, id, type?.id ?? null)
  if (!value) throw valueNotFound(id, type)
  const at = call.now()
  await deleteValue(tx, call, id, at)
  const cleared = await valueDeleted.run(tx, call.tenant.id, id, at)
  const entitlements = cleared.reduce((sum, count) => sum + count, 0)
  const noun = typeOfId(value.attributeTypeId)?.noun ?? 'attribute value'
  const taken = entitlements === 0 ? '' : `, and removed it from ${entitlements} entitlements`
  const data = { attributeTypeId: value.attributeTypeId, entitlementsCleared: entitlements }
  const touched = { type: 'attribute_value', id, name: value.value, data }
  await recordChange(tx, call, 'delete', `Deleted the ${noun} ${value.value}${taken}`, [touched])
}

/** The type that is given in a body. */
export function typeNamed(field: string, id: string): AttributeType {
  const type = typeOfId(id)
  if (type) return type
  const known = attributeTypes.map((each) => `${each.id} (${each.noun})`).join(', ')
  throw invalid({ field, description: `there is no attribute type ${id}; there are ${known}` })
}

/** The type that is given in a path. */
export function getType(id: string): AttributeType {
  const type = typeOfId(id)
  if (type) return type
  throw new Refusal('ATTRIBUTE_TYPE_NOT_FOUND', `There is no attribute type ${id}.`, {
    metadata: { attributeTypeId: id },
  })
}

const valueNotFound = (id: string, type: AttributeType | null): Refusal =>
  new Refusal('ATTRIBUTE_VALUE_NOT_FOUND', `There is no ${type?.noun ?? 'attribute value'} ${id}.`, {
    metadata: { id },
  })
