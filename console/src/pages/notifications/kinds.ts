/** The kinds of notification, in the order in which they are shown. */
export const kinds = [
  ['approvalNeeded', 'Approval needed', 'A request or change is waiting for your decision'],
  ['provisioningRequest', 'Manual work', 'Approved access must be provisioned manually'],
  ['taskReminders', 'Reminders', 'A decision has been waiting for a day, or is due soon'],
  ['requestCreated', 'Request created', 'A request was created by you or for you'],
  ['commentOnRequest', 'Comments', 'Someone commented on a request'],
  ['completion', 'Request completed', 'A request was completed, denied, or failed'],
  ['accessProvisioned', 'Access granted', 'Requested access was granted to you'],
  ['expiringAccess', 'Access expires soon', 'Three days and one day before access expires'],
  ['connectorIssues', 'Connector problems', 'A sync failed or is waiting for confirmation'],
  ['system', 'Security notices', 'Always on: alerts for administrators, and credentials that expire soon'],
] as const

export type KindName = (typeof kinds)[number][0]

export const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const
export const dayLabel = (day: string): string => day.charAt(0) + day.slice(1).toLowerCase()
