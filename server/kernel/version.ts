/** The version of the program, and of its API. */
export const version = '0.1.0-alpha'
