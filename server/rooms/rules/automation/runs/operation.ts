/** The operation in the log for changes that rules made outside any request. */
export const rulesRun = 'run automation rules'
