/** A task as a message shows it. */
export type ToldTask = {
  id: string
  number: number
  kind: 'grant' | 'revoke' | 'certify' | 'offboarding' | 'change'
  title: string
  description: string
  subject: string
  requester: string
  app: string
  entitlement: string
  stepKind: string
  stepDueAt: Date | null
  outcome: string | null
  isEmergency: boolean
  durationSeconds: number | null
}

/** The content of a notification: its kind, and the facts. */
export type Told =
  | { kind: 'approvalNeeded'; task: ToldTask }
  | { kind: 'provisioningRequest'; task: ToldTask }
  | { kind: 'requestCreated'; task: ToldTask }
  | { kind: 'taskReminders'; task: ToldTask; since: Date }
  | { kind: 'commentOnRequest'; task: ToldTask; by: string; comment: string }
  | { kind: 'completion' | 'accessProvisioned'; task: ToldTask; comment: string }
  | {
      kind: 'expiringAccess'
      entitlement: string
      app: string
      /** The person who has the access: for a chat; empty for the person. */
      holder: string
      endsAt: Date
      url: string
    }
  | { kind: 'connectorIssues'; connector: string; app: string; state: 'failed' | 'held'; path: string }
  | { kind: 'system'; about: 'alert'; message: string; by: string; at: Date; path: string }
  | { kind: 'system'; about: 'credential'; name: string; owner: string; endsAt: Date; path: string }
