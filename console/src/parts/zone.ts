/** The reader's time zone, for fields of date and time: `Your time zone: Europe/London.` */
export const zoneWords = (): string => `Your time zone: ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`
