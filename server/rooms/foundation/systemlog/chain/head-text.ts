/** How the end of a chain is written down: the number of its last link, and the MAC of that. */
export const headText = (number: number, mac: Buffer): string => `${number}:${mac.toString('hex')}`
