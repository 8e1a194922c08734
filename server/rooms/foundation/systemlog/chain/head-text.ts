/** The text form of the end of a chain: the number of its last link, and its MAC. */
export const headText = (number: number, mac: Buffer): string => `${number}:${mac.toString('hex')}`
