/** What revoking a grant may need besides its entitlement and its principal, as a message: its own id, annotations. */
export type KeptGrant = {
  /** The connector says that it cannot be revoked separately. */
  isFixed: boolean
  data: Uint8Array
}

/** The contents of a connector's file, decoded. Ids are the app's own, and are compared as they are. */
export type FileRecord =
  | { is: 'resourceType'; id: string; displayName: string }
  | {
      is: 'resource'
      typeId: string
      id: string
      displayName: string
      description: string
      profile: object | null
      parent: { typeId: string; id: string } | null
    }
  | {
      is: 'account'
      typeId: string
      id: string
      displayName: string
      emails: readonly string[]
      usernames: readonly string[]
      employeeIds: readonly string[]
      profile: object | null
      type: 'user' | 'service' | 'system'
      isEnabled: boolean
    }
  | {
      is: 'entitlement'
      id: string
      displayName: string
      description: string
      typeId: string
      resourceId: string
      slug: string
      purpose: 'assignment' | 'permission' | 'ownership'
    }
  /**
   * `sources` are the entitlements through which its holder gets this one by expansion; its own id is among them if it is
   * direct too.
   */
  | {
      is: 'grant'
      entitlementId: string
      principal: { typeId: string; id: string }
      sources: readonly string[]
      /** What revoking it may need, as a message; null if the ids of entitlement and principal are enough. */
      kept: KeptGrant | null
    }
  /** A resource or an entitlement as the connector wrote it, which is sent back to it. */
  | { is: 'object'; kind: 'resource' | 'entitlement'; key: string; typeId: string; data: Uint8Array }
  /** A grant to a resource that is not an account, such as a group. */
  | { is: 'nestedGrant' }
  /** A grant whose principal has no id, because the app did not return one. Real connectors write them. */
  | { is: 'grantToNobody' }
