import { Refusal } from '#kernel/refusals.ts'

export const directoryNotFound = (appId: string): Refusal =>
  new Refusal('DIRECTORY_NOT_FOUND', `There is no directory ${appId}.`, { metadata: { appId } })

export const tokenNotFound = (id: string): Refusal =>
  new Refusal('DIRECTORY_TOKEN_NOT_FOUND', `The directory has no token ${id}.`, { metadata: { tokenId: id } })

export const heldBeingDecided = (isConfirmed: boolean): Refusal =>
  new Refusal(
    'HELD_BEING_DECIDED',
    `The held deactivations are being ${isConfirmed ? 'confirmed' : 'dismissed'}. Wait until that is done.`,
  )
