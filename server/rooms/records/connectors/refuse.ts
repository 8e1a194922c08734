import { Refusal } from '#kernel/refusals.ts'

export const connectorNotFound = (id: string): Refusal =>
  new Refusal('CONNECTOR_NOT_FOUND', `There is no connector ${id} in this app.`, { metadata: { id } })

export const syncNotFound = (id: string): Refusal =>
  new Refusal('CONNECTOR_TASK_NOT_FOUND', `This connector has no sync ${id}.`, { metadata: { id } })
