/** The kinds of notification, in the order in which they are shown. */
export const kinds = [
  ['approvalNeeded', 'Approval needed', 'A request or change waits for a decision'],
  ['provisioningRequest', 'To do by hand', 'Something that was approved has to be carried out by hand'],
  ['taskReminders', 'Reminders', 'A decision has waited for a day, or is due soon'],
  ['requestCreated', 'Request created', 'A request was created by you or for you'],
  ['commentOnRequest', 'Comments', 'Somebody commented on a request'],
  ['completion', 'Request completed', 'A request was completed, denied, or failed'],
  ['accessProvisioned', 'Access given', 'You have access that was requested'],
  ['expiringAccess', 'Access ends soon', 'Three days and one day before access ends'],
  ['connectorIssues', 'Connector problems', 'A sync failed or waits for confirmation'],
  ['reviews', 'Access reviews', 'Nothing is sent yet: there are no access reviews'],
  ['system', 'Security notices', 'Always on: alerts for administrators, and credentials that expire soon'],
] as const

export type KindName = (typeof kinds)[number][0]

export const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const
export const dayLabel = (day: string): string => day.charAt(0) + day.slice(1).toLowerCase()
