import { Refusal } from '#kernel/refusals.ts'
import { viewsMax } from './decide.ts'

export const viewNotFound = (id: string): Refusal =>
  new Refusal('SAVED_VIEW_NOT_FOUND', `There is no saved view ${id}.`, { metadata: { viewId: id } })

export const viewExists = (name: string): Refusal =>
  new Refusal('SAVED_VIEW_EXISTS', `You already have a view named ${name} on this page.`, { metadata: { name } })

export const tooManyViews = (which: keyof typeof viewsMax): Refusal =>
  new Refusal(
    'SAVED_VIEWS_TOO_MANY',
    which === 'own'
      ? `You have ${viewsMax.own} saved views; delete one first.`
      : `There are ${viewsMax.shared} shared views; delete one, or stop sharing one, first.`,
    { metadata: { max: String(viewsMax[which]) } },
  )

export const mayNotShare = (): Refusal =>
  new Refusal('PERMISSION_DENIED', 'This needs the permission views.share, to share views and change shared ones.', {
    metadata: { permission: 'views.share' },
  })
