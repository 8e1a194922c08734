import { flag, int32, int64, message, oneOf, readOnly, text, timestamp } from '#kernel/wire.ts'
import { type App, identityMatchings } from './records.ts'
import { annotationsShape, descriptionLength, nameLength } from './shapes.ts'

export const appTermShapes = {
  displayName: text({ maxLength: nameLength }),
  description: text({ maxLength: descriptionLength }),
  annotations: annotationsShape,
  instructions: text({ maxLength: descriptionLength }),
  monthlyCostUsd: int32(),
  identityMatching: oneOf(identityMatchings),
}

export const AppMessage = message(
  'app.v1.App',
  {
    id: readOnly(text()),
    ...appTermShapes,
    isManuallyManaged: readOnly(flag()),
    userCount: readOnly(int64()),
    createdAt: readOnly(timestamp()),
    updatedAt: readOnly(timestamp()),
    deletedAt: readOnly(timestamp()),
  },
  'An app whose access is governed. userCount counts the accounts that hold something in it.',
)

/** An app as a neighbour of something else: without its count, which costs more than all the rest. */
export function appAsNeighbour(app: Omit<App, 'userCount'>): object {
  const { userCount: _, ...rest } = AppMessage.write(app)
  return rest
}
