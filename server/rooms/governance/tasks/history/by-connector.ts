/** What the history says of a step that a connector carried out, and the name of the connector in that. */
export const byConnectorWords = (name: string): string => `Provisioned by the connector ${name}.`
export const connectorIn = (comment: string): string | null =>
  /^Provisioned by the connector (.+)\.$/s.exec(comment)?.[1] ?? null
