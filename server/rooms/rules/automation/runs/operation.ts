/** What the log says of changes that rules made outside any request. */
export const rulesRun = 'run automation rules'
