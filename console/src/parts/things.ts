/** A thing as the API names it: what it is, its id, and what it belongs to. */
export type Thing = { type: string; id: string; appId: string; appResourceTypeId?: string }

const pages: Readonly<Record<string, (thing: Thing) => string>> = {
  account: ({ appId, id }) => `/apps/${appId}/accounts/${id}`,
  app: ({ id }) => `/apps/${id}`,
  connector: ({ appId, id }) => `/apps/${appId}/connectors/${id}`,
  directory: ({ id }) => `/directories/${id}`,
  entitlement: ({ appId, id }) => `/apps/${appId}/entitlements/${id}`,
  export: ({ id }) => `/log/exports/${id}`,
  policy: ({ id }) => `/policies/${id}`,
  principal: ({ id }) => `/principals/${id}`,
  profile: ({ id }) => `/profiles/${id}`,
  resource: ({ appId, appResourceTypeId, id }) => `/apps/${appId}/resources/${appResourceTypeId}/${id}`,
  subscription: ({ id }) => `/subscriptions/${id}`,
  task: ({ id }) => `/tasks/${id}`,
  user: ({ id }) => `/users/${id}`,
  webhook: ({ id }) => `/webhooks/${id}`,
}

/** The page of a thing; null if it has none, or if the caller may not know which thing it is. */
export const pageOf = (thing: Thing): string | null => (thing.id === '' ? null : (pages[thing.type]?.(thing) ?? null))
