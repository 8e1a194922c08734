import { Refusal } from '#kernel/refusals.ts'

export const connectorNotFound = (id: string): Refusal =>
  new Refusal('CONNECTOR_NOT_FOUND', `There is no connector ${id} in this app.`, { metadata: { id } })

export const syncNotFound = (id: string): Refusal =>
  new Refusal('CONNECTOR_TASK_NOT_FOUND', `This connector has no sync ${id}.`, { metadata: { id } })

export const programNotFound = (name: string): Refusal =>
  new Refusal('CONNECTOR_PROGRAM_NOT_FOUND', `This server has no program ${name} that it can run for you.`, {
    metadata: { program: name },
  })
